/** The policy engine: the front door, with one method for each thing a caller can want. */
import { assertPermitted, groupMembershipOf, permits, policyAsSeen, policyUser } from '../access/index.js';
import type { Availability, Caller, Permission, PolicyUser } from '../access/index.js';
import { identityDocument } from '../credentials/index.js';
import { BlockworkError } from '../errors.js';
import { tokenIds } from '../policy/index.js';
import type { Finding } from '../policy/index.js';
import { INSTANCE } from '../records/index.js';
import type {
  GroupMembership,
  Json,
  JournalEntry,
  JsonObject,
  Membership,
  NavigationStep,
  PolicyRecord,
  StoredPolicy,
} from '../records/index.js';
import { blocksFedFromOutside, policyTagged, readExternalData } from './external-data.js';
import type { EngineDeps } from './engine-deps.js';
import { ProgramLedger } from './ledger.js';
import { Lifecycle } from './lifecycle.js';
import { nameOf, InstrumentedRuns } from './instrumented.js';
import type { Requests } from './requests.js';
import { Schedule } from './schedule.js';
import { blockOf } from '../catalog/index.js';
import { membershipsOf, switchGroup } from '../context/index.js';
import type { BlockReference, OpenPolicy } from '../catalog/index.js';
import type { DocumentImporter } from './document-importer.js';

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
  readonly documents: DocumentImporter;
  /** Requests that remote instances have sent. */
  readonly requests: Requests;

  /** Trying, publishing and discontinuing policies. */
  readonly lifecycle: Lifecycle;
  /** Moments at which policies go on by themselves. */
  readonly schedule: Schedule;
  /** What the policies' ledgers hold. */
  readonly ledger: ProgramLedger;

  readonly #deps: EngineDeps;
  readonly #observed: InstrumentedRuns;
  #closing: Promise<void> | null = null;

  constructor(deps: EngineDeps) {
    this.#deps = deps;
    this.#observed = new InstrumentedRuns(deps.inspector, deps.executor);
    this.documents = deps.documents;
    this.requests = deps.requests;
    this.lifecycle = new Lifecycle(deps.lifecycle, deps.store, deps.permissionTable, deps.inspector);
    this.schedule = new Schedule(deps.schedule, deps.blockTimers);
    this.ledger = new ProgramLedger(deps.store);
  }

  get isOpen(): boolean {
    return this.#closing === null;
  }

  /** Whether the platform lets the caller do this at all. */
  permits(caller: Caller, permission: Permission): boolean {
    return permits(this.#deps.permissionTable, caller, permission);
  }

  /**
   * Takes a policy in as a draft of the caller: a `.policy` archive as bytes, or a JSON value that holds what the
   * archive's `policy.json` holds. Findings say what its author should look at; none of them stops the import.
   * Throws `POLICY_FILE_INVALID` and `POLICY_FILE_TOO_LARGE`, and `POLICY_EXISTS` for a JSON value whose `id` is taken.
   */
  async importPolicy(caller: Caller, source: unknown): Promise<{ policy: PolicyRecord; findings: readonly Finding[] }> {
    this.#admit(caller, 'POLICIES_POLICY_CREATE');
    const { record, findings } = await this.#deps.importer.add(source, caller.did);
    const { tree } = await this.#deps.policies.open(record.id);
    const all = [...findings, ...tree.findings];
    this.#deps.inspector({ type: 'policy.imported', policyId: record.id, findings: all.length });
    return { policy: await this.#asSeen(caller, record), findings: all };
  }

  /** The policies, oldest first, without their configuration; `total` counts them all. */
  async listPolicies(caller: Caller, range: Range = {}): Promise<{ items: PolicyRecord[]; total: number }> {
    this.#admit(caller, 'POLICIES_POLICY_READ');
    const { store } = this.#deps;
    const [records, total] = await Promise.all([
      store.find('policy', INSTANCE, range),
      store.count('policy', INSTANCE),
    ]);
    return { items: await Promise.all(records.map((record) => this.#asSeen(caller, record))), total };
  }

  /** One policy with its configuration, and with the caller's own roles and groups in it. */
  async getPolicy(caller: Caller, policyId: string): Promise<PolicyRecord> {
    this.#admit(caller, 'POLICIES_POLICY_READ');
    const { record } = await this.#deps.policies.open(policyId);
    const configuration = await this.#deps.store.get('configuration', policyId, policyId);
    const seen = await this.#asSeen(caller, structuredClone(record));
    return configuration === undefined ? seen : { ...seen, config: configuration.config };
  }

  /** What the author of the policy should look at. */
  async getFindings(caller: Caller, policyId: string): Promise<readonly Finding[]> {
    this.#admit(caller, 'POLICIES_POLICY_READ');
    return this.#deps.lifecycle.findings(policyId);
  }

  /** The ids of the policy's tokens, in the order of its blocks, each once. */
  async listTokenIds(caller: Caller, policyId: string): Promise<string[]> {
    this.#admit(caller, 'POLICIES_POLICY_READ');
    return tokenIds((await this.#deps.policies.open(policyId)).tree.root.source);
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
    const { workflow } = this.#deps;
    const { answer } = await this.#observed.read(caller.did, policyId, block, () =>
      workflow.read(caller, policyId, block, query),
    );
    return answer;
  }

  /**
   * The same as JSON text, for transports: an answer is written once for as long as nothing changes that it depends on.
   */
  async readBlockText(caller: Caller, policyId: string, block: BlockReference, query: Query = {}): Promise<string> {
    this.#admit(caller, 'POLICIES_POLICY_EXECUTE');
    const { workflow, answers } = this.#deps;
    const { text } = await this.#observed.read(caller.did, policyId, block, () =>
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
    return this.#observed.run(caller.did, policyId, nameOf(block), (unit) =>
      this.#deps.workflow.send(unit, caller, policyId, block, data),
    );
  }

  /**
   * Hands a credential from outside of the policy's users, `{owner, document, ref?}`, to one block, or to every block
   * of the policy that takes such data; all of them in one unit of work. The policy is named by its id, or by
   * `policyTag` in the data. Throws `INPUT_INVALID`, `BLOCK_NOT_EXTERNAL`, `NOT_FED_FROM_OUTSIDE`,
   * `CREDENTIAL_INVALID` where the proof does not hold, and whatever a block on the way refuses with.
   */
  async submitExternal(caller: Caller, data: unknown, to: { policyId?: string; tag?: string } = {}): Promise<void> {
    this.#admit(caller, 'POLICIES_EXTERNAL_DATA_CREATE');
    const { store, policies, registry, workflow } = this.#deps;
    const { owner, policyTag, ...input } = readExternalData(data);
    const policyId = to.policyId ?? (await policyTagged(store, policyTag ?? ''));
    const tags = to.tag === undefined ? await blocksFedFromOutside(policies, registry, policyId) : [to.tag];
    await this.#observed.run(caller.did, policyId, tags.join(), (unit) =>
      workflow.external(unit, owner, policyId, tags, input),
    );
  }

  /** What happened in the policy, oldest first: one entry for each unit of work. For the policy's owner. */
  async getJournal(
    caller: Caller,
    policyId: string,
    range: Range = {},
  ): Promise<{ items: JournalEntry[]; total: number }> {
    this.#admit(caller, 'POLICIES_POLICY_MANAGE');
    const { store, policies } = this.#deps;
    const { record } = await policies.open(policyId);
    if (record.owner !== caller.did) throw new BlockworkError('POLICY_NOT_OWNED', { facts: { policyId } });
    const [items, total] = await Promise.all([
      store.find('journal', policyId, range),
      store.count('journal', policyId),
    ]);
    return { items, total };
  }

  /** The uuid of the block with this tag. Throws `BLOCK_UNKNOWN`. */
  async blockId(caller: Caller, policyId: string, tag: string): Promise<{ id: string }> {
    this.#admit(caller, 'POLICIES_POLICY_EXECUTE');
    return { id: blockOf(await this.#deps.policies.open(policyId), { tag }).uuid };
  }

  /** Whether the block is open to the caller now, and why not. */
  async getAvailability(caller: Caller, policyId: string, block: BlockReference): Promise<Availability> {
    this.#admit(caller, 'POLICIES_POLICY_EXECUTE');
    return this.#deps.workflow.availability(caller, policyId, block);
  }

  /** The caller's groups in the policy; none where the policy defines no groups. */
  async listGroups(caller: Caller, policyId: string): Promise<GroupMembership[]> {
    this.#admit(caller, 'POLICIES_POLICY_EXECUTE');
    const { view } = await this.#deps.policies.open(policyId);
    if (view.groups.length === 0) return [];
    return (await this.#membershipsOf(caller, policyId)).map(groupMembershipOf);
  }

  /**
   * Makes the caller act in this one of their groups from now on, or in none. Resolves with false, changing
   * nothing, where the policy defines no groups. Throws `MEMBERSHIP_UNKNOWN`.
   */
  async switchGroup(caller: Caller, policyId: string, group: string | null): Promise<boolean> {
    this.#admit(caller, 'POLICIES_POLICY_EXECUTE');
    const { view } = await this.#deps.policies.open(policyId);
    if (view.groups.length === 0) return false;
    await this.#deps.executor.run(policyId, [policyId], (unit) => switchGroup(unit, policyId, caller.did, group));
    return true;
  }

  /** The way through the policy for the caller's role, each step with the uuid of its block. */
  async getNavigation(caller: Caller, policyId: string): Promise<NavigationStep[]> {
    this.#admit(caller, 'POLICIES_POLICY_EXECUTE');
    const policy = await this.#deps.policies.open(policyId);
    const user = await this.#userIn(caller, policy);
    const role = user.role ?? (user.isOwner ? 'OWNER' : 'NO_ROLE');
    const entry = policy.record.policyNavigation?.find((candidate) => candidate.role === role);
    return (entry?.steps ?? []).map((step) => {
      const block = policy.tree.byTag.get(step.block ?? '');
      return { ...step, ...(block && { uuid: block.uuid }) };
    });
  }

  /** The DID document of an identity that signs here, or of a `did:key`: what its signatures are verified with. Public. */
  identityDocument(did: string): Promise<JsonObject | undefined> {
    return identityDocument(this.#deps.store, did);
  }

  /** Approves the request of a remote instance, with the record of the policy that it is about: see `ApprovalService`. */
  async approve(caller: Caller, messageId: string, record: unknown): Promise<PolicyRecord> {
    this.#admit(caller, 'POLICIES_EXTERNAL_POLICY_UPDATE');
    return this.#deps.approvals.approve(caller, messageId, record);
  }

  /** Waits for what is under way, then releases everything, the given ports included. May be called again. */
  close(): Promise<void> {
    this.#closing ??= this.#deps.executor.idle().then(() => this.#deps.release());
    return this.#closing;
  }

  #admit(caller: Caller, permission: Permission): void {
    if (!this.isOpen) throw new BlockworkError('ENGINE_CLOSED');
    assertPermitted(this.#deps.permissionTable, caller, permission);
  }

  async #root(caller: Caller, policyId: string): Promise<BlockReference> {
    this.#admit(caller, 'POLICIES_POLICY_EXECUTE');
    return { uuid: (await this.#deps.policies.open(policyId)).tree.root.uuid };
  }

  async #asSeen(caller: Caller, record: StoredPolicy): Promise<PolicyRecord> {
    const memberships = await this.#membershipsOf(caller, record.id);
    return policyAsSeen(record, policyUser(caller, record.owner, memberships), memberships);
  }

  async #userIn(caller: Caller, { id, record }: OpenPolicy): Promise<PolicyUser> {
    return policyUser(caller, record.owner, await this.#membershipsOf(caller, id));
  }

  #membershipsOf(caller: Caller, policyId: string): Promise<Membership[]> {
    return membershipsOf(this.#deps.store, policyId, caller.did);
  }
}
