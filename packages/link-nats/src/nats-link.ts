/** The link over one connection to NATS, with one stream for all topics and a subject per topic. */
import { BlockworkError } from '@blockwork/core';
import type { Json, Link } from '@blockwork/core';
import { encodeBody } from '@blockwork/core/adapter';
import type { LinkMessage, LinkPosition, LinkStatus, LinkSubscription } from '@blockwork/core/adapter';
import type { Broker } from './broker.js';
import { DeadLetters } from './dead-letters.js';
import { NatsSubscription } from './nats-subscription.js';
import type { ResolvedOptions } from './options.js';
import { subjectOf } from './subject.js';
import { unavailable } from './unavailable.js';

/** Bytes reserved for subject, key and headers. */
const FRAME_BYTES = 2048;

export class NatsLink implements Link {
  readonly #subscriptions = new Set<NatsSubscription>();
  readonly #deadLetters: DeadLetters;
  #closing: Promise<void> | null = null;

  constructor(
    private readonly broker: Broker,
    private readonly options: ResolvedOptions,
  ) {
    this.#deadLetters = new DeadLetters(options);
  }

  async publish(topic: string, body: Json, idempotencyKey: string): Promise<string> {
    this.#assertOpen();
    const { stream, publishMs } = this.options;
    const text = encodeBody(body, this.#maxBytes());
    const subject = subjectOf(stream, topic);
    const { session, numbers } = this.broker.current();
    const before = this.broker.last;
    try {
      // The server compares keys per stream, so the key includes the subject.
      const msgID = `${subject} ${encodeURIComponent(idempotencyKey)}`;
      const { seq, duplicate } = await session.client.publish(subject, text, { msgID, timeout: publishMs });
      // A new message must have a greater number than all earlier ones; otherwise the stream has changed.
      if (seq <= before && !duplicate) void this.broker.check();
      else this.broker.note(numbers, seq);
      return numbers.idOf(seq);
    } catch (error) {
      void this.broker.check();
      throw unavailable(error);
    }
  }

  async subscribe(
    topic: string,
    receive: (message: LinkMessage) => Promise<void>,
    from: LinkPosition = 'now',
  ): Promise<LinkSubscription> {
    this.#assertOpen();
    const { broker, options } = this;
    const subject = subjectOf(options.stream, topic);
    const { first, after } = await this.#positionOf(from);
    const deps = { receive, broker, deadLetters: this.#deadLetters, topic, subject, first, after, options };
    const subscription = new NatsSubscription(deps, () => this.#subscriptions.delete(subscription));
    await subscription.start();
    this.#subscriptions.add(subscription);
    if (this.#closing === null) return subscription;
    // The link was closed meanwhile, so nothing else would stop the subscription.
    await subscription.stop();
    throw new BlockworkError('LINK_CLOSED');
  }

  onLoss(listener: (reason: string) => void): () => void {
    return this.broker.onLoss(listener);
  }

  status(): LinkStatus {
    const { reason, losses } = this.broker;
    const counts = { setAside: this.#deadLetters.count, losses };
    return reason === null ? { isConnected: true, ...counts } : { isConnected: false, reason, ...counts };
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      await Promise.all([...this.#subscriptions].map((subscription) => subscription.stop()));
      await this.broker.close();
    })();
    return this.#closing;
  }

  /** The number of the first message to deliver, and the id of the last one delivered before. */
  async #positionOf(from: LinkPosition): Promise<{ first: number; after: string | null }> {
    const { broker } = this;
    if (from === 'start') return { first: 1, after: null };
    try {
      await broker.check();
      if (from !== 'now') await broker.verifyPosition(from.after);
      const { numbers } = broker.current();
      if (from === 'now') return { first: broker.last + 1, after: numbers.idOf(broker.last) };
      const number = numbers.numberOf(from.after);
      return { first: number < 0n ? 1 : Number(number) + 1, after: from.after };
    } catch (error) {
      throw unavailable(error);
    }
  }

  #maxBytes(): number {
    const { messageBytes } = this.options;
    const payloadBytes = this.broker.payloadBytes;
    return payloadBytes === undefined ? messageBytes : Math.min(messageBytes, payloadBytes - FRAME_BYTES);
  }

  #assertOpen(): void {
    if (this.#closing !== null) throw new BlockworkError('LINK_CLOSED');
  }
}
