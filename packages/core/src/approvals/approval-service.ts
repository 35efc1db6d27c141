/** The approval service: a person decides about the request of a remote instance, and it happens exactly once. */
import { policyAsSeen, policyUser, type Caller } from '../access/index.js';
import { BlockworkError, isBlockworkError } from '../errors.js';
import { isoNow } from '../ports/index.js';
import type { Clock, Inspector, PolicyStore } from '../ports/index.js';
import { INSTANCE } from '../records/index.js';
import type { PolicyRecord, RemoteRequest, RequestClosing, RequestStatus, StoredPolicy } from '../records/index.js';
import { membershipsOf } from '../runtime/index.js';
import type { Executor, UnitOfWork } from '../runtime/index.js';
import { requestKey } from './inbox.js';
import { approvedRecord, readRecord } from './record-rules.js';
import { isFinalFailure, type RequestedActions } from './requested-actions.js';
import { closeRequest, demandNew, hasExpired } from './request-state.js';

export interface ApprovalTools {
  readonly store: PolicyStore;
  readonly executor: Executor;
  readonly clock: Clock;
  readonly inspector: Inspector;
}

export class ApprovalService {
  constructor(
    private readonly actions: RequestedActions,
    private readonly tools: ApprovalTools,
  ) {}

  /**
   * In one unit of work: the request is closed, its action carried out, the record kept, the reply put into the
   * outbox. The same approval again gives the stored record and does nothing. An action that fails for good
   * closes the request as `ERROR` and throws what went wrong; one that may work later leaves it open.
   *
   * Throws `REQUEST_UNKNOWN` (also for a request that is meant for somebody else), `REQUEST_CLOSED`,
   * `RECORD_INVALID`, and whatever the action throws.
   */
  async approve(caller: Caller, messageId: string, body: unknown): Promise<PolicyRecord> {
    const record = await this.tools.executor.alone(requestKey(messageId), () => this.#approve(caller, messageId, body));
    const memberships = await membershipsOf(this.tools.store, record.id, caller.did);
    return policyAsSeen(record, policyUser(caller, record.owner, memberships), memberships);
  }

  async #approve(caller: Caller, messageId: string, body: unknown, isSecondLook = false): Promise<StoredPolicy> {
    const request = await this.#requestFor(caller, messageId);
    if (request.status !== 'NEW' && request.status !== 'COMPLETED') demandNew(request);
    const sent = readRecord(messageId, body);
    const record = approvedRecord(messageId, sent, await this.#reference(request));
    if (request.closed?.record !== undefined) return request.closed.record as StoredPolicy;
    if (hasExpired(request, this.tools.clock.now())) {
      await this.#close(request, 'EXPIRED', this.#closing(caller));
      demandNew({ ...request, status: 'EXPIRED' });
    }
    try {
      return await this.#carryOut(caller, request, record);
    } catch (error) {
      // Another process was faster: what it decided stands, and is the answer here as well.
      const wasClosed = isBlockworkError(error, 'REQUEST_CLOSED');
      if (wasClosed && !isSecondLook) return this.#approve(caller, messageId, body, true);
      if (wasClosed || !isFinalFailure(error)) throw error;
      const { code, message } = error;
      await this.#close(request, 'ERROR', { ...this.#closing(caller), error: { code, message } });
      throw error;
    }
  }

  /** A request that is not for this caller is as unknown to them as one that does not exist. */
  async #requestFor(caller: Caller, messageId: string): Promise<RemoteRequest> {
    const request = await this.tools.store.get('request', INSTANCE, messageId);
    const decider = request === undefined ? null : (request.recipient ?? (await this.actions.decider(request)));
    if (request === undefined || (decider !== null && decider !== caller.did)) {
      throw new BlockworkError('REQUEST_UNKNOWN', { facts: { messageId } });
    }
    return request;
  }

  /** What the server knows of the policy: once approved, what was approved. */
  async #reference(request: RemoteRequest): ReturnType<RequestedActions['policy']> {
    const approved = request.closed?.record as StoredPolicy | undefined;
    if (approved === undefined) return this.actions.policy(request);
    return request.action.type === 'import-policy' ? { ...approved, config: request.action.policy.config } : approved;
  }

  async #carryOut(caller: Caller, request: RemoteRequest, record: StoredPolicy): Promise<StoredPolicy> {
    const { lane, keys } = this.actions.lane(request);
    await this.tools.executor.run(lane, [requestKey(request.id), ...keys], async (unit) => {
      const current = (await unit.get('request', INSTANCE, request.id)) ?? request;
      demandNew(current);
      const result = await this.actions.carryOut(unit, current, record);
      this.#put(unit, closeRequest(current, 'COMPLETED', { ...this.#closing(caller), record, result }));
    });
    this.tools.inspector({ type: 'request.closed', messageId: request.messageId, status: 'COMPLETED' });
    return record;
  }

  async #close(request: RemoteRequest, status: Exclude<RequestStatus, 'NEW'>, closing: RequestClosing): Promise<void> {
    const key = requestKey(request.id);
    await this.tools.executor.run(`${key}/close`, [key], async (unit) => {
      const current = (await unit.get('request', INSTANCE, request.id)) ?? request;
      this.#put(unit, closeRequest(current, status, closing));
    });
    this.tools.inspector({ type: 'request.closed', messageId: request.messageId, status });
  }

  /** Whatever a request ends as, the other side is told. */
  #put(unit: UnitOfWork, request: RemoteRequest): void {
    const { messageId, startMessageId, policyId, status, sender, closed } = request;
    unit.put('request', INSTANCE, request);
    unit.put('outbox', INSTANCE, {
      id: `reply/${messageId}`,
      topic: `instance/${sender.instance}`,
      message: {
        type: 'request-closed',
        messageId,
        startMessageId,
        policyId,
        status,
        result: closed?.result ?? null,
        error: closed?.error ?? null,
      },
      createdAt: isoNow(this.tools.clock),
    });
  }

  #closing(caller: Caller): RequestClosing {
    return { by: caller.did, at: isoNow(this.tools.clock) };
  }
}
