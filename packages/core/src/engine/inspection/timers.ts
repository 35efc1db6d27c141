/** A policy's timers, for its owner: due times, and running a trial's block on demand. */
import type { Caller } from '../../access/index.js';
import type { BlockRegistry } from '../../catalog/index.js';
import { assertOwnedIn, blockOf } from '../../catalog/index.js';
import { BlockworkError } from '../../errors.js';
import { demandOptions } from '../../options/index.js';
import { allOf, equalTo, INSTANCE } from '../../records/index.js';
import type { RestoreTimer, Timer } from '../../records/index.js';
import type { BlockTimers } from '../../runtime/index.js';
import type { RecordReader } from '../../transactions/index.js';
import type { Gate } from '../gate.js';
import { boundedRange, type ListPage, type Range } from '../page.js';
import type { PolicySight } from '../people/policy-sight.js';
import { ownPolicy } from './own-policy.js';

type ShownTimer = Exclude<Timer, RestoreTimer>;

export interface PolicyTimer {
  /** `tick`: from a timetable. `retry`: an event on which a block failed. `discontinue`: the policy's scheduled end. */
  readonly type: ShownTimer['type'];
  /** ISO 8601. */
  readonly due: string;
  /** Tag of the block; absent for `discontinue`. */
  readonly tag?: string;
  /** For `retry`: the event and the number of attempts. */
  readonly input?: string;
  readonly attempt?: number;
}

export interface TimersDeps {
  readonly store: RecordReader;
  readonly sight: PolicySight;
  readonly registry: BlockRegistry;
  readonly blockTimers: Pick<BlockTimers, 'tickNow'>;
}

/** Every method throws `PERMISSION_DENIED` (`POLICIES_POLICY_MANAGE`), `POLICY_UNKNOWN`, `POLICY_NOT_OWNED`, `ENGINE_CLOSED`. */
export class PolicyTimers {
  constructor(
    private readonly gate: Gate,
    private readonly deps: TimersDeps,
  ) {}

  /**
   * A page of timers, earliest first, 100 by default. Throws the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const { items } = await engine.timers.list(owner, policyId);
   */
  async list(caller: Caller, policyId: string, range: Range = {}): Promise<ListPage<PolicyTimer>> {
    await ownPolicy(this.gate, this.deps.sight, caller, policyId);
    demandOptions(range, 'timers.list', 'range');
    const where = allOf(equalTo('policyId', policyId), { path: 'type', op: 'ne', value: 'restore' });
    const order = { path: 'due', direction: 'asc' } as const;
    const [timers, total] = await Promise.all([
      this.deps.store.find('timer', INSTANCE, { where, order, ...boundedRange(range) }),
      this.deps.store.count('timer', INSTANCE, where),
    ]);
    return { items: (timers as ShownTimer[]).map(shown), total };
  }

  /**
   * Runs the timer of a trial's block now, without changing its next due time. Throws `POLICY_STATUS` unless the policy
   * is in a dry run, `BLOCK_UNKNOWN`, `BLOCK_WITHOUT_TIMER`, what the block throws, and the errors common to all
   * methods, such as `ENGINE_CLOSED`.
   *
   * @example await engine.timers.run(owner, policyId, 'daily');
   */
  async run(caller: Caller, policyId: string, tag: string): Promise<void> {
    const policy = await ownPolicy(this.gate, this.deps.sight, caller, policyId);
    const block = blockOf(policy, { tag });
    assertOwnedIn(['DRY-RUN'], policy.record, 'run timer', caller.did);
    if (this.deps.registry.get(block.blockType)?.timetable === undefined || block.options === null) {
      const { blockType } = block;
      throw new BlockworkError('BLOCK_WITHOUT_TIMER', { facts: { policyId, tag, blockType } });
    }
    await this.deps.blockTimers.tickNow(policyId, tag);
  }
}

/** Omits the event's data. */
function shown(timer: ShownTimer): PolicyTimer {
  const due = new Date(timer.due).toISOString();
  if (timer.type === 'discontinue') return { type: timer.type, due };
  const { type, tag } = timer;
  return type === 'tick' ? { type, due, tag } : { type, due, tag, input: timer.event.input, attempt: timer.attempt };
}
