/** Runs an asynchronous task for many items with bounded concurrency. */

/** Yields results in the order of the items, starting up to `limit` tasks ahead. Rejects with the first failure in that order. */
export async function* mapInOrder<Item, Result>(
  items: Iterable<Item>,
  limit: number,
  task: (item: Item) => Promise<Result>,
): AsyncIterable<Result> {
  const started: Promise<Result>[] = [];
  for (const item of items) {
    const result = task(item);
    // Handled when its turn comes; until then, a rejection must not count as unhandled.
    result.catch(() => undefined);
    started.push(result);
    if (started.length >= limit) yield* results(started.splice(0, 1));
  }
  yield* results(started);
}

async function* results<Result>(started: readonly Promise<Result>[]): AsyncIterable<Result> {
  for (const result of started) yield await result;
}

/** Rejects with the first failure, after all started tasks have ended. */
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
