/** Approval by a rule that the program supplies; without one, every request waits for a person. */
import { InFlight, KeyedBackoff, Worker, type BackgroundService } from '../background/index.js';
import { isBlockworkError } from '../errors.js';
import type { ChangeSet, Clock, Logger, PolicyStore, Timers } from '../ports/index.js';
import { allOf, INSTANCE } from '../records/index.js';
import type { RemoteRequest } from '../records/index.js';
import { requestsIn, type CommitListener } from '../transactions/index.js';
import type { ApprovalService } from './approval-service.js';
import { isFinalFailure } from './requested-actions.js';

/** Whether the request is approved without a person. Called for each request that comes in, and again after a restart. */
export type ApprovalRule = (request: RemoteRequest) => boolean | Promise<boolean>;

export interface AutoApprovalDeps {
  readonly rule: ApprovalRule | null;
  readonly store: PolicyStore;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly approvals: Pick<ApprovalService, 'approveByRule'>;
}

const BATCH = 100;
/** Rules and approvals under way at the same time. */
const CONCURRENT = 64;
const backoff = { firstMs: 200, longestMs: 30_000 };

export class AutoApproval implements BackgroundService, CommitListener {
  /** Ids of requests that the rule has not decided yet, in the order of arrival. */
  readonly #undecided = new Set<string>();
  readonly #underWay = new Set<string>();
  readonly #decisions = new InFlight();
  readonly #failing: KeyedBackoff;
  readonly #worker: Worker;
  #hasLookedUp = false;

  constructor(private readonly deps: AutoApprovalDeps) {
    this.#failing = new KeyedBackoff(backoff, deps.clock);
    const run = (signal: AbortSignal) => this.#run(signal);
    this.#worker = new Worker({ name: 'auto-approval', backoff, keepsProcessAlive: true, run }, deps);
  }

  committed(changeSet: ChangeSet): void {
    if (this.deps.rule === null) return;
    const arrived = requestsIn(changeSet).filter(isOpenHere);
    for (const { id } of arrived) this.#undecided.add(id);
    if (arrived.length > 0) this.#worker.wake();
  }

  /** Applies the rule to all open requests, for those that came in before a crash. */
  start(): void {
    if (this.deps.rule !== null) this.#worker.start();
  }

  async idle(): Promise<void> {
    await this.#worker.idle();
    await this.#decisions.idle();
  }

  async stop(): Promise<void> {
    await this.#worker.stop();
    await this.#decisions.idle();
  }

  async #run(signal: AbortSignal): Promise<number | null> {
    if (!this.#hasLookedUp) await this.#lookUp();
    this.#hasLookedUp = true;
    for (const id of this.#undecided) {
      if (this.#underWay.has(id) || this.#failing.isWaiting(id)) continue;
      await this.#decisions.below(CONCURRENT);
      if (signal.aborted) return null;
      this.#decisions.add(this.#decide(id));
    }
    return this.#failing.nextDue(this.#underWay);
  }

  async #lookUp(): Promise<void> {
    const where = allOf({ path: 'status', op: 'eq', value: 'NEW' }, { path: 'direction', op: 'eq', value: 'incoming' });
    // All are looked up before any is approved: an approval takes its row out of what is paged through.
    for (let offset = 0, found = BATCH; found === BATCH; offset += BATCH) {
      const open = await this.deps.store.find('request', INSTANCE, { where, limit: BATCH, offset });
      for (const { id } of open) this.#undecided.add(id);
      found = open.length;
    }
  }

  async #decide(id: string): Promise<void> {
    this.#underWay.add(id);
    try {
      await this.#applyRule(id);
      this.#decided(id);
    } catch (error) {
      // Decided elsewhere, or closed as an error, which the other side has been told.
      if (isBlockworkError(error, 'REQUEST_CLOSED') || isFinalFailure(error)) this.#decided(id);
      else this.#failed(id, error);
    } finally {
      this.#underWay.delete(id);
    }
  }

  async #applyRule(id: string): Promise<void> {
    const { rule, store, approvals } = this.deps;
    const request = await store.get('request', INSTANCE, id);
    if (request !== undefined && isOpenHere(request) && (await rule?.(request))) await approvals.approveByRule(id);
  }

  #decided(id: string): void {
    this.#undecided.delete(id);
    this.#failing.succeeded(id);
  }

  #failed(messageId: string, error: unknown): void {
    const { failures, due } = this.#failing.failed(messageId);
    this.deps.logger.error('A request could not be approved by the rule; it will be retried.', {
      messageId,
      failures,
      error,
    });
    this.#worker.wakeAt(due);
  }
}

const isOpenHere = ({ status, direction }: RemoteRequest): boolean => status === 'NEW' && direction === 'incoming';
