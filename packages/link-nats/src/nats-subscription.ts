/** One subscription: reads the subject in order, and hands over through the delivery queue. */
import { systemTimers } from '@blockwork/core';
import { DeliveryQueue } from '@blockwork/core/adapter';
import type { Json } from '@blockwork/core';
import type { LinkMessage } from '@blockwork/core/adapter';
import { DeliverPolicy } from '@nats-io/jetstream';
import type { ConsumerMessages, JetStreamClient, JsMsg } from '@nats-io/jetstream';
import type { MessageNumbers } from './message-numbers.js';
import type { ResolvedOptions } from './options.js';
import { unavailable } from './unavailable.js';

export interface SubscriptionPlace {
  readonly client: JetStreamClient;
  readonly topic: string;
  readonly subject: string;
  readonly numbers: MessageNumbers;
  /** Number of the first message. */
  readonly first: number;
  readonly options: ResolvedOptions;
}

/** Milliseconds until reading is begun anew after it has broken off. */
const AGAIN = 500;

export class NatsSubscription {
  readonly #queue: DeliveryQueue;
  #next: number;
  #messages: ConsumerMessages | null = null;
  #reading: Promise<void> = Promise.resolve();
  #isOpen = true;
  #wake: () => void = () => undefined;

  constructor(
    receive: (message: LinkMessage) => Promise<void>,
    private readonly place: SubscriptionPlace,
  ) {
    const { first, numbers, options } = place;
    const { inFlight, retryMs, logger } = options;
    this.#next = first;
    this.#queue = new DeliveryQueue(
      ({ messageId, topic, body }) => receive({ messageId, topic, body: copyOf(body) }),
      { timers: systemTimers, logger, inFlight, ...(retryMs && { retryMs }) },
      first > 1 ? numbers.idOf(first - 1) : null,
    );
  }

  get settled(): string | null {
    return this.#queue.settled;
  }

  /** Throws `LINK_UNAVAILABLE` when reading cannot begin. */
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
    this.#wake();
    this.#messages?.stop();
    await this.#queue.stop();
    await this.#reading;
  }

  /** An ordered consumer: the client makes it anew, from where it was, whenever it or the connection is lost. */
  async #open(): Promise<ConsumerMessages> {
    const { client, subject, options } = this.place;
    const consumer = await client.consumers.get(options.stream, {
      filter_subjects: subject,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: this.#next,
    });
    return consumer.consume({ max_messages: 256 });
  }

  async #read(): Promise<void> {
    const { logger } = this.place.options;
    while (this.#isOpen) {
      try {
        this.#messages ??= await this.#open();
        for await (const message of this.#messages) {
          this.#next = message.seq + 1;
          await this.#queue.take(this.#messageOf(message));
        }
      } catch (error) {
        logger.warn('Reading from the link broke off; it is begun anew.', { topic: this.place.topic, error });
      }
      this.#messages = null;
      await this.#pause();
    }
  }

  #messageOf(message: JsMsg): LinkMessage {
    return { messageId: this.place.numbers.idOf(message.seq), topic: this.place.topic, body: bodyOf(message) };
  }

  /** Not at all once it is stopped. */
  #pause(): Promise<void> {
    if (!this.#isOpen) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = systemTimers.after(AGAIN, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}

/** Whoever can reach the server can put anything into a stream; what is no JSON is handed on as text, to be refused. */
function bodyOf(message: JsMsg): Json {
  try {
    return message.json<Json>();
  } catch {
    return message.string();
  }
}

const copyOf = (body: Json): Json => (typeof body === 'object' ? structuredClone(body) : body);
