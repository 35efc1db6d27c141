/** Opens a link: connects now or, if the server cannot be reached, later. */
import { BlockworkError, type Json, type Link, systemTimers } from '@blockwork/core';
import {
  decodeBody,
  DeliveryQueue,
  encodeBody,
  type LinkMessage,
  type LinkPosition,
  type LinkStatus,
  type LinkSubscription,
} from '@blockwork/core/adapter';
import { type ConsumerMessages, DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import { Broker, type Epoch } from './broker.js';
import { DeadLetters } from './dead-letters.js';
import { type NatsLinkOptions, type ResolvedOptions, resolveOptions } from './options.js';
import { openSession } from './session.js';
import { unavailable } from './unavailable.js';

/**
 * The link has its own connection, and creates the stream if it is missing. Resolves even if no server answers: the
 * link then retries until it is closed. Meanwhile, `status()` gives the reason, and publishing and subscribing reject
 * with `LINK_UNAVAILABLE`, which an engine retries. Rejects with `OPTION_INVALID`.
 */
export async function openNatsLink(options: NatsLinkOptions = {}): Promise<Link> {
  const resolved = resolveOptions(options);
  const broker = new Broker(resolved, openSession);
  await broker.start();
  return new NatsLink(broker, resolved);
}

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

/** Percent-encoded, including the characters that separate tokens or are wildcards in NATS. */
export const subjectOf = (stream: string, topic: string): string =>
  `${stream}.${encodeURIComponent(topic).replace(/[.*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)}`;

interface NatsSubscriptionDeps {
  readonly receive: (message: LinkMessage) => Promise<void>;
  readonly broker: Broker;
  readonly deadLetters: DeadLetters;
  readonly topic: string;
  readonly subject: string;
  /** Number of the first message to deliver. */
  readonly first: number;
  /** The id of the last message received before, if any. */
  readonly after: string | null;
  readonly options: ResolvedOptions;
}

interface Unreadable {
  readonly epoch: Epoch;
  readonly message: JsMsg;
  readonly reason: string;
}

interface Reading {
  readonly epoch: Epoch;
  readonly messages: ConsumerMessages;
}

/**
 * In milliseconds. A request for messages may be lost with the stream that it was for; the client asks again after two heartbeats that it
 * missed, which would take half a minute otherwise.
 */
const liveness = { expires: 10_000, idle_heartbeat: 2_000 };

/** Milliseconds before a failed consumer is recreated. */
const RESTART_MS = 500;

class NatsSubscription implements LinkSubscription {
  readonly #queue: DeliveryQueue;
  /** Messages to set aside instead of delivering, by id. */
  readonly #unreadable = new Map<string, Unreadable>();
  readonly #stopListening: () => void;
  #next: number;
  #current: Reading | null = null;
  #reading: Promise<void> = Promise.resolve();
  #isOpen = true;
  #wake: () => void = () => undefined;

  constructor(
    private readonly deps: NatsSubscriptionDeps,
    private readonly onStop: () => void,
  ) {
    const { first, after, broker, options } = deps;
    const { inFlight, retryMs, logger } = options;
    this.#next = first;
    const receive = (message: LinkMessage): Promise<void> => this.#receive(message);
    this.#queue = new DeliveryQueue(receive, { timers: systemTimers, logger, inFlight, retryMs }, after);
    this.#stopListening = broker.onNewEpoch(() => this.#restart());
  }

  get settled(): string | null {
    return this.#queue.settled;
  }

  /** Throws `LINK_UNAVAILABLE`. */
  async start(): Promise<void> {
    try {
      this.#current = await this.#open();
    } catch (error) {
      this.#stopListening();
      throw unavailable(error);
    }
    this.#reading = this.#read();
  }

  async stop(): Promise<void> {
    this.#isOpen = false;
    this.#stopListening();
    this.onStop();
    this.#wake();
    this.#current?.messages.stop();
    await this.#queue.stop();
    await this.#reading;
  }

  /** Reads the stream from its start, after its base has changed. */
  #restart(): void {
    this.#next = 1;
    this.#current?.messages.stop();
    this.#wake();
  }

  /** An ordered consumer, which the client recreates at its last position if it or the connection is lost. */
  async #open(): Promise<Reading> {
    const { broker, subject, options } = this.deps;
    const epoch = broker.current();
    const consumer = await epoch.session.client.consumers.get(options.stream, {
      filter_subjects: subject,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: this.#next,
    });
    const messages = await consumer.consume({ max_messages: 256, ...liveness });
    // Meanwhile the subscription may have been stopped, or a new epoch may have started.
    if (!this.#isOpen || broker.numbers !== epoch.numbers) messages.stop();
    return { epoch, messages };
  }

  async #read(): Promise<void> {
    const { topic, broker, options } = this.deps;
    while (this.#isOpen) {
      try {
        this.#current ??= await this.#open();
        const { epoch, messages } = this.#current;
        for await (const message of messages) {
          if (broker.numbers !== epoch.numbers) break;
          broker.note(epoch.numbers, message.seq);
          this.#next = message.seq + 1;
          await this.#queue.take(this.#messageOf(message, epoch));
        }
      } catch (error) {
        // Expected while the link is not connected.
        if (broker.reason === null) options.logger.warn('The NATS consumer failed and is recreated.', { topic, error });
        void broker.check();
      }
      this.#current?.messages.stop();
      this.#current = null;
      await this.#pause();
    }
  }

  /** Others can publish to the stream too, so a body may be unreadable. */
  #messageOf(message: JsMsg, epoch: Epoch): LinkMessage {
    const messageId = epoch.numbers.idOf(message.seq);
    const read = decodeBody(message.data, this.deps.options.messageBytes);
    if ('body' in read) return { messageId, topic: this.deps.topic, body: read.body };
    this.#unreadable.set(messageId, { epoch, message, reason: read.unreadable });
    return { messageId, topic: this.deps.topic, body: null };
  }

  async #receive({ messageId, topic, body }: LinkMessage): Promise<void> {
    const unreadable = this.#unreadable.get(messageId);
    if (unreadable === undefined) return this.deps.receive({ messageId, topic, body: copyOf(body) });
    await this.deps.deadLetters.put(unreadable.epoch, unreadable.message, unreadable.reason);
    this.#unreadable.delete(messageId);
  }

  /** Ends early when stopped or restarted. */
  #pause(): Promise<void> {
    if (!this.#isOpen) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = systemTimers.after(RESTART_MS, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}

const copyOf = (body: Json): Json => (typeof body === 'object' ? structuredClone(body) : body);
