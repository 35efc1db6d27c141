/** The desk for requests between instances: what others ask of this one, and what it asks of them. */
import { assertPermitted, permits } from '../access/index.js';
import type { Caller, Permission, PermissionTable } from '../access/index.js';
import type {
  RequestInput,
  RefusalReport,
  RequestCounts,
  RequestFilter,
  RequestPage,
  RequestServices,
  TrustedPeers,
  Viewer,
} from '../requests/index.js';
import { BlockworkError } from '../errors.js';
import { INSTANCE } from '../records/index.js';
import type { Json, PolicyRecord, RemoteRequest } from '../records/index.js';
import { blockOf } from '../catalog/index.js';
import type { BlockReference, CompiledPolicyCache } from '../catalog/index.js';
import type { RecordReader, UnitOfWork } from '../transactions/index.js';

export interface RequestsDeps {
  readonly services: RequestServices;
  readonly policies: CompiledPolicyCache;
  readonly store: RecordReader;
  readonly permissionTable: PermissionTable;
}

/** Rows are shown to those whom they concern only; for everybody else they do not exist (`REQUEST_UNKNOWN`). */
export class Requests {
  constructor(private readonly deps: RequestsDeps) {}

  /** Which instances are believed. Changes count from the next message on, and last as long as the engine. */
  get peers(): TrustedPeers {
    return this.deps.services.peers;
  }

  /**
   * Takes in a message that came another way than over the link; whoever calls this vouches that it really comes from
   * the sender it names. The same message again changes nothing. Throws `REQUEST_REFUSED` and `SENDER_UNTRUSTED`.
   */
  receive(message: unknown): Promise<RemoteRequest> {
    return this.deps.services.vouched.receive(message);
  }

  /** In the order of arrival; `total` counts all that the filter means. */
  async list(caller: Caller, page: RequestPage = {}): Promise<{ items: RemoteRequest[]; total: number }> {
    return this.deps.services.list.list(this.#viewer(caller), page);
  }

  /** How many there are, of what `list` would list. */
  async count(caller: Caller, filter: RequestFilter = {}): Promise<RequestCounts> {
    return this.deps.services.list.count(this.#viewer(caller), filter);
  }

  async get(caller: Caller, messageId: string): Promise<RemoteRequest> {
    return found(await this.deps.services.list.get(this.#viewer(caller), messageId), messageId);
  }

  /** Messages that were not believed or not taken in, for the operator. */
  refused(caller: Caller): RefusalReport {
    this.#demand(caller, 'POLICIES_EXTERNAL_POLICY_UPDATE');
    return this.deps.services.refused.report();
  }

  /** As `engine.approve`, with the record as the other instance offered it, or as it is here. */
  async approveAsOffered(caller: Caller, messageId: string): Promise<PolicyRecord> {
    this.#demand(caller, 'POLICIES_EXTERNAL_POLICY_UPDATE');
    return this.deps.services.approvals.approveAsOffered(caller, messageId);
  }

  /** Refuses what is asked, and tells the other side. The same again gives the stored row. Throws `REQUEST_CLOSED`. */
  async reject(caller: Caller, messageId: string, reason?: string): Promise<RemoteRequest> {
    this.#demand(caller, 'POLICIES_EXTERNAL_POLICY_UPDATE');
    return this.deps.services.approvals.reject(caller, messageId, reason);
  }

  /**
   * Asks another instance. Resolves with the waiting row once it is stored; its `startMessageId` is the conversation.
   * Throws `INSTANCE_MISSING`, `PEER_UNKNOWN`, `MESSAGE_TOO_LARGE`, and `INPUT_INVALID` also where data would be sent, or a
   * block go on, in the name of somebody else than the caller.
   */
  async ask(caller: Caller, question: RequestInput): Promise<RemoteRequest> {
    this.#demand(caller, permissionFor[question.action.type]);
    demandOwnName(caller, question);
    return this.deps.services.outgoing.ask(caller, question);
  }

  /** The same inside a unit of work: what changes there and the question are committed together. Checks no permission. */
  askWithin(unit: UnitOfWork, caller: Caller, question: RequestInput): RemoteRequest {
    return this.deps.services.outgoing.askWithin(unit, caller, question);
  }

  /**
   * Offers a policy of this instance to another, to be taken over there; as a view, with `view`: then it stays hosted
   * here, and what users over there send to its blocks comes back as requests. Throws `POLICY_UNKNOWN`, and as `ask`.
   */
  async offerPolicy(
    caller: Caller,
    policyId: string,
    { to, recipient, view }: { readonly to: string; readonly recipient?: string; readonly view?: boolean },
  ): Promise<RemoteRequest> {
    this.#demand(caller, permissionFor['import-policy']);
    const { record } = await this.deps.policies.open(policyId);
    const configuration = await this.deps.store.get('configuration', policyId, policyId);
    const status = view ? 'VIEW' : record.status;
    const policy = { ...structuredClone(record), status, config: configuration?.config ?? {} };
    return this.deps.services.outgoing.ask(caller, {
      to,
      policyId,
      action: { type: 'import-policy', policy, ...(view && { view }) },
      ...(recipient !== undefined && { recipient }),
    });
  }

  /** The instance that hosts the policy; `undefined` where that is this one. */
  async hostOf(policyId: string): Promise<string | undefined> {
    return (await this.deps.store.get('policy-host', INSTANCE, policyId))?.instance;
  }

  /** Sends data to a block of a policy that another instance hosts. Throws `BLOCK_UNKNOWN`, and as `ask`. */
  async sendToRemoteBlock(caller: Caller, policyId: string, block: BlockReference, data: Json): Promise<RemoteRequest> {
    this.#demand(caller, 'POLICIES_POLICY_EXECUTE');
    const to = await this.hostOf(policyId);
    if (to === undefined) throw new BlockworkError('POLICY_UNKNOWN', { facts: { policyId } });
    const { tag } = blockOf(await this.deps.policies.open(policyId), block);
    const { did, username } = caller;
    const user = { did, ...(username !== undefined && { username }) };
    return this.deps.services.outgoing.ask(caller, { to, policyId, action: { type: 'send-data', tag, user, data } });
  }

  /**
   * Takes back what the caller asked. While the row stays `NEW`, the other side has not said yet whether that came in
   * time. The same again changes nothing. Throws `REQUEST_CLOSED` when it has ended another way.
   */
  async cancel(caller: Caller, messageId: string): Promise<RemoteRequest> {
    this.#viewer(caller);
    return this.deps.services.outgoing.cancel(caller, messageId);
  }

  /** A row that the caller sees, once it is closed or `ms` milliseconds are over. */
  async answer(caller: Caller, messageId: string, ms: number): Promise<RemoteRequest> {
    await this.get(caller, messageId);
    return found(await this.deps.services.waiting.closing(messageId, ms), messageId);
  }

  /** Resolves when nothing is being sent or approved by the rule at this moment. */
  idle(): Promise<void> {
    return this.deps.services.idle();
  }

  /** Whoever may run policies has requests of their own; the permission to read requests shows those that are for anybody. */
  #viewer(caller: Caller): Viewer {
    const seesOpen = permits(this.deps.permissionTable, caller, 'POLICIES_EXTERNAL_POLICY_READ');
    if (!seesOpen && !permits(this.deps.permissionTable, caller, 'POLICIES_POLICY_EXECUTE')) {
      this.#demand(caller, 'POLICIES_EXTERNAL_POLICY_READ');
    }
    return { did: caller.did, seesOpen };
  }

  #demand(caller: Caller, permission: Permission): void {
    assertPermitted(this.deps.permissionTable, caller, permission);
  }
}

const permissionFor = {
  'import-policy': 'POLICIES_EXTERNAL_POLICY_UPDATE',
  'send-data': 'POLICIES_POLICY_EXECUTE',
  sign: 'POLICIES_POLICY_EXECUTE',
} as const satisfies Record<RequestInput['action']['type'], Permission>;

function demandOwnName({ did }: Caller, { action, resume }: RequestInput): void {
  // What comes from plain JavaScript may lack what its type promises.
  const users: ({ readonly did?: string } | undefined)[] = [
    ...(action.type === 'send-data' ? [action.user] : []),
    ...(resume === undefined ? [] : [resume.user]),
  ];
  if (users.every((user) => user?.did === did)) return;
  throw new BlockworkError('INPUT_INVALID', { facts: { reason: 'A caller can ask in their own name only.' } });
}

function found(request: RemoteRequest | undefined, messageId: string): RemoteRequest {
  if (request === undefined) throw new BlockworkError('REQUEST_UNKNOWN', { facts: { messageId } });
  return request;
}
