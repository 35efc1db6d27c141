/** The receiver: processes messages that the link delivers. */
import { isBlockworkError } from '../../errors.js';
import { lruCache } from '../../lru-cache.js';
import { toDetails } from '../../problem-details.js';
import {
  closingMessage,
  eventMessage,
  INSTANCE,
  inquiryMessage,
  isClosingType,
  openingMessage,
  unknownMessage,
} from '../../records/index.js';
import type { Json, MessageHead, OpeningMessage } from '../../records/index.js';
import type { LinkMessage, PolicyStore } from '../../ports/index.js';
import { channels, unnamedSource, validTraceparent } from '../../telemetry/index.js';
import type { Inspections, MessageOperation, TelemetrySource } from '../../telemetry/index.js';
import { lanes, revisionKeys } from '../../transactions/index.js';
import type { Executor } from '../../transactions/index.js';
import type { PeerStreams } from '../peer-streams.js';
import type { OutgoingRequests } from '../outgoing-requests.js';
import type { Envelopes, OpenedMessage } from './envelopes.js';
import type { Inbox } from '../inbox.js';
import type { OutgoingMessages } from './outgoing-messages.js';
import { MessageRefused } from './refusal.js';
import type { RefusedMessages } from './refused-messages.js';
import { shownMessage } from '../../shown-text.js';

export interface ReceiverDeps {
  readonly store: PolicyStore;
  readonly executor: Executor;
  readonly inspections: Inspections;
  readonly envelopes: Envelopes;
  readonly inbox: Inbox;
  readonly outgoing: OutgoingRequests;
  readonly messages: OutgoingMessages;
  readonly streams: Pick<PeerStreams, 'take'>;
  readonly refused: RefusedMessages;
  readonly source?: TelemetrySource;
}

/** Attempts for a message that fails with an unexpected error. */
const ATTEMPTS = 5;
const ENVELOPES_AT_MOST = 1_000;
const MESSAGES_AT_MOST = 64 * ENVELOPES_AT_MOST;

/** A message, or why it could not be opened. */
type Found = OpenedMessage | { readonly error: unknown };

export class Receiver {
  /** By message id. Another node may receive a redelivery, so the oldest entries are evicted. */
  readonly #failures = lruCache<number>(MESSAGES_AT_MOST);
  /** For redelivered envelopes: the positions of messages already processed. */
  readonly #done = lruCache<Set<number>>(ENVELOPES_AT_MOST);

  constructor(private readonly deps: ReceiverDeps) {}

  /**
   * Resolves when every message in the envelope is processed or refused for good; rejects if it must be redelivered,
   * and then processes only the remaining ones.
   */
  async receive({ messageId, topic, body }: LinkMessage): Promise<void> {
    const messages = await this.#open(body);
    const done = this.#done.get(messageId) ?? new Set();
    const receiveEach = messages.map(async (each, at) => {
      if (done.has(at)) return;
      await this.#receive(each, messages.length === 1 ? messageId : idWithin(messageId, at), topic);
      done.add(at);
    });
    const failed = (await Promise.allSettled(receiveEach)).find(({ status }) => status === 'rejected');
    if (failed !== undefined) {
      if (done.size > 0) this.#done.set(messageId, done);
      throw (failed as PromiseRejectedResult).reason;
    }
    this.#done.delete(messageId);
    // It may have failed as a whole before it could be opened.
    this.#failures.delete(messageId);
  }

  #open(body: Json): Promise<readonly Found[]> {
    return this.deps.envelopes.open(body).then(
      (opened) => opened.map((each) => (each instanceof MessageRefused ? { error: each } : each)),
      (error: unknown) => [{ error }],
    );
  }

  async #receive(message: Found, messageId: string, topic: string): Promise<void> {
    try {
      if (channels.message.isHeard) await this.#traced(message, messageId, topic);
      else await this.#take(message, messageId);
      this.#failures.delete(messageId);
    } catch (error) {
      this.deps.refused.note(
        messageId,
        error instanceof MessageRefused ? error : this.#refusalAfterRetries(messageId, error),
      );
    }
  }

  async #take(message: Found, messageId: string): Promise<void> {
    if ('error' in message) throw message.error;
    await this.#dispatch(message, messageId, message.head.traceparent);
  }

  /** The cause of a message is known once it is opened, so its trace begins there. */
  async #traced(message: Found, messageId: string, topic: string): Promise<void> {
    const { source = unnamedSource } = this.deps;
    const operation: MessageOperation = { source, traceparent: undefined, messageId, topic };
    if (!('error' in message)) {
      const { type, from, traceparent } = message.head;
      Object.assign(operation, { messageType: type, from: from.instance, traceparent: validTraceparent(traceparent) });
    }
    await channels.message.trace(operation, async () => {
      try {
        if ('error' in message) throw message.error;
        await this.#dispatch(message, messageId, operation.traceparent);
      } catch (error) {
        if (error instanceof MessageRefused) operation.code = error.reason;
        throw error;
      }
    });
  }

  /** `traceparent`: passed on to what the message causes. */
  #dispatch(opened: OpenedMessage, messageId: string, traceparent: string | undefined): Promise<void> {
    const { type } = opened.head;
    if (isClosingType(type)) return this.#answer(opened);
    if (type === 'event') return this.#event(opened);
    if (type === 'inquiry') return this.#inquiry(opened);
    return type === 'unknown' ? this.#unknown(opened) : this.#opening(opened, messageId, traceparent);
  }

  /** Rethrows errors worth retrying: failures of the store always, and defects a few times. */
  #refusalAfterRetries(messageId: string, error: unknown): MessageRefused {
    const failures = (this.#failures.get(messageId) ?? 0) + 1;
    this.#failures.set(messageId, failures);
    if (isBlockworkError(error) || failures < ATTEMPTS) throw error;
    this.#failures.delete(messageId);
    const detail = shownMessage(error);
    return new MessageRefused('unprocessable', `it failed ${String(failures)} times: ${detail}`.slice(0, 2000));
  }

  async #inquiry({ head, message }: OpenedMessage): Promise<void> {
    const parsed = inquiryMessage.safeParse(message);
    if (!parsed.success) throw invalid(head, parsed.error);
    await this.deps.inbox.resendAnswer(parsed.data);
  }

  async #event({ head, message, peers }: OpenedMessage): Promise<void> {
    const parsed = eventMessage.safeParse(message);
    if (!parsed.success) throw invalid(head, parsed.error);
    await this.deps.streams.take(parsed.data, peers);
  }

  async #unknown({ head, message }: OpenedMessage): Promise<void> {
    const parsed = unknownMessage.safeParse(message);
    if (!parsed.success) throw invalid(head, parsed.error);
    await this.deps.outgoing.askAgain(parsed.data);
  }

  async #answer({ head, message }: OpenedMessage): Promise<void> {
    const parsed = closingMessage.safeParse(message);
    if (!parsed.success) throw invalid(head, parsed.error);
    await this.deps.outgoing.take(parsed.data);
  }

  async #opening(opened: OpenedMessage, messageId: string, traceparent: string | undefined): Promise<void> {
    const { instance } = opened.head.from;
    let received;
    try {
      received = await this.deps.inbox.take({ ...this.#read(opened), messageId, traceparent }, true);
    } catch (error) {
      if (error instanceof MessageRefused) await this.#refuse(opened.head, error);
      throw error;
    }
    const { request, isNew, isApproved } = received;
    if (!isNew) {
      if (opened.head.type === 'request') throw new MessageRefused('replayed', 'it is here already', instance);
      return;
    }
    const { inspections } = this.deps;
    inspections.publish({ type: 'request.received', messageId: request.messageId });
    if (isApproved)
      inspections.publish({ type: 'request.closed', messageId: request.messageId, status: request.status });
    if (request.status === 'EXPIRED') throw new MessageRefused('expired', 'it came too late', instance);
  }

  #read({ head, message, peers }: OpenedMessage): OpeningMessage {
    const parsed = openingMessage.safeParse(message);
    if (!parsed.success) throw invalid(head, parsed.error);
    const { from, action, policyId } = parsed.data;
    const users = action.type === 'send-data' ? [from.did, action.user.did] : [from.did];
    for (const did of users) {
      if (peers.speaksFor(from.instance, did)) continue;
      throw new MessageRefused('foreign-identity', `it may not speak for "${did}"`, from.instance);
    }
    if (action.type !== 'send-data' && action.policy.id !== policyId) {
      throw new MessageRefused(
        'invalid',
        'the policy that it holds has another id than "policyId" says',
        from.instance,
      );
    }
    if (action.type === 'import-policy' && action.view && action.policy.status !== 'VIEW') {
      throw new MessageRefused('invalid', 'a view must have the status VIEW', from.instance);
    }
    return parsed.data;
  }

  /** Tells the peer why its message was refused, so that it does not wait; unless the request already has an answer. */
  async #refuse({ from, policyId, startMessageId }: MessageHead, { reason, detail }: MessageRefused): Promise<void> {
    const conversation = [startMessageId, from.instance] as const;
    const [lane, key] = [lanes.conversation.of(...conversation), revisionKeys.conversation.of(...conversation)];
    await this.deps.executor.run(lane, [key], async (unit) => {
      const rows = await unit.find('request', INSTANCE, {
        where: { path: 'startMessageId', op: 'eq', value: startMessageId },
      });
      if (rows.some(({ direction, sender }) => direction === 'incoming' && sender.instance === from.instance)) return;
      const error = { code: 'REQUEST_REFUSED', message: `${reason}: ${detail}`.slice(0, 4000) };
      this.deps.messages.putRefusal(unit, { to: from.instance, policyId, startMessageId, error });
    });
  }
}

/** The id of a message in an envelope for several, between that of the envelope and the next. */
const idWithin = (messageId: string, at: number): string => `${messageId}${String(at + 1).padStart(3, '0')}`;

function invalid({ from }: MessageHead, error: Parameters<typeof toDetails>[0]): MessageRefused {
  const reasons = toDetails(error).map(({ path, message }) => `${path || 'it'} ${message}`);
  return new MessageRefused('invalid', reasons.join('; ').slice(0, 2000), from.instance);
}
