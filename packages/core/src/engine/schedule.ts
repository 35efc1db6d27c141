/** The schedule as embedders reach it: what is due when, and how to make it happen now. No caller is asked for. */
import type { TimerQueue } from '../background/index.js';
import type { BlockTimers } from '../runtime/index.js';

export class Schedule {
  constructor(
    private readonly schedule: TimerQueue,
    private readonly blockTimers: BlockTimers,
  ) {}

  /** The next moment at which a policy goes on by itself, in milliseconds since 1970; `null` when there is none. */
  next(): Promise<number | null> {
    return this.schedule.next();
  }

  /** Carries out everything that is due by the engine's clock, once each. The alarm does this; tests do it with a clock of theirs. */
  runDue(): Promise<void> {
    return this.schedule.runDue();
  }

  /** Wakes one block now, whatever its timetable says; its next moment stays. Throws `POLICY_UNKNOWN`, `BLOCK_UNKNOWN`. */
  async tick(policyId: string, tag: string): Promise<void> {
    await this.blockTimers.tickNow(policyId, tag);
  }
}
