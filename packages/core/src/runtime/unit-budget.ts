/** The budget of one unit of work: its time, its events, and the documents that it makes; asked while it runs. */
import type { WorkBudget } from '../block-api/index.js';
import { BlockworkError } from '../errors.js';
import { LoopShare } from '../loop-share.js';
import type { Clock, Timers } from '../ports/index.js';
import { NESTING_AT_MOST, nestsTooDeep, type Json } from '../records/index.js';

export interface BudgetLimits {
  /** Maximum number of events. */
  readonly hops: number;
  /** Maximum duration in milliseconds, by the engine's clock. */
  readonly runMs: number;
  /** Maximum number of documents made. */
  readonly unitDocuments: number;
  /** Maximum bytes of these documents as JSON. */
  readonly unitBytes: number;
}

export interface BudgetDeps {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly limits: BudgetLimits;
}

export class UnitBudget implements WorkBudget {
  readonly #deadline: number;
  /** The tags of the blocks that took an event, in order. */
  readonly #trail: string[] = [];
  readonly #share: LoopShare;
  #documents = 0;
  #bytes = 0;
  #isOver = false;

  constructor(
    private readonly deps: BudgetDeps,
    /** For messages: the policy, and the tag of the block at which the run began. */
    private readonly of: { readonly policyId: string; readonly tag: string },
  ) {
    this.#share = new LoopShare(deps.clock);
    this.#deadline = deps.clock.now() + deps.limits.runMs;
  }

  /** Whether the time of the run has been up. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Rejects with `RUN_TOO_LONG` when the time is up, even if `work` never ends: it would block the policy forever. */
  async limited<T>(work: () => Promise<T>): Promise<T> {
    const { timers, clock } = this.deps;
    let disarm = (): void => undefined;
    const timeUp = new Promise<never>((_, reject) => {
      disarm = timers.after(this.#deadline - clock.now() + 1, () => reject(this.#end()));
    });
    try {
      return await Promise.race([work(), timeUp]);
    } finally {
      disarm();
    }
  }

  /** Counts one event, and gives way. Throws `RUN_TOO_LONG`. */
  async hop(tag: string): Promise<void> {
    this.#trail.push(tag);
    const { hops } = this.deps.limits;
    if (this.#trail.length > hops) throw this.#tooLong(`${String(hops)} events`);
    await this.giveWay();
  }

  async giveWay(): Promise<void> {
    await this.#share.giveWay();
    if (this.#isOver || this.deps.clock.now() > this.#deadline) throw this.#end();
  }

  /** What events carry along may grow deeper with each round of a cycle. Throws `RUN_TOO_LONG`. */
  assertShallow(...values: readonly Json[]): void {
    if (this.#trail.length <= NESTING_AT_MOST || !values.some(nestsTooDeep)) return;
    throw this.#tooLong(`${String(NESTING_AT_MOST)} levels of data in an event`);
  }

  expectDocuments(count: number): void {
    const limit = this.deps.limits.unitDocuments;
    if (this.#documents + count > limit)
      throw new BlockworkError('DOCUMENTS_TOO_MANY', { facts: { ...this.of, limit } });
  }

  /** Counts one document that was made, of so many bytes as JSON. Throws `DOCUMENTS_TOO_MANY`, `UNIT_TOO_LARGE`. */
  charge(bytes: number): void {
    this.expectDocuments(1);
    this.#documents += 1;
    this.#bytes += bytes;
    const limit = this.deps.limits.unitBytes;
    if (this.#bytes > limit) throw new BlockworkError('UNIT_TOO_LARGE', { facts: { key: this.of.policyId, limit } });
  }

  #end(): BlockworkError {
    this.#isOver = true;
    return this.#tooLong(`${String(this.deps.limits.runMs)} ms`);
  }

  #tooLong(limit: string): BlockworkError {
    const path = this.#trail.length === 0 ? this.of.tag : lastCycle(this.#trail);
    return new BlockworkError('RUN_TOO_LONG', { facts: { ...this.of, limit, way: path } });
  }
}

/** The last blocks of the trail, from the previous occurrence of the last one. */
function lastCycle(trail: readonly string[]): string {
  const last = trail.at(-1) ?? '';
  const before = trail.lastIndexOf(last, trail.length - 2);
  return trail.slice(before < 0 ? -20 : Math.max(before, trail.length - 20)).join(' -> ');
}
