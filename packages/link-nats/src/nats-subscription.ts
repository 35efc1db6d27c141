/** A subscription: reads its subject in order and delivers through the delivery queue. */
import { systemTimers } from '@blockwork/core';
import type { Json } from '@blockwork/core';
import { decodeBody, DeliveryQueue } from '@blockwork/core/adapter';
import type { LinkMessage, LinkSubscription } from '@blockwork/core/adapter';
import { DeliverPolicy } from '@nats-io/jetstream';
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import type { Broker, Epoch } from './broker.js';
import type { DeadLetters } from './dead-letters.js';
import type { ResolvedOptions } from './options.js';
import { unavailable } from './unavailable.js';

export interface NatsSubscriptionDeps {
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

/** Milliseconds before a failed consumer is recreated. */
const RESTART_MS = 500;

export class NatsSubscription implements LinkSubscription {
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
    const messages = await consumer.consume({ max_messages: 256 });
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
