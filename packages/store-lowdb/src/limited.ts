/** Does something for many items, a few at a time. */

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
