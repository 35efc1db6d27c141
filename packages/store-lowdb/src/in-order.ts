/** Begins tasks ahead of time, and gives their results in the order of the items. */

/** At most `ahead` tasks are under way. Rejects with the first failure in that order. */
export async function* inOrder<Item, Result>(
  items: Iterable<Item>,
  ahead: number,
  task: (item: Item) => Promise<Result>,
): AsyncIterable<Result> {
  const under: Promise<Result>[] = [];
  for (const item of items) {
    const begun = task(item);
    // Whoever waits for an earlier one hears of its failure first.
    begun.catch(() => undefined);
    under.push(begun);
    if (under.length >= ahead) yield* results(under.splice(0, 1));
  }
  yield* results(under);
}

async function* results<Result>(begun: readonly Promise<Result>[]): AsyncIterable<Result> {
  for (const one of begun) yield await one;
}
