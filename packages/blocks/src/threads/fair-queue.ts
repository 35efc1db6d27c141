/** A queue that serves its keys in turn, so that a key with many waiting tasks delays those of another key by one task only. */
export class FairQueue<T> {
  /** Keys in the order in which they are served. */
  readonly #waiting = new Map<string, T[]>();

  push(key: string, task: T): void {
    const tasks = this.#waiting.get(key);
    if (tasks === undefined) this.#waiting.set(key, [task]);
    else tasks.push(task);
  }

  /** The next task; `undefined` when none waits. */
  shift(): T | undefined {
    for (const [key, tasks] of this.#waiting) {
      const task = tasks.shift();
      this.#waiting.delete(key);
      // Behind all other keys.
      if (tasks.length > 0) this.#waiting.set(key, tasks);
      return task;
    }
    return undefined;
  }
}
