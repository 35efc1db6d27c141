/**
 * The connection: subscribes to this instance's own topic, after the last message received. If an instance has several
 * nodes, the one holding the lease subscribes.
 */
import { ClaimingService, earliest, nextPoll, Worker, type ServiceDeps } from '../../background/index.js';
import { isBlockworkError } from '../../errors.js';
import type { Link, LinkMessage, LinkSubscription, PolicyStore } from '../../ports/index.js';
import { compareMessageIds, INSTANCE } from '../../records/index.js';
import { revisionKeys } from '../../transactions/index.js';
import { topicOf } from './outgoing-messages.js';
import type { Receiver } from './receiver.js';

export interface ConnectionDeps extends ServiceDeps {
  readonly store: PolicyStore;
  readonly link: Link;
  readonly receiver: Pick<Receiver, 'receive'>;
  /** The id of this instance. */
  readonly instance: string;
}

/** Milliseconds between writes of the position. */
const SAVE_AFTER_MS = 1_000;
const backoff = { firstMs: 200, longestMs: 30_000 };

/** The stored position, and the revision it was stored under. */
interface SavedPosition {
  readonly revision: number;
  readonly after: string | null;
}

/** Retries until it is connected or stopped. */
export class Connection extends ClaimingService<ConnectionDeps> {
  readonly #topic: string;
  readonly #saving: Worker;
  #subscription: LinkSubscription | null = null;
  #saved: SavedPosition = { revision: 0, after: null };

  constructor(deps: ConnectionDeps) {
    super(deps, { name: 'link', leases: 'link', backoff, keepsProcessAlive: true });
    this.#topic = topicOf(deps.instance);
    this.#saving = new Worker({ name: 'link position', backoff, run: () => this.#save() }, deps);
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.#disconnect();
    await this.#saving.stop();
  }

  /** In a shared store, checks repeatedly who holds the lease. */
  protected override async run(): Promise<number | null> {
    const { store, clock } = this.deps;
    const isMine = (await this.claims.claim([this.#topic])).has(this.#topic);
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
    await this.claims.release([this.#topic]);
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
