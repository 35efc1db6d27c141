/** Expiry: closes requests whose time is up. */
import { Worker, type BackgroundService } from '../background/index.js';
import { isBlockworkError } from '../errors.js';
import type { ChangeSet, Clock, Logger, PolicyStore, Timers } from '../ports/index.js';
import { allOf, INSTANCE } from '../records/index.js';
import type { Condition, RemoteRequest } from '../records/index.js';
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
}

const BATCH = 100;
/** Between looks into the store, since other processes add requests too. */
const POLL_MS = 60_000;
const backoff = { firstMs: 1_000, longestMs: 30_000 };

export class Expiry implements BackgroundService, CommitListener {
  readonly #worker: Worker;

  constructor(private readonly deps: ExpiryDeps) {
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

  idle(): Promise<void> {
    return this.#worker.idle();
  }

  stop(): Promise<void> {
    return this.#worker.stop();
  }

  async #run(signal: AbortSignal): Promise<number> {
    const next = Math.min(await this.#closeDue('incoming', signal), await this.#closeDue('outgoing', signal));
    return Math.min(next, this.deps.clock.now() + POLL_MS);
  }

  /** Resolves with the moment when the next one of this direction is due. */
  async #closeDue(direction: RemoteRequest['direction'], signal: AbortSignal): Promise<number> {
    const { store, clock } = this.deps;
    const where = allOf(equals('status', 'NEW'), equals('direction', direction));
    const order = { path: 'expiresAt', direction: 'asc' } as const;
    for (;;) {
      const open = await store.find('request', INSTANCE, { where, order, limit: BATCH });
      const due = open.filter((request) => this.#dueAt(request) <= clock.now());
      for (const request of due) {
        if (signal.aborted) return Infinity;
        await this.#expire(request);
      }
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

const equals = (path: string, value: string): Condition => ({ path, op: 'eq', value });
