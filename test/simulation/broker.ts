/** The broker between instances: delivers at least once, possibly out of order, twice, or late. */
import { BlockworkError, type Json, type Link } from '@blockwork/core';
import type { LinkMessage, LinkPosition, LinkSubscription } from '@blockwork/core/adapter';
import type { Life } from './life.js';
import type { Network } from './network.js';
import type { Scheduler } from './scheduler.js';

interface Topic {
  readonly messages: LinkMessage[];
  readonly subscribers: Set<Subscriber>;
  readonly ids: Map<string, string>;
}

interface Subscriber {
  readonly name: string;
  readonly life: Life;
  readonly topic: Topic;
  readonly receive: (message: LinkMessage) => Promise<void>;
  /** Positions of the messages that were received beyond `settled`. */
  readonly received: Set<number>;
  /** How many messages from the first on were received. */
  settled: number;
  isOpen: boolean;
}

export class SimulatedBroker {
  readonly #topics = new Map<string, Topic>();
  #published = 0;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly network: Network,
  ) {}

  /** Messages that a living subscriber has not received. */
  get owed(): number {
    let owed = 0;
    for (const { messages, subscribers } of this.#topics.values()) {
      for (const { life, settled, received } of subscribers) {
        if (!life.isOver) owed += messages.length - settled - received.size;
      }
    }
    return owed;
  }

  /** What one life of a node has of it. */
  connect(name: string, life: Life): Link {
    return {
      publish: (topic, body, key) => this.#publish(name, life, topic, body, key),
      subscribe: (topic, receive, from = 'now') => this.#subscribe(name, life, topic, receive, from),
      onLoss: () => () => undefined,
      status: () => ({ isConnected: !this.network.isCut(name, 'link'), setAside: 0, losses: 0 }),
      close: () => Promise.resolve(),
    };
  }

  #publish(name: string, life: Life, topic: string, body: Json, key: string): Promise<string> {
    const { scheduler, network } = this;
    return new Promise((resolve, reject) => {
      const back = (act: () => void): void =>
        void scheduler.after(network.latency(), life, `${name} publish back`, act);
      scheduler.after(network.latency(), null, `${name} publish`, () => {
        if (network.isCut(name, 'link') || network.chance(0.02)) {
          back(() => reject(unavailable('the broker cannot be reached')));
          return;
        }
        const id = this.#store(topic, body, key);
        if (network.chance(0.02)) back(() => reject(unavailable('the answer of the broker was lost')));
        else back(() => resolve(id));
      });
    });
  }

  #store(name: string, body: Json, key: string): string {
    const topic = this.#topic(name);
    // Brokers remember keys for some time only.
    const earlier = this.network.chance(0.1) ? undefined : topic.ids.get(key);
    if (earlier !== undefined) return earlier;
    this.#published += 1;
    const messageId = `1767225600.${String(this.#published).padStart(9, '0')}`;
    topic.ids.set(key, messageId);
    topic.messages.push({ messageId, topic: name, body });
    for (const subscriber of topic.subscribers) this.#deliver(subscriber, topic.messages.length - 1);
    return messageId;
  }

  #subscribe(
    name: string,
    life: Life,
    topicName: string,
    receive: (message: LinkMessage) => Promise<void>,
    from: LinkPosition,
  ): Promise<LinkSubscription> {
    const { scheduler, network } = this;
    return new Promise((resolve, reject) => {
      scheduler.after(network.latency(), life, `${name} subscribe`, () => {
        if (network.isCut(name, 'link')) {
          reject(unavailable('the broker cannot be reached'));
          return;
        }
        const topic = this.#topic(topicName);
        const { messages } = topic;
        const after = (id: string): number => messages.filter(({ messageId }) => messageId <= id).length;
        const settled = from === 'now' ? messages.length : from === 'start' ? 0 : after(from.after);
        const subscriber: Subscriber = { name, life, topic, receive, received: new Set(), settled, isOpen: true };
        topic.subscribers.add(subscriber);
        const end = (): void => {
          subscriber.isOpen = false;
          topic.subscribers.delete(subscriber);
        };
        life.atEnd(end);
        for (let at = settled; at < messages.length; at += 1) this.#deliver(subscriber, at);
        resolve({
          get settled() {
            return messages[subscriber.settled - 1]?.messageId ?? null;
          },
          stop: async () => {
            end();
            return Promise.resolve();
          },
        });
      });
    });
  }

  #deliver(subscriber: Subscriber, at: number, delay = this.network.latency()): void {
    const { scheduler, network } = this;
    const { name, life } = subscriber;
    const again = (): void => this.#deliver(subscriber, at, 500 + scheduler.random.next() * 5_000);
    scheduler.after(delay, life, `${name} receives ${at}`, () => {
      const message = subscriber.topic.messages[at];
      if (!subscriber.isOpen || message === undefined) return;
      if (network.isCut(name, 'link') || network.chance(0.05)) {
        again();
        return;
      }
      if (network.chance(0.05)) again();
      if (subscriber.received.has(at) || at < subscriber.settled) {
        void subscriber.receive(structuredClone(message)).catch(() => undefined);
        return;
      }
      subscriber.receive(structuredClone(message)).then(() => this.#received(subscriber, at), again);
    });
  }

  #received(subscriber: Subscriber, at: number): void {
    if (at >= subscriber.settled) subscriber.received.add(at);
    while (subscriber.received.delete(subscriber.settled)) subscriber.settled += 1;
  }

  #topic(name: string): Topic {
    let topic = this.#topics.get(name);
    if (topic === undefined) {
      topic = { messages: [], subscribers: new Set(), ids: new Map() };
      this.#topics.set(name, topic);
    }
    return topic;
  }
}

const unavailable = (reason: string): BlockworkError => new BlockworkError('LINK_UNAVAILABLE', { facts: { reason } });
