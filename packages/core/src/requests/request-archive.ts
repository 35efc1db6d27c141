/** Removes requests that ended long ago, after the program has archived them. */
import { stuckWork, WorkClaims, Worker } from '../background/index.js';
import type { BackgroundService, Leases, StuckWork } from '../background/index.js';
import type { Clock, Logger, PolicyStore, Timers } from '../ports/index.js';
import { INSTANCE, requestStatus } from '../records/index.js';
import type { RemoteRequest } from '../records/index.js';
import { lanes, revisionKeys } from '../transactions/index.js';
import type { Executor } from '../transactions/index.js';

/**
 * Archives requests that are about to be removed. Called at least once for each; after a rejection they stay and are
 * passed again.
 */
export type ArchiveRequests = (requests: readonly RemoteRequest[]) => Promise<void> | void;

export interface RequestArchiveDeps {
  readonly store: PolicyStore;
  readonly executor: Executor;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  /** `closedRequestMs`: milliseconds that a closed request is kept. */
  readonly limits: { readonly closedRequestMs: number };
  readonly archive: ArchiveRequests | null;
  /** Absent in a process that is alone. */
  readonly leases?: Leases | null;
}

/** Each request may be as large as a message. */
const BATCH = 25;
const LOOK_MS = 3_600_000;
const backoff = { firstMs: 60_000, longestMs: LOOK_MS };
const WORK = 'requests';
const final = requestStatus.options.filter((status) => status !== 'NEW');

export class RequestArchive implements BackgroundService {
  readonly #claims: WorkClaims;
  readonly #worker: Worker;

  constructor(private readonly deps: RequestArchiveDeps) {
    this.#claims = new WorkClaims({ ...deps, work: 'archive', backoff, leases: deps.leases ?? null });
    const run = (signal: AbortSignal) => this.#run(signal);
    this.#worker = new Worker({ name: 'archive of requests', backoff, run }, deps);
  }

  start(): void {
    this.#worker.start();
  }

  idle(): Promise<void> {
    return this.#worker.idle();
  }

  stuck(): StuckWork[] {
    return stuckWork('archive', [this.#worker.failure]);
  }

  stop(): Promise<void> {
    return this.#worker.stop();
  }

  async #run(signal: AbortSignal): Promise<number> {
    const claimed = await this.#claims.claim([WORK]);
    try {
      if (claimed.has(WORK)) await this.#removeOld(signal);
    } finally {
      await this.#claims.release(claimed);
    }
    return this.deps.clock.now() + LOOK_MS;
  }

  /** Only after their retention: until then a message could be redelivered, and would be mistaken for a new request. */
  async #removeOld(signal: AbortSignal): Promise<void> {
    const { store, clock } = this.deps;
    const now = clock.now();
    const where = { path: 'status', op: 'in', value: final } as const;
    const order = { path: 'expiresAt', direction: 'asc' } as const;
    for (let retained = 0; !signal.aborted;) {
      const rows = await store.find('request', INSTANCE, { where, order, offset: retained, limit: BATCH });
      const expired = rows.filter(({ expiresAt }) => Date.parse(expiresAt) <= now);
      const old = expired.filter((request) => this.#isOld(request, now));
      await this.#remove(old);
      retained += expired.length - old.length;
      if (expired.length < BATCH) return;
    }
  }

  #isOld({ closed }: RemoteRequest, now: number): boolean {
    return closed !== undefined && Date.parse(closed.at) + this.deps.limits.closedRequestMs <= now;
  }

  async #remove(requests: readonly RemoteRequest[]): Promise<void> {
    const { archive, executor } = this.deps;
    if (requests.length === 0) return;
    await archive?.(requests);
    for (const { id } of requests) {
      await executor.run(lanes.request.of(id), [revisionKeys.request.of(id)], (unit) => {
        unit.delete('request', INSTANCE, id);
        return Promise.resolve();
      });
    }
  }
}
