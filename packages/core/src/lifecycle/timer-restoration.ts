/** Restores timers that a store has dropped, if they follow from the policy itself. Retries of events are lost. */
import { isTicking, type CompiledPolicyCache, type OpenPolicy } from '../catalog/index.js';
import type { TimerHandlers } from '../background/index.js';
import type { Logger } from '../ports/index.js';
import { INSTANCE, type RestoreTimer } from '../records/index.js';
import type { BlockTimers } from '../runtime/index.js';
import { lanes, revisionKeys, type Executor, type UnitOfWork } from '../transactions/index.js';
import { discontinuation } from './policy-lifecycle.js';

export interface TimerRestorationDeps {
  readonly executor: Executor;
  readonly policies: CompiledPolicyCache;
  readonly blockTimers: Pick<BlockTimers, 'restoreTicks'>;
  readonly logger: Logger;
}

export class TimerRestoration {
  constructor(private readonly deps: TimerRestorationDeps) {}

  /** For the timer queue: the store requests restoration by a timer that is due at once. */
  get timerHandlers(): Pick<TimerHandlers, 'restore'> {
    return { restore: { carryOut: (timer) => this.#restore(timer) } };
  }

  async #restore({ id, policyId }: RestoreTimer): Promise<void> {
    const { executor, policies, blockTimers, logger } = this.deps;
    const keys = [revisionKeys.policy.of(policyId)];
    const { result } = await executor.run(lanes.policy.of(policyId), keys, async (unit) => {
      if ((await unit.get('timer', INSTANCE, id)) === undefined) return null;
      unit.delete('timer', INSTANCE, id);
      if ((await unit.get('policy', INSTANCE, policyId)) === undefined) return null;
      const policy = await policies.open(policyId, unit);
      if (!isTicking(policy)) return null;
      const blocks = await blockTimers.restoreTicks(unit, policy);
      return { blocks, discontinuation: await this.#restoreDiscontinuation(unit, policy) };
    });
    if (result === null) return;
    logger.warn('The store has given up timers of a policy: those that follow from it are set again.', {
      policyId,
      ...result,
    });
  }

  /** Resolves with its date, if there is one and its timer is missing. */
  async #restoreDiscontinuation(unit: UnitOfWork, { id, record }: OpenPolicy): Promise<string | null> {
    const { discontinuedDate } = record;
    if (typeof discontinuedDate !== 'string') return null;
    const timer = discontinuation(id, Date.parse(discontinuedDate));
    if ((await unit.get('timer', INSTANCE, timer.id)) !== undefined) return null;
    unit.put('timer', INSTANCE, timer);
    return discontinuedDate;
  }
}
