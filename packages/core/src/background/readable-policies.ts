/**
 * All policies whose records can be read: a damaged one does not break lists of the others, and is reported until it is
 * restored.
 */
import { damagedRecordOf, type Clock, type Logger, type RecordQuery } from '../ports/index.js';
import { allOf, INSTANCE, type Condition, type RecordKinds } from '../records/index.js';
import type { Inspections } from '../telemetry/index.js';
import { cutPage, type RecordReader } from '../transactions/index.js';
import { KeyedBackoff } from './keyed-backoff.js';
import { stuckWork, type StuckWork, type StuckWorkSource } from './stuck-work.js';

type StoredPolicy = RecordKinds['policy'];
type Reader = Pick<RecordReader, 'find'>;

export interface ReadablePoliciesDeps {
  readonly store: Pick<RecordReader, 'get' | 'find' | 'findShared' | 'count'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly inspections: Inspections;
}

/** A table with more damage than this is damaged as a whole. */
const DAMAGED_AT_MOST = 100;
/** Wait before a damaged record is read again. */
const backoff = { firstMs: 1_000, longestMs: 30_000 };

export class ReadablePolicies implements StuckWorkSource {
  /** By the id of the policy. */
  readonly #damaged: KeyedBackoff;

  constructor(private readonly deps: ReadablePoliciesDeps) {
    this.#damaged = new KeyedBackoff(backoff, deps.clock);
  }

  /** In the order of insertion, unless the query says otherwise. Rejects with `STORE_UNAVAILABLE`. */
  async find(query: RecordQuery = {}): Promise<StoredPolicy[]> {
    return this.#readable(this.deps.store, query);
  }

  async #readable(store: Reader, query: RecordQuery): Promise<StoredPolicy[]> {
    await this.#lookAgain();
    const { policies, damaged } = await policiesIn(store, query, this.#damaged.keys());
    for (const [policyId, error] of damaged) this.#report(policyId, error);
    return policies;
  }

  /** All that meet the condition, read-only, and without a copy where the store keeps them in memory. Rejects as `find`. */
  async shared(where?: Condition): Promise<readonly Readonly<StoredPolicy>[]> {
    const { store } = this.deps;
    const find: Reader['find'] = async (kind, partition, query) => [
      ...(await (store.findShared?.(kind, partition, query) ?? store.find(kind, partition, query))),
    ];
    return this.#readable({ find }, where === undefined ? {} : { where });
  }

  /** As `find`, cut where the page would exceed its bytes; `total` counts all readable policies that match. */
  async page({ limit, ...query }: RecordQuery): Promise<{ items: readonly StoredPolicy[]; total: number }> {
    const [items, total] = await Promise.all([
      cutPage(limit, (size) => this.find({ ...query, ...size })),
      this.deps.store.count('policy', INSTANCE, query.where),
    ]);
    if (this.#damaged.size === 0) return { items, total };
    const readable = without(this.#damaged.keys());
    const where = query.where === undefined ? readable : allOf(readable, query.where);
    return { items, total: await this.deps.store.count('policy', INSTANCE, where) };
  }

  stuck(): StuckWork[] {
    return stuckWork('policies', this.#damaged.failures());
  }

  async #lookAgain(): Promise<void> {
    for (const id of this.#damaged.keys()) {
      if (this.#damaged.isWaiting(id)) continue;
      await this.deps.store.get('policy', INSTANCE, id).then(
        () => this.#damaged.succeeded(id),
        (error: unknown) => this.#report(id, error),
      );
    }
  }

  #report(policyId: string, error: unknown): void {
    const { failures } = this.#damaged.failed(policyId, error);
    const message = 'A policy cannot be read, and is in no list until it is restored; the others are not affected.';
    this.deps.logger.error(message, { policyId, error });
    this.deps.inspections.publish({ type: 'background.stuck', work: 'policies', id: policyId, failures });
  }
}

/** Finds readable policies, leaving out those known to be damaged and those found to be damaged now. */
export async function policiesIn(
  store: Reader,
  query: RecordQuery = {},
  damagedIds: readonly string[] = [],
): Promise<{ readonly policies: StoredPolicy[]; readonly damaged: ReadonlyMap<string, unknown> }> {
  const damaged = new Map<string, unknown>();
  for (;;) {
    const excluded = [...damagedIds, ...damaged.keys()];
    const where = excluded.length === 0 ? query.where : allOf(without(excluded), ...(query.where ? [query.where] : []));
    try {
      return { policies: await store.find('policy', INSTANCE, { ...query, ...(where && { where }) }), damaged };
    } catch (error) {
      const record = damagedRecordOf(error);
      const isFurther = record?.kind === 'policy' && !excluded.includes(record.id) && excluded.length < DAMAGED_AT_MOST;
      if (!isFurther) throw error;
      damaged.set(record.id, error);
    }
  }
}

const without = (ids: readonly string[]): Condition => ({ path: 'id', op: 'nin', value: [...ids] });
