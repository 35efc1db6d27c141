/** A subscription: reads its subject in order and delivers through the delivery queue. */
import { systemTimers } from '@blockwork/core';
import { DeliveryQueue } from '@blockwork/core/adapter';
import type { Json } from '@blockwork/core';
import type { LinkMessage, LinkSubscription } from '@blockwork/core/adapter';
import { DeliverPolicy } from '@nats-io/jetstream';
import type { ConsumerMessages, JetStreamClient, JsMsg } from '@nats-io/jetstream';
import type { MessageNumbers } from './message-numbers.js';
import type { ResolvedOptions } from './options.js';
import { unavailable } from './unavailable.js';

export interface NatsSubscriptionDeps {
  readonly receive: (message: LinkMessage) => Promise<void>;
  readonly client: JetStreamClient;
  readonly topic: string;
  readonly subject: string;
  readonly numbers: MessageNumbers;
  /** Number of the first message to deliver. */
  readonly first: number;
  readonly options: ResolvedOptions;
}

/** Milliseconds before a consumer is recreated after it failed. */
const RESTART_MS = 500;

export class NatsSubscription implements LinkSubscription {
  readonly #queue: DeliveryQueue;
  #next: number;
  #messages: ConsumerMessages | null = null;
  #reading: Promise<void> = Promise.resolve();
  #isOpen = true;
  #wake: () => void = () => undefined;

  constructor(
    private readonly deps: NatsSubscriptionDeps,
    private readonly onStop: () => void,
  ) {
    const { receive, first, numbers, options } = deps;
    const { inFlight, retryMs, logger } = options;
    this.#next = first;
    this.#queue = new DeliveryQueue(
      ({ messageId, topic, body }) => receive({ messageId, topic, body: copyOf(body) }),
      { timers: systemTimers, logger, inFlight, retryMs },
      first > 1 ? numbers.idOf(first - 1) : null,
    );
  }

  get settled(): string | null {
    return this.#queue.settled;
  }

  /** Throws `LINK_UNAVAILABLE`. */
  async start(): Promise<void> {
    try {
      this.#messages = await this.#open();
    } catch (error) {
      throw unavailable(error);
    }
    this.#reading = this.#read();
  }

  async stop(): Promise<void> {
    this.#isOpen = false;
    this.onStop();
    this.#wake();
    this.#messages?.stop();
    await this.#queue.stop();
    await this.#reading;
  }

  /** An ordered consumer, which the client recreates at its last position if it or the connection is lost. */
  async #open(): Promise<ConsumerMessages> {
    const { client, subject, options } = this.deps;
    const consumer = await client.consumers.get(options.stream, {
      filter_subjects: subject,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: this.#next,
    });
    const messages = await consumer.consume({ max_messages: 256 });
    // The subscription may have been stopped in the meantime.
    if (!this.#isOpen) messages.stop();
    return messages;
  }

  async #read(): Promise<void> {
    const { logger } = this.deps.options;
    while (this.#isOpen) {
      try {
        this.#messages ??= await this.#open();
        for await (const message of this.#messages) {
          this.#next = message.seq + 1;
          await this.#queue.take(this.#messageOf(message));
        }
      } catch (error) {
        logger.warn('The NATS consumer failed and is recreated.', { topic: this.deps.topic, error });
      }
      this.#messages = null;
      await this.#pause();
    }
  }

  #messageOf(message: JsMsg): LinkMessage {
    return { messageId: this.deps.numbers.idOf(message.seq), topic: this.deps.topic, body: bodyOf(message) };
  }

  /** Ends early when stopped. */
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

/** Anything can be written to the stream from outside; what is not JSON is delivered as text, for the receiver to refuse. */
function bodyOf(message: JsMsg): Json {
  try {
    return message.json<Json>();
  } catch {
    return message.string();
  }
}

const copyOf = (body: Json): Json => (typeof body === 'object' ? structuredClone(body) : body);
