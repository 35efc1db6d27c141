/**
 * A policy's pending work, for its owner: the number of documents, decisions, votes, requests and retries per block.
 */
import type { Caller } from '../../access/index.js';
import type { BlockRegistry } from '../../catalog/index.js';
import { demandOptions } from '../../options/index.js';
import { PendingWorkCounts, type PendingWorkAtBlock } from '../../runtime/index.js';
import type { RecordReader } from '../../transactions/index.js';
import type { Gate } from '../gate.js';
import { boundedRange, type ListPage, type Range } from '../page.js';
import type { PolicySight } from '../people/policy-sight.js';
import { ownPolicy } from './own-policy.js';

export interface PendingWorkDeps {
  readonly store: RecordReader;
  readonly sight: PolicySight;
  readonly registry: BlockRegistry;
}

export class PendingWork {
  constructor(
    private readonly gate: Gate,
    private readonly deps: PendingWorkDeps,
  ) {}

  /**
   * A page of the policy's blocks in tree order, 100 by default, each with the work pending there. The numbers are
   * counted one by one, so they may be from slightly different times. Values that depend on the user, such as a source
   * of the user's own documents, are counted for all users together. Throws `PERMISSION_DENIED`
   * (`POLICIES_POLICY_MANAGE`), `POLICY_UNKNOWN`, `POLICY_NOT_OWNED`, `INPUT_INVALID`, `ENGINE_CLOSED`.
   *
   * @example const { items } = await engine.pendingWork.list(owner, policyId);
   */
  async list(caller: Caller, policyId: string, range: Range = {}): Promise<ListPage<PendingWorkAtBlock>> {
    const { store, sight, registry } = this.deps;
    const policy = await ownPolicy(this.gate, sight, caller, policyId);
    demandOptions(range, 'pendingWork.list', 'range');
    const { offset, limit } = boundedRange(range);
    const { blocks } = policy.view;
    const items = await new PendingWorkCounts(store, policy, registry).of(blocks.slice(offset, offset + limit));
    return { items, total: blocks.length };
  }
}
