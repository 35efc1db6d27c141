/** The workflow: reads blocks and sends data to them, for callers whose identity is verified. */
import { policyUser, type Availability, type Caller, type PolicyUser } from '../access/index.js';
import type { BlockNode } from '../policy/index.js';
import type { PolicyStore } from '../ports/index.js';
import type { Json } from '../records/index.js';
import type { Answered } from './answer-cache.js';
import { fail } from './block-failure.js';
import type { Block } from './block.js';
import { readInput } from './block-input.js';
import { blockOf, describe, findBlock, type BlockReference } from './block-reference.js';
import type { OpenPolicy, PolicyLibrary } from './policy-library.js';
import { membershipsOf } from './policy-memberships.js';
import { demandReadable, demandRunning } from './policy-status.js';
import { Run, type RanBlock, type RunTools } from './run.js';
import type { RecordReader, UnitOfWork } from './unit-of-work.js';
import { Visit } from './visit.js';

export class Workflow {
  constructor(
    private readonly store: PolicyStore,
    private readonly library: PolicyLibrary,
    private readonly tools: RunTools,
  ) {}

  /** Answers from one block. Writes nothing. */
  async read(
    caller: Caller,
    policyId: string,
    reference: BlockReference,
    query: Readonly<Record<string, string>>,
  ): Promise<Answered> {
    const policy = await this.library.open(policyId);
    const block = blockOf(policy, reference);
    demandReadable(policy);
    const visit = new Visit(policy, await this.userOf(caller, policy, this.store), this.store, this.tools, query);
    demandAvailable(policy, block, await visit.availability(block));
    const type = visit.workingType(block);
    if (type.read === undefined) return refuseMethod(policy, block, type);
    const answer = await type.read(visit.context(block));
    return { tag: block.tag, answer, pure: visit.pure };
  }

  /** Gives data to one block and runs what follows from it, all inside `unit`. */
  async send(
    unit: UnitOfWork,
    caller: Caller,
    policyId: string,
    reference: BlockReference,
    input: unknown,
  ): Promise<{ tag: string; answer: Json; ran: readonly RanBlock[] }> {
    const policy = await this.library.open(policyId);
    const block = blockOf(policy, reference);
    demandRunning(policy);
    const user = await this.userOf(caller, policy, unit);
    const run = new Run(policy, unit, this.tools, block);
    const visit = run.visit(user);
    demandAvailable(policy, block, await visit.availability(block));
    const type = visit.workingType(block);
    if (type.receive === undefined) return refuseMethod(policy, block, type);
    const context = run.context(block, user);
    const answer = await type.receive(context, readInput(type, input, policy.id, block));
    run.complete(block, user);
    await run.drain();
    return { tag: block.tag, answer: answer ?? {}, ran: run.ran };
  }

  /** Whether the block is open to the caller now, with the reason. Throws only `POLICY_UNKNOWN`. */
  async availability(caller: Caller, policyId: string, reference: BlockReference): Promise<Availability> {
    const policy = await this.library.open(policyId);
    const block = findBlock(policy, reference);
    if (block === undefined) return { outcome: 'unknown', reason: `the policy has no block ${describe(reference)}` };
    const user = await this.userOf(caller, policy, this.store);
    return new Visit(policy, user, this.store, this.tools).availability(block);
  }

  async userOf(caller: Caller, policy: OpenPolicy, records: RecordReader): Promise<PolicyUser> {
    return policyUser(caller, policy.record.owner, await membershipsOf(records, policy.id, caller.did));
  }
}

function demandAvailable(policy: OpenPolicy, block: BlockNode, decision: Availability): void {
  if (decision.outcome === 'allowed') return;
  const code = decision.outcome === 'forbidden' ? 'BLOCK_FORBIDDEN' : 'BLOCK_NOT_ACTIVE';
  fail(policy.id, block, code, { facts: { reason: decision.reason } });
}

function refuseMethod(policy: OpenPolicy, block: BlockNode, type: Block): never {
  if (type.read !== undefined) return fail(policy.id, block, 'BLOCK_NOT_WRITABLE');
  return fail(policy.id, block, type.receive === undefined ? 'BLOCK_NEITHER' : 'BLOCK_NOT_READABLE');
}
