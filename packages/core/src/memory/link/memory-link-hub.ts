/** An in-process message hub: keeps the messages of each topic for all links connected to it. */
import { systemClock, optionTypes } from '../../defaults/index.js';
import { type OptionsOf, parseOptions } from '../../options/index.js';
import type { Clock, LinkMessage } from '../../ports/index.js';
import { cloneJson, compareMessageIds, type Json } from '../../records/index.js';
import { encodeBody, MESSAGE_BYTES } from './message-body.js';

interface Topic {
  /** In the order of ids. */
  messages: LinkMessage[];
  last: string | null;
  /** The id of the last message that a wipe took away. */
  lostUpTo: string | null;
  readonly listeners: Set<() => void>;
}

const shape = {
  clock: optionTypes.clock.default(() => systemClock),
  /** Messages kept per topic for late subscribers. Default: 10,000. */
  keptPerTopic: optionTypes.wholeNumber(1).default(10_000),
  /** Idempotency keys kept: a message repeated under an older one is taken as new. Default: 100,000. */
  keptKeys: optionTypes.wholeNumber(1).default(100_000),
  /** Bytes of a message as JSON. Default: 1 MiB. */
  messageBytes: optionTypes.wholeNumber(1).default(MESSAGE_BYTES),
};

export type MemoryLinkHubOptions = OptionsOf<typeof shape>;

export class MemoryLinkHub {
  readonly #messageIds: MessageIds;
  #published: IdempotencyCache;
  readonly #topics = new Map<string, Topic>();
  readonly #kept: number;
  readonly #keptKeys: number;
  readonly #messageBytes: number;
  readonly #lossListeners = new Set<(reason: string) => void>();

  /** Throws `OPTION_INVALID`. */
  constructor(options: MemoryLinkHubOptions = {}) {
    const { clock, keptPerTopic, keptKeys, messageBytes } = parseOptions(options, shape, 'memory link hub: ');
    this.#messageIds = new MessageIds(clock);
    this.#kept = keptPerTopic;
    this.#keptKeys = keptKeys;
    this.#published = new IdempotencyCache(keptKeys);
    this.#messageBytes = messageBytes;
  }

  /** Throws `MESSAGE_TOO_LARGE`. */
  publish(name: string, body: Json, idempotencyKey: string): string {
    encodeBody(body, this.#messageBytes);
    return this.#published.once(JSON.stringify([name, idempotencyKey]), () => {
      const topic = this.#topic(name);
      const messageId = this.#messageIds.next();
      topic.messages.push({ messageId, topic: name, body: cloneJson(body) });
      topic.last = messageId;
      if (topic.messages.length >= this.#kept * 2) topic.messages = topic.messages.slice(-this.#kept);
      for (const listener of topic.listeners) listener();
      return messageId;
    });
  }

  /** The first kept message after this id; the first kept message of all if `null`. */
  next(name: string, after: string | null): LinkMessage | undefined {
    const { messages } = this.#topic(name);
    let [low, high] = [0, messages.length];
    while (after !== null && low < high) {
      const middle = (low + high) >> 1;
      if (compareMessageIds(messages[middle]?.messageId ?? '', after) > 0) high = middle;
      else low = middle + 1;
    }
    return messages[low];
  }

  /** The id of the newest message, kept or not. */
  last(name: string): string | null {
    return this.#topic(name).last;
  }

  /** Calls `listener` after each message. Returns a function that unsubscribes. */
  listen(name: string, listener: () => void): () => void {
    const { listeners } = this.#topic(name);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  /** Loses all messages and idempotency keys, as a broker does whose disk is lost. */
  wipe(): void {
    this.#published = new IdempotencyCache(this.#keptKeys);
    for (const topic of this.#topics.values()) {
      topic.messages = [];
      topic.lostUpTo = topic.last;
    }
    for (const listener of this.#lossListeners) listener('the hub was wiped');
  }

  /** Whether messages of the topic that came after this id were lost. */
  hasLostAfter(name: string, id: string): boolean {
    const { lostUpTo } = this.#topic(name);
    return lostUpTo !== null && compareMessageIds(id, lostUpTo) < 0;
  }

  /** Calls `listener` after each `wipe`. Returns a function that unsubscribes. */
  onLoss(listener: (reason: string) => void): () => void {
    this.#lossListeners.add(listener);
    return () => void this.#lossListeners.delete(listener);
  }

  #topic(name: string): Topic {
    let topic = this.#topics.get(name);
    if (topic === undefined) {
      topic = { messages: [], last: null, lostUpTo: null, listeners: new Set() };
      this.#topics.set(name, topic);
    }
    return topic;
  }
}

/** Answers by idempotency key; the oldest are evicted beyond a limit. */
class IdempotencyCache {
  readonly #answers = new Map<string, string>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The earlier answer for `key`, or the result of `answer`. */
  once(key: string, answer: () => string): string {
    const cached = this.#answers.get(key);
    if (cached !== undefined) return cached;
    const created = answer();
    this.#answers.set(key, created);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= this.#limit) break;
      this.#answers.delete(oldest);
    }
    return created;
  }
}

class MessageIds {
  readonly #clock: Clock;
  #seconds = 0;
  #nanoseconds = -1;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Greater than all earlier ids, even if the clock stands still or goes back. */
  next(): string {
    const now = this.#clock.now();
    const seconds = Math.floor(now / 1000);
    const nanoseconds = Math.floor(now - seconds * 1000) * 1_000_000;
    if (seconds > this.#seconds || (seconds === this.#seconds && nanoseconds > this.#nanoseconds)) {
      this.#seconds = seconds;
      this.#nanoseconds = nanoseconds;
    } else if (++this.#nanoseconds === 1_000_000_000) {
      this.#seconds += 1;
      this.#nanoseconds = 0;
    }
    return `${this.#seconds}.${String(this.#nanoseconds).padStart(9, '0')}`;
  }
}
