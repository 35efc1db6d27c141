/** Approval by a rule that the program supplies; without one, every request waits for a user. */
import { KeyedService, type Found, type Look, type ServiceDeps } from '../background/index.js';
import { isBlockworkError, type BlockworkError } from '../errors.js';
import type { ChangeSet, PolicyStore, RecordQuery } from '../ports/index.js';
import { equalTo, allOf, INSTANCE } from '../records/index.js';
import type { RemoteRequest } from '../records/index.js';
import { requestsIn, type CommitListener } from '../transactions/index.js';
import type { ApprovalService, Arrival } from './approval-service.js';
import { isFinalFailure } from './requested-actions.js';

/**
 * Whether the request is approved without a user. Called for each incoming request before it is stored, and again after
 * a restart; in a shared store also by other processes, as long as the request is open.
 */
export type ApprovalRule = (request: RemoteRequest) => boolean | Promise<boolean>;

export interface AutoApprovalDeps extends ServiceDeps {
  readonly approvalRule: ApprovalRule | null;
  readonly store: PolicyStore;
  readonly approvals: Pick<ApprovalService, 'approveByRule' | 'approveOnArrival'>;
}

const BATCH = 100;
const LOOK_UP_ALL_MS = 60_000;
/**
 * Maximum number of rules and approvals running concurrently, and of those for one policy, so that it does not block
 * others.
 */
const CONCURRENT = 64;
const CONCURRENT_OF_POLICY = 8;
/** Maximum number of requests decided before they are stored: each delays the delivery of its envelope. */
const ARRIVING = 48;
const task = {
  name: 'auto-approval',
  leases: 'approval',
  work: 'approval',
  failure: { names: 'messageId', message: 'A request could not be approved by the rule; it will be retried.' },
  backoff: { firstMs: 200, longestMs: 30_000 },
  keepsProcessAlive: true,
  keyOf: String,
  concurrent: CONCURRENT,
} as const;

/** The outcome of a request decided before it was stored. */
export type ArrivalOutcome = { readonly request: RemoteRequest } | { readonly error: BlockworkError };

export class AutoApproval extends KeyedService<AutoApprovalDeps, string> implements CommitListener {
  /** Requests that the rule has not decided yet, in order of arrival: id -> policy. */
  readonly #undecided = new Map<string, string>();
  /**
   * Open requests that the rule does not approve, and those that other nodes decide; tracked in a shared store only.
   */
  readonly #declined = new Set<string>();
  readonly #decidedElsewhere = new Map<string, string>();
  /** Requests being decided before they are stored, and those among them that the rule does not approve. */
  readonly #arriving = new Map<string, string>();
  readonly #declinedOnArrival = new Set<string>();
  /** Pending answers of the rule from when the request arrived. */
  readonly #answers = new Map<string, Promise<boolean>>();
  /** When all open requests are next looked up; otherwise only the newest are. */
  #lookUpAll = -Infinity;

  constructor(deps: AutoApprovalDeps) {
    super(deps, task);
  }

  committed(changeSet: ChangeSet): void {
    if (this.deps.approvalRule === null) return;
    const arrived = requestsIn(changeSet).filter((request) => isOpenHere(request) && !this.#isDeclined(request));
    for (const { id, policyId } of arrived) this.#undecided.set(id, policyId);
    if (arrived.length > 0) this.wake();
  }

  /**
   * Decides about an incoming request, so that it is stored together with its outcome, in one unit. `take` is called
   * with the outcome, or with `null` if the request is to be stored undecided: the rule does not approve it, takes
   * long, or is asked later.
   */
  async onArrival<T>(
    request: RemoteRequest,
    arrival: Arrival,
    take: (ended: ArrivalOutcome | null) => Promise<T>,
  ): Promise<T> {
    if (!this.#mayDecideOnArrival(request)) return take(null);
    this.#arriving.set(request.id, request.policyId);
    try {
      return await take(await this.#decideOnArrival(request, arrival));
    } finally {
      this.#arriving.delete(request.id);
      this.#declinedOnArrival.delete(request.id);
      if (!this.#undecided.has(request.id)) this.#answers.delete(request.id);
    }
  }

  /** If others of its policy wait, it waits with them rather than delaying its envelope. */
  #mayDecideOnArrival({ id, policyId }: RemoteRequest): boolean {
    if (this.deps.approvalRule === null || this.#arriving.size >= ARRIVING) return false;
    if (this.#arriving.has(id) || this.#undecided.has(id)) return false;
    const ofPolicy = [...this.#arriving.values(), ...this.#policiesUnderWay()].filter((each) => each === policyId);
    return ofPolicy.length < CONCURRENT_OF_POLICY;
  }

  async #decideOnArrival(request: RemoteRequest, arrival: Arrival): Promise<ArrivalOutcome | null> {
    const answer = this.#askRule(request);
    if (answer === false) this.#declinedOnArrival.add(request.id);
    else if (answer !== true) this.#remember(request.id, answer);
    if (answer !== true) return null;
    try {
      return { request: await this.deps.approvals.approveOnArrival(request, arrival) };
    } catch (error) {
      // Other failures may be temporary, or are reported when the request is stored.
      return isFinalFailure(error) ? { error } : null;
    }
  }

  #askRule(request: RemoteRequest): boolean | Promise<boolean> {
    try {
      const answer: unknown = this.deps.approvalRule?.(request);
      // A rule written in JavaScript may return anything.
      return isThenable(answer) ? Promise.resolve(answer).then(Boolean) : Boolean(answer);
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #remember(id: string, answer: Promise<boolean>): void {
    // Awaited, and its failure reported, once the request is stored.
    answer.catch(() => undefined);
    this.#answers.set(id, answer);
  }

  /** Whether the rule declined the request on arrival. */
  #isDeclined({ id }: RemoteRequest): boolean {
    if (!this.#declinedOnArrival.has(id)) return false;
    if (this.claims.areShared) this.#declined.add(id);
    return true;
  }

  /** Applies the rule to all open requests, for those that arrived before a crash. */
  override start(): void {
    if (this.deps.approvalRule !== null) super.start();
  }

  override wake(): void {
    if (this.deps.approvalRule !== null) super.wake();
  }

  protected override async run(): Promise<number | null> {
    if (this.deps.store.capabilities.shared || this.#lookUpAll === -Infinity) await this.#lookUp();
    return this.look();
  }

  protected override find({ keys, skipped }: Look): Promise<Found<string>> {
    const due: string[] = [];
    const ofPolicy = new Map<string, number>();
    const count = (policyId: string) => ofPolicy.set(policyId, (ofPolicy.get(policyId) ?? 0) + 1);
    for (const policyId of this.#policiesUnderWay()) count(policyId);
    for (const [id, policyId] of this.#undecided) {
      if (due.length + keys.size >= CONCURRENT) break;
      if (keys.has(id) || skipped.has(id)) continue;
      if ((ofPolicy.get(policyId) ?? 0) >= CONCURRENT_OF_POLICY) continue;
      count(policyId);
      due.push(id);
    }
    return Promise.resolve({ due });
  }

  /** Requests that another node decides are looked up again, in case that node fails. */
  protected override skip(ids: readonly string[]): void {
    for (const id of ids) {
      const policyId = this.#undecided.get(id);
      if (policyId === undefined) continue;
      this.#undecided.delete(id);
      this.#answers.delete(id);
      if (!this.claims.isWaiting(id)) this.#decidedElsewhere.set(id, policyId);
    }
  }

  /** Each tells when it has ended. */
  protected override concerns(): boolean {
    return false;
  }

  #policiesUnderWay(): string[] {
    return [...this.work.keys].map((id) => this.#undecided.get(id) ?? '');
  }

  async #lookUp(): Promise<void> {
    const isFull = this.deps.clock.now() >= this.#lookUpAll;
    const open = new Map<string, string>(this.#decidedElsewhere);
    this.#decidedElsewhere.clear();
    // All are looked up before any is approved: an approval removes its row from the pages.
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

  protected override async perform(id: string): Promise<void> {
    try {
      await this.#applyRule(id);
    } catch (error) {
      // Otherwise it was decided elsewhere, or closed as an error, which the outbox reports to the other side.
      if (!isBlockworkError(error, 'REQUEST_CLOSED') && !isFinalFailure(error)) throw error;
    }
    this.#undecided.delete(id);
    // Others of the policy may have been waiting for this one, which is still in progress.
    if (this.#undecided.size >= this.work.keys.size) this.wake();
  }

  async #applyRule(id: string): Promise<void> {
    const { approvalRule: rule, store, approvals } = this.deps;
    const pendingAnswer = this.#answers.get(id);
    this.#answers.delete(id);
    const request = await store.get('request', INSTANCE, id);
    if (request === undefined || !isOpenHere(request)) return;
    if (await (pendingAnswer ?? rule?.(request))) await approvals.approveByRule(id);
    else if (this.claims.areShared) this.#declined.add(id);
  }
}

const openRequests = (isFull: boolean): RecordQuery => ({
  where: allOf(equalTo('status', 'NEW'), equalTo('direction', 'incoming')),
  ...(!isFull && { order: { path: 'receivedAt', direction: 'desc' } }),
});

const isOpenHere = ({ status, direction }: RemoteRequest): boolean => status === 'NEW' && direction === 'incoming';

const isThenable = (answer: unknown): answer is PromiseLike<unknown> =>
  typeof (answer as { readonly then?: unknown } | null | undefined)?.then === 'function';
