/** Expiry: closes requests whose time is up. */
import {
  nextLook,
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

  stuck(): StuckWork[] {
    return stuckWork('expiry', [this.#worker.failure, ...this.#claims.failures()]);
  }

  stop(): Promise<void> {
    return this.#worker.stop();
  }

  async #run(signal: AbortSignal): Promise<number> {
    /** What waits after a failure, or is closed by other nodes. */
    const passedOver = new Set<string>();
    const incoming = await this.#closeDue('incoming', passedOver, signal);
    const next = Math.min(incoming, await this.#closeDue('outgoing', passedOver, signal));
    this.#claims.keepOnly(passedOver);
    const { store, clock } = this.deps;
    return Math.min(next, this.#claims.nextDue() ?? Infinity, clock.now() + POLL_MS, nextLook(store, clock));
  }

  /** Resolves with the moment when the next one of this direction is due. */
  async #closeDue(
    direction: RemoteRequest['direction'],
    passedOver: Set<string>,
    signal: AbortSignal,
  ): Promise<number> {
    const { store, clock } = this.deps;
    const where = allOf(equalTo('status', 'NEW'), equalTo('direction', direction));
    const order = { path: 'expiresAt', direction: 'asc' } as const;
    for (;;) {
      const open = await store.find('request', INSTANCE, { where, order, limit: BATCH + passedOver.size });
      const isDue = (request: RemoteRequest): boolean => this.#dueAt(request) <= clock.now();
      const due = open.filter((request) => isDue(request) && !passedOver.has(request.id));
      if (signal.aborted) return Infinity;
      if (due.length === 0) {
        const next = open.find((request) => !isDue(request));
        return next === undefined ? Infinity : this.#dueAt(next);
      }
      await this.#closeAll(due, passedOver, signal);
    }
  }

  /** A failure holds up its own request, and a busy policy its own requests. */
  async #closeAll(due: readonly RemoteRequest[], passedOver: Set<string>, signal: AbortSignal): Promise<void> {
    const mine = new Set(await this.#claims.claim(due.map(({ id }) => id)));
    const closeInTurn = async (requests: readonly RemoteRequest[]): Promise<void> => {
      for (const request of requests) {
        if (signal.aborted) return;
        if (!mine.has(request.id)) passedOver.add(request.id);
        else await this.#expire(request).catch((error: unknown) => this.#fail(request, error, mine, passedOver));
      }
    };
    try {
      await Promise.all(byPolicy(due).map(closeInTurn));
    } finally {
      await this.#claims.release(mine);
    }
  }

  async #fail({ id }: RemoteRequest, error: unknown, mine: Set<string>, passedOver: Set<string>): Promise<void> {
    mine.delete(id);
    passedOver.add(id);
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
      // Decided at the last moment.
      if (!isBlockworkError(error, 'REQUEST_CLOSED')) throw error;
    }
  }

  /** Only the side that is asked knows how a request ended, so the side that asks waits longer. */
  #dueAt({ direction, expiresAt }: RemoteRequest): number {
    return Date.parse(expiresAt) + (direction === 'incoming' ? 0 : this.deps.limits.answerMs);
  }
}

function byPolicy(requests: readonly RemoteRequest[]): RemoteRequest[][] {
  const policies = new Map<string, RemoteRequest[]>();
  for (const request of requests) {
    const others = policies.get(request.policyId);
    if (others === undefined) policies.set(request.policyId, [request]);
    else others.push(request);
  }
  return [...policies.values()];
}
