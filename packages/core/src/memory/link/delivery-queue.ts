/** Delivers the messages of one subscription concurrently and retries each with backoff until it is received. */
import { backoffMs, type Backoff, type LinkMessage, type Logger, type Timers } from '../../ports/index.js';
import { compareMessageIds } from '../../records/index.js';

export interface DeliveryOptions {
  readonly timers: Timers;
  readonly logger: Logger;
  /** Maximum number of concurrent deliveries. Default: 64. */
  readonly inFlight?: number;
  /** First and longest delay before a retry, in milliseconds. Default: 50 and 10,000. */
  readonly retryMs?: readonly [number, number];
}

/** For implementations of links: `take` the messages of a topic in the order of their ids. */
export class DeliveryQueue {
  readonly #inFlight: number;
  readonly #backoff: Backoff;
  /** In the order of ids; `true` once received. */
  readonly #taken = new Map<string, boolean>();
  readonly #deliveries = new Set<Promise<void>>();
  readonly #retries = new Set<() => void>();
  readonly #waitingForRoom: (() => void)[] = [];
  #last: string | null;
  #settled: string | null;
  #running = 0;
  #open = true;

  /** `after`: id of the last message that was received before. */
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

  /** Resolves when there is room for the next message. Ignores messages taken before, and all after `stop`. */
  async take(message: LinkMessage): Promise<void> {
    if (!this.#open || (this.#last !== null && compareMessageIds(message.messageId, this.#last) <= 0)) return;
    this.#last = message.messageId;
    this.#taken.set(message.messageId, false);
    this.#running += 1;
    this.#start(message, 1);
    if (this.#running >= this.#inFlight) await new Promise<void>((resolve) => this.#waitingForRoom.push(resolve));
  }

  async stop(): Promise<void> {
    this.#open = false;
    for (const cancel of this.#retries) cancel();
    for (const resolve of this.#waitingForRoom.splice(0)) resolve();
    await Promise.all(this.#deliveries);
  }

  #start(message: LinkMessage, attempt: number): void {
    const delivery = this.#deliver(message, attempt).finally(() => this.#deliveries.delete(delivery));
    this.#deliveries.add(delivery);
  }

  async #deliver(message: LinkMessage, attempt: number): Promise<void> {
    try {
      await this.receive(message);
      this.#acknowledge(message.messageId);
    } catch (error) {
      const { messageId, topic } = message;
      this.options.logger.warn('A message was not received; it will be delivered again.', {
        messageId,
        topic,
        attempt,
        error,
      });
      if (this.#open) this.#scheduleRetry(message, attempt);
    }
  }

  #scheduleRetry(message: LinkMessage, attempt: number): void {
    const cancel = this.options.timers.after(backoffMs(this.#backoff, attempt), () => {
      this.#retries.delete(cancel);
      this.#start(message, attempt + 1);
    });
    this.#retries.add(cancel);
  }

  #acknowledge(messageId: string): void {
    this.#taken.set(messageId, true);
    for (const [id, isReceived] of this.#taken) {
      if (!isReceived) break;
      this.#settled = id;
      this.#taken.delete(id);
    }
    this.#running -= 1;
    this.#waitingForRoom.shift()?.();
  }
}
