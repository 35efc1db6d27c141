/** The receiver: what happens to a message that the link delivers. */
import { isBlockworkError } from '../../errors.js';
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
import type { MessageHead, OpeningMessage } from '../../records/index.js';
import type { Inspector, LinkMessage, PolicyStore } from '../../ports/index.js';
import { channels, unnamedSource, validTraceparent } from '../../telemetry/index.js';
import type { MessageOperation, TelemetrySource } from '../../telemetry/index.js';
import { lanes, revisionKeys } from '../../transactions/index.js';
import type { Executor } from '../../transactions/index.js';
import type { PeerStreams } from '../peer-streams.js';
import type { OutgoingRequests } from '../outgoing-requests.js';
import type { Envelopes, OpenedMessage } from './envelopes.js';
import type { Inbox } from '../inbox.js';
import type { OutgoingMessages } from './outgoing-messages.js';
import { MessageRefused } from './refusal.js';
import type { RefusedMessages } from './refused-messages.js';

export interface ReceiverDeps {
  readonly store: PolicyStore;
  readonly executor: Executor;
  readonly inspector: Inspector;
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

export class Receiver {
  /** By message id. */
  readonly #failures = new Map<string, number>();

  constructor(private readonly deps: ReceiverDeps) {}

  /** Resolves when the message is dealt with for good, be it by refusing it; rejects when it must be delivered again. */
  async receive(message: LinkMessage): Promise<void> {
    const { messageId } = message;
    try {
      await (channels.message.isHeard ? this.#traced(message) : this.#take(message));
      this.#failures.delete(messageId);
    } catch (error) {
      this.deps.refused.note(messageId, error instanceof MessageRefused ? error : this.#givenUp(messageId, error));
    }
  }

  async #take({ messageId, body }: LinkMessage): Promise<void> {
    const opened = await this.deps.envelopes.open(body);
    await this.#dispatch(opened, messageId, opened.head.traceparent);
  }

  /** Who caused a message is known once it is opened, so what is told of it begins there. */
  async #traced({ messageId, topic, body }: LinkMessage): Promise<void> {
    const { source = unnamedSource, envelopes } = this.deps;
    const opening = await envelopes.open(body).then(
      (opened) => ({ opened, head: opened.head }),
      (error: unknown) => ({ error }),
    );
    const operation: MessageOperation = { source, traceparent: undefined, messageId, topic };
    if ('head' in opening) {
      const { type, from, traceparent } = opening.head;
      Object.assign(operation, { messageType: type, from: from.instance, traceparent: validTraceparent(traceparent) });
    }
    await channels.message.trace(operation, async () => {
      try {
        if ('error' in opening) throw opening.error;
        await this.#dispatch(opening.opened, messageId, operation.traceparent);
      } catch (error) {
        if (error instanceof MessageRefused) operation.code = error.reason;
        throw error;
      }
    });
  }

  /** `traceparent`: for what the message causes. */
  #dispatch(opened: OpenedMessage, messageId: string, traceparent: string | undefined): Promise<void> {
    const { type } = opened.head;
    if (isClosingType(type)) return this.#answer(opened);
    if (type === 'event') return this.#event(opened);
    if (type === 'inquiry') return this.#inquiry(opened);
    return type === 'unknown' ? this.#unknown(opened) : this.#opening(opened, messageId, traceparent);
  }

  /** Throws what is worth another try: failures of the store always, and defects a few times. */
  #givenUp(messageId: string, error: unknown): MessageRefused {
    const failures = (this.#failures.get(messageId) ?? 0) + 1;
    this.#failures.set(messageId, failures);
    if (isBlockworkError(error) || failures < ATTEMPTS) throw error;
    this.#failures.delete(messageId);
    const detail = error instanceof Error ? error.message : String(error);
    return new MessageRefused('unprocessable', `it failed ${String(failures)} times: ${detail}`.slice(0, 2000));
  }

  async #inquiry({ head, message }: OpenedMessage): Promise<void> {
    const parsed = inquiryMessage.safeParse(message);
    if (!parsed.success) throw invalid(head, parsed.error);
    await this.deps.inbox.answerAgain(parsed.data);
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
    let taken;
    try {
      taken = await this.deps.inbox.take({ ...this.#read(opened), messageId, traceparent });
    } catch (error) {
      if (error instanceof MessageRefused) await this.#refuse(opened.head, error);
      throw error;
    }
    const { request, isNew } = taken;
    if (!isNew) {
      if (opened.head.type === 'request') throw new MessageRefused('replayed', 'it is here already', instance);
      return;
    }
    this.deps.inspector({ type: 'request.received', messageId: request.messageId });
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

  /** Tells the peer why its message was refused, so that it does not wait; unless the request has an answer already. */
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

function invalid({ from }: MessageHead, error: Parameters<typeof toDetails>[0]): MessageRefused {
  const reasons = toDetails(error).map(({ path, message }) => `${path || 'it'} ${message}`);
  return new MessageRefused('invalid', reasons.join('; ').slice(0, 2000), from.instance);
}
