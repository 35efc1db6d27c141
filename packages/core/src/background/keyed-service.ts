/**
 * A background service whose work is divided by key, such as a policy: keys do not wait for each other, each is done by
 * one task at a time, and a failed one is retried by itself with exponential backoff.
 */
import { setImmediate } from 'node:timers/promises';
import { ClaimingService, type ServiceDeps, type ServiceTask } from './claiming-service.js';

export interface KeyedTask<Item> extends ServiceTask {
  /** Items of one key are done together. */
  readonly keyOf: (item: Item) => string;
  /** What is claimed for an item, and backs off if it fails; its key when absent. */
  readonly claimOf?: (item: Item) => string;
  /** Keys in progress above which a look for further ones waits; default 100. */
  readonly concurrent?: number;
}

/** One look for what is due, in several rounds. */
export interface Look {
  /** When it began: what comes due later waits for the next one, so that a look ends. */
  readonly now: number;
  /** Keys in progress. */
  readonly keys: ReadonlySet<string>;
  /** Claims that are backing off, or held by other nodes. */
  readonly skipped: ReadonlySet<string>;
}

export interface Found<Item> {
  /** Some of what is due, neither in progress nor skipped. */
  readonly due: readonly Item[];
  /** When more will be due, in milliseconds since 1970. Needed only if nothing is due now. */
  readonly next?: number | null;
}

const CONCURRENT = 100;

export abstract class KeyedService<Deps extends ServiceDeps, Item> extends ClaimingService<Deps> {
  /** Claims on work in progress. */
  readonly #underWay = new Set<string>();

  constructor(
    deps: Deps,
    private readonly keyed: KeyedTask<Item>,
  ) {
    super(deps, keyed);
  }

  protected abstract find(look: Look): Promise<Found<Item>>;

  /** Does the items of one key. A rejection postpones the key; claims postponed meanwhile stay so. */
  protected abstract perform(key: string, items: readonly Item[], look: Look): Promise<void>;

  protected run(): Promise<number | null> {
    return this.look();
  }

  /**
   * Starts the work of each key that has something due, without waiting for it. However many rounds that takes,
   * requests are answered between them. Resolves with the time of the next look.
   */
  protected async look(options: { readonly evenPostponed?: boolean } = {}): Promise<number | null> {
    const { claims, work, keyed } = this;
    const skipped = new Set<string>();
    const look = { now: this.deps.clock.now(), keys: work.keys, skipped };
    /** Work that was in progress during the look reports its own failure. */
    const begun = new Set(this.#underWay);
    work.noteScan((key) => this.concerns(key));
    for (;;) {
      await work.below(keyed.concurrent ?? CONCURRENT);
      for (const claim of claims.waitingKeys()) skipped.add(claim);
      const { due, next = null } = await this.find(look);
      if (this.isStopping) return null;
      if (due.length === 0) {
        // What failed and is no longer due was done, or removed, by others.
        claims.keepOnly(new Set([...skipped, ...begun]));
        return this.nextRun(next, this.#underWay);
      }
      const claimed = await claims.claim(
        due.map((item) => this.#claimOf(item)),
        options.evenPostponed,
      );
      const mine = due.filter((item) => claimed.has(this.#claimOf(item)));
      const others = due.filter((item) => !claimed.has(this.#claimOf(item)));
      for (const item of mine) begun.add(this.#claimOf(item));
      for (const item of others) skipped.add(this.#claimOf(item));
      this.skip(others);
      for (const [key, items] of byKey(mine, keyed)) work.begin(key, () => this.#attempt(key, items, look));
      await setImmediate();
    }
  }

  /** Called with what is due but was not claimed: another node does it, or its pause has not passed. */
  protected skip(_items: readonly Item[]): void {
    // Found again by a later look.
  }

  /** Whether a look is about that key, which is in progress and may miss what it is about. */
  protected concerns(_key: string): boolean {
    return true;
  }

  /** Never rejects. */
  async #attempt(key: string, items: readonly Item[], look: Look): Promise<void> {
    const claims = new Set(items.map((item) => this.#claimOf(item)));
    for (const claim of claims) this.#underWay.add(claim);
    try {
      await this.perform(key, items, look);
      await this.claims.release([...claims].filter((claim) => !this.claims.isWaiting(claim)));
    } catch (error) {
      await this.postpone(key, error);
    }
    for (const claim of claims) this.#underWay.delete(claim);
  }

  #claimOf(item: Item): string {
    return this.keyed.claimOf?.(item) ?? this.keyed.keyOf(item);
  }
}

function byKey<Item>(items: readonly Item[], { keyOf }: KeyedTask<Item>): Map<string, Item[]> {
  const keys = new Map<string, Item[]>();
  for (const item of items) {
    const others = keys.get(keyOf(item));
    if (others === undefined) keys.set(keyOf(item), [item]);
    else others.push(item);
  }
  return keys;
}
