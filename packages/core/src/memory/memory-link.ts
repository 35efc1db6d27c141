/** A link within the process: messages reach the subscribers of the same object, in order. */
import { BlockworkError } from '../errors.js';
import type { Clock, Link, LinkMessage, Logger } from '../ports/index.js';
import { cloneJson, type Json } from '../records/index.js';
import { AnsweredKeys } from './answered-keys.js';
import { MessageIds } from './message-ids.js';
import { silentLogger } from './silent-logger.js';
import { systemClock } from './system-clock.js';

export interface MemoryLinkOptions {
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** How often one message is tried with a subscriber that throws, before it is given up and logged; 3 when absent. */
  readonly attempts?: number;
}

interface Subscription {
  readonly receive: (message: LinkMessage) => Promise<void>;
  /** Settles when everything handed to this subscriber so far is done; never rejects. */
  delivered: Promise<void>;
  open: boolean;
}

export class MemoryLink implements Link {
  readonly #logger: Logger;
  readonly #attempts: number;
  readonly #messageIds: MessageIds;
  readonly #published = new AnsweredKeys();
  readonly #topics = new Map<string, Set<Subscription>>();
  #closed = false;

  constructor(options: MemoryLinkOptions = {}) {
    this.#logger = options.logger ?? silentLogger;
    this.#attempts = options.attempts ?? 3;
    this.#messageIds = new MessageIds(options.clock ?? systemClock);
  }

  async publish(topic: string, body: Json, idempotencyKey: string): Promise<string> {
    this.#assertOpen();
    return this.#published.once(idempotencyKey, () => {
      const messageId = this.#messageIds.next();
      const kept = cloneJson(body);
      for (const subscription of this.#topics.get(topic) ?? [])
        this.#hand(subscription, { messageId, topic, body: kept });
      return messageId;
    });
  }

  /** The function it resolves with waits for the delivery under way, so `receive` itself must not await it. */
  async subscribe(topic: string, receive: (message: LinkMessage) => Promise<void>): Promise<() => Promise<void>> {
    this.#assertOpen();
    const subscription: Subscription = { receive, delivered: Promise.resolve(), open: true };
    const subscriptions = this.#topics.get(topic) ?? new Set();
    this.#topics.set(topic, subscriptions.add(subscription));
    return async () => {
      subscription.open = false;
      subscriptions.delete(subscription);
      await subscription.delivered;
    };
  }

  /** Takes nothing more, and waits until what it took over is delivered. */
  async close(): Promise<void> {
    this.#closed = true;
    const all = [...this.#topics.values()].flatMap((subscriptions) => [...subscriptions]);
    await Promise.all(all.map((subscription) => subscription.delivered));
    this.#topics.clear();
  }

  #hand(subscription: Subscription, message: LinkMessage): void {
    subscription.delivered = subscription.delivered.then(() => this.#deliver(subscription, message));
  }

  async #deliver(subscription: Subscription, message: LinkMessage): Promise<void> {
    for (let attempt = 1; attempt <= this.#attempts && subscription.open; attempt++) {
      try {
        await subscription.receive({ ...message, body: cloneJson(message.body) });
        return;
      } catch (error) {
        const { messageId, topic } = message;
        this.#logger.warn('A subscriber failed on a message.', {
          messageId,
          topic,
          attempt,
          of: this.#attempts,
          error,
        });
      }
    }
  }

  #assertOpen(): void {
    if (this.#closed) throw new BlockworkError('ENGINE_CLOSED');
  }
}
