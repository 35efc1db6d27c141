/** Long polls: callers that wait for the end of a request. */
import type { ChangeSet, PolicyStore, Timers } from '../ports/index.js';
import { INSTANCE } from '../records/index.js';
import type { RemoteRequest } from '../records/index.js';
import { requestsIn, type CommitListener } from '../transactions/index.js';

export interface RequestWaitersDeps {
  readonly store: Pick<PolicyStore, 'get'>;
  readonly timers: Timers;
}

/** Interval between reads of the store, in which another process may close the request. */
const POLL_MS = 500;

export class RequestWaiters implements CommitListener {
  readonly #waiting = new Map<string, Set<() => void>>();
  #isOpen = true;

  constructor(private readonly deps: RequestWaitersDeps) {}

  committed(changeSet: ChangeSet): void {
    for (const { id, status } of requestsIn(changeSet)) if (status !== 'NEW') this.#wake(id);
  }

  /** Another node has changed requests: every waiting caller checks again. */
  wake(): void {
    for (const id of [...this.#waiting.keys()]) this.#wake(id);
  }

  /**
   * Resolves with the row once it is closed, or in its present state after `ms` milliseconds; `undefined` if it does
   * not exist.
   */
  async waitForClosing(id: string, ms: number): Promise<RemoteRequest | undefined> {
    let isOver = ms <= 0;
    const cancel = this.deps.timers.after(Math.max(0, ms), () => {
      isOver = true;
      this.#wake(id);
    });
    for (;;) {
      // Registered before the read, so that no closing is missed in between.
      const pause = !isOver && this.#isOpen ? this.#pause(id) : null;
      const row = await this.deps.store.get('request', INSTANCE, id);
      if (pause === null || row?.status !== 'NEW') {
        pause?.end();
        cancel();
        return row;
      }
      await pause.ended;
    }
  }

  /** Every waiting caller gets the row in its present state. */
  stop(): void {
    this.#isOpen = false;
    this.wake();
  }

  #pause(id: string): { ended: Promise<void>; end: () => void } {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      const cancel = this.deps.timers.after(POLL_MS, () => end());
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
