/** Retries with exponential backoff and jitter. */
import type { Clock, Ids, Timers } from '@blockwork/core';
import { backoffMs, jittered } from '@blockwork/core/adapter';

export interface PatienceDeps {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
}

const backoff = { firstMs: 10, longestMs: 500 };

export class Patience {
  readonly #deps: PatienceDeps;

  constructor(deps: PatienceDeps) {
    this.#deps = deps;
  }

  /** Retries `attempt` for up to `ms` milliseconds while `isWorthwhile` holds; rejects with the last failure. */
  async repeat<T>(ms: number, attempt: () => Promise<T>, isWorthwhile: (error: unknown) => boolean): Promise<T> {
    const deadline = this.deadline(ms);
    for (let turn = 0; ; turn += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!isWorthwhile(error) || deadline.isOver()) throw error;
      }
      await this.pause(turn);
    }
  }

  /** Tolerates a clock that is set back: only the time since the last call of `isOver` is not counted. */
  deadline(ms: number): { isOver(): boolean } {
    const { clock } = this.#deps;
    let [last, waited] = [clock.now(), 0];
    const isOver = (): boolean => {
      const now = clock.now();
      waited += Math.max(0, now - last);
      last = now;
      return waited >= ms;
    };
    return { isOver };
  }

  /** `turn` counts from 0. */
  pause(turn: number): Promise<void> {
    const { ids, timers } = this.#deps;
    return new Promise((resolve) => void timers.after(jittered(backoffMs(backoff, turn + 1), ids), resolve));
  }
}
