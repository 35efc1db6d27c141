/** Expiry: closes requests that have expired. */
import { earliest, KeyedService, type Found, type Look, type ServiceDeps } from '../background/index.js';
import { isBlockworkError } from '../errors.js';
import type { ChangeSet, PolicyStore } from '../ports/index.js';
import { equalTo, allOf, INSTANCE } from '../records/index.js';
import type { RemoteRequest } from '../records/index.js';
import { requestsIn, type CommitListener } from '../transactions/index.js';
import type { OutgoingRequests, RequestCloser } from './outgoing-requests.js';

export interface ExpiryDeps extends ServiceDeps {
  readonly store: PolicyStore;
  readonly closer: Pick<RequestCloser, 'close'>;
  readonly outgoing: Pick<OutgoingRequests, 'giveUp'>;
  /** `answerMs`: how long after its expiry the answer to an outgoing request may still arrive. */
  readonly limits: { readonly answerMs: number };
}

const BATCH = 100;
/** Interval between polls of the store, in case its clock was changed. */
const POLL_MS = 60_000;
const task = {
  name: 'expiry of requests',
  leases: 'expiry',
  work: 'expiry',
  failure: {
    names: 'messageId',
    message: 'A request could not be closed though its time is up; it will be retried.',
  },
  backoff: { firstMs: 1_000, longestMs: 30_000 },
  keyOf: ({ policyId }: RemoteRequest) => policyId,
  claimOf: ({ id }: RemoteRequest) => id,
} as const;

/** A failure delays its own request, and a busy or hanging policy its own requests. */
export class Expiry extends KeyedService<ExpiryDeps, RemoteRequest> implements CommitListener {
  constructor(deps: ExpiryDeps) {
    super(deps, task);
  }

  committed(changeSet: ChangeSet): void {
    for (const request of requestsIn(changeSet)) {
      if (request.status === 'NEW') this.worker.wakeAt(this.#dueAt(request));
    }
  }

  protected override async find(look: Look): Promise<Found<RemoteRequest>> {
    const [incoming, outgoing] = [await this.#open('incoming', look), await this.#open('outgoing', look)];
    return {
      due: [...incoming.due, ...outgoing.due],
      next: earliest(incoming.next, outgoing.next, this.deps.clock.now() + POLL_MS),
    };
  }

  async #open(
    direction: RemoteRequest['direction'],
    { now, keys, skipped }: Look,
  ): Promise<Required<Found<RemoteRequest>>> {
    const order = { path: 'expiresAt', direction: 'asc' } as const;
    const busy = { path: 'policyId', op: 'nin', value: [...keys] } as const;
    const where = allOf(equalTo('status', 'NEW'), equalTo('direction', direction), busy);
    const limit = BATCH + skipped.size;
    const open = await this.deps.store.find('request', INSTANCE, { where, order, limit });
    const next = open.find((request) => this.#dueAt(request) > now);
    return {
      due: open.filter((request) => this.#dueAt(request) <= now && !skipped.has(request.id)),
      next: next === undefined ? null : this.#dueAt(next),
    };
  }

  /** One by one. */
  protected override async perform(_policyId: string, requests: readonly RemoteRequest[]): Promise<void> {
    for (const request of requests) {
      if (this.isStopping) break;
      await this.#expire(request).catch((error: unknown) => this.postpone(request.id, error));
    }
    // The policy may have more than one batch.
    this.wake();
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
