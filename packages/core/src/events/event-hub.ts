/** The event hub: the followed journals and the notifications of new entries. */
import type { Caller } from '../access/index.js';
import { BlockworkError } from '../errors.js';
import { damagedRecordOf, type ChangeSet, type Clock, type Doorbell, type PolicyStore } from '../ports/index.js';
import type { RecordQuery, Timers } from '../ports/index.js';
import { INSTANCE } from '../records/index.js';
import type { CommitListener } from '../transactions/index.js';
import { FOLLOWING_MS, FollowedJournals, followingKeysOf } from './followed-journals.js';
import { Follower } from './follower.js';
import { JournalTail, type TailDeps } from './journal-tail.js';
import type { CausedEvent, EventsQuery, PolicyEvent } from './policy-event.js';
import { subscription } from './subscription.js';

export interface EventHubDeps extends TailDeps {
  readonly store: PolicyStore;
  /** The readable policy records. */
  readonly readablePolicies: { find(query: RecordQuery): Promise<readonly { readonly id: string }[]> };
  readonly clock: Clock;
  readonly timers: Timers;
  readonly limits: EventLimits;
}

export interface EventLimits {
  /** Maximum concurrent subscriptions. */
  readonly eventSubscribers: number;
  /** Maximum policies per subscription. */
  readonly eventPolicies: number;
  /** Maximum units a subscription may lag behind in one policy. */
  readonly eventBacklog: number;
}

export class EventHub implements CommitListener {
  readonly #tails = new Map<string, JournalTail>();
  readonly #subscriptions = new Set<AbortController>();
  readonly #doorbell: Doorbell | null;
  readonly #followedElsewhere: FollowedJournals;
  #isStopped = false;
  #unsubscribe: (() => void) | null = null;
  #cancelPoll: (() => void) | null = null;

  constructor(private readonly deps: EventHubDeps) {
    const { capabilities, coordination } = deps.store;
    this.#doorbell = capabilities.shared ? (coordination?.doorbell ?? null) : null;
    this.#followedElsewhere = new FollowedJournals(deps.clock);
  }

  /** Events visible to the caller, whose permission has already been checked. Throws as `PolicyEngine.events`. */
  async *events(caller: Caller, query: EventsQuery): AsyncGenerator<PolicyEvent, void> {
    const limit = this.deps.limits.eventSubscribers;
    if (this.#subscriptions.size >= limit) throw new BlockworkError('TOO_MANY_SUBSCRIBERS', { facts: { limit } });
    const end = new AbortController();
    const abort = (): void => end.abort();
    this.#subscriptions.add(end);
    query.signal?.addEventListener('abort', abort, { once: true });
    if (this.#isStopped || query.signal?.aborted) abort();
    try {
      yield* this.#subscribed(caller, query, end.signal);
    } finally {
      query.signal?.removeEventListener('abort', abort);
      this.#subscriptions.delete(end);
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
    for (const subscription of this.#subscriptions) subscription.abort();
  }

  async *#subscribed(caller: Caller, query: EventsQuery, signal: AbortSignal): AsyncGenerator<PolicyEvent, void> {
    const { after, policyId } = query;
    const tails: JournalTail[] = [];
    try {
      for (const each of await this.#policyIds(query)) tails.push(this.#join(each, caller.did));
      this.#doorbell?.ring(...followingKeysOf(tails.map((tail) => tail.policyId)));
      await Promise.all(tails.map((tail) => tail.start()));
      const backlog = this.deps.limits.eventBacklog;
      yield* subscription({ caller, tails, isSingle: typeof policyId === 'string', after, backlog, signal });
    } finally {
      for (const tail of tails) this.#leave(tail, caller.did);
    }
  }

  async #policyIds({ policyId }: EventsQuery): Promise<string[]> {
    const { readablePolicies, policies, limits } = this.deps;
    const limit = limits.eventPolicies;
    const ids =
      policyId === undefined
        ? (await readablePolicies.find({ limit: limit + 1 })).map(({ id }) => id)
        : [...new Set([policyId].flat())];
    if (ids.length > limit) throw new BlockworkError('TOO_MANY_POLICIES', { facts: { limit } });
    const opened = await Promise.allSettled(ids.map((id) => policies.open(id)));
    return ids.filter((_, at) => {
      const outcome = opened[at];
      if (outcome?.status !== 'rejected') return true;
      // A subscription to all policies covers only the readable ones.
      if (policyId === undefined && damagedRecordOf(outcome.reason) !== null) return false;
      throw outcome.reason;
    });
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
    for (const tail of this.#tails.values()) tail.wake();
    this.#schedulePoll();
  }
}

/** Doorbell key for new entries in a policy's journal. */
const doorbellKeyOf = (policyId: string): string => `journal/${policyId}`;
