/** The policies' timers, for the embedding program: when the next is due, and running them now. */
import type { TimerQueue } from '../../background/index.js';
import type { BlockTimers } from '../../runtime/index.js';
import type { Gate } from '../gate.js';

export class ProgramSchedule {
  constructor(
    private readonly gate: Gate,
    private readonly timers: TimerQueue,
    private readonly blockTimers: BlockTimers,
  ) {}

  /**
   * When the next timer is due, in milliseconds since 1970; `null` without timers. Throws `ENGINE_CLOSED`.
   *
   * @example const due = await engine.program.schedule.getNextDue();
   */
  async getNextDue(): Promise<number | null> {
    this.gate.assertOpen();
    return this.timers.next();
  }

  /**
   * Runs all timers due by the engine's clock, once each. The engine does this by itself; tests call it after advancing
   * their clock. Throws `ENGINE_CLOSED`.
   *
   * @example await engine.program.schedule.runDue();
   */
  async runDue(): Promise<void> {
    this.gate.assertOpen();
    await this.timers.runDue();
  }

  /**
   * Runs one block's timer now, without changing its next due time. Throws `POLICY_UNKNOWN`, `BLOCK_UNKNOWN`,
   * `ENGINE_CLOSED`, and what the block throws.
   *
   * @example await engine.program.schedule.tick(policyId, 'daily');
   */
  async tick(policyId: string, tag: string): Promise<void> {
    this.gate.assertOpen();
    await this.blockTimers.tickNow(policyId, tag);
  }
}
