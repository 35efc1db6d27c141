/** The policy engine: methods for callers, and `program` for the embedding program. */
import { groupMembershipOf, type Availability, type Caller, type Permission } from '../access/index.js';
import { blockOf, type BlockReference } from '../catalog/index.js';
import { switchGroup } from '../context/index.js';
import { demandOptions } from '../options/index.js';
import { located, publicConfiguration, tokenIds, type Finding } from '../policy/index.js';
import type { EventsQuery, PolicyEvent } from '../events/index.js';
import type { DocumentInput, GroupMembership, JsonAnswer, NavigationStep, PolicyRecord } from '../records/index.js';
import { lanes, revisionKeys, type UnitOfWork } from '../transactions/index.js';
import type { EngineDeps } from './engine-deps.js';
import { EngineParts } from './engine-parts.js';
import { checkSend, externalSend, type SendExecutor, sendExecutor } from './sends/send.js';
import { Gate } from './gate.js';
import { ownPolicy } from './inspection/own-policy.js';
import { describePolicy, type DescribedPolicy } from './interface/described-policy.js';
import { InstrumentedRuns } from './instrumented.js';
import { Members } from './people/members.js';
import { navigationOf } from './interface/navigation.js';
import { type ListPage, type Range } from './page.js';
import { assertCommitWith, assertReadArguments } from './send-options.js';
import type { Query, ReadOptions, SendOptions } from './send-options.js';

/**
 * All methods, including those of members, take a caller and check their permissions, except those of `program`. After
 * `close` every method throws `ENGINE_CLOSED`. `methodErrors` has the errors of each method, also those common to all.
 */
export class PolicyEngine extends EngineParts {
  readonly #deps: EngineDeps;
  readonly #gate: Gate;
  readonly #runs: InstrumentedRuns;
  readonly #members: Members;
  readonly #send: SendExecutor;
  #closing: Promise<void> | null = null;

  constructor(deps: EngineDeps) {
    const gate = new Gate(deps.permissionRules);
    super(gate, deps);
    this.#deps = deps;
    this.#gate = gate;
    this.#runs = new InstrumentedRuns(deps);
    this.#members = new Members(deps.store);
    this.#send = sendExecutor(deps, this.#runs);
  }

  get isOpen(): boolean {
    return this.#gate.isOpen;
  }

  /**
   * Whether the caller has the permission, in any policy. Throws `ENGINE_CLOSED`.
   *
   * @example const mayImport = engine.permits(owner, 'POLICIES_POLICY_CREATE');
   */
  permits(caller: Caller, permission: Permission): boolean {
    return this.#gate.permits(caller, permission);
  }

  /**
   * Imports a policy as a draft owned by the caller: a `.policy` archive as bytes, or a JSON value like its `policy.json`.
   * A `.module` file becomes a policy containing only the module. Findings never prevent the import. `documents` are
   * added as by `program.documents.add`, atomically. `origin` is the program's name for the source, such as a file name:
   * while that policy exists, no node imports from it again. Throws `PERMISSION_DENIED` (`POLICIES_POLICY_CREATE`),
   * `POLICY_FILE_INVALID`, `POLICY_FILE_TOO_LARGE`, `POLICY_EXISTS` if the `id` of a JSON value is taken or the policy of
   * this origin exists, `DOCUMENT_INVALID`, `DOCUMENT_EXISTS`, `ENGINE_CLOSED`.
   *
   * @example const { policy, findings } = await engine.importPolicy(owner, { name: 'Registry', config });
   */
  async importPolicy(
    caller: Caller,
    source: unknown,
    options: { readonly documents?: readonly DocumentInput[]; readonly origin?: string } = {},
  ): Promise<{ policy: PolicyRecord; findings: readonly Finding[] }> {
    this.#gate.admit(caller, 'POLICIES_POLICY_CREATE');
    demandOptions(options, 'importPolicy', 'options');
    const { documents = [], origin } = options;
    const include = async (unit: UnitOfWork, policyId: string): Promise<number> =>
      (await this.#deps.documents.addTo(unit, policyId, documents)).length;
    const { record, findings, text } = await this.#deps.importer.add(source, caller.did, { origin, include });
    const { tree } = await this.#deps.policies.open(record.id);
    const all = located([...findings, ...tree.findings], text);
    this.#deps.inspections.publish({ type: 'policy.imported', policyId: record.id, findings: all.length });
    return { policy: await this.#members.asSeen(caller, record), findings: all };
  }

  /**
   * Exports the policy as a `.policy` file, with the full content of its archive and its tools. Owner only. Throws
   * `PERMISSION_DENIED` (`POLICIES_POLICY_MANAGE`), `POLICY_UNKNOWN`, `POLICY_NOT_OWNED`, `POLICY_FILE_TOO_LARGE`,
   * `ENGINE_CLOSED`.
   *
   * @example const file = await engine.exportPolicy(owner, policyId); // Uint8Array
   */
  async exportPolicy(caller: Caller, policyId: string): Promise<Uint8Array> {
    return this.#deps.exporter.policy(await ownPolicy(this.#gate, this.#deps.sight, caller, policyId));
  }

  /**
   * Exports one module of a policy as a `.module` file. Throws as `exportPolicy`, and `BLOCK_UNKNOWN`.
   *
   * @example const file = await engine.exportModule(owner, policyId, 'checks'); // Uint8Array
   */
  async exportModule(caller: Caller, policyId: string, tag: string): Promise<Uint8Array> {
    return this.#deps.exporter.module(await ownPolicy(this.#gate, this.#deps.sight, caller, policyId), tag);
  }

  /**
   * The policies that the caller sees, oldest first, without their configuration; `total` counts all of them. Policies
   * with a damaged record are left out and reported by `program.getReadiness`. A page that exceeds `pageBytes` is cut.
   * Throws `PERMISSION_DENIED` (`POLICIES_POLICY_READ`), `ENGINE_CLOSED`.
   *
   * @example const { items, total } = await engine.listPolicies(owner, { limit: 20 });
   */
  async listPolicies(caller: Caller, range: Range = {}): Promise<ListPage<PolicyRecord>> {
    this.#gate.admit(caller, 'POLICIES_POLICY_READ');
    demandOptions(range, 'listPolicies', 'range');
    const { sight, limits } = this.#deps;
    const { items, total } = await sight.page(caller, { ...range, bytes: limits.pageBytes });
    return { items: await this.#members.eachAsSeen(caller, items), total };
  }

  /**
   * One policy with its configuration and the caller's roles and groups in it. Except for the owner, the configuration
   * omits options marked `sensitive` and all options of unknown block types. Throws `PERMISSION_DENIED`
   * (`POLICIES_POLICY_READ`), `POLICY_UNKNOWN`, `ENGINE_CLOSED`.
   *
   * @example const { name, status, userRoles } = await engine.getPolicy(owner, policyId);
   */
  async getPolicy(caller: Caller, policyId: string): Promise<PolicyRecord> {
    this.#gate.admit(caller, 'POLICIES_POLICY_READ');
    const { record } = await this.#deps.sight.open(caller, policyId);
    const configuration = await this.#deps.store.get('configuration', policyId, policyId);
    const shownPolicy = await this.#members.asSeen(caller, structuredClone(record));
    if (configuration === undefined) return shownPolicy;
    const { config } = configuration;
    return {
      ...shownPolicy,
      config: record.owner === caller.did ? config : publicConfiguration(config, this.#deps.registry),
    };
  }

  /**
   * The policy's findings, for its author. Throws `PERMISSION_DENIED` (`POLICIES_POLICY_READ`), `POLICY_UNKNOWN`,
   * `ENGINE_CLOSED`.
   *
   * @example const errors = (await engine.getFindings(owner, policyId)).filter(({ severity }) => severity === 'error');
   */
  async getFindings(caller: Caller, policyId: string): Promise<readonly Finding[]> {
    this.#gate.admit(caller, 'POLICIES_POLICY_READ');
    await this.#deps.sight.open(caller, policyId);
    return this.#deps.lifecycle.findings(policyId);
  }

  /**
   * The distinct token ids of the policy, in block order. Throws `PERMISSION_DENIED` (`POLICIES_POLICY_READ`),
   * `POLICY_UNKNOWN`, `ENGINE_CLOSED`.
   *
   * @example const ids = await engine.listTokenIds(owner, policyId);
   */
  async listTokenIds(caller: Caller, policyId: string): Promise<string[]> {
    this.#gate.admit(caller, 'POLICIES_POLICY_READ');
    return tokenIds((await this.#deps.sight.open(caller, policyId)).tree.root.source);
  }

  /**
   * Describes what the caller may read from and send to the policy's blocks, as JSON Schema: for the owner with the
   * permissions of all roles, for others with those of their own roles. Does not reveal whether a block is open now.
   * Throws `PERMISSION_DENIED` (`POLICIES_POLICY_EXECUTE`), `POLICY_UNKNOWN`, `PAGE_TOO_LARGE`, `ENGINE_CLOSED`.
   *
   * @example const description = await engine.getInterface(alice, policyId);
   */
  async getInterface(caller: Caller, policyId: string): Promise<DescribedPolicy> {
    this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    const policy = await this.#deps.sight.open(caller, policyId);
    const audience = policy.record.owner === caller.did ? undefined : await this.#members.rolesOf(caller, policyId);
    return describePolicy(policy, this.#deps, audience);
  }

  /**
   * Reads the root block, a client's starting point. Throws as `readBlock`.
   *
   * @example const root = await engine.readRoot(alice, policyId);
   */
  async readRoot<Answer = JsonAnswer | null>(
    caller: Caller,
    policyId: string,
    query?: Query,
    options?: ReadOptions,
  ): Promise<Answer> {
    const root = await this.#root(caller, policyId);
    assertReadArguments('readRoot', query, options);
    return this.readBlock<Answer>(caller, policyId, root, query, options);
  }

  /**
   * Reads one block as the caller. Read-only; the query applies to this read only. Throws `PERMISSION_DENIED`
   * (`POLICIES_POLICY_EXECUTE`), `POLICY_UNKNOWN`, `POLICY_NOT_READABLE`, `BLOCK_UNKNOWN`, `BLOCK_FORBIDDEN`,
   * `BLOCK_NOT_ACTIVE`, `BLOCK_NOT_READABLE`, `QUERY_INVALID`, `ENGINE_CLOSED`, and what the block throws.
   *
   * The policy determines the shape of an answer: without a type argument, access members with `?.`, which works for any
   * JSON. `readBlock<MyAnswer>` asserts a shape, which the engine does not check; parse the answer if that matters.
   *
   * @example const grid = await engine.readBlock(alice, policyId, { tag: 'notes' }, { page: '0', itemsPerPage: '10' });
   */
  async readBlock<Answer = JsonAnswer | null>(
    caller: Caller,
    policyId: string,
    block: BlockReference,
    query: Query = {},
    options: ReadOptions = {},
  ): Promise<Answer> {
    this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    assertReadArguments('readBlock', query, options);
    return (await this.#runs.read(caller, policyId, block, query, options.traceparent)) as Answer;
  }

  /**
   * `readBlock` as JSON text, for transports: cached until something the answer depends on changes. Throws as
   * `readBlock`.
   *
   * @example const json = await engine.readBlockText(alice, policyId, { tag: 'notes' });
   */
  async readBlockText(
    caller: Caller,
    policyId: string,
    block: BlockReference,
    query: Query = {},
    options: ReadOptions = {},
  ): Promise<string> {
    this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    assertReadArguments('readBlockText', query, options);
    return this.#runs.readText(caller, policyId, block, query, options.traceparent);
  }

  /**
   * `readBlockText` of the root block. Throws as `readBlock`.
   *
   * @example const json = await engine.readRootText(alice, policyId);
   */
  async readRootText(caller: Caller, policyId: string, query?: Query, options?: ReadOptions): Promise<string> {
    const root = await this.#root(caller, policyId);
    assertReadArguments('readRootText', query, options);
    return this.readBlockText(caller, policyId, root, query, options);
  }

  /**
   * Sends data to one block and runs everything it triggers. Resolves after the commit, to the block's answer or `{}`;
   * if it rejects, nothing has changed (Promise 1). The type argument is as in `readBlock`. Throws as `checkSend`, what any
   * block in the run throws, with a key `IDEMPOTENCY_KEY_USED` and `ANSWER_NOT_KEPT`, and with `commitWith` what that
   * throws, `HOST_WORK_UNSUPPORTED` and `HOST_WORK_TOO_LONG`.
   *
   * @example await engine.sendToBlock(alice, policyId, { tag: 'form' }, { document: { value: 3 }, ref: null });
   */
  async sendToBlock<Answer = JsonAnswer | null>(
    caller: Caller,
    policyId: string,
    block: BlockReference,
    data: unknown,
    options: SendOptions = {},
  ): Promise<Answer> {
    this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    demandOptions(options, 'sendToBlock', 'options');
    const { idempotencyKey: key, traceparent, commitWith } = options;
    this.#deps.idempotentSends.assertKey(key);
    assertCommitWith(commitWith, this.#deps.store);
    return (await this.#send({ caller, policyId, block, data, key, traceparent, commitWith })).answer as Answer;
  }

  /**
   * What a send would be refused for: the block handles the data, up to where it would call a service, all that it does
   * is dropped, and nothing that follows is run. Throws `PERMISSION_DENIED` (`POLICIES_POLICY_EXECUTE`), `POLICY_UNKNOWN`, `POLICY_NOT_RUNNING`,
   * `BLOCK_UNKNOWN`, `BLOCK_FORBIDDEN`, `BLOCK_NOT_ACTIVE`, `BLOCK_NOT_WRITABLE`, `INPUT_INVALID`, `RUN_TOO_LONG`,
   * `ENGINE_CLOSED`, and what the block throws.
   *
   * @example await engine.checkSend(alice, policyId, { tag: 'form' }, { document: { value: 3 }, ref: null });
   */
  async checkSend(caller: Caller, policyId: string, block: BlockReference, data: unknown): Promise<void> {
    this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    await checkSend(this.#deps, { caller, policyId, block, data });
  }

  /**
   * Submits an externally signed credential, `{owner, document, ref?}`, to one block, or to every block of the policy
   * that accepts external data, in one unit of work. The policy is given by its id or by `policyTag` in the data. The
   * owner is a member of the policy or a device registered by a member, in which case the member becomes the owner.
   * Callers without `POLICIES_EXTERNAL_DATA_CREATE` but with `POLICIES_POLICY_EXECUTE` may submit for themselves and
   * their devices. Throws `PERMISSION_DENIED`, `INPUT_INVALID`, `POLICY_UNKNOWN`, `POLICY_NOT_RUNNING`,
   * `BLOCK_UNKNOWN`, `BLOCK_NOT_EXTERNAL`, `NOT_FED_FROM_OUTSIDE`, `OWNER_NOT_MEMBER`, `CREDENTIAL_INVALID`,
   * `ENGINE_CLOSED`, what any block in the run throws, and with `commitWith` what that throws, `HOST_WORK_UNSUPPORTED` and
   * `HOST_WORK_TOO_LONG`.
   *
   * @example await engine.submitExternal(owner, { owner: alice.did, document: credential }, { policyId, tag: 'intake' });
   */
  async submitExternal(
    caller: Caller,
    data: unknown,
    to: { policyId?: string; tag?: string } & SendOptions = {},
  ): Promise<void> {
    const isForOthers = this.#gate.permits(caller, 'POLICIES_EXTERNAL_DATA_CREATE');
    if (!isForOthers) this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    demandOptions(to, 'submitExternal', 'to');
    await this.#send(await externalSend(this.#deps, { caller, data, isForOthers }, to));
  }

  /**
   * Live changes in policies, committed by any node: first `open`, then each unit of work that concerns blocks open to
   * the caller, exactly once and in order. `after` resumes from that position; units no longer in the journal, or more
   * than `eventBacklog` behind, become a `gap`. Ends with the signal or the engine. Unread events stay in the journal.
   * Immediately throws `PERMISSION_DENIED` (`POLICIES_POLICY_EXECUTE`) and `ENGINE_CLOSED`; the iteration throws
   * `POLICY_UNKNOWN` (also on deletion), `TOO_MANY_POLICIES`, `TOO_MANY_SUBSCRIBERS`, `STORE_UNAVAILABLE`.
   *
   * @example for await (const event of engine.events(alice, { policyId })) if (event.type === 'open') break;
   */
  events(caller: Caller, query: EventsQuery = {}): AsyncGenerator<PolicyEvent, void> {
    this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    demandOptions(query, 'events', 'query');
    return this.#deps.eventHub.events(caller, query);
  }

  /**
   * The block with this tag. Throws `PERMISSION_DENIED` (`POLICIES_POLICY_EXECUTE`), `POLICY_UNKNOWN`, `BLOCK_UNKNOWN`,
   * `ENGINE_CLOSED`.
   *
   * @example const { uuid } = await engine.findBlock(alice, policyId, 'form');
   */
  async findBlock(caller: Caller, policyId: string, tag: string): Promise<{ readonly uuid: string }> {
    await this.getAvailability(caller, policyId, { tag });
    return { uuid: blockOf(await this.#deps.policies.open(policyId), { tag }).uuid };
  }

  /**
   * Whether the block is open to the caller now, and if not, why not. Throws `PERMISSION_DENIED`
   * (`POLICIES_POLICY_EXECUTE`), `POLICY_UNKNOWN`, `BLOCK_UNKNOWN`, `ENGINE_CLOSED`.
   *
   * @example const { outcome } = await engine.getAvailability(alice, policyId, { tag: 'form' }); // 'allowed'
   */
  async getAvailability(caller: Caller, policyId: string, block: BlockReference): Promise<Availability> {
    this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    const decision = await this.#deps.workflow.availability(caller, policyId, block);
    if (decision.outcome !== 'allowed') await this.#deps.sight.open(caller, policyId);
    return decision;
  }

  /**
   * The caller's groups in the policy; empty if the policy defines no groups. Throws `PERMISSION_DENIED`
   * (`POLICIES_POLICY_EXECUTE`), `POLICY_UNKNOWN`, `ENGINE_CLOSED`.
   *
   * @example const groups = await engine.listGroups(alice, policyId);
   */
  async listGroups(caller: Caller, policyId: string): Promise<GroupMembership[]> {
    this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    const { view } = await this.#deps.sight.open(caller, policyId);
    return view.groups.length === 0 ? [] : (await this.#members.membershipsOf(caller, policyId)).map(groupMembershipOf);
  }

  /**
   * Activates one of the caller's groups, or none. Resolves to false, changing nothing, if the policy defines no
   * groups. Throws `PERMISSION_DENIED` (`POLICIES_POLICY_EXECUTE`), `POLICY_UNKNOWN`, `MEMBERSHIP_UNKNOWN`,
   * `ENGINE_CLOSED`.
   *
   * @example const hasGroups = await engine.switchGroup(alice, policyId, null);
   */
  async switchGroup(caller: Caller, policyId: string, group: string | null): Promise<boolean> {
    this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    const { view } = await this.#deps.sight.open(caller, policyId);
    if (view.groups.length === 0) return false;
    await this.#deps.executor.run(lanes.policy.of(policyId), [revisionKeys.policy.of(policyId)], (unit) =>
      switchGroup(unit, policyId, caller.did, group),
    );
    return true;
  }

  /**
   * The policy's navigation for the caller's role, with the uuid of each step's block. Throws `PERMISSION_DENIED`
   * (`POLICIES_POLICY_EXECUTE`), `POLICY_UNKNOWN`, `ENGINE_CLOSED`.
   *
   * @example const steps = await engine.getNavigation(alice, policyId);
   */
  async getNavigation(caller: Caller, policyId: string): Promise<NavigationStep[]> {
    this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    const policy = await this.#deps.sight.open(caller, policyId);
    return navigationOf(policy, await this.#members.userIn(caller, policy.record));
  }

  /**
   * Waits for units of work in progress, then closes everything, including the ports passed in. Units that have not started
   * within `limits.closeMs` end unstarted, and a port that hangs is waited for no longer than that. Idempotent.
   *
   * @example await engine.close();
   */
  close(): Promise<void> {
    this.#gate.close();
    this.#closing ??= this.#deps.release();
    return this.#closing;
  }

  async #root(caller: Caller, policyId: string): Promise<BlockReference> {
    this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    return { uuid: (await this.#deps.policies.open(policyId)).tree.root.uuid };
  }
}
