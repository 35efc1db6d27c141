/** Requests between instances, for callers: those that other instances ask of this one, and those that its users ask. */
import { isDid, type Caller, type Permission } from '../access/index.js';
import { blockOf } from '../catalog/index.js';
import type { BlockReference, BlockRegistry, CompiledPolicyCache, OpenPolicy } from '../catalog/index.js';
import { BlockworkError } from '../errors.js';
import { demandPublished } from '../lifecycle/index.js';
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

export interface RequestsDeps {
  readonly requests: RequestServices;
  readonly policies: CompiledPolicyCache;
  readonly registry: BlockRegistry;
  readonly store: RecordReader;
  readonly idempotentSends: IdempotentSends;
}

/**
 * A caller sees the requests that they asked and those addressed to them; with `POLICIES_EXTERNAL_POLICY_READ`, also those
 * without an addressee. Any other is `REQUEST_UNKNOWN`. Every method throws `PERMISSION_DENIED`, and `ENGINE_CLOSED`.
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
   * The requests that the caller sees, in the order of their arrival; `total` counts all that match the filter. Throws
   * `PERMISSION_DENIED` (neither `POLICIES_EXTERNAL_POLICY_READ` nor `POLICIES_POLICY_EXECUTE`), `ENGINE_CLOSED`.
   */
  async list(caller: Caller, page: RequestPage = {}): Promise<{ items: RemoteRequest[]; total: number }> {
    const viewer = this.#viewer(caller);
    demandOptions(page, 'requests.list', 'page');
    return this.#services.requestList.list(viewer, page);
  }

  /** Counts what `list` lists. Throws as `list`. */
  async count(caller: Caller, filter: RequestFilter = {}): Promise<RequestCounts> {
    const viewer = this.#viewer(caller);
    demandOptions(filter, 'requests.count', 'filter');
    return this.#services.requestList.count(viewer, filter);
  }

  /** Throws `REQUEST_UNKNOWN`, and as `list`. */
  async get(caller: Caller, messageId: string): Promise<RemoteRequest> {
    return found(await this.#services.requestList.get(this.#viewer(caller), messageId), messageId);
  }

  /**
   * The request once it is closed, or as it is after `ms` milliseconds. Throws `REQUEST_UNKNOWN`, and as `list`.
   */
  async waitForAnswer(caller: Caller, messageId: string, ms: number): Promise<RemoteRequest> {
    await this.get(caller, messageId);
    return found(await this.#services.waiters.closing(messageId, ms), messageId);
  }

  /**
   * Messages of other instances that were not accepted, by any node, for the operator. Throws
   * `PERMISSION_DENIED` (`POLICIES_EXTERNAL_POLICY_UPDATE`), `ENGINE_CLOSED`.
   */
  async getRefusalReport(caller: Caller): Promise<RefusalReport> {
    this.#gate.admit(caller, 'POLICIES_EXTERNAL_POLICY_UPDATE');
    return this.#services.refused.report();
  }

  /**
   * Approves a request and carries it out, in one unit of work, at most once; `record` is the policy record that it ends
   * with. Approving it again gives the stored record. Throws `PERMISSION_DENIED` (`POLICIES_EXTERNAL_POLICY_UPDATE`),
   * `REQUEST_UNKNOWN`, `REQUEST_CLOSED`, `RECORD_INVALID`, `ENGINE_CLOSED`, and what the requested action throws.
   */
  async approve(caller: Caller, messageId: string, record: unknown): Promise<PolicyRecord> {
    this.#gate.admit(caller, 'POLICIES_EXTERNAL_POLICY_UPDATE');
    return this.#services.approvals.approve(caller, messageId, record);
  }

  /** `approve` with the record that the other instance offered, or the stored one. Throws as `approve`. */
  async approveAsOffered(caller: Caller, messageId: string): Promise<PolicyRecord> {
    this.#gate.admit(caller, 'POLICIES_EXTERNAL_POLICY_UPDATE');
    return this.#services.approvals.approveAsOffered(caller, messageId);
  }

  /**
   * Rejects a request and tells the other instance. Rejecting it again gives the stored row. Throws `PERMISSION_DENIED`
   * (`POLICIES_EXTERNAL_POLICY_UPDATE`), `REQUEST_UNKNOWN`, `REQUEST_CLOSED`, `ENGINE_CLOSED`.
   */
  async reject(caller: Caller, messageId: string, reason?: string): Promise<RemoteRequest> {
    this.#gate.admit(caller, 'POLICIES_EXTERNAL_POLICY_UPDATE');
    return this.#services.approvals.reject(caller, messageId, reason);
  }

  /**
   * Asks another instance. Resolves with the stored request; its `startMessageId` names the conversation. Throws
   * `PERMISSION_DENIED` (`POLICIES_EXTERNAL_POLICY_UPDATE` to offer a policy, else `POLICIES_POLICY_EXECUTE`),
   * `POLICY_UNKNOWN`, `POLICY_NOT_OWNED` and `POLICY_STATUS` as `offerPolicy`,
   * `INSTANCE_MISSING`, `PEER_UNKNOWN`, `MESSAGE_TOO_LARGE`, `INPUT_INVALID`, `IDENTITY_FOREIGN` if data would be sent, or
   * a block resumed, in another name than the caller's, and `ENGINE_CLOSED`.
   */
  async ask(caller: Caller, request: RequestInput): Promise<RemoteRequest> {
    this.#gate.assertOpen();
    demandObject(request, 'requests.ask', 'request', 'to, policyId and action');
    demandObject(request.action, 'requests.ask', 'request.action', 'a type');
    const permission = (permissionFor as Partial<Record<string, Permission>>)[request.action.type];
    // What has no such type is refused by its schema.
    this.#gate.admit(caller, permission ?? 'POLICIES_POLICY_EXECUTE');
    assertOwnName(caller, request);
    if (request.action.type === 'import-policy') await this.#offered(caller, request.policyId);
    return this.#services.outgoing.ask(caller, request);
  }

  /**
   * Offers a policy of the caller to another instance, with its sensitive options. With `view` it stays hosted here: it
   * goes without them, and what users over there send to its blocks comes back as requests. Only a policy that was published
   * can be offered: nobody over there could publish a draft or end a trial, for its owner is here. Repeated under one
   * idempotency key it resolves with the request that was made. Throws `POLICY_UNKNOWN`, `POLICY_NOT_OWNED`, `POLICY_STATUS`,
   * `INPUT_INVALID` for a recipient that is no DID or a key that cannot be used, `IDEMPOTENCY_KEY_USED`, and as `ask`.
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
      const reason = `The recipient "${recipient.slice(0, 100)}" is no DID: nobody could decide. Leave it out, or give one such as "did:web:example.org:users:ana".`;
      const details = [{ path: '/recipient', message: 'must be a DID' }];
      throw new BlockworkError('INPUT_INVALID', { facts: { reason }, details });
    }
    const configuration = await this.#deps.store.get('configuration', policyId, policyId);
    const status = view ? 'VIEW' : record.status;
    // What is only mirrored over there does not run there: it needs none of the sensitive options.
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
   * Sends data to a block of a policy that another instance hosts. Throws `POLICY_UNKNOWN` also if this instance hosts it,
   * `BLOCK_UNKNOWN`, and as `ask`.
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
   * Withdraws what the caller asked. The request stays `NEW` until the other instance says whether that came in time.
   * Canceling it again changes nothing. Throws `REQUEST_UNKNOWN`, `REQUEST_CLOSED` if it has ended another way, and as
   * `list`.
   */
  async cancel(caller: Caller, messageId: string): Promise<RemoteRequest> {
    this.#viewer(caller);
    return this.#services.outgoing.cancel(caller, messageId);
  }

  /** The permission to decide about requests is not one to give away the policies of others, or what they keep secret. */
  async #offered(caller: Caller, policyId: string): Promise<OpenPolicy> {
    const policy = await this.#deps.policies.open(policyId);
    demandPublished(policy.record, 'offer', caller.did);
    return policy;
  }

  /** Asks, unless the caller has asked before under this key; `request` is what a repetition has to have in common with that. */
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

  /** Users who may run policies see their own requests; the permission to read requests adds those without an addressee. */
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

function assertOwnName({ did }: Caller, { action, resume }: RequestInput): void {
  // What comes from plain JavaScript may lack what its type promises; an action is held against its schema later.
  const sender: { readonly did?: string } | undefined = action.type === 'send-data' ? action.user : undefined;
  const resumed: { readonly did?: string } | undefined = resume?.user;
  const named = [...(sender === undefined ? [] : [sender.did]), ...(resume === undefined ? [] : [resumed?.did])];
  if (named.every((each) => each === did)) return;
  throw new BlockworkError('IDENTITY_FOREIGN');
}

function found(request: RemoteRequest | undefined, messageId: string): RemoteRequest {
  if (request === undefined) throw new BlockworkError('REQUEST_UNKNOWN', { facts: { messageId } });
  return request;
}
