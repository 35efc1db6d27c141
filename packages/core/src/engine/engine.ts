/** The policy engine: one method for each thing that a caller does, and `program` for what the program does itself. */
import { groupMembershipOf, type Availability, type Caller, type Permission } from '../access/index.js';
import { blockOf, type BlockReference } from '../catalog/index.js';
import { switchGroup } from '../context/index.js';
import { demandOptions } from '../options/index.js';
import { publicConfiguration, tokenIds, type Finding } from '../policy/index.js';
import type { EventsQuery, PolicyEvent } from '../events/index.js';
import type { DocumentInput, GroupMembership, JsonAnswer, NavigationStep, PolicyRecord } from '../records/index.js';
import { lanes, revisionKeys, type UnitOfWork } from '../transactions/index.js';
import type { EngineDeps } from './engine-deps.js';
import { assertOwn, blocksFedFromOutside, policyTagged, readExternalData } from './external-data.js';
import { carriedOutBy } from './sends/block-send.js';
import { submittedBy } from './sends/external-send.js';
import { ForwardedSends } from './sends/forwarded-sends.js';
import { Gate } from './gate.js';
import { Identities } from './people/identities.js';
import { Documents, Explanations, Journal, PolicyTimers, Schemas, Tokens, Waiting } from './inspection/index.js';
import { ownPolicy } from './inspection/own-policy.js';
import { describePolicy, type DescribedPolicy } from './interface/described-policy.js';
import { InstrumentedRuns } from './instrumented.js';
import { Lifecycle } from './lifecycle.js';
import { Members } from './people/members.js';
import { navigationOf } from './navigation.js';
import { type ListPage, type Range } from './page.js';
import { Nodes } from './nodes.js';
import { InstanceOperation } from './operation.js';
import { Program } from './program/program.js';
import { NotificationInbox } from './people/notifications.js';
import { Requests } from './requests.js';
import { RevokedTokens } from './people/revoked-tokens.js';
import { Tools } from './tools.js';
import { Trials } from './trials.js';
import { Webhooks } from './webhooks.js';
import { demandReading, type Query, type ReadOptions, type SendOptions } from './send-options.js';

/**
 * Methods here and of its members take a caller and check what they may do. Only methods of `program` take none and check
 * no permissions. After `close` every method throws `ENGINE_CLOSED`, and for options that are no object `INPUT_INVALID`.
 */
export class PolicyEngine {
  /** Requests between instances. */
  readonly requests: Requests;
  /** The callers' notification inboxes. */
  readonly notifications: NotificationInbox;
  /** Where owners want to be told what moves in their policies. */
  readonly webhooks: Webhooks;
  /** Keys that callers keep to themselves, and those of their devices. */
  readonly identities: Identities;
  /** Tokens that are not accepted any more. */
  readonly revokedTokens: RevokedTokens;
  /** Trying, publishing and discontinuing policies. */
  readonly lifecycle: Lifecycle;
  /** What is made in dry runs: people, savepoints, recordings. */
  readonly trials: Trials;
  /** Why blocks are open to somebody or not, and show a document or not. */
  readonly explanations: Explanations;
  /** What waits at the blocks of policies. */
  readonly waiting: Waiting;
  /** What the units of work of policies did. */
  readonly journal: Journal;
  /** Documents with their proofs and what they build on. */
  readonly documents: Documents;
  /** What was minted, and who holds it. */
  readonly tokens: Tokens;
  /** What policies do by themselves, and when. */
  readonly timers: PolicyTimers;
  /** The fields of documents. */
  readonly schemas: Schemas;
  /** Tools for the policies of the caller. */
  readonly tools: Tools;
  /** The processes that share the store. */
  readonly nodes: Nodes;
  /** What waits in this instance, what fails, and its limits. */
  readonly operation: InstanceOperation;
  /** For the program that embeds the engine, not for its users. */
  readonly program: Program;

  readonly #deps: EngineDeps;
  readonly #gate: Gate;
  readonly #runs: InstrumentedRuns;
  readonly #members: Members;
  readonly #sends: ForwardedSends;
  #closing: Promise<void> | null = null;

  constructor(deps: EngineDeps) {
    this.#deps = deps;
    this.#gate = new Gate(deps.permissionTable);
    this.#runs = new InstrumentedRuns(deps);
    this.#members = new Members(deps.store);
    const [carryOut, submit] = [carriedOutBy(deps, this.#runs), submittedBy(deps, this.#runs)];
    this.#sends = new ForwardedSends(deps, (send) => ('tags' in send ? submit(send) : carryOut(send)));
    this.requests = new Requests(this.#gate, deps);
    this.notifications = new NotificationInbox(this.#gate, deps);
    this.webhooks = new Webhooks(this.#gate, deps);
    this.identities = new Identities(this.#gate, deps);
    this.revokedTokens = new RevokedTokens(this.#gate, deps);
    this.lifecycle = new Lifecycle(this.#gate, deps);
    this.trials = new Trials(this.#gate, deps);
    this.explanations = new Explanations(this.#gate, deps);
    this.waiting = new Waiting(this.#gate, deps);
    this.nodes = new Nodes(this.#gate, deps.storeNode);
    this.operation = new InstanceOperation(this.#gate, deps);
    this.journal = new Journal(this.#gate, deps);
    this.documents = new Documents(this.#gate, deps);
    this.tokens = new Tokens(this.#gate, deps);
    this.timers = new PolicyTimers(this.#gate, deps);
    this.schemas = new Schemas(this.#gate, deps);
    this.tools = new Tools(this.#gate, deps.tools);
    this.program = new Program(this.#gate, deps);
  }

  get isOpen(): boolean {
    return this.#gate.isOpen;
  }

  /** Whether the caller has the permission, whatever the policy. Throws `ENGINE_CLOSED`. */
  permits(caller: Caller, permission: Permission): boolean {
    return this.#gate.permits(caller, permission);
  }

  /**
   * Imports a policy as a draft of the caller: a `.policy` archive as bytes, or a JSON value that holds what the archive's
   * `policy.json` holds. A `.module` file becomes a policy that holds nothing but the module. No finding prevents the
   * import. `documents` are those that the program has for it, as for `program.documents.add`: they are imported with the
   * policy, or neither is. `origin` is what the program calls the place that the policy comes from, such as the name of a
   * file: nothing is imported from there again, by whichever node, while the policy is here. Throws `PERMISSION_DENIED`
   * (`POLICIES_POLICY_CREATE`), `POLICY_FILE_INVALID`, `POLICY_FILE_TOO_LARGE`, `POLICY_EXISTS` for a JSON value whose `id` is
   * taken and for an origin whose policy is here, `DOCUMENT_INVALID`, `DOCUMENT_EXISTS`, `ENGINE_CLOSED`.
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
    const { record, findings } = await this.#deps.importer.add(source, caller.did, { origin, include });
    const { tree } = await this.#deps.policies.open(record.id);
    const all = [...findings, ...tree.findings];
    this.#deps.inspector({ type: 'policy.imported', policyId: record.id, findings: all.length });
    return { policy: await this.#members.asSeen(caller, record), findings: all };
  }

  /**
   * The policy as a `.policy` file, with all that its archive had and with its tools; for its owner only. Throws
   * `PERMISSION_DENIED` (`POLICIES_POLICY_MANAGE`), `POLICY_UNKNOWN`, `POLICY_NOT_OWNED`, `POLICY_FILE_TOO_LARGE`,
   * `ENGINE_CLOSED`.
   */
  async exportPolicy(caller: Caller, policyId: string): Promise<Uint8Array> {
    return this.#deps.exporter.policy(await ownPolicy(this.#gate, this.#deps.policies, caller, policyId));
  }

  /** One module of a policy as a `.module` file. Throws as `exportPolicy`, and `BLOCK_UNKNOWN`. */
  async exportModule(caller: Caller, policyId: string, tag: string): Promise<Uint8Array> {
    const policy = await ownPolicy(this.#gate, this.#deps.policies, caller, policyId);
    return this.#deps.exporter.module(policy, tag);
  }

  /**
   * The policies, oldest first, without their configuration; `total` counts all of them. One whose record is damaged is
   * left out, and told of by `program.getReadiness`. Throws `PERMISSION_DENIED`
   * (`POLICIES_POLICY_READ`), `ENGINE_CLOSED`.
   */
  async listPolicies(caller: Caller, range: Range = {}): Promise<ListPage<PolicyRecord>> {
    this.#gate.admit(caller, 'POLICIES_POLICY_READ');
    demandOptions(range, 'listPolicies', 'range');
    const { items, total } = await this.#deps.readablePolicies.page({ ...range, bytes: this.#deps.limits.pageBytes });
    return { items: await this.#members.eachAsSeen(caller, items), total };
  }

  /**
   * One policy with its configuration, and the caller's roles and groups in it. For others than the owner, the configuration
   * lacks what option schemas mark as `sensitive`, and the options of unknown block types. Throws `PERMISSION_DENIED`
   * (`POLICIES_POLICY_READ`), `POLICY_UNKNOWN`, `ENGINE_CLOSED`.
   */
  async getPolicy(caller: Caller, policyId: string): Promise<PolicyRecord> {
    this.#gate.admit(caller, 'POLICIES_POLICY_READ');
    const { record } = await this.#deps.policies.open(policyId);
    const configuration = await this.#deps.store.get('configuration', policyId, policyId);
    const seen = await this.#members.asSeen(caller, structuredClone(record));
    if (configuration === undefined) return seen;
    const { config } = configuration;
    return { ...seen, config: record.owner === caller.did ? config : publicConfiguration(config, this.#deps.registry) };
  }

  /**
   * What the policy's author should look at. Throws `PERMISSION_DENIED` (`POLICIES_POLICY_READ`), `POLICY_UNKNOWN`,
   * `ENGINE_CLOSED`.
   */
  async getFindings(caller: Caller, policyId: string): Promise<readonly Finding[]> {
    this.#gate.admit(caller, 'POLICIES_POLICY_READ');
    return this.#deps.lifecycle.findings(policyId);
  }

  /**
   * The ids of the policy's tokens, in the order of its blocks, each once. Throws `PERMISSION_DENIED`
   * (`POLICIES_POLICY_READ`), `POLICY_UNKNOWN`, `ENGINE_CLOSED`.
   */
  async listTokenIds(caller: Caller, policyId: string): Promise<string[]> {
    this.#gate.admit(caller, 'POLICIES_POLICY_READ');
    return tokenIds((await this.#deps.policies.open(policyId)).tree.root.source);
  }

  /**
   * What the caller may read and send at the blocks of the policy, as JSON Schema: for the policy's owner with what every role may,
   * for others with what their own roles may. Whether a block is open now is not told. Throws `PERMISSION_DENIED`
   * (`POLICIES_POLICY_EXECUTE`), `POLICY_UNKNOWN`, `PAGE_TOO_LARGE`, `ENGINE_CLOSED`.
   */
  async getInterface(caller: Caller, policyId: string): Promise<DescribedPolicy> {
    this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    const policy = await this.#deps.policies.open(policyId);
    const audience = policy.record.owner === caller.did ? undefined : await this.#members.rolesOf(caller, policyId);
    return describePolicy(policy, this.#deps, audience);
  }

  /** What the root block shows: where a client starts. Throws as `readBlock`. */
  async readRoot<Answer = JsonAnswer | null>(
    caller: Caller,
    policyId: string,
    query?: Query,
    options?: ReadOptions,
  ): Promise<Answer> {
    const root = await this.#root(caller, policyId);
    demandReading('readRoot', query, options);
    return this.readBlock<Answer>(caller, policyId, root, query, options);
  }

  /**
   * What one block shows the caller. Changes nothing; the query applies to this read only. Throws `PERMISSION_DENIED`
   * (`POLICIES_POLICY_EXECUTE`), `POLICY_UNKNOWN`, `POLICY_NOT_READABLE`, `BLOCK_UNKNOWN`, `BLOCK_FORBIDDEN`,
   * `BLOCK_NOT_ACTIVE`, `BLOCK_NOT_READABLE`, `QUERY_INVALID`, `ENGINE_CLOSED`, and what the block throws.
   *
   * The policy decides what an answer looks like, so TypeScript cannot know: without a type argument, members are reached
   * with `?.`, which holds for any JSON. `readBlock<MyAnswer>` states the shape instead. The engine does not check it;
   * where that matters, parse the answer with a schema.
   */
  async readBlock<Answer = JsonAnswer | null>(
    caller: Caller,
    policyId: string,
    block: BlockReference,
    query: Query = {},
    options: ReadOptions = {},
  ): Promise<Answer> {
    this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    demandReading('readBlock', query, options);
    return (await this.#runs.read(caller, policyId, block, query, options.traceparent)) as Answer;
  }

  /** `readBlock` as JSON text, for transports: cached until something changes that the answer depends on. Throws as `readBlock`. */
  async readBlockText(
    caller: Caller,
    policyId: string,
    block: BlockReference,
    query: Query = {},
    options: ReadOptions = {},
  ): Promise<string> {
    this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    demandReading('readBlockText', query, options);
    return this.#runs.readText(caller, policyId, block, query, options.traceparent);
  }

  /** `readBlockText` of the root block. Throws as `readBlock`. */
  async readRootText(caller: Caller, policyId: string, query?: Query, options?: ReadOptions): Promise<string> {
    const root = await this.#root(caller, policyId);
    demandReading('readRootText', query, options);
    return this.readBlockText(caller, policyId, root, query, options);
  }

  /**
   * Sends data to one block and runs what follows from it. Resolves after the commit, with the block's answer or `{}`;
   * if it rejects, nothing has changed. The type argument is as in `readBlock`. Throws `PERMISSION_DENIED`
   * (`POLICIES_POLICY_EXECUTE`), `POLICY_UNKNOWN`, `POLICY_NOT_RUNNING`, `BLOCK_UNKNOWN`, `BLOCK_FORBIDDEN`,
   * `BLOCK_NOT_ACTIVE`, `BLOCK_NOT_WRITABLE`, `INPUT_INVALID`, `RUN_TOO_LONG`, `ENGINE_CLOSED`, what a block on the
   * way throws, and with a key `IDEMPOTENCY_KEY_USED` and `ANSWER_NOT_KEPT`.
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
    const { idempotencyKey: key, traceparent } = options;
    this.#deps.idempotentSends.assertKey(key);
    return (await this.#sends.send({ caller, policyId, block, data, key, traceparent })) as Answer;
  }

  /**
   * Submits a credential that was signed outside, `{owner, document, ref?}`, to one block, or to every block of the policy
   * that takes external data, in one unit of work. The policy is named by its id, or by `policyTag` in the data. The owner is
   * a member of the policy, or a device that a member has registered; then it becomes the member's. Callers without
   * `POLICIES_EXTERNAL_DATA_CREATE` submit what is theirs or their devices', with `POLICIES_POLICY_EXECUTE`. Throws
   * `PERMISSION_DENIED`, `INPUT_INVALID`, `POLICY_UNKNOWN`, `POLICY_NOT_RUNNING`, `BLOCK_UNKNOWN`, `BLOCK_NOT_EXTERNAL`,
   * `NOT_FED_FROM_OUTSIDE`, `OWNER_NOT_MEMBER`, `CREDENTIAL_INVALID`, `ENGINE_CLOSED`, and what a block on the way throws.
   */
  async submitExternal(
    caller: Caller,
    data: unknown,
    to: { policyId?: string; tag?: string } & SendOptions = {},
  ): Promise<void> {
    const submitsAny = this.#gate.permits(caller, 'POLICIES_EXTERNAL_DATA_CREATE');
    if (!submitsAny) this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    const { store, policies, registry, idempotentSends } = this.#deps;
    demandOptions(to, 'submitExternal', 'to');
    idempotentSends.assertKey(to.idempotencyKey);
    const { owner, policyTag } = readExternalData(data);
    if (!submitsAny) await assertOwn(this.#deps.store, caller, owner);
    const policyId = to.policyId ?? (await policyTagged(store, policyTag ?? ''));
    const tags = to.tag === undefined ? await blocksFedFromOutside(policies, registry, policyId) : [to.tag];
    const { idempotencyKey: key, traceparent } = to;
    await this.#sends.send({ did: caller.did, policyId, tags, data, key, traceparent });
  }

  /**
   * What moves in policies, as it is committed by any node: first `open`, then each unit of work that concerns blocks open to the
   * caller, once and in the order of its policy. With `after`, from there on; units that the journal no longer has, and more than
   * `eventBacklog` of them, are left out with a `gap`. Ends with the signal and with the engine; what a subscriber does not ask
   * for waits in the journal. Throws at once `PERMISSION_DENIED` (`POLICIES_POLICY_EXECUTE`) and `ENGINE_CLOSED`; the iteration throws
   * `POLICY_UNKNOWN`, also once the policy is deleted, `TOO_MANY_POLICIES`, `TOO_MANY_SUBSCRIBERS`, `STORE_UNAVAILABLE`.
   */
  events(caller: Caller, query: EventsQuery = {}): AsyncGenerator<PolicyEvent, void> {
    this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    demandOptions(query, 'events', 'query');
    return this.#deps.eventHub.events(caller, query);
  }

  /**
   * The block with this tag. Throws `PERMISSION_DENIED` (`POLICIES_POLICY_EXECUTE`), `POLICY_UNKNOWN`, `BLOCK_UNKNOWN`,
   * `ENGINE_CLOSED`.
   */
  async findBlock(caller: Caller, policyId: string, tag: string): Promise<{ readonly uuid: string }> {
    this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    return { uuid: blockOf(await this.#deps.policies.open(policyId), { tag }).uuid };
  }

  /**
   * Whether the block is open to the caller now, and if not, why. Throws `PERMISSION_DENIED` (`POLICIES_POLICY_EXECUTE`),
   * `POLICY_UNKNOWN`, `BLOCK_UNKNOWN`, `ENGINE_CLOSED`.
   */
  async getAvailability(caller: Caller, policyId: string, block: BlockReference): Promise<Availability> {
    this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    return this.#deps.workflow.availability(caller, policyId, block);
  }

  /**
   * The caller's groups in the policy; none if the policy defines no groups. Throws `PERMISSION_DENIED`
   * (`POLICIES_POLICY_EXECUTE`), `POLICY_UNKNOWN`, `ENGINE_CLOSED`.
   */
  async listGroups(caller: Caller, policyId: string): Promise<GroupMembership[]> {
    this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    const { view } = await this.#deps.policies.open(policyId);
    if (view.groups.length === 0) return [];
    return (await this.#members.membershipsOf(caller, policyId)).map(groupMembershipOf);
  }

  /**
   * Makes one of the caller's groups the active one, or none. Resolves to false, changing nothing, if the policy defines
   * no groups. Throws `PERMISSION_DENIED` (`POLICIES_POLICY_EXECUTE`), `POLICY_UNKNOWN`, `MEMBERSHIP_UNKNOWN`,
   * `ENGINE_CLOSED`.
   */
  async switchGroup(caller: Caller, policyId: string, group: string | null): Promise<boolean> {
    this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    const { view } = await this.#deps.policies.open(policyId);
    if (view.groups.length === 0) return false;
    await this.#deps.executor.run(lanes.policy.of(policyId), [revisionKeys.policy.of(policyId)], (unit) =>
      switchGroup(unit, policyId, caller.did, group),
    );
    return true;
  }

  /**
   * The navigation that the policy defines for the caller's role, each step with the uuid of its block. Throws
   * `PERMISSION_DENIED` (`POLICIES_POLICY_EXECUTE`), `POLICY_UNKNOWN`, `ENGINE_CLOSED`.
   */
  async getNavigation(caller: Caller, policyId: string): Promise<NavigationStep[]> {
    this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    const policy = await this.#deps.policies.open(policyId);
    const user = await this.#members.userIn(caller, policy.record);
    return navigationOf(policy, user);
  }

  /** Waits for units of work in progress, then closes everything, the ports passed in included. May be called again. */
  close(): Promise<void> {
    this.#gate.close();
    this.#closing ??= this.#deps.executor.idle().then(() => this.#deps.release());
    return this.#closing;
  }

  async #root(caller: Caller, policyId: string): Promise<BlockReference> {
    this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    return { uuid: (await this.#deps.policies.open(policyId)).tree.root.uuid };
  }
}
