/** The policy engine: the front door, with one method for each thing a caller can want. */
import { demand, groupMembershipOf, permits, policyAsSeen, policyUser } from './access/index.js';
import type { Availability, Caller, Permission, PermissionTable, PolicyUser } from './access/index.js';
import type { RequestServices } from './approvals/index.js';
import { BlockworkError, isBlockworkError } from './errors.js';
import { tokenIds } from './policy/index.js';
import type { Finding } from './policy/index.js';
import type { Inspector } from './ports/index.js';
import { INSTANCE } from './records/index.js';
import type { GroupMembership, Json, Membership, NavigationStep, PolicyRecord, StoredPolicy } from './records/index.js';
import type { RequestDesk } from './request-desk.js';
import { blockOf, membershipsOf, switchGroup } from './runtime/index.js';
import type {
  AnswerCache,
  BlockReference,
  DocumentIntake,
  Executor,
  OpenPolicy,
  PolicyIntake,
  PolicyLibrary,
  RecordReader,
  Workflow,
} from './runtime/index.js';

export interface EngineParts {
  readonly store: RecordReader;
  readonly library: PolicyLibrary;
  readonly intake: PolicyIntake;
  readonly documents: DocumentIntake;
  readonly workflow: Workflow;
  readonly answers: AnswerCache;
  readonly executor: Executor;
  readonly requests: RequestDesk;
  readonly approvals: RequestServices['approvals'];
  readonly permissionTable: PermissionTable;
  readonly inspector: Inspector;
  /** Releases what the engine was made of, after the last unit of work has ended. */
  readonly release: () => Promise<void>;
}

/** Parameters of one read, as text. */
export type Query = Readonly<Record<string, string>>;

/** A part of a list: how many to skip, how many at most. */
export interface Range {
  readonly offset?: number;
  readonly limit?: number;
}

/**
 * Every method takes the caller first and checks what they may do: `PERMISSION_DENIED` where the platform
 * permission is missing, `POLICY_UNKNOWN` for a policy that is not here, `ENGINE_CLOSED` after `close`.
 */
export class PolicyEngine {
  /** Documents that no block made. For programs that embed the engine; no caller is asked for. */
  readonly documents: DocumentIntake;
  /** Requests that remote instances have sent. */
  readonly requests: RequestDesk;

  readonly #parts: EngineParts;
  #closing: Promise<void> | null = null;

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.documents = parts.documents;
    this.requests = parts.requests;
  }

  get isOpen(): boolean {
    return this.#closing === null;
  }

  /** Whether the platform lets the caller do this at all. */
  permits(caller: Caller, permission: Permission): boolean {
    return permits(this.#parts.permissionTable, caller, permission);
  }

  /**
   * Takes a policy in as a draft of the caller: a `.policy` archive as bytes, or a JSON value that holds what the
   * archive's `policy.json` holds. Findings say what its author should look at; none of them stops the import.
   * Throws `POLICY_FILE_INVALID` and `POLICY_FILE_TOO_LARGE`, and `POLICY_EXISTS` for a JSON value whose `id` is taken.
   */
  async importPolicy(caller: Caller, source: unknown): Promise<{ policy: PolicyRecord; findings: readonly Finding[] }> {
    this.#admit(caller, 'POLICIES_POLICY_CREATE');
    const { record, findings } = await this.#parts.intake.add(source, caller.did);
    const { tree } = await this.#parts.library.open(record.id);
    const all = [...findings, ...tree.findings];
    this.#parts.inspector({ type: 'policy.imported', policyId: record.id, findings: all.length });
    return { policy: await this.#asSeen(caller, record), findings: all };
  }

  /** The policies, oldest first, without their configuration; `total` counts them all. */
  async listPolicies(caller: Caller, range: Range = {}): Promise<{ items: PolicyRecord[]; total: number }> {
    this.#admit(caller, 'POLICIES_POLICY_READ');
    const { store } = this.#parts;
    const [records, total] = await Promise.all([
      store.find('policy', INSTANCE, range),
      store.count('policy', INSTANCE),
    ]);
    return { items: await Promise.all(records.map((record) => this.#asSeen(caller, record))), total };
  }

  /** One policy with its configuration, and with the caller's own roles and groups in it. */
  async getPolicy(caller: Caller, policyId: string): Promise<PolicyRecord> {
    this.#admit(caller, 'POLICIES_POLICY_READ');
    const { record } = await this.#parts.library.open(policyId);
    const configuration = await this.#parts.store.get('configuration', policyId, policyId);
    const seen = await this.#asSeen(caller, structuredClone(record));
    return configuration === undefined ? seen : { ...seen, config: configuration.config };
  }

  /** What the author of the policy should look at. */
  async findings(caller: Caller, policyId: string): Promise<readonly Finding[]> {
    this.#admit(caller, 'POLICIES_POLICY_READ');
    return (await this.#parts.library.open(policyId)).tree.findings;
  }

  /** The ids of the policy's tokens, in the order of its blocks, each once. */
  async tokens(caller: Caller, policyId: string): Promise<string[]> {
    this.#admit(caller, 'POLICIES_POLICY_READ');
    return tokenIds((await this.#parts.library.open(policyId)).tree.root.source);
  }

  /** What the root block shows: where a client begins. Otherwise as `readBlock`. */
  async readRoot(caller: Caller, policyId: string, query: Query = {}): Promise<Json> {
    return this.readBlock(caller, policyId, await this.#root(caller, policyId), query);
  }

  /**
   * What one block shows the caller. Changes nothing; the query counts for this answer only.
   * Throws `BLOCK_UNKNOWN`, `BLOCK_FORBIDDEN`, `BLOCK_NOT_ACTIVE`, `BLOCK_NOT_READABLE`, `QUERY_INVALID`.
   */
  async readBlock(caller: Caller, policyId: string, block: BlockReference, query: Query = {}): Promise<Json> {
    this.#admit(caller, 'POLICIES_POLICY_EXECUTE');
    const { workflow } = this.#parts;
    const { answer } = await this.#inspectedRead(caller, policyId, block, () =>
      workflow.read(caller, policyId, block, query),
    );
    return answer;
  }

  /**
   * The same as JSON text, for transports: an answer is written once for as long as nothing changes that it depends on.
   */
  async readBlockText(caller: Caller, policyId: string, block: BlockReference, query: Query = {}): Promise<string> {
    this.#admit(caller, 'POLICIES_POLICY_EXECUTE');
    const { workflow, answers } = this.#parts;
    const { text } = await this.#inspectedRead(caller, policyId, block, () =>
      answers.text({ caller, policyId, block, query }, () => workflow.read(caller, policyId, block, query)),
    );
    return text;
  }

  /** As `readBlockText`, of the root block. */
  async readRootText(caller: Caller, policyId: string, query: Query = {}): Promise<string> {
    return this.readBlockText(caller, policyId, await this.#root(caller, policyId), query);
  }

  /**
   * Gives data to one block, and runs what follows from it. Resolves after the commit, with the block's answer or
   * `{}`; when it rejects, nothing has changed. Throws what `readBlock` throws, `BLOCK_NOT_WRITABLE`,
   * `INPUT_INVALID`, `POLICY_NOT_RUNNING`, and whatever a block on the way refuses with.
   */
  async sendToBlock(caller: Caller, policyId: string, block: BlockReference, data: unknown): Promise<Json> {
    this.#admit(caller, 'POLICIES_POLICY_EXECUTE');
    const { executor, workflow, inspector } = this.#parts;
    try {
      const { result, changes, attempts } = await executor.run(policyId, [policyId], (unit) =>
        workflow.send(unit, caller, policyId, block, data),
      );
      for (const ran of result.ran) inspector({ type: 'block.ran', policyId, ...ran });
      inspector({ type: 'unit.committed', policyId, tag: result.tag, did: caller.did, changes, attempts });
      return result.answer;
    } catch (error) {
      inspector({ type: 'unit.failed', policyId, tag: nameOf(block), did: caller.did, code: codeOf(error) });
      throw error;
    }
  }

  /** The uuid of the block with this tag. Throws `BLOCK_UNKNOWN`. */
  async blockId(caller: Caller, policyId: string, tag: string): Promise<{ id: string }> {
    this.#admit(caller, 'POLICIES_POLICY_EXECUTE');
    return { id: blockOf(await this.#parts.library.open(policyId), { tag }).uuid };
  }

  /** Whether the block is open to the caller now, and why not. */
  async availability(caller: Caller, policyId: string, block: BlockReference): Promise<Availability> {
    this.#admit(caller, 'POLICIES_POLICY_EXECUTE');
    return this.#parts.workflow.availability(caller, policyId, block);
  }

  /** The caller's groups in the policy; none where the policy defines no groups. */
  async groups(caller: Caller, policyId: string): Promise<GroupMembership[]> {
    this.#admit(caller, 'POLICIES_POLICY_EXECUTE');
    const { view } = await this.#parts.library.open(policyId);
    if (view.groups.length === 0) return [];
    return (await this.#membershipsOf(caller, policyId)).map(groupMembershipOf);
  }

  /**
   * Makes the caller act in this one of their groups from now on, or in none. Resolves with false, changing
   * nothing, where the policy defines no groups. Throws `MEMBERSHIP_UNKNOWN`.
   */
  async switchGroup(caller: Caller, policyId: string, group: string | null): Promise<boolean> {
    this.#admit(caller, 'POLICIES_POLICY_EXECUTE');
    const { view } = await this.#parts.library.open(policyId);
    if (view.groups.length === 0) return false;
    await this.#parts.executor.run(policyId, [policyId], (unit) => switchGroup(unit, policyId, caller.did, group));
    return true;
  }

  /** The way through the policy for the caller's role, each step with the uuid of its block. */
  async navigation(caller: Caller, policyId: string): Promise<NavigationStep[]> {
    this.#admit(caller, 'POLICIES_POLICY_EXECUTE');
    const policy = await this.#parts.library.open(policyId);
    const user = await this.#userIn(caller, policy);
    const role = user.role ?? (user.isOwner ? 'OWNER' : 'NO_ROLE');
    const entry = policy.record.policyNavigation?.find((candidate) => candidate.role === role);
    return (entry?.steps ?? []).map((step) => {
      const block = policy.tree.byTag.get(step.block ?? '');
      return { ...step, ...(block && { uuid: block.uuid }) };
    });
  }

  /** Approves the request of a remote instance, with the record of the policy that it is about: see `ApprovalService`. */
  async approve(caller: Caller, messageId: string, record: unknown): Promise<PolicyRecord> {
    this.#admit(caller, 'POLICIES_EXTERNAL_POLICY_UPDATE');
    return this.#parts.approvals.approve(caller, messageId, record);
  }

  /** Waits for what is under way, then releases everything, the given ports included. May be called again. */
  close(): Promise<void> {
    this.#closing ??= this.#parts.executor.idle().then(() => this.#parts.release());
    return this.#closing;
  }

  #admit(caller: Caller, permission: Permission): void {
    if (!this.isOpen) throw new BlockworkError('ENGINE_CLOSED');
    demand(this.#parts.permissionTable, caller, permission);
  }

  async #root(caller: Caller, policyId: string): Promise<BlockReference> {
    this.#admit(caller, 'POLICIES_POLICY_EXECUTE');
    return { uuid: (await this.#parts.library.open(policyId)).tree.root.uuid };
  }

  async #inspectedRead<T extends { readonly tag: string }>(
    { did }: Caller,
    policyId: string,
    block: BlockReference,
    read: () => Promise<T>,
  ): Promise<T> {
    const { inspector } = this.#parts;
    try {
      const answered = await read();
      inspector({ type: 'block.read', policyId, tag: answered.tag, did });
      return answered;
    } catch (error) {
      inspector({ type: 'block.refused', policyId, tag: nameOf(block), did, code: codeOf(error) });
      throw error;
    }
  }

  async #asSeen(caller: Caller, record: StoredPolicy): Promise<PolicyRecord> {
    const memberships = await this.#membershipsOf(caller, record.id);
    return policyAsSeen(record, policyUser(caller, record.owner, memberships), memberships);
  }

  async #userIn(caller: Caller, { id, record }: OpenPolicy): Promise<PolicyUser> {
    return policyUser(caller, record.owner, await this.#membershipsOf(caller, id));
  }

  #membershipsOf(caller: Caller, policyId: string): Promise<Membership[]> {
    return membershipsOf(this.#parts.store, policyId, caller.did);
  }
}

const nameOf = (block: BlockReference): string => ('tag' in block ? block.tag : block.uuid);
const codeOf = (error: unknown): string => (isBlockworkError(error) ? error.code : 'INTERNAL');
