/** A link over one connection to NATS: a stream for all topics, a subject for each. */
import { BlockworkError } from '@blockwork/core';
import type { Json, Link } from '@blockwork/core';
import type { LinkMessage, LinkPosition, LinkSubscription } from '@blockwork/core/adapter';
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { MessageNumbers } from './message-numbers.js';
import { NatsSubscription } from './nats-subscription.js';
import type { ResolvedOptions } from './options.js';
import { subjectOf } from './subject.js';
import { unavailable } from './unavailable.js';

export class NatsLink implements Link {
  readonly #client: JetStreamClient;
  readonly #subscriptions = new Set<LinkSubscription>();
  #closing: Promise<void> | null = null;

  constructor(
    private readonly connection: NatsConnection,
    private readonly manager: JetStreamManager,
    private readonly numbers: MessageNumbers,
    private readonly options: ResolvedOptions,
  ) {
    this.#client = manager.jetstream();
  }

  async publish(topic: string, body: Json, idempotencyKey: string): Promise<string> {
    this.#assertOpen();
    const subject = subjectOf(this.options.stream, topic);
    const text = JSON.stringify(body);
    try {
      // The server compares keys within the stream, so the subject is a part of them.
      const msgID = `${subject} ${encodeURIComponent(idempotencyKey)}`;
      const { seq } = await this.#client.publish(subject, text, { msgID, timeout: this.options.publishMs });
      return this.numbers.idOf(seq);
    } catch (error) {
      throw unavailable(error);
    }
  }

  async subscribe(
    topic: string,
    receive: (message: LinkMessage) => Promise<void>,
    from: LinkPosition = 'now',
  ): Promise<LinkSubscription> {
    this.#assertOpen();
    const { numbers, options } = this;
    const subject = subjectOf(options.stream, topic);
    const first = await this.#firstOf(from);
    const subscription = new NatsSubscription(receive, {
      client: this.#client,
      topic,
      subject,
      numbers,
      first,
      options,
    });
    await subscription.start();
    const given: LinkSubscription = {
      get settled() {
        return subscription.settled;
      },
      stop: async () => {
        this.#subscriptions.delete(given);
        await subscription.stop();
      },
    };
    this.#subscriptions.add(given);
    return given;
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      await Promise.all([...this.#subscriptions].map((subscription) => subscription.stop()));
      await this.connection.close();
    })();
    return this.#closing;
  }

  /** The number of the first message to be delivered. */
  async #firstOf(from: LinkPosition): Promise<number> {
    if (from === 'start') return 1;
    if (from !== 'now') return this.numbers.after(from.after);
    try {
      return (await this.manager.streams.info(this.options.stream)).state.last_seq + 1;
    } catch (error) {
      throw unavailable(error);
    }
  }

  #assertOpen(): void {
    if (this.#closing !== null) throw new BlockworkError('LINK_CLOSED');
  }
}
