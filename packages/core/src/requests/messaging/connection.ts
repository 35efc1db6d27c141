/** The connection: listens on this instance's own topic, from where it stopped before. */
import type { Clock, Link, LinkSubscription, Logger, PolicyStore, Timers } from '../../ports/index.js';
import { INSTANCE } from '../../records/index.js';
import { topicOf } from './outgoing-messages.js';
import type { Receiver } from './receiver.js';

export interface ConnectionDeps {
  readonly store: PolicyStore;
  readonly link: Link;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly receiver: Receiver;
}

/** Milliseconds until connecting is tried again, at first and at most; and between notes of how far it has read. */
const RETRY = [200, 30_000] as const;
const SAVE_AFTER = 1000;

export class Connection {
  readonly #topic: string;
  #subscription: LinkSubscription | null = null;
  #connecting: Promise<void> = Promise.resolve();
  #cancelRetry: (() => void) | null = null;
  #cancelSave: (() => void) | null = null;
  #saved: string | null = null;
  #saving: Promise<void> = Promise.resolve();
  #isOpen = true;

  constructor(
    instance: string,
    private readonly deps: ConnectionDeps,
  ) {
    this.#topic = topicOf(instance);
  }

  /** Tries until it is connected or stopped. Resolves after the first attempt. */
  start(): Promise<void> {
    this.#connecting = this.#connect(1);
    return this.#connecting;
  }

  async stop(): Promise<void> {
    this.#isOpen = false;
    this.#cancelRetry?.();
    this.#cancelSave?.();
    await this.#connecting;
    await this.#subscription?.stop();
    this.#save();
    await this.#saving;
  }

  async #connect(attempt: number): Promise<void> {
    const { store, link, receiver, logger, timers } = this.deps;
    try {
      const position = await store.get('link-position', INSTANCE, this.#topic);
      this.#saved = position?.after ?? null;
      const from = position === undefined ? 'start' : { after: position.after };
      this.#subscription = await link.subscribe(
        this.#topic,
        async (message) => {
          await receiver.receive(message);
          this.#saveSoon();
        },
        from,
      );
    } catch (error) {
      if (!this.#isOpen) return;
      logger.warn('The link cannot be listened to; it is tried again.', { topic: this.#topic, attempt, error });
      const ms = Math.min(RETRY[1], RETRY[0] * 2 ** Math.min(attempt - 1, 20));
      this.#cancelRetry = timers.after(ms, () => {
        this.#connecting = this.#connect(attempt + 1);
      });
    }
  }

  /** Messages are recognised when they come again, so how far it has read may lag behind: it only saves work. */
  #saveSoon(): void {
    if (!this.#isOpen || this.#cancelSave !== null) return;
    this.#cancelSave = this.deps.timers.after(
      SAVE_AFTER,
      () => {
        this.#cancelSave = null;
        this.#save();
      },
      'background',
    );
  }

  #save(): void {
    const after = this.#subscription?.settled ?? null;
    if (after === null || after === this.#saved) return;
    this.#saved = after;
    const value = { id: this.#topic, after };
    this.#saving = this.#saving
      .then(() =>
        this.deps.store.commit({
          expect: {},
          changes: [{ op: 'put', kind: 'link-position', partition: INSTANCE, value }],
        }),
      )
      .catch((error: unknown) => this.deps.logger.warn('How far the link was read could not be noted.', { error }));
  }
}
