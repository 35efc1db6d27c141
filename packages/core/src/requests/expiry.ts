/** Expiry: closes requests whose time is up. */
import { nextLook, Worker, WorkClaims, type BackgroundService, type Leases } from '../background/index.js';
import { isBlockworkError } from '../errors.js';
import type { ChangeSet, Clock, Logger, PolicyStore, Timers } from '../ports/index.js';
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
  readonly closer: Pick<RequestCloser, 'close'>;
  readonly outgoing: Pick<OutgoingRequests, 'giveUp'>;
  /** `answerMs`: milliseconds after its expiry that the answer to an outgoing request may still come. */
  readonly limits: { readonly answerMs: number };
  /** Absent in a process that is alone. */
  readonly leases?: Leases | null;
}

const BATCH = 100;
/** Between looks into the store, in case its clock was moved. */
const POLL_MS = 60_000;
const backoff = { firstMs: 1_000, longestMs: 30_000 };

export class Expiry implements BackgroundService, CommitListener {
  /** By the id of the row. */
  readonly #claims: WorkClaims;
  readonly #worker: Worker;

  constructor(private readonly deps: ExpiryDeps) {
    this.#claims = new WorkClaims({ ...deps, work: 'expiry', backoff, leases: deps.leases ?? null });
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

  /** Looks for requests that other nodes have added or left. */
  wake(): void {
    this.#worker.wake();
  }

  idle(): Promise<void> {
    return this.#worker.idle();
  }

  stop(): Promise<void> {
    return this.#worker.stop();
  }

  async #run(signal: AbortSignal): Promise<number> {
    const next = Math.min(await this.#closeDue('incoming', signal), await this.#closeDue('outgoing', signal));
    const { store, clock } = this.deps;
    return Math.min(next, clock.now() + POLL_MS, nextLook(store, clock));
  }

  /** Resolves with the moment when the next one of this direction is due. */
  async #closeDue(direction: RemoteRequest['direction'], signal: AbortSignal): Promise<number> {
    const { store, clock } = this.deps;
    const where = allOf(equalTo('status', 'NEW'), equalTo('direction', direction));
    const order = { path: 'expiresAt', direction: 'asc' } as const;
    for (;;) {
      const open = await store.find('request', INSTANCE, { where, order, limit: BATCH });
      const due = open.filter((request) => this.#dueAt(request) <= clock.now());
      const mine = await this.#claims.claim(due.map(({ id }) => id));
      try {
        for (const request of due) {
          if (signal.aborted) return Infinity;
          if (mine.has(request.id)) await this.#expire(request);
        }
      } finally {
        await this.#claims.release(mine);
      }
      // Other nodes close them all; the next look tells whether they did.
      if (due.length === BATCH && mine.size === 0) return Infinity;
      const next = open[due.length];
      if (next !== undefined) return this.#dueAt(next);
      if (open.length < BATCH) return Infinity;
    }
  }

  async #expire(request: RemoteRequest): Promise<void> {
    if (request.direction === 'outgoing') return this.deps.outgoing.giveUp(request);
    try {
      await this.deps.closer.close(request, 'EXPIRED', request.to);
    } catch (error) {
      // Decided at the last moment.
      if (!isBlockworkError(error, 'REQUEST_CLOSED')) throw error;
    }
  }

  /** Only the side that is asked knows how a request ended, so the side that asks waits longer. */
  #dueAt({ direction, expiresAt }: RemoteRequest): number {
    return Date.parse(expiresAt) + (direction === 'incoming' ? 0 : this.deps.limits.answerMs);
  }
}
