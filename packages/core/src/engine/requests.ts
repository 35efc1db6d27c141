/**
 * Requests between instances, for callers: incoming ones from other instances, and outgoing ones from this instance's
 * users.
 */
import { isDid, type Caller, type Permission } from '../access/index.js';
import { assertPublished, blockOf } from '../catalog/index.js';
import type { BlockReference, BlockRegistry, CompiledPolicyCache, OpenPolicy } from '../catalog/index.js';
import { BlockworkError } from '../errors.js';
import { demandObject, demandOptions } from '../options/index.js';
import { publicConfiguration } from '../policy/index.js';
import { INSTANCE } from '../records/index.js';
import type { Json, PolicyRecord, RemoteRequest } from '../records/index.js';
import type {
  RefusalReport,
  RequestCounts,
  RequestFilter,
  RequestInput,
  RequestPage,
  Viewer,
} from '../requests/index.js';
import { RunLog } from '../context/index.js';
import type { IdempotentSends, Ran } from '../runtime/index.js';
import type { RecordReader } from '../transactions/index.js';
import type { SendOptions } from './send-options.js';
import type { RequestServices } from './engine-deps.js';
import type { Gate } from './gate.js';
import type { PolicySight } from './people/policy-sight.js';

export interface RequestsDeps {
  readonly requests: RequestServices;
  readonly policies: CompiledPolicyCache;
  readonly sight: PolicySight;
  readonly registry: BlockRegistry;
  readonly store: RecordReader;
  readonly idempotentSends: IdempotentSends;
}

/**
 * Callers see requests they asked or that are addressed to them; with `POLICIES_EXTERNAL_POLICY_READ`, also unaddressed
 * ones. Any other is `REQUEST_UNKNOWN`. Every method throws `PERMISSION_DENIED` and `ENGINE_CLOSED`.
 */
export class Requests {
  readonly #gate: Gate;
  readonly #deps: RequestsDeps;
  readonly #services: RequestServices;

  constructor(gate: Gate, deps: RequestsDeps) {
    this.#gate = gate;
    this.#deps = deps;
    this.#services = deps.requests;
  }

  /**
   * The requests visible to the caller, in order of arrival; `total` counts all that match the filter. Throws
   * `PERMISSION_DENIED` (neither `POLICIES_EXTERNAL_POLICY_READ` nor `POLICIES_POLICY_EXECUTE`), `ENGINE_CLOSED`.
   *
   * @example const { items, total } = await engine.requests.list(owner);
   */
  async list(caller: Caller, page: RequestPage = {}): Promise<{ items: RemoteRequest[]; total: number }> {
    const viewer = this.#viewer(caller);
    demandOptions(page, 'requests.list', 'page');
    return this.#services.requestList.list(viewer, page);
  }

  /**
   * Counts the requests `list` returns. Throws as `list`.
   *
   * @example const open = await engine.requests.count(owner);
   */
  async count(caller: Caller, filter: RequestFilter = {}): Promise<RequestCounts> {
    const viewer = this.#viewer(caller);
    demandOptions(filter, 'requests.count', 'filter');
    return this.#services.requestList.count(viewer, filter);
  }

  /**
   * Throws `REQUEST_UNKNOWN`, and as `list`.
   *
   * @example const { status } = await engine.requests.get(owner, messageId);
   */
  async get(caller: Caller, messageId: string): Promise<RemoteRequest> {
    return existing(await this.#services.requestList.get(this.#viewer(caller), messageId), messageId);
  }

  /**
   * Long poll: resolves once the request is closed, or to its current state after `ms` milliseconds. Throws
   * `REQUEST_UNKNOWN`, and as `list`.
   *
   * @example const { status } = await engine.requests.waitForAnswer(owner, messageId, 20_000);
   */
  async waitForAnswer(caller: Caller, messageId: string, ms: number): Promise<RemoteRequest> {
    await this.get(caller, messageId);
    return existing(await this.#services.waiters.waitForClosing(messageId, ms), messageId);
  }

  /**
   * Messages from other instances rejected by any node, for operators. Throws `PERMISSION_DENIED`
   * (`POLICIES_EXTERNAL_POLICY_UPDATE`), `ENGINE_CLOSED`.
   *
   * @example const report = await engine.requests.getRefusalReport(owner);
   */
  async getRefusalReport(caller: Caller): Promise<RefusalReport> {
    this.#gate.admit(caller, 'POLICIES_EXTERNAL_POLICY_UPDATE');
    return this.#services.refused.report();
  }

  /**
   * Approves and executes a request in one unit of work, at most once; `record` is the resulting policy record.
   * Approving again returns the stored record. Throws `PERMISSION_DENIED` (`POLICIES_EXTERNAL_POLICY_UPDATE`),
   * `REQUEST_UNKNOWN`, `REQUEST_CLOSED`, `RECORD_INVALID`, `ENGINE_CLOSED`, and what the requested action throws.
   *
   * @example const policy = await engine.requests.approve(owner, messageId, record);
   */
  async approve(caller: Caller, messageId: string, record: unknown): Promise<PolicyRecord> {
    this.#gate.admit(caller, 'POLICIES_EXTERNAL_POLICY_UPDATE');
    return this.#services.approvals.approve(caller, messageId, record);
  }

  /**
   * `approve` with the record offered by the other instance, or the stored one. Throws as `approve`.
   *
   * @example const policy = await engine.requests.approveAsOffered(owner, messageId);
   */
  async approveAsOffered(caller: Caller, messageId: string): Promise<PolicyRecord> {
    this.#gate.admit(caller, 'POLICIES_EXTERNAL_POLICY_UPDATE');
    return this.#services.approvals.approveAsOffered(caller, messageId);
  }

  /**
   * Rejects a request and notifies the other instance. Rejecting again returns the stored request. Throws
   * `PERMISSION_DENIED` (`POLICIES_EXTERNAL_POLICY_UPDATE`), `REQUEST_UNKNOWN`, `REQUEST_CLOSED`, `ENGINE_CLOSED`.
   *
   * @example await engine.requests.reject(owner, messageId, 'We have such a policy.');
   */
  async reject(caller: Caller, messageId: string, reason?: string): Promise<RemoteRequest> {
    this.#gate.admit(caller, 'POLICIES_EXTERNAL_POLICY_UPDATE');
    return this.#services.approvals.reject(caller, messageId, reason);
  }

  /**
   * Sends a request to another instance. Resolves to the stored request; its `startMessageId` identifies the
   * conversation. Throws `PERMISSION_DENIED` (`POLICIES_EXTERNAL_POLICY_UPDATE` to offer a policy, else
   * `POLICIES_POLICY_EXECUTE`), `POLICY_UNKNOWN`, `POLICY_NOT_OWNED` and `POLICY_STATUS` as `offerPolicy`,
   * `INSTANCE_MISSING`, `PEER_UNKNOWN`, `MESSAGE_TOO_LARGE`, `INPUT_INVALID`, `IDENTITY_FOREIGN` for sending data or
   * resuming a block as another identity than the caller, and `ENGINE_CLOSED`.
   *
   * @example
   * const action = { type: 'send-data', tag: 'form', user: { did: alice.did }, data: { value: 3 } } as const;
   * const { startMessageId } = await engine.requests.ask(alice, { to: 'north', policyId, action });
   */
  async ask(caller: Caller, request: RequestInput): Promise<RemoteRequest> {
    this.#gate.admit(caller, permissionToAsk(request));
    demandObject(request, 'requests.ask', 'request', 'to, policyId and action');
    demandObject(request.action, 'requests.ask', 'request.action', 'a type');
    assertOwnName(caller, request);
    if (request.action.type === 'import-policy') await this.#offered(caller, request.policyId);
    return this.#services.outgoing.ask(caller, request);
  }

  /**
   * Offers a policy of the caller, including its sensitive options, to another instance. With `view` it stays hosted
   * here: sensitive options are omitted, and data that remote users send to its blocks arrives as requests. Only
   * published policies can be offered, since the other instance could neither publish a draft nor end a trial without
   * the owner. Repeating it with the same idempotency key resolves to the original request. Throws `POLICY_UNKNOWN`,
   * `POLICY_NOT_OWNED`, `POLICY_STATUS`, `INPUT_INVALID` for a recipient that is not a DID or an invalid key,
   * `IDEMPOTENCY_KEY_USED`, and as `ask`.
   *
   * @example const { startMessageId } = await engine.requests.offerPolicy(owner, policyId, { to: 'north', view: true });
   */
  async offerPolicy(
    caller: Caller,
    policyId: string,
    offer: { readonly to: string; readonly recipient?: string; readonly view?: boolean },
    options: SendOptions = {},
  ): Promise<RemoteRequest> {
    this.#gate.admit(caller, permissionFor['import-policy']);
    demandObject(offer, 'requests.offerPolicy', 'offer', 'to, and perhaps recipient and view');
    demandOptions(options, 'requests.offerPolicy', 'options');
    const { to, recipient, view } = offer;
    const { record, tree } = await this.#offered(caller, policyId);
    if (recipient !== undefined && !isDid(recipient)) {
      const reason = `The recipient "${recipient.slice(0, 100)}" is not a DID, so the request could never be decided. Omit it, or give a DID such as "did:web:example.org:users:ana".`;
      const details = [{ path: '/recipient', message: 'must be a DID' }];
      throw new BlockworkError('INPUT_INVALID', { facts: { reason }, details });
    }
    const configuration = await this.#deps.store.get('configuration', policyId, policyId);
    const status = view ? 'VIEW' : record.status;
    // A mirrored policy does not run on the other instance and needs none of the sensitive options.
    const config =
      configuration && (view ? publicConfiguration(configuration.config, this.#deps.registry) : configuration.config);
    const policy = { ...structuredClone(record), status, config: config ?? {} };
    const question = {
      to,
      policyId,
      action: { type: 'import-policy', policy, ...(view && { view }) },
      ...(recipient !== undefined && { recipient }),
      traceparent: options.traceparent,
    } as const;
    const request = ['offer', to, recipient ?? null, view ?? false];
    return this.#askOnce(caller, question, { key: options.idempotencyKey, tag: tree.root.tag, request });
  }

  /**
   * Sends data to a block of a policy hosted by another instance. Throws `POLICY_UNKNOWN` also if this instance hosts
   * it, `BLOCK_UNKNOWN`, and as `ask`.
   *
   * @example const { status } = await engine.requests.sendToRemoteBlock(alice, policyId, { tag: 'form' }, { value: 3 });
   */
  async sendToRemoteBlock(
    caller: Caller,
    policyId: string,
    block: BlockReference,
    data: Json,
    options: SendOptions = {},
  ): Promise<RemoteRequest> {
    this.#gate.admit(caller, permissionFor['send-data']);
    demandOptions(options, 'requests.sendToRemoteBlock', 'options');
    const { idempotencyKey: key, traceparent } = options;
    const host = await this.#deps.store.get('policy-host', INSTANCE, policyId);
    if (host === undefined) throw new BlockworkError('POLICY_UNKNOWN', { facts: { policyId } });
    const { tag } = blockOf(await this.#deps.policies.open(policyId), block);
    const { did, username } = caller;
    const user = { did, ...(username !== undefined && { username }) };
    const action = { type: 'send-data', tag, user, data } as const;
    const question = { to: host.instance, policyId, action, traceparent };
    return this.#askOnce(caller, question, { key, tag, request: [block, data] });
  }

  /**
   * Withdraws a request of the caller. It stays `NEW` until the other instance confirms that the cancellation was in
   * time. Idempotent. Throws `REQUEST_UNKNOWN`, `REQUEST_CLOSED` if it has ended otherwise, and as `list`.
   *
   * @example await engine.requests.cancel(owner, messageId);
   */
  async cancel(caller: Caller, messageId: string): Promise<RemoteRequest> {
    this.#viewer(caller);
    return this.#services.outgoing.cancel(caller, messageId);
  }

  /** Permission to decide requests does not include giving away other users' policies or their sensitive options. */
  async #offered(caller: Caller, policyId: string): Promise<OpenPolicy> {
    const policy = await this.#deps.sight.open(caller, policyId);
    assertPublished(policy.record, 'offer', caller.did);
    return policy;
  }

  /** Asks unless the caller has already asked with this key; `request` must equal that of the earlier call. */
  async #askOnce(
    caller: Caller,
    question: RequestInput,
    { key, tag, request }: { readonly key: string | undefined; readonly tag: string; readonly request: unknown[] },
  ): Promise<RemoteRequest> {
    if (key === undefined) return this.#services.outgoing.ask(caller, question);
    const { idempotentSends } = this.#deps;
    idempotentSends.assertKey(key);
    const sent = { policyId: question.policyId, did: caller.did, key, request };
    return this.#services.outgoing.askOnce(caller, question, async (unit, ask) => {
      const send = (): Promise<Ran> => Promise.resolve({ tag, answer: ask().id, log: new RunLog() });
      const { answer } = await idempotentSends.once(unit, sent, send);
      return typeof answer === 'string' ? answer : '';
    });
  }

  /** Users who may execute policies see their own requests; the permission to read requests adds unaddressed ones. */
  #viewer(caller: Caller): Viewer {
    const seesOpen = this.#gate.permits(caller, 'POLICIES_EXTERNAL_POLICY_READ');
    if (!seesOpen && !this.#gate.permits(caller, 'POLICIES_POLICY_EXECUTE')) {
      this.#gate.admit(caller, 'POLICIES_EXTERNAL_POLICY_READ');
    }
    return { did: caller.did, seesOpen };
  }
}

const permissionFor = {
  'import-policy': 'POLICIES_EXTERNAL_POLICY_UPDATE',
  'send-data': 'POLICIES_POLICY_EXECUTE',
  sign: 'POLICIES_POLICY_EXECUTE',
} as const satisfies Record<RequestInput['action']['type'], Permission>;

/** For anything that a program may give: what is no request is refused after the permission, unknown types by the schema. */
function permissionToAsk(request: Partial<RequestInput> | null | undefined): Permission {
  const type: unknown = request?.action?.type;
  return type === 'import-policy' ? permissionFor[type] : 'POLICIES_POLICY_EXECUTE';
}

function assertOwnName({ did }: Caller, { action, resume }: RequestInput): void {
  // JavaScript callers may omit required members; actions are validated against their schema later.
  const sender: { readonly did?: string } | undefined = action.type === 'send-data' ? action.user : undefined;
  const resumed: { readonly did?: string } | undefined = resume?.user;
  const named = [...(sender === undefined ? [] : [sender.did]), ...(resume === undefined ? [] : [resumed?.did])];
  if (named.every((each) => each === did)) return;
  throw new BlockworkError('IDENTITY_FOREIGN');
}

function existing(request: RemoteRequest | undefined, messageId: string): RemoteRequest {
  if (request === undefined) throw new BlockworkError('REQUEST_UNKNOWN', { facts: { messageId } });
  return request;
}
