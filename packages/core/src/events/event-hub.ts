/** The event hub: the followed journals and the notifications of new entries. */
import type { Caller } from '../access/index.js';
import { BlockworkError } from '../errors.js';
import type { ChangeSet, Clock, Doorbell, PolicyStore } from '../ports/index.js';
import type { Timers } from '../ports/index.js';
import { INSTANCE } from '../records/index.js';
import { revisionKeys, type CommitListener } from '../transactions/index.js';
import { FOLLOWING_MS, FollowedJournals, followingKeysOf } from './followed-journals.js';
import { Follower } from './follower.js';
import { JournalTail, type TailDeps } from './journal-tail.js';
import type { CausedEvent, EventsQuery, PolicyEvent } from './policy-event.js';
import { SubscriberShares, type SubscriberLimits } from './subscriber-shares.js';
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
  readonly #doorbell: Doorbell | null;
  readonly #followedElsewhere: FollowedJournals;
  #isStopped = false;
  #unsubscribe: (() => void) | null = null;
  #cancelPoll: (() => void) | null = null;

  constructor(private readonly deps: EventHubDeps) {
    const { capabilities, coordination } = deps.store;
    this.#doorbell = capabilities.shared ? (coordination?.doorbell ?? null) : null;
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
          if (this.#followedElsewhere.has(change.partition)) this.#doorbell?.ring(doorbellKeyOf(change.partition));
          tail?.wake();
        } else {
          tail?.append(change.value);
        }
      }
    }
  }

  start(): void {
    this.#unsubscribe ??=
      this.#doorbell?.subscribe((rung) => {
        this.#followedElsewhere.onRing(rung);
        for (const tail of this.#tails.values()) {
          if (rung === 'all' || rung.has(doorbellKeyOf(tail.policyId))) tail.wake();
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
      this.#doorbell?.ring(...followingKeysOf(tails.map((tail) => tail.policyId)));
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

  /** Polls journals in a shared store from time to time, in case a doorbell notification was lost. */
  #schedulePoll(): void {
    const { store, timers } = this.deps;
    if (!store.capabilities.shared || this.#isStopped) return;
    this.#cancelPoll ??= timers.after(FOLLOWING_MS, () => this.#poll(), 'background');
  }

  #poll(): void {
    this.#cancelPoll = null;
    if (this.#tails.size === 0) return;
    this.#doorbell?.ring(...followingKeysOf([...this.#tails.keys()]));
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

/** Doorbell key for new entries in a policy's journal. */
const doorbellKeyOf = (policyId: string): string => `journal/${policyId}`;
