/** Removes requests that ended long ago, after the program has archived them. */
import { ClaimingService, type ServiceDeps } from '../background/index.js';
import type { PolicyStore } from '../ports/index.js';
import { INSTANCE, requestStatus } from '../records/index.js';
import type { RemoteRequest } from '../records/index.js';
import { lanes, revisionKeys } from '../transactions/index.js';
import type { Executor } from '../transactions/index.js';

/**
 * Archives requests that are about to be removed. Called at least once for each; after a rejection they stay and are
 * passed again.
 */
export type ArchiveRequests = (requests: readonly RemoteRequest[]) => Promise<void> | void;

export interface RequestArchiveDeps extends ServiceDeps {
  readonly store: PolicyStore;
  readonly executor: Executor;
  /** `closedRequestMs`: milliseconds that a closed request is kept. */
  readonly limits: { readonly closedRequestMs: number };
  readonly archiveRequests: ArchiveRequests | null;
}

/** Each request may be as large as a message. */
const BATCH = 25;
const LOOK_MS = 3_600_000;
const task = {
  name: 'archive of requests',
  leases: 'archive',
  work: 'archive',
  backoff: { firstMs: 60_000, longestMs: LOOK_MS },
} as const;
const WORK = 'requests';
const final = requestStatus.options.filter((status) => status !== 'NEW');

export class RequestArchive extends ClaimingService<RequestArchiveDeps> {
  constructor(deps: RequestArchiveDeps) {
    super(deps, task);
  }

  protected override async run(): Promise<number> {
    const claimed = await this.claims.claim([WORK]);
    try {
      if (claimed.has(WORK)) await this.#removeOld();
    } finally {
      await this.claims.release(claimed);
    }
    return this.deps.clock.now() + LOOK_MS;
  }

  /** Only after their retention: until then a message could be redelivered, and would be mistaken for a new request. */
  async #removeOld(): Promise<void> {
    const { store, clock } = this.deps;
    const now = clock.now();
    const where = { path: 'status', op: 'in', value: final } as const;
    const order = { path: 'expiresAt', direction: 'asc' } as const;
    for (let retained = 0; !this.isStopping;) {
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
    const { archiveRequests, executor } = this.deps;
    if (requests.length === 0) return;
    await archiveRequests?.(requests);
    for (const { id } of requests) {
      await executor.run(lanes.request.of(id), [revisionKeys.request.of(id)], (unit) => {
        unit.delete('request', INSTANCE, id);
        return Promise.resolve();
      });
    }
  }
}
