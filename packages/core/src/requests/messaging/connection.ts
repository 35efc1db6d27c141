/** The connection: subscribes to this instance's own topic, after the last message that was received. */
import { Worker, type BackgroundService } from '../../background/index.js';
import type { Clock, Link, LinkMessage, LinkSubscription, Logger, PolicyStore, Timers } from '../../ports/index.js';
import { INSTANCE } from '../../records/index.js';
import { topicOf } from './outgoing-messages.js';
import type { Receiver } from './receiver.js';

export interface ConnectionDeps {
  readonly store: PolicyStore;
  readonly link: Link;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly receiver: Pick<Receiver, 'receive'>;
  /** The id of this instance. */
  readonly instance: string;
}

/** Milliseconds between writes of the position. */
const SAVE_AFTER_MS = 1_000;
const backoff = { firstMs: 200, longestMs: 30_000 };

export class Connection implements BackgroundService {
  readonly #topic: string;
  readonly #connecting: Worker;
  readonly #saving: Worker;
  #subscription: LinkSubscription | null = null;
  #saved: string | null = null;

  constructor(private readonly deps: ConnectionDeps) {
    this.#topic = topicOf(deps.instance);
    const connect = () => this.#connect();
    this.#connecting = new Worker({ name: 'link', backoff, keepsProcessAlive: true, run: connect }, deps);
    this.#saving = new Worker({ name: 'link position', backoff, run: () => this.#save() }, deps);
  }

  /** Tries until it is connected or stopped. */
  start(): void {
    this.#connecting.start();
  }

  /** Resolves when no attempt to connect is under way. */
  idle(): Promise<void> {
    return this.#connecting.idle();
  }

  async stop(): Promise<void> {
    await this.#connecting.stop();
    await this.#subscription?.stop();
    await this.#saveLast();
    await this.#saving.stop();
  }

  async #connect(): Promise<null> {
    const { store, link } = this.deps;
    const position = await store.get('link-position', INSTANCE, this.#topic);
    this.#saved = position?.after ?? null;
    const from = position === undefined ? 'start' : { after: position.after };
    this.#subscription = await link.subscribe(this.#topic, (message) => this.#receive(message), from);
    return null;
  }

  /** Repeated messages are recognised, so the position may lag behind: it only saves work. */
  async #receive(message: LinkMessage): Promise<void> {
    const { receiver, clock } = this.deps;
    await receiver.receive(message);
    this.#saving.wakeAt(clock.now() + SAVE_AFTER_MS);
  }

  async #save(): Promise<null> {
    const after = this.#subscription?.settled ?? null;
    if (after === null || after === this.#saved) return null;
    const value = { id: this.#topic, after };
    const changes = [{ op: 'put', kind: 'link-position', partition: INSTANCE, value }] as const;
    await this.deps.store.commit({ expect: {}, changes });
    this.#saved = after;
    return null;
  }

  /** Without retries: what is not saved is received again after the next start. */
  #saveLast(): Promise<void> {
    return this.#saving.run().catch(() => undefined);
  }
}
