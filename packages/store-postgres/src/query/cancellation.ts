/** Cancels the statements of a connection when a signal is aborted. */
import type { Connections, Run } from '../connection/connections.js';

export class Cancellation {
  readonly #connections: Connections;
  readonly #signal: AbortSignal;
  readonly #ended = new AbortController();

  constructor(connections: Connections, signal: AbortSignal) {
    this.#connections = connections;
    this.#signal = signal;
  }

  /** Rejects with the signal's reason once the running statement has been cancelled. */
  async of(run: Run): Promise<never> {
    const [row] = await run<{ id: number }>({ text: 'select pg_backend_pid() as id', values: [] });
    await this.#aborted();
    // The connection is closed in any case, so a failure to reach the database is ignored.
    if (row !== undefined) await this.#connections.cancel(row.id).catch(() => undefined);
    throw this.#signal.reason;
  }

  end(): void {
    this.#ended.abort();
  }

  #aborted(): Promise<void> {
    if (this.#signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#signal.addEventListener('abort', () => resolve(), { once: true, signal: this.#ended.signal });
    });
  }
}
