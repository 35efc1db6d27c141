/** A link over one connection to NATS, with one stream for all topics and a subject for each. */
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

export interface NatsLinkDeps {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly numbers: MessageNumbers;
  readonly options: ResolvedOptions;
}

export class NatsLink implements Link {
  readonly #client: JetStreamClient;
  readonly #subscriptions = new Set<NatsSubscription>();
  #closing: Promise<void> | null = null;

  constructor(private readonly deps: NatsLinkDeps) {
    this.#client = deps.manager.jetstream();
  }

  async publish(topic: string, body: Json, idempotencyKey: string): Promise<string> {
    this.#assertOpen();
    const { numbers, options } = this.deps;
    const subject = subjectOf(options.stream, topic);
    const text = JSON.stringify(body);
    try {
      // The server compares keys per stream, so the key includes the subject.
      const msgID = `${subject} ${encodeURIComponent(idempotencyKey)}`;
      const { seq } = await this.#client.publish(subject, text, { msgID, timeout: options.publishMs });
      return numbers.idOf(seq);
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
    const { numbers, options } = this.deps;
    const subject = subjectOf(options.stream, topic);
    const first = await this.#firstOf(from);
    const deps = { receive, client: this.#client, topic, subject, numbers, first, options };
    const subscription = new NatsSubscription(deps, () => this.#subscriptions.delete(subscription));
    await subscription.start();
    this.#subscriptions.add(subscription);
    if (this.#closing === null) return subscription;
    // Closed in the meantime, so nothing else would stop it.
    await subscription.stop();
    throw new BlockworkError('LINK_CLOSED');
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      await Promise.all([...this.#subscriptions].map((subscription) => subscription.stop()));
      await this.deps.connection.close();
    })();
    return this.#closing;
  }

  /** The number of the first message to deliver. */
  async #firstOf(from: LinkPosition): Promise<number> {
    const { manager, numbers, options } = this.deps;
    if (from === 'start') return 1;
    if (from !== 'now') return numbers.after(from.after);
    try {
      return (await manager.streams.info(options.stream)).state.last_seq + 1;
    } catch (error) {
      throw unavailable(error);
    }
  }

  #assertOpen(): void {
    if (this.#closing !== null) throw new BlockworkError('LINK_CLOSED');
  }
}
