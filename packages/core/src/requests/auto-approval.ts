/** Approval by a rule that the program supplies; without one, every request waits for a person. */
import { earliest, InFlight, nextLook, stuckWork, Worker, WorkClaims } from '../background/index.js';
import type { BackgroundService, Leases, StuckWork } from '../background/index.js';
import { isBlockworkError, type BlockworkError } from '../errors.js';
import type { ChangeSet, Clock, Inspector, Logger, PolicyStore, RecordQuery, Timers } from '../ports/index.js';
import { equalTo, allOf, INSTANCE } from '../records/index.js';
import type { RemoteRequest } from '../records/index.js';
import { requestsIn, type CommitListener } from '../transactions/index.js';
import type { ApprovalService, Arrival } from './approval-service.js';
import { isFinalFailure } from './requested-actions.js';

/**
 * Whether the request is approved without a person. Called for each request that comes in, before it is kept, and again after a restart; in a store
 * that several processes share, also by others of them as long as the request is open.
 */
export type ApprovalRule = (request: RemoteRequest) => boolean | Promise<boolean>;

export interface AutoApprovalDeps {
  readonly rule: ApprovalRule | null;
  readonly store: PolicyStore;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly inspector?: Inspector;
  readonly approvals: Pick<ApprovalService, 'approveByRule' | 'approveOnArrival'>;
  /** Absent in a process that is alone. */
  readonly leases?: Leases | null;
}

const BATCH = 100;
const LOOK_UP_ALL_MS = 60_000;
/** Rules and approvals under way at the same time, and those for one policy, which holds up no others. */
const CONCURRENT = 64;
const CONCURRENT_OF_POLICY = 8;
/** Requests that are decided before they are kept: each holds up the delivery of what came in with it. */
const ARRIVING = 48;
const backoff = { firstMs: 200, longestMs: 30_000 };

/** How a request ended before it was kept. */
export type Arrived = { readonly request: RemoteRequest } | { readonly error: BlockworkError };

export class AutoApproval implements BackgroundService, CommitListener {
  /** Requests that the rule has not decided yet, in the order of arrival: id -> policy. */
  readonly #undecided = new Map<string, string>();
  readonly #underWay = new Map<string, string>();
  /** Open requests that the rule does not approve, and those that other nodes decide; known of in a shared store only. */
  readonly #declined = new Set<string>();
  readonly #elsewhere = new Map<string, string>();
  /** Requests that are decided before they are kept, and those among them that the rule does not approve. */
  readonly #arriving = new Map<string, string>();
  readonly #declinedOnArrival = new Set<string>();
  /** What the rule is still thinking about since the request came in. */
  readonly #answers = new Map<string, Promise<boolean>>();
  readonly #decisions = new InFlight();
  readonly #claims: WorkClaims;
  readonly #worker: Worker;
  /** When all open requests are looked up next; others are found among the newest. */
  #lookUpAll = -Infinity;

  constructor(private readonly deps: AutoApprovalDeps) {
    this.#claims = new WorkClaims({ ...deps, work: 'approval', backoff, leases: deps.leases ?? null });
    const run = (signal: AbortSignal) => this.#run(signal);
    this.#worker = new Worker({ name: 'auto-approval', backoff, keepsProcessAlive: true, run }, deps);
  }

  committed(changeSet: ChangeSet): void {
    if (this.deps.rule === null) return;
    const arrived = requestsIn(changeSet).filter((request) => isOpenHere(request) && !this.#isDeclined(request));
    for (const { id, policyId } of arrived) this.#undecided.set(id, policyId);
    if (arrived.length > 0) this.#worker.wake();
  }

  /**
   * Decides about a request that comes in, so that it is kept with its end, in one unit. `take` is called with how it ended, or with `null`
   * where it is to be kept as it is: the rule does not approve it, takes its time, or is asked later.
   */
  async onArrival<T>(
    request: RemoteRequest,
    arrival: Arrival,
    take: (ended: Arrived | null) => Promise<T>,
  ): Promise<T> {
    if (!this.#mayArrive(request)) return take(null);
    this.#arriving.set(request.id, request.policyId);
    try {
      return await take(await this.#arrived(request, arrival));
    } finally {
      this.#arriving.delete(request.id);
      this.#declinedOnArrival.delete(request.id);
      if (!this.#undecided.has(request.id)) this.#answers.delete(request.id);
    }
  }

  /** Where others of the policy wait, it waits with them, and its envelope does not. */
  #mayArrive({ id, policyId }: RemoteRequest): boolean {
    if (this.deps.rule === null || this.#arriving.size >= ARRIVING) return false;
    if (this.#arriving.has(id) || this.#undecided.has(id)) return false;
    const ofPolicy = [...this.#arriving.values(), ...this.#underWay.values()].filter((each) => each === policyId);
    return ofPolicy.length < CONCURRENT_OF_POLICY;
  }

  async #arrived(request: RemoteRequest, arrival: Arrival): Promise<Arrived | null> {
    const answer = this.#ask(request);
    if (answer === false) this.#declinedOnArrival.add(request.id);
    else if (answer !== true) this.#remember(request.id, answer);
    if (answer !== true) return null;
    try {
      return { request: await this.deps.approvals.approveOnArrival(request, arrival) };
    } catch (error) {
      // Everything else may work later, or is said when it is kept.
      return isFinalFailure(error) ? { error } : null;
    }
  }

  #ask(request: RemoteRequest): boolean | Promise<boolean> {
    try {
      const answer: unknown = this.deps.rule?.(request);
      // In JavaScript, a rule may give anything.
      return isThenable(answer) ? Promise.resolve(answer).then(Boolean) : Boolean(answer);
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #remember(id: string, answer: Promise<boolean>): void {
    // It is waited for, and its failure told, when the request is kept.
    answer.catch(() => undefined);
    this.#answers.set(id, answer);
  }

  /** Whether the rule was asked when the request came in. */
  #isDeclined({ id }: RemoteRequest): boolean {
    if (!this.#declinedOnArrival.has(id)) return false;
    if (this.#claims.areShared) this.#declined.add(id);
    return true;
  }

  /** Applies the rule to all open requests, for those that came in before a crash. */
  start(): void {
    if (this.deps.rule !== null) this.#worker.start();
  }

  /** Looks for requests that other nodes have taken in or left. */
  wake(): void {
    if (this.deps.rule !== null) this.#worker.wake();
  }

  async idle(): Promise<void> {
    await this.#worker.idle();
    await this.#decisions.idle();
  }

  stuck(): StuckWork[] {
    return stuckWork('approval', [this.#worker.failure, ...this.#claims.failures()]);
  }

  async stop(): Promise<void> {
    await this.#worker.stop();
    await this.#decisions.idle();
  }

  async #run(signal: AbortSignal): Promise<number | null> {
    const { store, clock } = this.deps;
    if (store.capabilities.shared || this.#lookUpAll === -Infinity) await this.#lookUp();
    for (let next = this.#next(); next.length > 0; next = this.#next()) {
      const mine = await this.#claims.claim(next);
      for (const id of next) {
        await this.#decisions.below(CONCURRENT);
        if (signal.aborted) return null;
        const policyId = this.#undecided.get(id) ?? '';
        // What another node decides is looked up again, should that node not come to its end.
        if (mine.has(id)) this.#decisions.add(this.#decide(id, policyId));
        else if (this.#undecided.delete(id)) {
          this.#answers.delete(id);
          if (!this.#claims.isWaiting(id)) this.#elsewhere.set(id, policyId);
        }
      }
    }
    return earliest(this.#claims.nextDue(new Set(this.#underWay.keys())), nextLook(store, clock));
  }

  #next(): string[] {
    const next: string[] = [];
    const ofPolicy = new Map<string, number>();
    const count = (policyId: string): number => {
      const counted = (ofPolicy.get(policyId) ?? 0) + 1;
      ofPolicy.set(policyId, counted);
      return counted;
    };
    for (const policyId of this.#underWay.values()) count(policyId);
    for (const [id, policyId] of this.#undecided) {
      if (next.length === CONCURRENT) break;
      if (this.#underWay.has(id) || this.#claims.isWaiting(id)) continue;
      if ((ofPolicy.get(policyId) ?? 0) >= CONCURRENT_OF_POLICY) continue;
      count(policyId);
      next.push(id);
    }
    return next;
  }

  async #lookUp(): Promise<void> {
    const isFull = this.deps.clock.now() >= this.#lookUpAll;
    const open = new Map<string, string>(this.#elsewhere);
    this.#elsewhere.clear();
    // All are looked up before any is approved: an approval takes its row out of what is paged through.
    for (let offset = 0, hasMore = true; hasMore; offset += BATCH) {
      const page = await this.deps.store.find('request', INSTANCE, { ...openRequests(isFull), limit: BATCH, offset });
      const unknown = page.filter(({ id }) => !this.#declined.has(id) && !this.#undecided.has(id));
      for (const { id, policyId } of page) open.set(id, policyId);
      hasMore = page.length === BATCH && (isFull || unknown.length > 0);
    }
    if (isFull) for (const id of this.#declined) if (!open.has(id)) this.#declined.delete(id);
    for (const [id, policyId] of open) if (!this.#declined.has(id)) this.#undecided.set(id, policyId);
    if (isFull) this.#lookUpAll = this.deps.clock.now() + LOOK_UP_ALL_MS;
  }

  async #decide(id: string, policyId: string): Promise<void> {
    this.#underWay.set(id, policyId);
    const retryAt = await this.#decided(id).finally(() => this.#underWay.delete(id));
    if (retryAt !== null) this.#worker.wakeAt(retryAt);
    // Others of the policy may have waited for this one.
    else if (this.#undecided.size > this.#underWay.size) this.#worker.wake();
  }

  /** When to try again; `null` once it is decided. */
  async #decided(id: string): Promise<number | null> {
    try {
      await this.#applyRule(id);
    } catch (error) {
      // Otherwise it was decided elsewhere, or closed as an error, which the outbox reports to the other side.
      if (!isBlockworkError(error, 'REQUEST_CLOSED') && !isFinalFailure(error)) return this.#failed(id, error);
    }
    this.#undecided.delete(id);
    await this.#claims.release([id]);
    return null;
  }

  async #applyRule(id: string): Promise<void> {
    const { rule, store, approvals } = this.deps;
    const asked = this.#answers.get(id);
    this.#answers.delete(id);
    const request = await store.get('request', INSTANCE, id);
    if (request === undefined || !isOpenHere(request)) return;
    if (await (asked ?? rule?.(request))) await approvals.approveByRule(id);
    else if (this.#claims.areShared) this.#declined.add(id);
  }

  async #failed(messageId: string, error: unknown): Promise<number> {
    const { failures, due } = await this.#claims.failed(messageId, error);
    this.deps.inspector?.({ type: 'background.stuck', work: 'approval', id: messageId, failures });
    this.deps.logger.error('A request could not be approved by the rule; it will be retried.', {
      messageId,
      failures,
      error,
    });
    return due;
  }
}

const openRequests = (isFull: boolean): RecordQuery => ({
  where: allOf(equalTo('status', 'NEW'), equalTo('direction', 'incoming')),
  ...(!isFull && { order: { path: 'receivedAt', direction: 'desc' } }),
});

const isOpenHere = ({ status, direction }: RemoteRequest): boolean => status === 'NEW' && direction === 'incoming';

const isThenable = (answer: unknown): answer is PromiseLike<unknown> =>
  typeof (answer as { readonly then?: unknown } | null | undefined)?.then === 'function';
