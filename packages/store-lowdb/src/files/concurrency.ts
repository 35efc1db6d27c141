/** Does something for many items, a few at a time. */

/** Begins tasks ahead of time, and gives their results in the order of the items. At most `ahead` tasks are under way. Rejects with the first failure in that order. */
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

/** Rejects with the first failure, after those that had begun have ended. */
export async function forEachLimited<T>(
  items: Iterable<T>,
  limit: number,
  task: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  let failed = false;
  const work = async (): Promise<void> => {
    for (let next = rest.next(); !next.done && !failed; next = rest.next()) {
      try {
        await task(next.value);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: limit }, work));
  for (const { status, ...outcome } of ended)
    if (status === 'rejected') throw (outcome as PromiseRejectedResult).reason;
}
