/** The event hub: the followed journals and the notifications of new entries. */
import type { Caller } from '../access/index.js';
import { BlockworkError } from '../errors.js';
import { lruCache } from '../lru-cache.js';
import type { ChangeSet, Clock, NodeNotifier, PolicyStore, NotifiedNames, Timers } from '../ports/index.js';
import { INSTANCE } from '../records/index.js';
import { type CommitListener, revisionKeys } from '../transactions/index.js';
import { Follower } from './follower.js';
import { JournalTail, type TailDeps } from './journal-tail.js';
import type { CausedEvent, EventsQuery, PolicyEvent } from './policy-event.js';
import { type SubscriberLimits, SubscriberShares } from './subscriber-shares.js';
import { subscription } from './subscription.js';

export interface EventHubDeps extends TailDeps {
  readonly store: PolicyStore;
  /** Which policies a caller sees. */
  readonly sight: { ids(caller: Caller): Promise<string[]>; open(caller: Caller, policyId: string): Promise<unknown> };
  readonly clock: Clock;
  readonly timers: Timers;
  readonly limits: EventLimits;
}

export interface EventLimits extends SubscriberLimits {
  /** Maximum policies that a subscription names. */
  readonly eventPolicies: number;
  /** Maximum units a subscription may lag behind in one policy. */
  readonly eventBacklog: number;
}

export class EventHub implements CommitListener {
  readonly #tails = new Map<string, JournalTail>();
  readonly #shares: SubscriberShares;
  readonly #notifier: NodeNotifier | null;
  readonly #followedElsewhere: FollowedJournals;
  #isStopped = false;
  #unsubscribe: (() => void) | null = null;
  #cancelPoll: (() => void) | null = null;

  constructor(private readonly deps: EventHubDeps) {
    const { capabilities, coordination } = deps.store;
    this.#notifier = capabilities.shared ? (coordination?.notifier ?? null) : null;
    this.#followedElsewhere = new FollowedJournals(deps.clock);
    this.#shares = new SubscriberShares(deps.limits);
  }

  /** Events visible to the caller, whose permission has already been checked. Throws as `PolicyEngine.events`. */
  async *events(caller: Caller, query: EventsQuery): AsyncGenerator<PolicyEvent, void> {
    const end = this.#shares.enter(caller.did);
    const abort = (): void => end.abort();
    query.signal?.addEventListener('abort', abort, { once: true });
    if (this.#isStopped || query.signal?.aborted) abort();
    try {
      yield* this.#subscribed(caller, query, end.signal);
    } finally {
      query.signal?.removeEventListener('abort', abort);
      this.#shares.leave(caller.did, end);
    }
  }

  /**
   * Everything the caller may see of one journal between a position and its current end. Throws `POLICY_UNKNOWN`,
   * `STORE_UNAVAILABLE`.
   */
  async *unread(caller: Caller, policyId: string, after: string): AsyncGenerator<CausedEvent, void> {
    await this.deps.policies.open(policyId);
    const tail = this.#join(policyId, caller.did);
    try {
      await tail.start();
      const follower = new Follower({ tail, caller, backlog: this.deps.limits.eventBacklog }, after);
      for (let event = await follower.next(); event !== null; event = await follower.next()) {
        const { position: id, traceparent } = follower;
        yield { event: event === 'gap' ? { type: 'gap', id, policyId } : { ...event, id }, traceparent };
      }
    } finally {
      this.#leave(tail, caller.did);
    }
  }

  /** The current end of a journal, where a subscription without `after` begins. */
  async end(policyId: string, did: string): Promise<string> {
    const tail = this.#join(policyId, did);
    try {
      await tail.start();
      return tail.head;
    } finally {
      this.#leave(tail, did);
    }
  }

  committed({ changes }: ChangeSet): void {
    const { shared } = this.deps.store.capabilities;
    for (const change of changes) {
      if (change.op === 'delete') {
        if (change.kind === 'policy' && change.partition === INSTANCE) this.#tails.get(change.id)?.end();
      } else if (change.kind === 'journal') {
        const tail = this.#tails.get(change.partition);
        if (shared) {
          if (this.#followedElsewhere.has(change.partition))
            this.#notifier?.notify(notificationKeyOf(change.partition));
          tail?.wake();
        } else {
          tail?.append(change.value);
        }
      }
    }
  }

  start(): void {
    this.#unsubscribe ??=
      this.#notifier?.subscribe((notified) => {
        this.#followedElsewhere.onNotified(notified);
        for (const tail of this.#tails.values()) {
          if (notified === 'all' || notified.has(notificationKeyOf(tail.policyId))) tail.wake();
        }
      }) ?? null;
  }

  /** Ends every subscription. */
  stop(): void {
    this.#unsubscribe?.();
    this.#cancelPoll?.();
    this.#isStopped = true;
    this.#shares.endAll();
  }

  async *#subscribed(caller: Caller, query: EventsQuery, signal: AbortSignal): AsyncGenerator<PolicyEvent, void> {
    const { after, policyId } = query;
    const tails: JournalTail[] = [];
    try {
      for (const each of await this.#policyIds(caller, query)) tails.push(this.#join(each, caller.did));
      this.#notifier?.notify(...followingKeysOf(tails.map((tail) => tail.policyId)));
      await Promise.all(tails.map((tail) => tail.start()));
      const { clock, limits } = this.deps;
      const to = policyId === undefined ? 'all' : typeof policyId === 'string' ? 'one' : 'named';
      yield* subscription({ caller, tails, to, after, backlog: limits.eventBacklog, clock, signal });
    } finally {
      for (const tail of tails) this.#leave(tail, caller.did);
    }
  }

  async #policyIds(caller: Caller, { policyId }: EventsQuery): Promise<string[]> {
    const { sight, limits } = this.deps;
    if (policyId === undefined) return sight.ids(caller);
    const limit = limits.eventPolicies;
    const ids = [...new Set([policyId].flat())];
    if (ids.length > limit) throw new BlockworkError('TOO_MANY_POLICIES', { facts: { limit } });
    await Promise.all(ids.map((id) => sight.open(caller, id)));
    return ids;
  }

  #join(policyId: string, did: string): JournalTail {
    let tail = this.#tails.get(policyId);
    if (tail === undefined) this.#tails.set(policyId, (tail = new JournalTail(policyId, this.deps)));
    tail.join(did);
    this.#schedulePoll();
    return tail;
  }

  #leave(tail: JournalTail, did: string): void {
    tail.leave(did);
    if (tail.isUnused && this.#tails.get(tail.policyId) === tail) this.#tails.delete(tail.policyId);
  }

  /** Polls journals in a shared store from time to time, in case a notification was lost. */
  #schedulePoll(): void {
    const { store, timers } = this.deps;
    if (!store.capabilities.shared || this.#isStopped) return;
    this.#cancelPoll ??= timers.after(FOLLOWING_MS, () => this.#poll(), 'background');
  }

  #poll(): void {
    this.#cancelPoll = null;
    if (this.#tails.size === 0) return;
    this.#notifier?.notify(...followingKeysOf([...this.#tails.keys()]));
    void this.#wakeMoved().finally(() => this.#schedulePoll());
  }

  /** With one read for many journals, where the store can do that. */
  async #wakeMoved(): Promise<void> {
    const { store } = this.deps;
    const tails = [...this.#tails.values()];
    if (store.revisions === undefined) {
      for (const tail of tails) tail.wake();
      return;
    }
    for (let at = 0; at < tails.length; at += TAILS_PER_READ) {
      const some = tails.slice(at, at + TAILS_PER_READ);
      // A failed read is repeated by the next poll.
      const revisions = await store
        .revisions(some.map(({ policyId }) => revisionKeys.policy.of(policyId)))
        .catch(() => []);
      revisions.forEach((revision, index) => some[index]?.wakeAt(revision));
    }
  }
}

/** Journals whose revisions are read together. */
const TAILS_PER_READ = 500;

/** The name that announces new entries in a policy's journal. */
const notificationKeyOf = (policyId: string): string => `journal/${policyId}`;

/** Followers announce at least this often, in milliseconds; an announcement is valid for several times as long. */
const FOLLOWING_MS = 1_000;
const ANNOUNCEMENT_MS = 3 * FOLLOWING_MS;
const JOURNALS_AT_MOST = 10_000;
const PREFIX = 'following/';
/**
 * Maximum characters of names in one notification; beyond it, the notifier would notify about everything and every node
 * would check everything.
 */
const CHARACTERS_AT_MOST = 4_000;

/**
 * The notifier keys that announce the journals followed by this node: one per journal, or `following/` if there are too
 * many.
 */
export function followingKeysOf(policyIds: readonly string[]): string[] {
  const names = policyIds.map(nameOf);
  return names.reduce((sum, { length }) => sum + length, 0) > CHARACTERS_AT_MOST ? [PREFIX] : names;
}

const nameOf = (policyId: string): string => `${PREFIX}${policyId}`;

export class FollowedJournals {
  readonly #until = lruCache<number>(JOURNALS_AT_MOST);
  /** Until this time, any journal may be followed. */
  #anyUntil = -Infinity;

  constructor(private readonly clock: Clock) {}

  /** Whether another node may be following the policy's journal. */
  has(policyId: string): boolean {
    const now = this.clock.now();
    return now < this.#anyUntil || now < (this.#until.get(nameOf(policyId)) ?? -Infinity);
  }

  /** Records the journals that another node announces. */
  onNotified(notified: NotifiedNames): void {
    const until = this.clock.now() + ANNOUNCEMENT_MS;
    if (notified === 'all' || notified.has(PREFIX)) this.#anyUntil = until;
    else for (const name of notified) if (name.startsWith(PREFIX)) this.#until.set(name, until);
  }
}
