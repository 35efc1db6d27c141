/**
 * The approval service: a user decides about a remote instance's request, and the decision is carried out exactly once
 * (Promises 12 and 13).
 */
import { type Caller, policyAsSeen, policyUser } from '../access/index.js';
import { membershipsOf } from '../context/index.js';
import { BlockworkError, isBlockworkError } from '../errors.js';
import type { Clock, PolicyStore } from '../ports/index.js';
import { describeDetails, toDetails } from '../problem-details.js';
import {
  type ErrorDetail,
  INSTANCE,
  nestsTooDeep,
  perCallerFields,
  type PolicyRecord,
  policyRecord,
  type RemoteRequest,
  sameJson,
  type StoredPolicy,
} from '../records/index.js';
import { type TelemetrySource, tracedUnit } from '../telemetry/index.js';
import { type Executor, lanes, type RevisionKey, revisionKeys, type UnitOfWork } from '../transactions/index.js';
import type { FinalStatus, Outcome, RequestCloser } from './outgoing-requests.js';
import { isFor } from './request-list.js';
import { assertOpen, hasExpired } from './request-state.js';
import { isFinalFailure, type RequestedActions } from './requested-actions.js';

export interface ApprovalDeps {
  readonly store: PolicyStore;
  readonly executor: Executor;
  readonly clock: Clock;
  readonly closer: RequestCloser;
  readonly source?: TelemetrySource;
}

/** Who decides: an identity, or the program's rule, which may decide every request. */
export interface Decider {
  readonly by: string;
  readonly did: string | null;
}

/** A step before the approval in the same unit: adding a request that is not stored yet. */
export interface Arrival {
  readonly keys: readonly RevisionKey[];
  /** Throws if the request cannot be added. */
  readonly enter: (unit: UnitOfWork) => Promise<void>;
}

/** What an approval sends: a record to be checked, or nothing, to accept the record as offered. */
type Sent = { readonly record: unknown } | null;

export class ApprovalService {
  constructor(
    private readonly actions: RequestedActions,
    private readonly deps: ApprovalDeps,
  ) {}

  /**
   * In one unit of work: closes the request, carries out its action, stores the record, and puts the reply into the
   * outbox. Repeating the approval returns the stored record and does nothing. A permanent failure of the action closes
   * the request as `ERROR` and throws the cause; after a temporary one the request stays open.
   *
   * Throws `REQUEST_UNKNOWN` (also for a request addressed to another user), `REQUEST_CLOSED`, `RECORD_INVALID`, and
   * whatever the action throws.
   */
  async approve(caller: Caller, messageId: string, record: unknown): Promise<PolicyRecord> {
    return this.#seenBy(caller, await this.#decide(messageId, deciding(caller), { record }));
  }

  /** As `approve`, with the record that the other instance offered, or the one stored here. */
  async approveAsOffered(caller: Caller, messageId: string): Promise<PolicyRecord> {
    return this.#seenBy(caller, await this.#decide(messageId, deciding(caller), null));
  }

  /** As `approveAsOffered`, decided by the program's rule. */
  async approveByRule(messageId: string): Promise<void> {
    await this.#decide(messageId, { by: 'rule', did: null }, null);
  }

  /**
   * Adds a request and approves it by the rule, in one unit: it is stored as `COMPLETED`, or not at all. Announces
   * nothing. Throws what `arrival` and the action throw.
   */
  async approveOnArrival(request: RemoteRequest, arrival: Arrival): Promise<RemoteRequest> {
    return this.#carryOut(request, { by: 'rule', did: null }, await this.#recordFor(request, null), arrival);
  }

  /**
   * Closes the request without carrying it out, and notifies the other side. Repeating it returns the stored row.
   * Throws `REQUEST_UNKNOWN` and `REQUEST_CLOSED`.
   */
  reject(caller: Caller, messageId: string, reason?: string): Promise<RemoteRequest> {
    const decider = deciding(caller);
    return this.#alone(messageId, async () => {
      const request = await this.#requestFor(decider, messageId);
      if (request.status === 'REJECTED') return request;
      await this.#assertOpen(request);
      return this.deps.closer.close(request, 'REJECTED', decider.by, reason === undefined ? {} : { reason });
    });
  }

  #decide(messageId: string, decider: Decider, sent: Sent): Promise<StoredPolicy> {
    return this.#alone(messageId, () => this.#approve(messageId, decider, sent));
  }

  /** If another process decides concurrently, its decision stands, and the task is rerun against it. */
  #alone<T>(messageId: string, task: () => Promise<T>): Promise<T> {
    return this.deps.executor.runTask(lanes.decision.of(messageId), async () => {
      try {
        return await task();
      } catch (error) {
        if (isBlockworkError(error, 'REQUEST_CLOSED')) return await task();
        throw error;
      }
    });
  }

  async #approve(messageId: string, decider: Decider, sent: Sent): Promise<StoredPolicy> {
    const request = await this.#requestFor(decider, messageId);
    if (request.status !== 'COMPLETED') await this.#assertOpen(request);
    const record = await this.#recordFor(request, sent);
    if (request.closed?.record !== undefined) return request.closed.record as StoredPolicy;
    try {
      this.deps.closer.announce(await this.#carryOut(request, decider, record));
      return record;
    } catch (error) {
      if (isBlockworkError(error, 'REQUEST_CLOSED') || !isFinalFailure(error)) throw error;
      const { code, message } = error;
      await this.#closeAs('ERROR', request, decider, { error: { code, message } });
      throw error;
    }
  }

  /** For other callers, the request appears not to exist. */
  async #requestFor(decider: Decider, messageId: string): Promise<RemoteRequest> {
    const request = await this.deps.store.get('request', INSTANCE, messageId);
    const isTheirs = request?.direction === 'incoming' && (decider.did === null || isFor(request, decider.did));
    if (request === undefined || !isTheirs) throw new BlockworkError('REQUEST_UNKNOWN', { facts: { messageId } });
    return request;
  }

  async #assertOpen(request: RemoteRequest): Promise<void> {
    assertOpen(request);
    if (!hasExpired(request, this.deps.clock.now())) return;
    assertOpen(await this.deps.closer.close(request, 'EXPIRED', request.to));
  }

  async #recordFor(request: RemoteRequest, sent: Sent): Promise<StoredPolicy> {
    const { messageId } = request;
    const body = sent === null ? null : readRecord(messageId, sent.record);
    const reference = await this.#reference(request);
    if (body !== null) return approvedRecord(messageId, body, reference);
    const { config: _config, ...record } = reference;
    return record;
  }

  /** The server's record of the policy; after approval, the approved record. */
  async #reference(request: RemoteRequest): ReturnType<RequestedActions['policy']> {
    const approved = request.closed?.record as StoredPolicy | undefined;
    const policy = await this.actions.policy(request);
    return approved === undefined || policy.config === undefined ? policy : { ...approved, config: policy.config };
  }

  async #carryOut(
    request: RemoteRequest,
    { by }: Decider,
    record: StoredPolicy,
    { keys: more, enter }: Arrival = alreadyHere,
  ): Promise<RemoteRequest> {
    const { closer, executor, source } = this.deps;
    const { lane, keys } = this.actions.lane(request);
    const run = (trace: string | undefined) =>
      executor.run(lane, [revisionKeys.request.of(request.id), ...keys, ...more], async (unit) => {
        unit.traceparent = trace;
        await enter(unit);
        const current = (await unit.get('request', INSTANCE, request.id)) ?? request;
        assertOpen(current);
        const carriedOut = await this.actions.carryOut(unit, current, record);
        const closed = closer.put(unit, current, 'COMPLETED', by, { record, result: carriedOut.answer });
        return { closed, carriedOut };
      });
    const { action, policyId, traceparent } = request;
    if (action.type !== 'send-data') return (await run(traceparent)).result.closed;
    const facts = { source, cause: 'request', policyId, block: action.tag, traceparent } as const;
    const { result } = await tracedUnit(facts, run, ({ carriedOut }) => ('tag' in carriedOut ? carriedOut : undefined));
    return result.closed;
  }

  /** No-op if it was closed concurrently. */
  async #closeAs(status: FinalStatus, request: RemoteRequest, { by }: Decider, outcome: Outcome): Promise<void> {
    try {
      await this.deps.closer.close(request, status, by, outcome);
    } catch (error) {
      if (!isBlockworkError(error, 'REQUEST_CLOSED')) throw error;
    }
  }

  async #seenBy(caller: Caller, record: StoredPolicy): Promise<PolicyRecord> {
    const memberships = await membershipsOf(this.deps.store, record.id, caller.did);
    return policyAsSeen(record, policyUser(caller, record.owner, memberships), memberships);
  }
}

const alreadyHere: Arrival = { keys: [], enter: () => Promise.resolve() };

const deciding = ({ did }: Caller): Decider => ({ by: did, did });

/** Fields that the approver may write; all others keep the server's value. */
const approverOwned = [
  'name',
  'description',
  'topicDescription',
  'policyTag',
  'categories',
  'projectSchema',
  'tests',
] as const;

/** Owned by the server even if the policy has no value for them. */
const serverOwned = [
  'id',
  'uuid',
  'status',
  'creator',
  'owner',
  'ownerId',
  'topicId',
  'instanceTopicId',
  'synchronizationTopicId',
  'messageId',
  'codeVersion',
  'createDate',
  'updateDate',
  'version',
  'previousVersion',
  'hash',
  'policyRoles',
  'policyGroups',
  'policyTopics',
  'policyTokens',
  'policyNavigation',
] as const;

/** Parses the record. Throws `RECORD_INVALID` with every missing or invalid field. */
export function readRecord(messageId: string, body: unknown): PolicyRecord {
  if (nestsTooDeep(body)) refuse(messageId, [{ path: '', message: 'nests too deep' }]);
  const parsed = policyRecord.safeParse(body);
  if (parsed.success) return parsed.data;
  return refuse(messageId, toDetails(parsed.error));
}

/**
 * The record to store: the server's, with the fields that the approver may write. Throws
 * `RECORD_INVALID` if the record is another policy's, or differs in a field that the server owns.
 * Per-caller fields are ignored; `messageId` may be the policy's or the request's.
 */
export function approvedRecord(
  messageId: string,
  sent: PolicyRecord,
  policy: StoredPolicy & { readonly config?: Record<string, unknown> },
): StoredPolicy {
  const { config, ...reference } = policy;
  const details: ErrorDetail[] = [];
  for (const field of new Set([...serverOwned, ...Object.keys(reference)])) {
    if ((approverOwned as readonly string[]).includes(field) || sent[field] === undefined) continue;
    if (field === 'messageId' && sent.messageId === messageId) continue;
    if (!sameJson(sent[field], reference[field]))
      details.push({ path: `/${field}`, message: `is set by the server to ${shown(reference[field])}` });
  }
  if (sent.config !== undefined && !sameJson(sent.config, config)) {
    details.push({ path: '/config', message: 'differs from the configuration of the policy' });
  }
  if (details.length > 0) refuse(messageId, details);
  const ignored: readonly string[] = [...perCallerFields, ...serverOwned, 'config'];
  const written = Object.fromEntries(Object.entries(sent).filter(([field]) => !ignored.includes(field)));
  return { ...reference, ...written };
}

function refuse(messageId: string, details: readonly ErrorDetail[]): never {
  throw new BlockworkError('RECORD_INVALID', { facts: { messageId, reason: describeDetails(details) }, details });
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 200));
