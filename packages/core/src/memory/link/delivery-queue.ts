/** The delivery queue: hands the messages of one subscription over, several at a time, each until it is received. */
import { backoffMs, type Backoff, type LinkMessage, type Logger, type Timers } from '../../ports/index.js';
import { compareMessageIds } from '../../records/index.js';

export interface DeliveryOptions {
  readonly timers: Timers;
  readonly logger: Logger;
  /** Messages handed over at the same time; 64 when absent. */
  readonly inFlight?: number;
  /** Milliseconds until a message that was not received is handed over again, at first and at most; 50 and 10,000 when absent. */
  readonly retryMs?: readonly [number, number];
}

/** For writing a link: give it the messages of the topic, in the order of their ids. */
export class DeliveryQueue {
  readonly #inFlight: number;
  readonly #backoff: Backoff;
  /** In the order of their ids; `true` once received. */
  readonly #taken = new Map<string, boolean>();
  readonly #receiving = new Set<Promise<void>>();
  readonly #retries = new Set<() => void>();
  readonly #awaitingRoom: (() => void)[] = [];
  #last: string | null;
  #settled: string | null;
  #running = 0;
  #open = true;

  /** `after`: everything up to this message was received before. */
  constructor(
    private readonly receive: (message: LinkMessage) => Promise<void>,
    private readonly options: DeliveryOptions,
    after: string | null = null,
  ) {
    this.#inFlight = options.inFlight ?? 64;
    const [firstMs, longestMs] = options.retryMs ?? [50, 10_000];
    this.#backoff = { firstMs, longestMs };
    this.#last = this.#settled = after;
  }

  /** See `LinkSubscription`. */
  get settled(): string | null {
    return this.#settled;
  }

  /** Resolves when there is room for the next one. What was taken before, or comes after `stop`, is left out. */
  async take(message: LinkMessage): Promise<void> {
    if (!this.#open || (this.#last !== null && compareMessageIds(message.messageId, this.#last) <= 0)) return;
    this.#last = message.messageId;
    this.#taken.set(message.messageId, false);
    this.#running += 1;
    this.#hand(message, 1);
    if (this.#running >= this.#inFlight) await new Promise<void>((resolve) => this.#awaitingRoom.push(resolve));
  }

  async stop(): Promise<void> {
    this.#open = false;
    for (const cancel of this.#retries) cancel();
    for (const resolve of this.#awaitingRoom.splice(0)) resolve();
    await Promise.all(this.#receiving);
  }

  #hand(message: LinkMessage, attempt: number): void {
    const receiving = this.#deliver(message, attempt).finally(() => this.#receiving.delete(receiving));
    this.#receiving.add(receiving);
  }

  async #deliver(message: LinkMessage, attempt: number): Promise<void> {
    try {
      await this.receive(message);
      this.#settle(message.messageId);
    } catch (error) {
      const { messageId, topic } = message;
      this.options.logger.warn('A message was not received; it will be delivered again.', {
        messageId,
        topic,
        attempt,
        error,
      });
      if (this.#open) this.#again(message, attempt);
    }
  }

  #again(message: LinkMessage, attempt: number): void {
    const cancel = this.options.timers.after(backoffMs(this.#backoff, attempt), () => {
      this.#retries.delete(cancel);
      this.#hand(message, attempt + 1);
    });
    this.#retries.add(cancel);
  }

  #settle(messageId: string): void {
    this.#taken.set(messageId, true);
    for (const [id, isReceived] of this.#taken) {
      if (!isReceived) break;
      this.#settled = id;
      this.#taken.delete(id);
    }
    this.#running -= 1;
    this.#awaitingRoom.shift()?.();
  }
}
