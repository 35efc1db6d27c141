/** A task was ended together with its thread, before it had a result. */
export class ThreadStopped extends Error {
  override readonly name = 'ThreadStopped';

  constructor(
    /** The limit that the task exceeded. */
    readonly limit: 'time' | 'memory',
    cause: unknown,
  ) {
    super(`A task was stopped: it exceeded its limit of ${limit}`, { cause });
  }
}
