/** The timers of blocks: ticks of blocks with a timetable, and retries of events on which a block failed. */
import { isBlockworkError } from '../errors.js';
import { blockOf, blockTagged, isTicking } from '../catalog/index.js';
import type { BlockRegistry, CompiledPolicyCache, OpenPolicy } from '../catalog/index.js';
import { RunLog } from '../context/index.js';
import type { BlockNode } from '../policy/index.js';
import type { Clock } from '../ports/index.js';
import { INSTANCE } from '../records/index.js';
import type { JournalCause, RetryTimer, TickTimer } from '../records/index.js';
import { lanes, revisionKeys } from '../transactions/index.js';
import { tracedUnit, type TelemetrySource } from '../telemetry/index.js';
import type { Executor, UnitOfWork } from '../transactions/index.js';
import type { RunLimits } from './run.js';
import type { Ran, Workflow } from './workflow.js';
import { shownMessage } from '../shown-text.js';

export interface BlockTimersDeps {
  readonly executor: Executor;
  readonly policies: CompiledPolicyCache;
  readonly workflow: Pick<Workflow, 'tick' | 'retry'>;
  readonly registry: BlockRegistry;
  readonly clock: Clock;
  readonly limits: RunLimits;
  readonly source?: TelemetrySource;
}

type BlockTimer = TickTimer | RetryTimer;

export class BlockTimers {
  constructor(private readonly deps: BlockTimersDeps) {}

  /** For the timer queue, which handles ticks and retries alike. */
  get timerHandlers(): { readonly tick: BlockTimers; readonly retry: BlockTimers } {
    return { tick: this, retry: this };
  }

  /** Schedules the first tick of each block that has a timetable. */
  startTicks(unit: UnitOfWork, policy: OpenPolicy): void {
    const now = this.deps.clock.now();
    for (const block of policy.tree.blocks) {
      const due = this.#nextTick(block, now);
      if (due !== null) unit.put('timer', INSTANCE, tickTimer(policy.id, block.tag, due));
    }
  }

  /** Schedules the next tick of each block that has a timetable and no timer. Resolves with their tags. */
  async restoreTicks(unit: UnitOfWork, policy: OpenPolicy): Promise<string[]> {
    const now = this.deps.clock.now();
    const restored: string[] = [];
    for (const block of policy.tree.blocks) {
      const due = this.#nextTick(block, now);
      if (due === null) continue;
      const timer = tickTimer(policy.id, block.tag, due);
      if ((await unit.get('timer', INSTANCE, timer.id)) !== undefined) continue;
      unit.put('timer', INSTANCE, timer);
      restored.push(block.tag);
    }
    return restored;
  }

  /** Runs a block now, regardless of its timetable; its next tick is unchanged. Throws `BLOCK_UNKNOWN`. */
  async tickNow(policyId: string, tag: string): Promise<Ran> {
    const { policies, workflow, clock } = this.deps;
    blockOf(await policies.open(policyId), { tag });
    const due = new Date(clock.now()).toISOString();
    return this.#traced('tick', policyId, tag, (unit) => workflow.tick(unit, policyId, tag, due), itself);
  }

  /** Several missed ticks are made up for by one. */
  async carryOut(timer: BlockTimer): Promise<void> {
    await this.#unit(timer, async (unit, block) => {
      this.#reschedule(unit, timer, block);
      if (block === undefined) return undefined;
      const { workflow } = this.deps;
      if (timer.type === 'retry') return workflow.retry(unit, timer);
      return workflow.tick(unit, timer.policyId, timer.tag, new Date(timer.due).toISOString());
    });
  }

  /** A retry is postponed until its attempts are used up; a tick waits for the next one. */
  async giveUp(timer: BlockTimer, error: unknown): Promise<void> {
    await this.#unit(timer, (unit, block) => {
      this.#reschedule(unit, timer, block);
      const isRetried = timer.type === 'retry' && block !== undefined && timer.attempt <= this.deps.limits.retries;
      if (isRetried) this.#postpone(unit, timer);
      this.#recordFailure(unit, timer, error, isRetried);
      return Promise.resolve(undefined);
    });
  }

  /** No-op if the timer has fired or moved since. */
  async #unit(
    timer: BlockTimer,
    work: (unit: UnitOfWork, block: BlockNode | undefined) => Promise<Ran | undefined>,
  ): Promise<void> {
    const { policies } = this.deps;
    const { policyId, id, due, tag, type } = timer;
    const carryOut = async (unit: UnitOfWork): Promise<Ran | undefined> => {
      const present = await unit.get('timer', INSTANCE, id);
      if (present?.due !== due) return undefined;
      const policy = await policies.open(policyId, unit);
      return work(unit, isTicking(policy) || type === 'retry' ? blockTagged(policy, tag) : undefined);
    };
    await this.#traced(type, policyId, tag, carryOut, itself);
  }

  async #traced<Result>(
    cause: 'tick' | 'retry',
    policyId: string,
    block: string,
    work: (unit: UnitOfWork) => Promise<Result>,
    ranBy: (result: Result) => Ran | undefined,
  ): Promise<Result> {
    const { executor, source } = this.deps;
    const facts = { source, cause, policyId, block, traceparent: undefined };
    const [lane, keys] = [lanes.policy.of(policyId), [revisionKeys.policy.of(policyId)]];
    const run = (traceparent: string | undefined) =>
      executor.run(lane, keys, (unit) => {
        unit.traceparent = traceparent;
        return work(unit);
      });
    return (await tracedUnit(facts, run, ranBy)).result;
  }

  #reschedule(unit: UnitOfWork, timer: BlockTimer, block: BlockNode | undefined): void {
    const next = timer.type === 'tick' && block !== undefined ? this.#nextTick(block, this.deps.clock.now()) : null;
    if (next === null) unit.delete('timer', INSTANCE, timer.id);
    else unit.put('timer', INSTANCE, tickTimer(timer.policyId, timer.tag, next));
  }

  #postpone(unit: UnitOfWork, timer: RetryTimer): void {
    const { clock, limits } = this.deps;
    unit.put('timer', INSTANCE, { ...timer, due: clock.now() + limits.retryMs, attempt: timer.attempt + 1 });
  }

  #recordFailure(unit: UnitOfWork, timer: BlockTimer, error: unknown, isRetried: boolean): void {
    const { policyId, tag } = timer;
    const log = new RunLog();
    const code = isBlockworkError(error) ? error.code : 'INTERNAL';
    const message = shownMessage(error);
    log.warnings.push({ tag, code, message, ...(isRetried && { action: 'retry' }) });
    unit.put(
      'journal',
      policyId,
      log.entry(causeOf(timer), unit.expected(revisionKeys.policy.of(policyId)), this.deps.clock, unit.traceparent),
    );
  }

  #nextTick(block: BlockNode, after: number): number | null {
    if (block.options === null) return null;
    return this.deps.registry.get(block.blockType)?.timetable?.(block.options).next(after) ?? null;
  }
}

const itself = <Of>(ran: Of): Of => ran;

const causeOf = (timer: BlockTimer): JournalCause =>
  timer.type === 'retry'
    ? { type: 'retry', tag: timer.tag, input: timer.event.input, attempt: timer.attempt }
    : { type: 'tick', tag: timer.tag, due: new Date(timer.due).toISOString() };

const tickTimer = (policyId: string, tag: string, due: number): TickTimer => ({
  id: `${policyId}/tick/${tag}`,
  type: 'tick',
  policyId,
  due,
  tag,
});
