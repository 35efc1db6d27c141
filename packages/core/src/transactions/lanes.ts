/** Lanes: tasks of one lane run one after another, tasks of different lanes side by side. */

export class Lanes {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Runs the task after every earlier task of the lane has ended, well or badly. */
  run<T>(lane: string, task: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(lane) ?? Promise.resolve();
    const mine = before.then(task, task);
    const settled = mine.then(
      () => undefined,
      () => undefined,
    );
    this.#tails.set(lane, settled);
    void settled.then(() => {
      if (this.#tails.get(lane) === settled) this.#tails.delete(lane);
    });
    return mine;
  }

  /** Resolves when everything that is in a lane now has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#tails.values());
  }
}
