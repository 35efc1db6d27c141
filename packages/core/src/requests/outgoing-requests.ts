/**
 * Requests of this instance to others: one row each, kept across restarts until the other side answers or it expires.
 */
import type { Caller } from '../access/index.js';
import { BlockworkError, isBlockworkError } from '../errors.js';
import { type Clock, type Ids, isoNow, type PolicyStore } from '../ports/index.js';
import { describeDetails, toDetails } from '../problem-details.js';
import {
  type ClosingMessage,
  INSTANCE,
  type RemoteRequest,
  type RequestClosing,
  requestedAction,
  type RequestedAction,
  type RequestStatus,
  type ResumePoint,
  statusOf,
  type UnknownMessage,
} from '../records/index.js';
import { type Inspections, type TelemetrySource, tracedUnit, validTraceparent } from '../telemetry/index.js';
import { type Executor, lanes, revisionKeys, type UnitOfWork } from '../transactions/index.js';
import type { OutgoingMessages } from './messaging/outgoing-messages.js';
import { MessageRefused } from './messaging/refusal.js';
import type { TrustedPeers } from './messaging/trusted-peers.js';
import { assertOpen, closeRequest, hasExpired, openRequest } from './request-state.js';
import type { Resumption } from './resumption.js';

export interface RequestInput {
  /** The receiving instance; one of the peers. */
  readonly to: string;
  readonly policyId: string;
  readonly action: RequestedAction;
  /** The identity on the other instance that an offered policy is for; when absent, any caller with the permission. */
  readonly recipient?: string;
  /** Milliseconds until it expires; at most `limits.requestMs`, which is also the default. */
  readonly expiresInMs?: number;
  /** The block on this instance to resume when it ends. */
  readonly resume?: ResumePoint;
  /** As `SendOptions.traceparent`. */
  readonly traceparent?: string | undefined;
}

export interface OutgoingRequestsDeps {
  readonly store: PolicyStore;
  readonly executor: Executor;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly inspections: Inspections;
  readonly peers: TrustedPeers;
  readonly messages: OutgoingMessages;
  readonly resumption: Resumption;
  readonly requestMs: number;
  readonly source?: TelemetrySource;
}

export class OutgoingRequests {
  constructor(private readonly deps: OutgoingRequestsDeps) {}

  /**
   * Resolves once the pending row and its message are committed; the message is sent after that. Throws
   * `INSTANCE_MISSING`, `PEER_UNKNOWN`, `INPUT_INVALID`, `MESSAGE_TOO_LARGE`.
   */
  async ask(caller: Caller, question: RequestInput): Promise<RemoteRequest> {
    const row = await this.#rowOf(caller, question);
    const [lane, key] = [lanes.request.of(row.id), revisionKeys.request.of(row.id)];
    const { result } = await this.deps.executor.run(lane, [key], async (unit) => this.#put(unit, row));
    return result;
  }

  /**
   * `ask` in a unit of the policy, where `remember` decides whether the request was made before: it calls `put` if it
   * was not, and resolves with the id of the request. Throws as `ask`, and what `remember` throws.
   */
  async askOnce(
    caller: Caller,
    question: RequestInput,
    remember: (unit: UnitOfWork, put: () => RemoteRequest) => Promise<string>,
  ): Promise<RemoteRequest> {
    const row = await this.#rowOf(caller, question);
    const { policyId } = question;
    const keys = [revisionKeys.request.of(row.id), revisionKeys.policy.of(policyId)];
    const { result } = await this.deps.executor.run(lanes.policy.of(policyId), keys, async (unit) => {
      const id = await remember(unit, () => this.#put(unit, row));
      return unit.get('request', INSTANCE, id);
    });
    if (result === undefined) throw new BlockworkError('REQUEST_UNKNOWN', { facts: { messageId: row.id } });
    return result;
  }

  #put(unit: UnitOfWork, row: RemoteRequest): RemoteRequest {
    unit.put('request', INSTANCE, row);
    this.deps.messages.putOpening(unit, 'request', row);
    return row;
  }

  /**
   * Asks the other side to cancel it. The row stays `NEW` until that side answers: only it knows whether the request
   * was carried out first. Idempotent. Throws `REQUEST_UNKNOWN` unless the caller made the request, `REQUEST_CLOSED`.
   */
  async cancel(caller: Caller, messageId: string): Promise<RemoteRequest> {
    const [lane, key] = [lanes.request.of(messageId), revisionKeys.request.of(messageId)];
    const { result } = await this.deps.executor.run(lane, [key], async (unit) => {
      const request = await unit.get('request', INSTANCE, messageId);
      if (request?.direction !== 'outgoing' || request.sender.did !== caller.did) {
        throw new BlockworkError('REQUEST_UNKNOWN', { facts: { messageId } });
      }
      if (request.status === 'CANCELED') return request;
      assertOpen(request);
      if (request.cancelAsked !== undefined) return request;
      const cancelling = { ...request, cancelAsked: { by: caller.did, at: isoNow(this.deps.clock) } };
      unit.put('request', INSTANCE, cancelling);
      this.deps.messages.putOpening(unit, 'cancel', cancelling);
      return cancelling;
    });
    return result;
  }

  /** Processes an answer. Throws `MessageRefused` if it belongs to no open request. */
  async take(answer: ClosingMessage): Promise<void> {
    const { from, result, reason, error } = answer;
    const outcome = {
      ...(result !== undefined && { result }),
      ...(reason !== undefined && { reason }),
      ...(error && { error }),
    };
    const closing = { by: from.did, at: isoNow(this.deps.clock), ...outcome };
    const isClosed = await this.#close(await this.#asked(answer), statusOf[answer.type], closing);
    // Another answer was taken at the same time: this one repeats it, or contradicts it.
    if (!isClosed) await this.#asked(answer);
  }

  /** The open request that it answers. Throws `MessageRefused`. */
  async #asked({ type, from, startMessageId, policyId }: ClosingMessage): Promise<RemoteRequest> {
    const status = statusOf[type];
    const request = await this.deps.store.get('request', INSTANCE, startMessageId);
    const isAnswer = request?.direction === 'outgoing' && request.to === from.instance && request.policyId === policyId;
    if (!isAnswer) throw new MessageRefused('unexpected', 'it answers no request of this instance', from.instance);
    if (request.status === status) throw new MessageRefused('replayed', 'it was answered before', from.instance);
    if (request.status === 'NEW') return request;
    throw new MessageRefused('unexpected', `it says ${status} of what is ${request.status}`, from.instance);
  }

  /** Asks the other side how an open request has ended; a no-op for one that is closed by now. */
  async inquire(messageId: string): Promise<void> {
    const { clock, messages, inspections } = this.deps;
    const isAsked = await this.#whileOpen(messageId, (unit, request) => {
      const at = isoNow(clock);
      unit.put('request', INSTANCE, { ...request, inquiry: { at, isOverdue: hasExpired(request, clock.now()) } });
      messages.putInquiry(unit, request, at);
      // The cancellation may be lost as well.
      if (request.cancelAsked !== undefined) messages.putOpening(unit, 'cancel', request, at);
    });
    if (isAsked) inspections.publish({ type: 'request.inquired', messageId });
  }

  /** The other side does not know the request, so it is sent again, once for each inquiry. Throws `MessageRefused`. */
  async askAgain({ from, startMessageId, policyId, inquiredAt }: UnknownMessage): Promise<void> {
    const refused = new MessageRefused('unexpected', 'it answers no inquiry of this instance', from.instance);
    await this.#whileOpen(startMessageId, (unit, request) => {
      const { inquiry } = request;
      if (request.to !== from.instance || request.policyId !== policyId || inquiry?.at !== inquiredAt) throw refused;
      if (inquiry.isSentAgain) throw new MessageRefused('replayed', 'the request was sent again before', from.instance);
      unit.put('request', INSTANCE, { ...request, inquiry: { ...inquiry, isSentAgain: true } });
      this.deps.messages.putOpening(unit, 'request', request, inquiredAt);
      if (request.cancelAsked !== undefined)
        this.deps.messages.putOpening(unit, 'cancel', request, `${inquiredAt}/again`);
    });
  }

  /** Whether an open request was found. */
  async #whileOpen(messageId: string, act: (unit: UnitOfWork, request: RemoteRequest) => void): Promise<boolean> {
    const [lane, key] = [lanes.request.of(messageId), revisionKeys.request.of(messageId)];
    const { result } = await this.deps.executor.run(lane, [key], async (unit) => {
      const request = await unit.get('request', INSTANCE, messageId);
      if (request?.direction !== 'outgoing' || request.status !== 'NEW') return false;
      act(unit, request);
      return true;
    });
    return result;
  }

  /** Closes a request that was not answered within `limits.answerMs` after its expiry. */
  async giveUp(request: RemoteRequest): Promise<void> {
    const closing = {
      by: request.sender.instance,
      at: isoNow(this.deps.clock),
      reason: 'The other side never answered.',
    };
    await this.#close(request, 'EXPIRED', closing);
  }

  /**
   * The waiting block is resumed in the same unit, so exactly once; if it fails, the row is closed anyway. Resolves with
   * `false` if it was closed concurrently.
   */
  async #close(request: RemoteRequest, status: FinalStatus, closing: RequestClosing): Promise<boolean> {
    const checked = status === 'COMPLETED' ? await this.deps.resumption.checked(request, closing) : closing;
    const ending: FinalStatus = checked.error === undefined || status !== 'COMPLETED' ? status : 'ERROR';
    const { lane, keys } = this.deps.resumption.lane(request);
    try {
      const { resumption, executor, source } = this.deps;
      const close = (traceparent: string | undefined, resumeError?: RequestClosing['resumeError']) =>
        executor.run(lane, keys, async (unit) => {
          unit.traceparent = traceparent;
          const current = (await unit.get('request', INSTANCE, request.id)) ?? request;
          const closed = closeRequest(current, ending, { ...checked, ...(resumeError && { resumeError }) });
          unit.put('request', INSTANCE, closed);
          const ran = resumeError === undefined ? await resumption.resume(unit, closed) : undefined;
          return { closed, ran };
        });
      const { resume, traceparent } = request;
      const { result } = await resumption.guarded((resumeError) => {
        if (resume === undefined || resumeError !== undefined) return close(traceparent, resumeError);
        const { policyId, tag: block } = resume;
        const facts = { source, cause: 'request', policyId, block, traceparent } as const;
        return tracedUnit(facts, close, ({ ran }) => ran);
      });
      const { messageId, status: closedAs } = result.closed;
      this.deps.inspections.publish({ type: 'request.closed', messageId, status: closedAs });
      return true;
    } catch (error) {
      if (!isBlockworkError(error, 'REQUEST_CLOSED')) throw error;
      return false;
    }
  }

  async #rowOf(caller: Caller, question: RequestInput): Promise<RemoteRequest> {
    const { to, policyId, recipient = null, expiresInMs, resume } = question;
    const { clock, ids, peers, messages, requestMs } = this.deps;
    const peerList = await peers.known();
    const traceparent = validTraceparent(question.traceparent);
    const sender = { instance: messages.name, did: caller.did };
    if (!peerList.has(to)) throw new BlockworkError('PEER_UNKNOWN', { facts: { instance: to } });
    const messageId = conversationId(clock, ids);
    const row = {
      messageId,
      startMessageId: messageId,
      direction: 'outgoing',
      type: question.action.type,
      policyId,
      sender,
      to,
      recipient,
      concerns: caller.did,
      action: actionOf(question.action),
      receivedAt: isoNow(clock),
      expiresAt: new Date(clock.now() + Math.min(expiresInMs ?? requestMs, requestMs)).toISOString(),
      ...(resume !== undefined && { resume }),
      ...(traceparent !== undefined && { traceparent }),
    } as const;
    return openRequest(row, caller.did);
  }
}

/** Formatted like a message id, so it is valid wherever one is; the random fraction makes it unique. */
function conversationId(clock: Clock, ids: Ids): string {
  const chance = BigInt(`0x${ids.uuid().replaceAll('-', '').slice(-16)}`) % 1_000_000_000_000_000_000n;
  return `${String(Math.floor(clock.now() / 1000))}.${String(chance).padStart(18, '0')}`;
}

function actionOf(action: RequestedAction): RequestedAction {
  const parsed = requestedAction.safeParse(action);
  if (parsed.success) return parsed.data;
  const details = toDetails(parsed.error);
  const reason = `The requested action is invalid: ${describeDetails(details, 'the action')}.`;
  throw new BlockworkError('INPUT_INVALID', { facts: { reason }, details });
}

interface RequestCloserDeps {
  readonly executor: Executor;
  readonly clock: Clock;
  readonly inspections: Inspections;
  readonly messages: OutgoingMessages;
}

export type FinalStatus = Exclude<RequestStatus, 'NEW'>;
/** The outcome, without who closed it and when. */
export type Outcome = Omit<RequestClosing, 'by' | 'at'>;

export class RequestCloser {
  constructor(private readonly deps: RequestCloserDeps) {}

  /** Inside the caller's unit, which must hold the revision key of the row. Throws `REQUEST_CLOSED`. */
  put(unit: UnitOfWork, request: RemoteRequest, status: FinalStatus, by: string, outcome: Outcome = {}): RemoteRequest {
    const closed = closeRequest(request, status, { by, at: isoNow(this.deps.clock), ...outcome });
    unit.put('request', INSTANCE, closed);
    this.deps.messages.putClosing(unit, closed);
    return closed;
  }

  /** In a new unit. Throws `REQUEST_CLOSED` if it was closed concurrently. */
  async close(request: RemoteRequest, status: FinalStatus, by: string, outcome: Outcome = {}): Promise<RemoteRequest> {
    const [lane, key] = [lanes.request.of(request.id), revisionKeys.request.of(request.id)];
    const { result } = await this.deps.executor.run(lane, [key], async (unit) => {
      const current = (await unit.get('request', INSTANCE, request.id)) ?? request;
      return this.put(unit, current, status, by, outcome);
    });
    this.announce(result);
    return result;
  }

  /** Call after the commit. */
  announce({ messageId, status }: RemoteRequest): void {
    this.deps.inspections.publish({ type: 'request.closed', messageId, status });
  }
}
