/** The handlers of due timers, by type. */
import type { Timer } from '../records/index.js';

export interface TimerHandler<T extends Timer> {
  /** Carries out a timer that is due, and reschedules or deletes it in the same unit of work. */
  carryOut(timer: T): Promise<void>;
  /**
   * Called when `carryOut` failed because of a block: reschedules or deletes the timer, and records the failure.
   * When absent, the timer is retried until it can be carried out.
   */
  giveUp?(timer: T, error: unknown): Promise<void>;
}

/** One handler for each type of timer. */
export type TimerHandlers = {
  readonly [Type in Timer['type']]: TimerHandler<Extract<Timer, { type: Type }>>;
};
