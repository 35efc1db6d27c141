/** The workflow: reads blocks and sends data to them, for callers whose identity is verified. */
import { type Availability, type Caller, policyUser, type PolicyUser } from '../access/index.js';
import { type BlockType, type ExternalInput, TICK } from '../block-api/index.js';
import {
  assertRunning,
  blockOf,
  type BlockReference,
  blockTagged,
  type CompiledPolicyCache,
  type ComputedAnswer,
  describe,
  findBlock,
  notJsonWithRows,
  type OpenPolicy,
  type RowTexts,
} from '../catalog/index.js';
import { memberOfDevice, membershipsOf, PolicyUsers, type RunLog } from '../context/index.js';
import { BlockworkError } from '../errors.js';
import { LoopShare } from '../loop-share.js';
import { type BlockNode, pointerOf } from '../policy/index.js';
import type { PolicyStore } from '../ports/index.js';
import { describeDetails, toDetails } from '../problem-details.js';
import {
  type ErrorDetail,
  type JournalCause,
  type Json,
  NESTING_AT_MOST,
  nestsTooDeep,
  type RetryTimer,
} from '../records/index.js';
import type { RecordReader, UnitOfWork } from '../transactions/index.js';
import { fail, withLocation } from '../block-api/index.js';
import { readerOf, receiverOf } from './block-methods.js';
import { ReadScope } from './read-scope.js';
import { Run, type RunDeps } from './run.js';

export class Workflow {
  /** Reads of a caller who asks for one after the other; all of them may be answered without a macrotask. */
  readonly #reads: LoopShare;

  constructor(
    private readonly store: PolicyStore,
    private readonly policies: CompiledPolicyCache,
    private readonly deps: RunDeps,
  ) {
    this.#reads = new LoopShare(deps.clock);
  }

  /**
   * Answers from one block. Writes nothing. With `rows`, parts of the answer are frozen, and cached for other readers.
   */
  async read(
    caller: Caller,
    policyId: string,
    reference: BlockReference,
    query: Readonly<Record<string, string>>,
    records: RecordReader,
    rows: RowTexts | null = null,
  ): Promise<ComputedAnswer> {
    await this.#reads.giveWay();
    const policy = await this.policies.open(policyId, records);
    const block = blockOf(policy, reference);
    const scope = new ReadScope(policy, await this.userOf(caller, policy, records), records, this.deps, query, rows);
    const answer = await this.#timed(policy, block, async () => {
      const read = await readerOf(scope, block);
      return assertJsonAnswer(policy, block, await withBlockLocation(policy, block, () => read(scope.context(block))));
    });
    const { tag, blockType } = block;
    const { revision: definition, toolsRevision: tools } = policy;
    return { tag, blockType, answer, pure: scope.pure, definition, tools };
  }

  /** Throws `READ_TOO_LONG` when the time is up, even if `work` never ends: the caller would wait forever. */
  async #timed<T>(policy: OpenPolicy, block: BlockNode, work: () => Promise<T>): Promise<T> {
    const { timers, limits } = this.deps;
    let disarm = (): void => undefined;
    const timeUp = new Promise<never>((_, reject) => {
      const facts = { policyId: policy.id, tag: block.tag, blockType: block.blockType, limit: limits.readMs };
      disarm = timers.after(limits.readMs + 1, () => reject(new BlockworkError('READ_TOO_LONG', { facts })));
    });
    try {
      return await Promise.race([work(), timeUp]);
    } finally {
      disarm();
    }
  }

  /** Sends data to one block and runs what follows from it, all inside `unit`. */
  async send(
    unit: UnitOfWork,
    caller: Caller,
    policyId: string,
    reference: BlockReference,
    input: unknown,
  ): Promise<Ran> {
    const policy = await this.policies.open(policyId, unit);
    const block = blockOf(policy, reference);
    const user = await this.userOf(caller, policy, unit);
    const run = new Run(policy, unit, this.deps, block.tag);
    return run.budget.limited(async () => {
      const answer = await received(run, block, user, input);
      run.complete(block, user);
      await run.drain();
      run.record({ did: user.did, group: user.group, tag: block.tag, type: 'send' });
      return { tag: block.tag, blockType: block.blockType, answer, log: run.log };
    });
  }

  /**
   * As `send`, up to the answer of the block, or to its first call of a service, which is not made: nothing that it
   * triggers is run. For a unit that is not committed.
   */
  async check(
    unit: UnitOfWork,
    caller: Caller,
    policyId: string,
    reference: BlockReference,
    input: unknown,
  ): Promise<void> {
    const policy = await this.policies.open(policyId, unit);
    const block = blockOf(policy, reference);
    const user = await this.userOf(caller, policy, unit);
    const run = new Run(policy, unit, this.deps, block.tag);
    const outside = new Promise<void>((resolve) => {
      unit.insteadOfOutside = resolve;
    });
    await run.budget.limited(() => Promise.race([received(run, block, user, input), outside]));
  }

  /**
   * Sends a credential from outside to blocks, in the name of the member who owns it or whose device does, otherwise as
   * `send`. Of several blocks, those that are not open to this member are skipped. Throws `OWNER_NOT_MEMBER` if that
   * leaves none.
   */
  async external(
    unit: UnitOfWork,
    owner: string,
    policyId: string,
    tags: readonly string[],
    input: ExternalInput,
  ): Promise<Ran> {
    const policy = await this.policies.open(policyId, unit);
    const blocks = tags.map((tag) => blockTagged(policy, tag) ?? blockOf(policy, { tag }));
    assertRunning(policy);
    const { user, device, isMember } = await this.#ownerOf(owner, policy, unit);
    const tag = tags.join();
    const run = new Run(policy, unit, this.deps, tag);
    const acceptedCount = await run.budget.limited(async () => {
      let count = 0;
      for (const block of blocks) {
        const type = run.scope(user).workingType(block);
        if (type.external === undefined) return fail(policy.id, block, 'BLOCK_NOT_EXTERNAL');
        if (!isMember && type.acceptsNonMembers?.(block.options) !== true) continue;
        count += 1;
        await withBlockLocation(policy, block, () => type.external?.(run.context(block, user), input));
        run.complete(block, user);
        await run.drain();
      }
      return count;
    });
    if (acceptedCount === 0) throw new BlockworkError('OWNER_NOT_MEMBER', { facts: { policyId: policy.id, owner } });
    run.record({ ...(device !== undefined && { device }), did: user.did, tag, type: 'external' });
    const [first] = blocks;
    return { tag, ...(first && { blockType: first.blockType }), answer: {}, log: run.log };
  }

  /** Data from a device belongs to the member who registered it. */
  async #ownerOf(owner: string, policy: OpenPolicy, unit: UnitOfWork): Promise<DataOwner> {
    const user = await memberOf(owner, policy, unit);
    if (user !== undefined) return { user, isMember: true };
    const memberDid = await memberOfDevice(unit, owner);
    const member = memberDid === undefined ? undefined : await memberOf(memberDid, policy, unit);
    if (member !== undefined) return { user: member, device: owner, isMember: true };
    return { user: policyUser({ did: owner }, policy.record.owner, []), isMember: false };
  }

  /** Ticks one block, in the name of the policy's owner. */
  async tick(unit: UnitOfWork, policyId: string, tag: string, due: string): Promise<Ran> {
    const policy = await this.policies.open(policyId, unit);
    const block = blockTagged(policy, tag) ?? blockOf(policy, { tag });
    const user = await this.userOf({ did: policy.record.owner }, policy, unit);
    return this.#deliver(unit, policy, { block, input: TICK, user }, { due, tag, type: 'tick' });
  }

  /** Redelivers an event on which a block failed. */
  async retry(unit: UnitOfWork, { policyId, tag, attempt, event }: RetryTimer): Promise<Ran> {
    const policy = await this.policies.open(policyId, unit);
    const block = blockTagged(policy, tag) ?? blockOf(policy, { tag });
    const { did, group } = event.user;
    const { input, output, source, data, carried = null } = event;
    const user = await new PolicyUsers(unit, policy, await this.userOf({ did }, policy, unit), this.deps.accounts).as(
      did,
      group,
    );
    const delivery = { block, input, output, source, data, carried, user, attempt };
    return this.#deliver(unit, policy, delivery, { attempt, input, tag, type: 'retry' });
  }

  async #deliver(unit: UnitOfWork, policy: OpenPolicy, delivery: Redelivery, cause: JournalCause): Promise<Ran> {
    const { block, input, output = '', source = '', data = null, carried = null, user, attempt = 0 } = delivery;
    const run = new Run(policy, unit, this.deps, block.tag);
    run.deliverLater(block, { input, output, source, user, data, result: null, carried }, attempt);
    await run.budget.limited(() => run.drain());
    run.record(cause);
    return { tag: block.tag, blockType: block.blockType, answer: {}, log: run.log };
  }

  /** Whether the block is open to the caller now, with the reason. Throws only `POLICY_UNKNOWN`. */
  async availability(caller: Caller, policyId: string, reference: BlockReference): Promise<Availability> {
    const policy = await this.policies.open(policyId);
    const block = findBlock(policy, reference);
    if (block === undefined) return { outcome: 'unknown', reason: `the policy has no block ${describe(reference)}` };
    const user = await this.userOf(caller, policy, this.store);
    return new ReadScope(policy, user, this.store, this.deps).availability(block);
  }

  async userOf(
    caller: Pick<Caller, 'did' | 'username'>,
    policy: OpenPolicy,
    records: RecordReader,
  ): Promise<PolicyUser> {
    return policyUser(caller, policy.record.owner, await membershipsOf(records, policy.id, caller.did));
  }
}

/** The outcome of a run: the answer of its first block, and its effects. */
export interface Ran {
  readonly tag: string;
  /** Of the first block; absent if none ran. */
  readonly blockType?: string;
  readonly answer: Json;
  readonly log: RunLog;
}

/** The owner of external data. */
interface DataOwner {
  readonly user: PolicyUser;
  readonly device?: string;
  readonly isMember: boolean;
}

interface Redelivery {
  readonly block: BlockNode;
  readonly input: string;
  readonly output?: string;
  readonly source?: string;
  readonly data?: Json;
  readonly carried?: Json;
  readonly user: PolicyUser;
  readonly attempt?: number;
}

/** The block's answer to the input. */
async function received(run: Run, block: BlockNode, user: PolicyUser, input: unknown): Promise<Json> {
  const { policy } = run;
  const { type, receive } = await receiverOf(run.scope(user), block);
  return withBlockLocation(policy, block, async () => {
    const data = readInput(type, input, policy.id, block);
    return assertJsonAnswer(policy, block, (await receive(run.context(block, user), data)) ?? {});
  });
}

/** The identity as a user of the policy, if it owns the policy or holds a role in it, active or not. */
async function memberOf(did: string, policy: OpenPolicy, records: RecordReader): Promise<PolicyUser | undefined> {
  const { owner } = policy.record;
  const memberships = await membershipsOf(records, policy.id, did);
  return memberships.length > 0 || did === owner ? policyUser({ did }, owner, memberships) : undefined;
}

/** Adds the location to what the block throws. */
async function withBlockLocation<T>(policy: OpenPolicy, block: BlockNode, work: () => T): Promise<Awaited<T>> {
  try {
    return await work();
  } catch (error) {
    throw withLocation(policy.id, block, error);
  }
}

/** Throws `ANSWER_NOT_JSON`: a commit without a possible answer, or a read that cannot be serialized, must fail. */
function assertJsonAnswer(policy: OpenPolicy, block: BlockNode, answer: Json): Json {
  const nonJson = findNonJson(answer);
  if (nonJson === undefined) return answer;
  const { path, message } = nonJson;
  const reason = `${path === '' ? 'it' : path} ${message}`;
  return fail(policy.id, block, 'ANSWER_NOT_JSON', { facts: { reason }, details: [nonJson] });
}

function findNonJson(answer: Json): ErrorDetail | undefined {
  try {
    const failure = notJsonWithRows(answer);
    return failure && { path: pointerOf(failure.keys), message: `is a ${failure.type}` };
  } catch (error) {
    if (error instanceof RangeError) return { path: '', message: 'nests too deep, or holds itself' };
    throw error;
  }
}

/** Throws `INPUT_INVALID` with a JSON pointer for every failure. Without a schema the data is passed through. */
function readInput(type: BlockType, input: unknown, policyId: string, block: BlockNode): unknown {
  if (nestsTooDeep(input)) {
    const reason = `Block "${block.tag}" takes no data of more than ${String(NESTING_AT_MOST)} levels.`;
    return fail(policyId, block, 'INPUT_INVALID', {
      facts: { reason },
      details: [{ path: '', message: 'nests too deep' }],
    });
  }
  const parsed = type.input?.safeParse(input);
  if (parsed === undefined) return input;
  if (parsed.success) return parsed.data;
  const details = toDetails(parsed.error);
  const reason = `Block "${block.tag}" (${block.blockType}) does not take this data: ${describeDetails(details)}`;
  return fail(policyId, block, 'INPUT_INVALID', { facts: { reason }, details });
}
