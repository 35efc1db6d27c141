/** Retries with exponential backoff and jitter. */
import type { Clock, Ids, Timers } from '@blockwork/core';

export interface PatienceDeps {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
}

const FIRST_MS = 10;
const LONGEST_MS = 500;

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

  /** Exponential backoff, half of it jitter; `turn` counts from 0. */
  pause(turn: number): Promise<void> {
    const most = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(turn, 10));
    const random = Number.parseInt(this.#deps.ids.uuid().slice(0, 8), 16) / 2 ** 32;
    return new Promise((resolve) => void this.#deps.timers.after((most * (1 + random)) / 2, resolve));
  }
}
