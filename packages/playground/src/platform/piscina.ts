/** The pool of threads for a page: a worker for each task that runs, which is ended when its time is over. */

/** What a program of `programs` is called with, and what it answers: the result, or the error that it threw. */
export interface WorkerAnswer {
  readonly result?: unknown;
  readonly error?: { readonly name: string; readonly message: string };
}

/** The members of the package `piscina` that are used. */
export class Piscina {
  /** Workers that have nothing to do, by their program. */
  readonly #idle = new Map<string, Worker[]>();
  /** Workers with a task, and what ends the task with an error. */
  readonly #busy = new Map<Worker, (reason: Error) => void>();

  async run(
    task: unknown,
    { filename, signal }: { readonly filename: string; readonly signal: AbortSignal },
  ): Promise<unknown> {
    const worker = this.#idle.get(filename)?.pop() ?? new Worker(filename, { type: 'module' });
    const ended = new Promise<never>((_, reject) => this.#busy.set(worker, reject));
    const { result, error } = await Promise.race([answerOf(worker, task, signal), ended]).catch((failure: unknown) => {
      worker.terminate();
      this.#busy.delete(worker);
      throw failure;
    });
    // After `destroy`, there is nobody left to use it.
    if (this.#busy.delete(worker)) this.#idle.set(filename, [...(this.#idle.get(filename) ?? []), worker]);
    if (error !== undefined) throw Object.assign(new Error(error.message), { name: error.name });
    return result;
  }

  /** Running tasks fail. */
  destroy(): Promise<void> {
    for (const worker of [...this.#busy.keys(), ...[...this.#idle.values()].flat()]) worker.terminate();
    for (const end of this.#busy.values()) end(new Error('The pool was destroyed.'));
    this.#busy.clear();
    this.#idle.clear();
    return Promise.resolve();
  }
}

const answerOf = (worker: Worker, task: unknown, signal: AbortSignal): Promise<WorkerAnswer> =>
  new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data as WorkerAnswer);
    worker.onerror = ({ message }) => reject(new Error(message));
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    worker.postMessage(task);
  });
