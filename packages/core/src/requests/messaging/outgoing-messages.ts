/** Puts messages to other instances into the outbox, in the unit of the change that causes them. */
import { BlockworkError } from '../../errors.js';
import { isoNow } from '../../ports/index.js';
import type { Clock } from '../../ports/index.js';
import { closingTypeOf, INSTANCE, isClosingType } from '../../records/index.js';
import type {
  ClosingMessage,
  EventMessage,
  InquiryMessage,
  InstanceMessage,
  Json,
  JsonObject,
  OpeningMessage,
  RemoteRequest,
  StreamEvent,
} from '../../records/index.js';
import type { UnitOfWork } from '../../transactions/index.js';
import type { Envelopes } from './envelopes.js';
import type { InstanceIdentity } from './instance-identity.js';

/** The topic that an instance subscribes to. */
export const topicOf = (instance: string): string => `instance/${instance}`;

export interface OutgoingEvent {
  readonly to: string;
  readonly event: StreamEvent & { readonly document: JsonObject };
  /** The DID document of the document's issuer. */
  readonly issuer: JsonObject | null;
}

export class OutgoingMessages {
  /** Without an identity, nothing can be sent. */
  constructor(
    private readonly clock: Clock,
    private readonly messaging: { readonly identity: InstanceIdentity; readonly envelopes: Envelopes } | null,
  ) {}

  /** Throws `INSTANCE_MISSING`. */
  get name(): string {
    if (this.messaging === null) throw new BlockworkError('INSTANCE_MISSING');
    return this.messaging.identity.id;
  }

  /**
   * Sends or cancels a request. `again`: distinguishes a repetition from the first time. Throws `MESSAGE_TOO_LARGE`.
   */
  putOpening(unit: UnitOfWork, type: OpeningMessage['type'], request: RemoteRequest, again?: string): void {
    const { sender, to, policyId, startMessageId, recipient, action, expiresAt } = request;
    const message: OpeningMessage = {
      type,
      from: sender,
      to,
      policyId,
      startMessageId,
      sentAt: isoNow(this.clock),
      ...(recipient !== null && { recipient }),
      action,
      expiresAt,
    };
    this.messaging?.envelopes.assertSize(message);
    this.#put(unit, message, again, request.traceparent);
  }

  /** Inquires how a request has ended so far. */
  putInquiry(unit: UnitOfWork, { sender, to, policyId, startMessageId }: RemoteRequest, sentAt: string): void {
    this.#put(unit, { type: 'inquiry', from: sender, to, policyId, startMessageId, sentAt }, sentAt);
  }

  /** Answers an inquiry about a request that does not exist here. */
  putUnknown(unit: UnitOfWork, { from, policyId, startMessageId, sentAt }: InquiryMessage): void {
    if (this.messaging === null) return;
    const me = { instance: this.name, did: this.name };
    const about = { policyId, startMessageId, inquiredAt: sentAt };
    this.#put(unit, { type: 'unknown', from: me, to: from.instance, sentAt: isoNow(this.clock), ...about }, sentAt);
  }

  /**
   * Tells the asking side how its request ended; not if the program submitted the request and that
   * side has no known topic.
   * `again`: distinguishes a repetition from the first time.
   */
  putClosing(unit: UnitOfWork, request: RemoteRequest, again?: string): void {
    const { status, closed, sender, policyId, startMessageId } = request;
    if (this.messaging === null || status === 'NEW' || closed === undefined) return;
    const message: ClosingMessage = {
      type: closingTypeOf(status),
      from: { instance: this.name, did: closed.by },
      to: sender.instance,
      policyId,
      startMessageId,
      sentAt: closed.at,
      ...(closed.result !== undefined && { result: closed.result }),
      ...(closed.reason !== undefined && { reason: closed.reason }),
      ...(closed.error !== undefined && { error: shortened(closed.error) }),
    };
    this.#put(
      unit,
      this.messaging.envelopes.fits(message) ? message : withoutResult(message),
      again,
      request.traceparent,
    );
  }

  /** Answers a message that never became a row. */
  putRefusal(unit: UnitOfWork, message: Omit<ClosingMessage, 'type' | 'from' | 'sentAt'>): void {
    if (this.messaging === null) return;
    const from = { instance: this.name, did: this.name };
    this.#put(unit, { type: 'failed', from, sentAt: isoNow(this.clock), ...message });
  }

  /** Whether the event fits into a message; otherwise it is not sent. */
  putEvent(unit: UnitOfWork, { to, event, issuer }: OutgoingEvent): boolean {
    if (this.messaging === null) return false;
    const { stream, position, documentType, policyId, topicId, schema, hash, owner, announcedAt, document } = event;
    const message: EventMessage = {
      type: 'event',
      from: { instance: this.name, did: owner },
      ...{ to, policyId, stream, documentType, topicId, schema, hash, owner, document, issuer },
      startMessageId: position,
      sentAt: announcedAt,
      documentMessageId: event.messageId,
    };
    if (!this.messaging.envelopes.fits(message)) return false;
    this.#put(unit, message, `${policyId}/${stream}`);
    return true;
  }

  /** One of each kind per conversation, besides repetitions: a duplicate is sent once. */
  #put(unit: UnitOfWork, message: InstanceMessage, again?: string, cause?: string): void {
    const { type, to, startMessageId } = message;
    const kind = isClosingType(type) ? 'closing' : type;
    const traceparent = unit.traceparent ?? cause;
    unit.put('outbox', INSTANCE, {
      id: `${this.name}/${kind}/${to}/${startMessageId}${again === undefined ? '' : `/${again}`}`,
      topic: topicOf(to),
      message: { ...message, ...(traceparent !== undefined && { traceparent }) } as unknown as Json,
      createdAt: isoNow(this.clock),
    });
  }
}

/** A result can exceed the size of a message; the completion is then sent without it. */
function withoutResult({ result: _result, ...message }: ClosingMessage): ClosingMessage {
  return { ...message, reason: 'The result is larger than a message can be.' };
}

const shortened = ({ code, message }: { code: string; message: string }): { code: string; message: string } => ({
  code,
  message: message.slice(0, 4000),
});
