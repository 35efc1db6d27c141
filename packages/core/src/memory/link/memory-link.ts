/** An in-process link: one connection to a hub that several engines can share. */
import { BlockworkError } from '../../errors.js';
import { checkOptions, type OptionsOf } from '../../options/index.js';
import type { Link, LinkMessage, LinkPosition, LinkStatus, LinkSubscription } from '../../ports/index.js';
import { cloneJson, type Json } from '../../records/index.js';
import { DeliveryQueue } from './delivery-queue.js';
import { MemoryLinkHub } from './memory-link-hub.js';
import { silentLogger, systemTimers, optionTypes } from '../../defaults/index.js';

const shape = {
  /** Default: a new hub, which nothing else is connected to. */
  hub: optionTypes.satisfying<MemoryLinkHub>((value) => value instanceof MemoryLinkHub, 'must be a MemoryLinkHub'),
  /** Clock of the default hub. */
  clock: optionTypes.clock,
  timers: optionTypes.timers,
  logger: optionTypes.logger,
  /** See `DeliveryOptions`. */
  inFlight: optionTypes.wholeNumber(1),
  retryMs: optionTypes.backoff,
};

export type MemoryLinkOptions = OptionsOf<typeof shape>;

export class MemoryLink implements Link {
  readonly #hub: MemoryLinkHub;
  readonly #options: MemoryLinkOptions;
  readonly #subscriptions = new Set<LinkSubscription>();
  readonly #lossListeners = new Set<(reason: string) => void>();
  readonly #stopListening: () => void;
  #losses = 0;
  #closed = false;

  /** Throws `OPTION_INVALID`. */
  constructor(options: MemoryLinkOptions = {}) {
    checkOptions(options, shape, 'memory link: ');
    this.#options = options;
    this.#hub = options.hub ?? new MemoryLinkHub(options.clock === undefined ? {} : { clock: options.clock });
    this.#stopListening = this.#hub.onLoss((reason) => this.#reportLoss(reason));
  }

  async publish(topic: string, body: Json, idempotencyKey: string): Promise<string> {
    this.#assertOpen();
    return this.#hub.publish(topic, body, idempotencyKey);
  }

  async subscribe(
    topic: string,
    receive: (message: LinkMessage) => Promise<void>,
    from: LinkPosition = 'now',
  ): Promise<LinkSubscription> {
    this.#assertOpen();
    const after = this.#positionOf(topic, from);
    if (after !== null && this.#hub.hasLostAfter(topic, after))
      this.#reportLoss('messages after that position are gone');
    const { timers = systemTimers, logger = silentLogger, inFlight, retryMs } = this.#options;
    const queue = new DeliveryQueue(
      (message) => receive({ ...message, body: cloneJson(message.body) }),
      { timers, logger, ...(inFlight !== undefined && { inFlight }), ...(retryMs && { retryMs }) },
      after,
    );
    const stopListening = this.#pump(topic, queue, after);
    const subscription: LinkSubscription = {
      get settled() {
        return queue.settled;
      },
      stop: async () => {
        stopListening();
        this.#subscriptions.delete(subscription);
        await queue.stop();
      },
    };
    this.#subscriptions.add(subscription);
    return subscription;
  }

  onLoss(listener: (reason: string) => void): () => void {
    this.#lossListeners.add(listener);
    return () => void this.#lossListeners.delete(listener);
  }

  status(): LinkStatus {
    return { isConnected: !this.#closed, setAside: 0, losses: this.#losses };
  }

  /** Waits for deliveries in progress. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stopListening();
    await Promise.all([...this.#subscriptions].map((subscription) => subscription.stop()));
  }

  /** Moves messages from the hub into the queue as fast as the queue takes them. Returns a function that stops. */
  #pump(topic: string, queue: DeliveryQueue, after: string | null): () => void {
    let [position, isPumping, isOpen] = [after, false, true];
    const pump = async (): Promise<void> => {
      if (isPumping) return;
      isPumping = true;
      for (let next = this.#hub.next(topic, position); isOpen && next; next = this.#hub.next(topic, position)) {
        position = next.messageId;
        await queue.take(next);
      }
      isPumping = false;
    };
    const stopListening = this.#hub.listen(topic, () => void pump());
    void pump();
    return () => {
      isOpen = false;
      stopListening();
    };
  }

  #reportLoss(reason: string): void {
    this.#losses += 1;
    for (const listener of this.#lossListeners) listener(reason);
  }

  #positionOf(topic: string, from: LinkPosition): string | null {
    if (from === 'start') return null;
    return from === 'now' ? this.#hub.last(topic) : from.after;
  }

  #assertOpen(): void {
    if (this.#closed) throw new BlockworkError('LINK_CLOSED');
  }
}
