/** Expiry: closes requests that have expired. */
import {
  bothIdle,
  KeyedWork,
  nextPoll,
  stuckWork,
  Worker,
  WorkClaims,
  type BackgroundService,
  type Leases,
  type StuckWork,
} from '../background/index.js';
import { isBlockworkError } from '../errors.js';
import type { ChangeSet, Clock, Inspector, Logger, PolicyStore, Timers } from '../ports/index.js';
import { equalTo, allOf, INSTANCE } from '../records/index.js';
import type { RemoteRequest } from '../records/index.js';
import { requestsIn, type CommitListener } from '../transactions/index.js';
import type { OutgoingRequests } from './outgoing-requests.js';
import type { RequestCloser } from './request-closer.js';

export interface ExpiryDeps {
  readonly store: PolicyStore;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly inspector?: Inspector;
  readonly closer: Pick<RequestCloser, 'close'>;
  readonly outgoing: Pick<OutgoingRequests, 'giveUp'>;
  /** `answerMs`: how long after its expiry the answer to an outgoing request may still arrive. */
  readonly limits: { readonly answerMs: number };
  /** Absent in a process that is alone. */
  readonly leases?: Leases | null;
}

/** One search for expired requests. */
interface Scan {
  /** Rows that are backing off, or being closed by other nodes. */
  readonly skipped: Set<string>;
  /** Rows closed, or being closed, during the search. */
  readonly closing: Set<string>;
  readonly signal: AbortSignal;
}

const BATCH = 100;
/** Maximum number of policies whose requests are closed concurrently. */
const CONCURRENT = 100;
/** Interval between polls of the store, in case its clock was changed. */
const POLL_MS = 60_000;
const backoff = { firstMs: 1_000, longestMs: 30_000 };

export class Expiry implements BackgroundService, CommitListener {
  /** By the id of the row. */
  readonly #claims: WorkClaims;
  /** By policy: requests of a busy or hanging one delay no others. */
  readonly #work: KeyedWork;
  /** Rows being closed. */
  readonly #closing = new Set<string>();
  readonly #worker: Worker;

  constructor(private readonly deps: ExpiryDeps) {
    this.#claims = new WorkClaims({ ...deps, work: 'expiry', backoff, leases: deps.leases ?? null });
    this.#work = new KeyedWork(() => this.#worker.wake());
    const run = (signal: AbortSignal) => this.#run(signal);
    this.#worker = new Worker({ name: 'expiry of requests', backoff, run }, deps);
  }

  committed(changeSet: ChangeSet): void {
    for (const request of requestsIn(changeSet)) {
      if (request.status === 'NEW') this.#worker.wakeAt(this.#dueAt(request));
    }
  }

  start(): void {
    this.#worker.start();
  }

  /** Looks for requests that other nodes have added or left behind. */
  wake(): void {
    this.#worker.wake();
  }

  idle(): Promise<void> {
    return bothIdle(this.#worker, this.#work);
  }

  stuck(): StuckWork[] {
    return stuckWork('expiry', [this.#worker.failure, ...this.#claims.failures()]);
  }

  async stop(): Promise<void> {
    await this.#worker.stop();
    await this.#work.idle();
  }

  /** Starts the work of each policy that has expired requests, without waiting for it. */
  async #run(signal: AbortSignal): Promise<number> {
    const skipped = new Set<string>();
    const closing = new Set(this.#closing);
    this.#work.noteScan();
    const scan = { skipped, closing, signal };
    const incoming = await this.#closeDue('incoming', scan);
    const next = Math.min(incoming, await this.#closeDue('outgoing', scan));
    // Work that was in progress during the scan reports its own failure.
    this.#claims.keepOnly(new Set([...skipped, ...closing]));
    const { store, clock } = this.deps;
    return Math.min(
      next,
      this.#claims.nextDue(this.#closing) ?? Infinity,
      clock.now() + POLL_MS,
      nextPoll(store, clock),
    );
  }

  /** Resolves with the time when the next request of this direction expires. */
  async #closeDue(direction: RemoteRequest['direction'], scan: Scan): Promise<number> {
    const { store, clock } = this.deps;
    const { skipped, signal } = scan;
    const order = { path: 'expiresAt', direction: 'asc' } as const;
    for (;;) {
      await this.#work.below(CONCURRENT);
      const busy = { path: 'policyId', op: 'nin', value: [...this.#work.keys] } as const;
      const where = allOf(equalTo('status', 'NEW'), equalTo('direction', direction), busy);
      const open = await store.find('request', INSTANCE, { where, order, limit: BATCH + skipped.size });
      const isDue = (request: RemoteRequest): boolean => this.#dueAt(request) <= clock.now();
      const due = open.filter((request) => isDue(request) && !skipped.has(request.id));
      if (signal.aborted) return Infinity;
      if (due.length === 0) {
        const next = open.find((request) => !isDue(request));
        return next === undefined ? Infinity : this.#dueAt(next);
      }
      await this.#begin(due, scan);
    }
  }

  /** A failure delays its own request, and a busy policy its own requests. */
  async #begin(due: readonly RemoteRequest[], { skipped, closing, signal }: Scan): Promise<void> {
    const claimed = await this.#claims.claim(due.map(({ id }) => id));
    for (const { id } of due) (claimed.has(id) ? closing : skipped).add(id);
    const claimedRequests = due.filter(({ id }) => claimed.has(id));
    for (const [policyId, requests] of byPolicy(claimedRequests))
      this.#work.begin(policyId, () => this.#closeAll(requests, signal));
  }

  /** Closes requests of one policy, one by one. Never rejects. */
  async #closeAll(requests: readonly RemoteRequest[], signal: AbortSignal): Promise<void> {
    const ids = requests.map(({ id }) => id);
    const mine = new Set(ids);
    for (const id of ids) this.#closing.add(id);
    for (const request of requests) {
      if (signal.aborted) break;
      await this.#expire(request).catch((error: unknown) => this.#fail(request, error, mine));
    }
    await this.#claims.release(mine);
    for (const id of ids) this.#closing.delete(id);
    // The policy may have more than one batch.
    this.#worker.wake();
  }

  async #fail({ id }: RemoteRequest, error: unknown, mine: Set<string>): Promise<void> {
    mine.delete(id);
    const { failures } = await this.#claims.failed(id, error);
    const facts = { messageId: id, failures, error };
    this.deps.logger.error('A request could not be closed though its time is up; it will be retried.', facts);
    this.deps.inspector?.({ type: 'background.stuck', work: 'expiry', id, failures });
  }

  async #expire(request: RemoteRequest): Promise<void> {
    if (request.direction === 'outgoing') return this.deps.outgoing.giveUp(request);
    try {
      await this.deps.closer.close(request, 'EXPIRED', request.to);
    } catch (error) {
      // It was decided at the last moment.
      if (!isBlockworkError(error, 'REQUEST_CLOSED')) throw error;
    }
  }

  /** Only the receiving side knows how a request ended, so the asking side waits longer. */
  #dueAt({ direction, expiresAt }: RemoteRequest): number {
    return Date.parse(expiresAt) + (direction === 'incoming' ? 0 : this.deps.limits.answerMs);
  }
}

function byPolicy(requests: readonly RemoteRequest[]): ReadonlyMap<string, RemoteRequest[]> {
  const policies = new Map<string, RemoteRequest[]>();
  for (const request of requests) {
    const others = policies.get(request.policyId);
    if (others === undefined) policies.set(request.policyId, [request]);
    else others.push(request);
  }
  return policies;
}
