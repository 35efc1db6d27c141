/** A network that delays, repeats, reorders and drops, within at-least-once: each step of it is taken by the test. */
import { BlockworkError } from '@blockwork/core';
import type { Json } from '@blockwork/core';
import type { LinkMessage, LinkPosition, LinkSubscription } from '@blockwork/core/adapter';
import type { Random } from '../../support/random.js';

interface Subscriber {
  readonly topic: string;
  readonly receive: (message: LinkMessage) => Promise<void>;
  /** Ids that were received. */
  readonly received: Set<string>;
  from: number;
  open: boolean;
}

export class SimulatedNetwork {
  readonly #topics = new Map<string, LinkMessage[]>();
  readonly #subscribers = new Set<Subscriber>();
  readonly #keys = new Map<string, string>();
  #published = 0;
  /** While it is false, nothing is lost or forgotten. */
  isFaulty = true;

  constructor(private readonly random: Random) {}

  /** May take the message over and lose the answer, or lose the message and say so, or have forgotten the key. */
  publish(topic: string, body: Json, key: string): string {
    if (this.#happens(0.1)) throw lost('the message was lost');
    const place = `${topic} ${key}`;
    const earlier = this.#happens(0.1) ? undefined : this.#keys.get(place);
    const id = earlier ?? this.#store(topic, body);
    this.#keys.set(place, id);
    if (this.#happens(0.1)) throw lost('the answer was lost');
    return id;
  }

  subscribe(topic: string, receive: Subscriber['receive'], from: LinkPosition = 'now'): LinkSubscription {
    const messages = this.#messages(topic);
    const subscriber: Subscriber = { topic, receive, received: new Set(), from: 0, open: true };
    if (from === 'now') subscriber.from = messages.length;
    else if (from !== 'start') subscriber.from = messages.filter(({ messageId }) => messageId <= from.after).length;
    this.#subscribers.add(subscriber);
    const settledAt = subscriber.from;
    return {
      get settled() {
        let at = settledAt;
        while (at < messages.length && subscriber.received.has(messages[at]?.messageId ?? '')) at += 1;
        return messages[at - 1]?.messageId ?? null;
      },
      stop: () => {
        subscriber.open = false;
        this.#subscribers.delete(subscriber);
        return Promise.resolve();
      },
    };
  }

  /** Whoever died hears nothing more. */
  drop(receive: Subscriber['receive']): void {
    for (const subscriber of this.#subscribers)
      if (subscriber.receive === receive) this.#subscribers.delete(subscriber);
  }

  /** How many envelopes of several messages were published. */
  get batches(): number {
    return [...this.#topics.values()].flat().filter(({ body }) => holdsSeveral(body)).length;
  }

  /** How many deliveries are still owed. */
  get owed(): number {
    return this.#owed().length;
  }

  /** Delivers any one message that is owed to anybody, or one that was received before; or loses it on the way. */
  deliver(): void {
    const owed = this.#owed();
    if (this.#happens(0.15)) {
      this.#repeat();
      return;
    }
    const chosen = this.random.pick(owed);
    if (chosen === undefined || this.#happens(0.1)) return;
    this.#hand(chosen.subscriber, chosen.message);
  }

  #repeat(): void {
    const subscriber = this.random.pick([...this.#subscribers]);
    if (subscriber === undefined) return;
    const message = this.random.pick(this.#messages(subscriber.topic));
    if (message !== undefined) this.#hand(subscriber, message);
  }

  #hand(subscriber: Subscriber, message: LinkMessage): void {
    subscriber.receive(structuredClone(message)).then(
      () => subscriber.received.add(message.messageId),
      () => undefined,
    );
  }

  #owed(): { subscriber: Subscriber; message: LinkMessage }[] {
    return [...this.#subscribers].flatMap((subscriber) =>
      this.#messages(subscriber.topic)
        .slice(subscriber.from)
        .filter(({ messageId }) => !subscriber.received.has(messageId))
        .map((message) => ({ subscriber, message })),
    );
  }

  #store(topic: string, body: Json): string {
    this.#published += 1;
    const messageId = `1767225600.${String(this.#published).padStart(9, '0')}`;
    this.#messages(topic).push({ messageId, topic, body });
    return messageId;
  }

  #messages(topic: string): LinkMessage[] {
    const messages = this.#topics.get(topic);
    if (messages !== undefined) return messages;
    const additions: LinkMessage[] = [];
    this.#topics.set(topic, additions);
    return additions;
  }

  #happens(probability: number): boolean {
    return this.isFaulty && this.random.chance(probability);
  }
}

function holdsSeveral(body: Json): boolean {
  const [, payload = ''] = typeof body === 'string' ? body.split('.') : [];
  return Buffer.from(payload, 'base64url').toString().startsWith('[');
}

const lost = (reason: string): BlockworkError => new BlockworkError('LINK_UNAVAILABLE', { facts: { reason } });
