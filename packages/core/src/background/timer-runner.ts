/** What happens at the moments of the schedule: a block is woken, an event is delivered again. */
import { isBlockworkError } from '../errors.js';
import type { BlockNode } from '../policy/index.js';
import type { Clock } from '../ports/index.js';
import { INSTANCE } from '../records/index.js';
import type { RetryTimer, TickTimer } from '../records/index.js';
import type { BlockRegistry } from '../catalog/index.js';
import { blockOf, blockTagged } from '../catalog/index.js';
import type { Executor } from '../transactions/index.js';
import type { OpenPolicy, CompiledPolicyCache } from '../catalog/index.js';
import { isTicking } from '../catalog/index.js';
import type { RunLimits } from '../runtime/index.js';
import { RunLog } from '../context/index.js';
import type { UnitOfWork } from '../transactions/index.js';
import type { Ran, Workflow } from '../runtime/index.js';

export interface TimerRunnerDeps {
  readonly executor: Executor;
  readonly policies: CompiledPolicyCache;
  readonly workflow: Workflow;
  readonly registry: BlockRegistry;
  readonly clock: Clock;
  readonly limits: RunLimits;
}

type BlockTimer = TickTimer | RetryTimer;

export class TimerRunner {
  constructor(private readonly deps: TimerRunnerDeps) {}

  /** Begins the ticks of a policy that starts to run. */
  startTicks(unit: UnitOfWork, policy: OpenPolicy): void {
    const now = this.deps.clock.now();
    for (const block of policy.tree.blocks) {
      const due = this.#nextTick(block, now);
      if (due !== null) unit.put('timer', INSTANCE, tickTimer(policy.id, block.tag, due));
    }
  }

  /** Takes away every timer of a policy that runs no more. */
  async stop(unit: UnitOfWork, policyId: string): Promise<void> {
    const timers = await unit.find('timer', INSTANCE, { where: { path: 'policyId', op: 'eq', value: policyId } });
    for (const { id } of timers) unit.delete('timer', INSTANCE, id);
  }

  /** Wakes a block now, whatever its timetable says; its next tick stays where it is. Throws `BLOCK_UNKNOWN`. */
  async tickNow(policyId: string, tag: string): Promise<Ran> {
    blockOf(await this.deps.policies.open(policyId), { tag });
    const due = new Date(this.deps.clock.now()).toISOString();
    const { executor, workflow } = this.deps;
    return (await executor.run(policyId, [policyId], (unit) => workflow.tick(unit, policyId, tag, due))).result;
  }

  /** One timer that is due: what was missed in between is made up for by this one time. */
  async carryOut(timer: BlockTimer): Promise<void> {
    await this.#unit(timer, async (unit, block) => {
      this.#moveOn(unit, timer, block);
      if (block === undefined) return;
      const { workflow } = this.deps;
      if (timer.type === 'retry') await workflow.retry(unit, timer);
      else await workflow.tick(unit, timer.policyId, timer.tag, new Date(timer.due).toISOString());
    });
  }

  /** A retry is put off until its attempts are used up; a tick waits for the next one. */
  async giveUp(timer: BlockTimer, error: unknown): Promise<void> {
    const { clock, limits } = this.deps;
    await this.#unit(timer, (unit, block) => {
      this.#moveOn(unit, timer, block);
      const again = timer.type === 'retry' && block !== undefined && timer.attempt <= limits.retries;
      if (again) {
        unit.put('timer', INSTANCE, { ...timer, due: clock.now() + limits.retryMs, attempt: timer.attempt + 1 });
      }
      const log = new RunLog();
      const code = isBlockworkError(error) ? error.code : 'INTERNAL';
      const message = error instanceof Error ? error.message : String(error);
      log.warnings.push({ tag: timer.tag, code, message, ...(again && { action: 'retry' }) });
      const { policyId, tag } = timer;
      const cause =
        timer.type === 'retry'
          ? ({ type: 'retry', tag, input: timer.event.input, attempt: timer.attempt } as const)
          : ({ type: 'tick', tag, due: new Date(timer.due).toISOString() } as const);
      unit.put('journal', policyId, log.entry(cause, unit.expected(policyId), clock));
      return Promise.resolve();
    });
  }

  /** Does nothing where the timer is gone, or was moved by somebody faster. */
  async #unit(
    timer: BlockTimer,
    work: (unit: UnitOfWork, block: BlockNode | undefined) => Promise<void>,
  ): Promise<void> {
    const { executor, policies } = this.deps;
    const { policyId, id, due, tag } = timer;
    await executor.run(policyId, [policyId], async (unit) => {
      const present = await unit.get('timer', INSTANCE, id);
      if (present?.due !== due) return;
      const policy = await policies.open(policyId);
      await work(unit, isTicking(policy) || timer.type === 'retry' ? blockTagged(policy, tag) : undefined);
    });
  }

  #moveOn(unit: UnitOfWork, timer: BlockTimer, block: BlockNode | undefined): void {
    const next = timer.type === 'tick' && block !== undefined ? this.#nextTick(block, this.deps.clock.now()) : null;
    if (next === null) unit.delete('timer', INSTANCE, timer.id);
    else unit.put('timer', INSTANCE, tickTimer(timer.policyId, timer.tag, next));
  }

  #nextTick(block: BlockNode, after: number): number | null {
    if (block.options === null) return null;
    return this.deps.registry.get(block.blockType)?.timetable?.(block.options).next(after) ?? null;
  }
}

const tickTimer = (policyId: string, tag: string, due: number): TickTimer => ({
  id: `${policyId}/tick/${tag}`,
  type: 'tick',
  policyId,
  due,
  tag,
});
