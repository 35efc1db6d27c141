/**
 * The connection: subscribes to this instance's own topic, after the last message received. If an instance has several
 * nodes, the one holding the lease subscribes.
 */
import { earliest, nextPoll, Worker, WorkClaims } from '../../background/index.js';
import type { BackgroundService, Leases } from '../../background/index.js';
import { isBlockworkError } from '../../errors.js';
import type { Clock, Link, LinkMessage, LinkSubscription, Logger, PolicyStore, Timers } from '../../ports/index.js';
import { compareMessageIds, INSTANCE } from '../../records/index.js';
import { revisionKeys } from '../../transactions/index.js';
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
  /** Absent in a process that is alone. */
  readonly leases?: Leases | null;
}

/** Milliseconds between writes of the position. */
const SAVE_AFTER_MS = 1_000;
const backoff = { firstMs: 200, longestMs: 30_000 };

/** The stored position, and the revision it was stored under. */
interface SavedPosition {
  readonly revision: number;
  readonly after: string | null;
}

export class Connection implements BackgroundService {
  readonly #topic: string;
  readonly #claims: WorkClaims;
  readonly #connecting: Worker;
  readonly #saving: Worker;
  #subscription: LinkSubscription | null = null;
  #saved: SavedPosition = { revision: 0, after: null };

  constructor(private readonly deps: ConnectionDeps) {
    this.#topic = topicOf(deps.instance);
    this.#claims = new WorkClaims({ ...deps, work: 'link', backoff, leases: deps.leases ?? null });
    const connect = () => this.#connect();
    this.#connecting = new Worker({ name: 'link', backoff, keepsProcessAlive: true, run: connect }, deps);
    this.#saving = new Worker({ name: 'link position', backoff, run: () => this.#save() }, deps);
  }

  /** Retries until it is connected or stopped. */
  start(): void {
    this.#connecting.start();
  }

  /** Resolves when no connection attempt is in progress. */
  idle(): Promise<void> {
    return this.#connecting.idle();
  }

  async stop(): Promise<void> {
    await this.#connecting.stop();
    await this.#disconnect();
    await this.#saving.stop();
  }

  /** In a shared store, checks repeatedly who holds the lease. */
  async #connect(): Promise<number | null> {
    const { store, clock } = this.deps;
    const isMine = (await this.#claims.claim([this.#topic])).has(this.#topic);
    if (!isMine) await this.#disconnect();
    else if (this.#subscription === null) await this.#subscribe();
    return earliest(nextPoll(store, clock));
  }

  async #subscribe(): Promise<void> {
    this.#saved = await this.#readPosition();
    const { after } = this.#saved;
    const receive = (message: LinkMessage) => this.#receive(message);
    this.#subscription = await this.deps.link.subscribe(this.#topic, receive, after === null ? 'start' : { after });
  }

  async #disconnect(): Promise<void> {
    const subscription = this.#subscription;
    if (subscription === null) return;
    await subscription.stop();
    // Without retries: messages after the saved position are received again by the next subscriber.
    await this.#saving.run().catch(() => undefined);
    this.#subscription = null;
    await this.#claims.release([this.#topic]);
  }

  /** Repeated messages are deduplicated, so the position may lag behind: it is an optimization. */
  async #receive(message: LinkMessage): Promise<void> {
    const { receiver, clock } = this.deps;
    await receiver.receive(message);
    this.#saving.wakeAt(clock.now() + SAVE_AFTER_MS);
  }

  /** The revision is read first: if a position is saved in between, the commit is rejected. */
  async #readPosition(): Promise<SavedPosition> {
    const { store } = this.deps;
    const revision = await store.revision(revisionKeys.link.of(this.#topic));
    const position = await store.get('link-position', INSTANCE, this.#topic);
    return { revision, after: position?.after ?? null };
  }

  async #save(): Promise<null> {
    const after = this.#subscription?.settled ?? null;
    while (after !== null && isBefore(this.#saved.after, after) && !(await this.#move(after)));
    return null;
  }

  /** Whether the position was moved. If another node has moved it, that is known afterwards. */
  async #move(after: string): Promise<boolean> {
    const { revision } = this.#saved;
    const value = { id: this.#topic, after };
    const changes = [{ op: 'put', kind: 'link-position', partition: INSTANCE, value }] as const;
    try {
      await this.deps.store.commit({ expect: { [revisionKeys.link.of(this.#topic)]: revision }, changes });
    } catch (error) {
      if (!isBlockworkError(error, 'CONFLICT')) throw error;
      this.#saved = await this.#readPosition();
      return false;
    }
    this.#saved = { revision: revision + 1, after };
    return true;
  }
}

const isBefore = (saved: string | null, after: string): boolean =>
  saved === null || compareMessageIds(saved, after) < 0;
