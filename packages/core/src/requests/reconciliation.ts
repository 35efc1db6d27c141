/** Reconciliation: asks other instances how requests have ended if their answers may be lost. */
import { ClaimingService, earliest, nextPoll, type ServiceDeps } from '../background/index.js';
import { isoNow } from '../ports/index.js';
import type { ChangeSet, Link, PolicyStore } from '../ports/index.js';
import { allOf, INSTANCE } from '../records/index.js';
import type { Condition, RemoteRequest } from '../records/index.js';
import type { Inspections } from '../telemetry/index.js';
import { requestsIn, type CommitListener } from '../transactions/index.js';
import type { OutgoingRequests } from './outgoing-requests.js';

export interface ReconciliationDeps extends ServiceDeps {
  readonly store: PolicyStore;
  readonly link: Pick<Link, 'onLoss'>;
  readonly inspections: Inspections;
  readonly outgoing: Pick<OutgoingRequests, 'inquire'>;
}

const BATCH = 100;
/** Maximum time after its expiry that the answer to a request is on its way. */
const OVERDUE_MS = 60_000;
const task = { name: 'reconciliation', leases: 'reconciliation', backoff: { firstMs: 1_000, longestMs: 60_000 } };
const ALL = 'open requests';

const isOpen: Condition = allOf(
  { path: 'status', op: 'eq', value: 'NEW' },
  { path: 'direction', op: 'eq', value: 'outgoing' },
);
const isNotInquiredSinceExpiry: Condition = { path: 'inquiry.isOverdue', op: 'ne', value: true };

export class Reconciliation extends ClaimingService<ReconciliationDeps> implements CommitListener {
  /** When messages were lost, if that has not been dealt with yet. */
  #lostAt: string | null = null;
  #stopListening: () => void = () => undefined;

  constructor(deps: ReconciliationDeps) {
    super(deps, task);
  }

  committed(changeSet: ChangeSet): void {
    for (const request of requestsIn(changeSet)) {
      if (request.status === 'NEW' && request.direction === 'outgoing') this.worker.wakeAt(overdueAt(request));
    }
  }

  override start(): void {
    this.#stopListening = this.deps.link.onLoss((reason) => this.#onLoss(reason));
    super.start();
  }

  override stop(): Promise<void> {
    this.#stopListening();
    return super.stop();
  }

  #onLoss(reason: string): void {
    const { clock, logger, inspections } = this.deps;
    this.#lostAt = isoNow(clock);
    logger.warn('The link may have lost messages. Peers are asked how open requests have ended.', { reason });
    inspections.publish({ type: 'link.lost', reason });
    this.wake();
  }

  protected override async run(): Promise<number | null> {
    const { store, clock } = this.deps;
    if (!(await this.claims.claim([ALL])).has(ALL)) return earliest(nextPoll(store, clock));
    const lostAt = this.#lostAt;
    if (lostAt !== null) {
      await this.#inquire(isNotInquiredSince(lostAt));
      if (this.#lostAt === lostAt) this.#lostAt = null;
    }
    const overdue = new Date(clock.now() - OVERDUE_MS).toISOString();
    await this.#inquire(allOf(isNotInquiredSinceExpiry, { path: 'expiresAt', op: 'lte', value: overdue }));
    await this.claims.release([ALL]);
    return earliest(await this.#nextOverdue(), nextPoll(store, clock));
  }

  /** An inquiry changes its row so that the condition no longer matches it. */
  async #inquire(which: Condition): Promise<void> {
    const where = allOf(isOpen, which);
    for (;;) {
      const rows = await this.deps.store.find('request', INSTANCE, { where, limit: BATCH });
      for (const { id } of rows) {
        if (this.isStopping) return;
        await this.deps.outgoing.inquire(id);
      }
      if (rows.length < BATCH) return;
    }
  }

  async #nextOverdue(): Promise<number | null> {
    const order = { path: 'expiresAt', direction: 'asc' } as const;
    const where = allOf(isOpen, isNotInquiredSinceExpiry);
    const [first] = await this.deps.store.find('request', INSTANCE, { where, order, limit: 1 });
    return first === undefined ? null : overdueAt(first);
  }
}

const isNotInquiredSince = (moment: string): Condition => ({
  any: [
    { path: 'inquiry.at', op: 'eq', value: null },
    { path: 'inquiry.at', op: 'lt', value: moment },
  ],
});

const overdueAt = ({ expiresAt }: RemoteRequest): number => Date.parse(expiresAt) + OVERDUE_MS;
