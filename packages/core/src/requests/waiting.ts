/** Waiting for the end of a request, within this process: for callers who would rather wait than ask again. */
import type { PolicyStore, Timers } from '../ports/index.js';
import { INSTANCE } from '../records/index.js';
import type { RemoteRequest } from '../records/index.js';
import { requestsIn, type CommitListeners } from '../transactions/index.js';

/** Milliseconds between looks into the store, where another process may have closed the request. */
const LOOK = 500;

export class RequestWaiters {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #stopWatching: () => void;
  #isOpen = true;

  constructor(
    private readonly store: Pick<PolicyStore, 'get'>,
    private readonly timers: Timers,
    commits: CommitListeners,
  ) {
    this.#stopWatching = commits.watch((changeSet) => {
      for (const { id, status } of requestsIn(changeSet)) if (status !== 'NEW') this.#wake(id);
    });
  }

  /** The row once it is closed, or as it is after `ms` milliseconds; `undefined` if there is none. */
  async closing(id: string, ms: number): Promise<RemoteRequest | undefined> {
    let left = ms;
    for (;;) {
      // Registered before the look, so that no end falls between the two.
      const pause = left > 0 && this.#isOpen ? this.#pause(id, Math.min(left, LOOK)) : null;
      const row = await this.store.get('request', INSTANCE, id);
      if (pause === null || row?.status !== 'NEW') {
        pause?.end();
        return row;
      }
      await pause.ended;
      left -= LOOK;
    }
  }

  /** Whoever waits gets the row as it is. */
  stop(): void {
    this.#isOpen = false;
    this.#stopWatching();
    for (const id of [...this.#waiting.keys()]) this.#wake(id);
  }

  #pause(id: string, ms: number): { ended: Promise<void>; end: () => void } {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      const cancel = this.timers.after(ms, () => end());
      end = () => {
        cancel();
        this.#forget(id, end);
        resolve();
      };
    });
    const ends = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, ends.add(end));
    return { ended, end };
  }

  #wake(id: string): void {
    for (const end of [...(this.#waiting.get(id) ?? [])]) end();
  }

  #forget(id: string, end: () => void): void {
    const ends = this.#waiting.get(id);
    ends?.delete(end);
    if (ends?.size === 0) this.#waiting.delete(id);
  }
}
