/**
 * Reads of a unit of work that runs on top of units that are not durable yet: exactly what the store will show once
 * they are. If an answer cannot be determined in advance, it waits until they are.
 */
import type { PolicyStore, RecordQuery } from '../ports/index.js';
import { cloneJson, compareAt, everything, INSTANCE, matches } from '../records/index.js';
import type { Condition, IdentityRecord, RecordKind, RecordKinds } from '../records/index.js';
import type { CachedReader, CachedRecords } from './cache/cached-reader.js';
import type { CachedTable } from './cache/partial-table.js';
import { revisionKeys, type RevisionKey } from './revision-keys.js';
import type { ChangedRecord, StoredRecord, UndurableChanges } from './undurable-changes.js';
import type { RecordReader } from './unit-of-work.js';

export interface LayeredReaderDeps {
  readonly store: PolicyStore;
  readonly changes: UndurableChanges;
  /** Every undurable unit moves this key, so while it is unchanged none of them has become visible. */
  readonly key: RevisionKey;
  /** Its revision below the changes. */
  readonly durableRevision: () => number;
  /** Throws `CONFLICT` once a unit below this one has failed. */
  readonly assertCurrent: () => void;
  /** Resolves when everything below the unit is durable; rejects with `CONFLICT` when it has failed. */
  readonly durable: () => Promise<void>;
  /** Records that are added to units when these are written: what is below the unit may lack them until then. */
  readonly completedKinds?: ReadonlySet<RecordKind>;
  /** Absent if nothing is cached. */
  readonly cached?: CacheBelow;
}

/** The cached records below the changes, at this moment. */
interface CacheBelow extends CachedRecords {
  /** What reads and fills the cache once everything below the unit is durable. */
  reader(): CachedReader;
}

/** With more changed records in a table, waiting is cheaper than comparing them with the store. */
const COMPARED_AT_MOST = 64;
/** How often a read is retried because units became durable meanwhile. */
const ATTEMPTS = 3;

/** A changed record that belongs to the result now, or did in the store. */
interface LayeredChange {
  readonly id: string;
  /** In the store. */
  readonly before: StoredRecord | undefined;
  /** The current version; `null` if it no longer belongs to the result. */
  readonly after: StoredRecord | null;
  /** Whether only the store can determine its place. */
  readonly isMoved: boolean;
}

export class LayeredReader implements RecordReader {
  /** What reads on, once everything below the unit is durable. */
  #settled: CachedReader | null = null;

  constructor(private readonly deps: LayeredReaderDeps) {}

  /** Caches what was read through the cache; called once it is known to be of the unit's revision. */
  confirmReads(): void {
    this.#settled?.confirmReads();
  }

  async revision(key: string): Promise<number> {
    this.deps.assertCurrent();
    const isDefinition = key === revisionKeys.definition.of(this.deps.key);
    return (isDefinition ? this.deps.cached?.definition() : undefined) ?? this.deps.store.revision(key);
  }

  async get<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    id: string,
  ): Promise<RecordKinds[Kind] | undefined> {
    this.deps.assertCurrent();
    if (this.deps.completedKinds?.has(kind) === true) return (await this.#written()).get(kind, partition, id);
    const changed = this.deps.changes.get(kind, partition, id);
    const record = changed === undefined ? this.#cached(kind, partition, id) : changed;
    if (record === undefined) {
      await this.#settle(kind, partition);
      const stored = await this.#below.get(kind, partition, id);
      if (kind === 'identity' && partition === INSTANCE && stored !== undefined) {
        this.deps.cached?.addIdentity(cloneJson(stored) as IdentityRecord);
      }
      return stored;
    }
    return record === null ? undefined : (cloneJson(record) as RecordKinds[Kind]);
  }

  isUnwritten(kind: RecordKind, partition: string, id: string, since: number): boolean {
    const { changes, key, cached } = this.deps;
    if (partition !== key || changes.get(kind, partition, id) !== undefined) return false;
    return cached?.isUnwritten(kind, id, since) === true;
  }

  lastCreated(kind: RecordKind, partition: string): string | undefined {
    return this.deps.changes.lastCreatedIn(kind, partition);
  }

  async find<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    query: RecordQuery = {},
  ): Promise<RecordKinds[Kind][]> {
    this.deps.assertCurrent();
    if (this.deps.completedKinds?.has(kind) === true) return (await this.#written()).find(kind, partition, query);
    const changed = this.deps.changes.changedIn(kind, partition);
    const cached = this.#table(kind, partition)?.find(query, changed);
    if (cached !== undefined) return cached.map(cloneJson) as RecordKinds[Kind][];
    await this.#settle(kind, partition, query);
    if (this.#settled !== null) return this.#settled.find(kind, partition, query);
    const direct = (): Promise<RecordKinds[Kind][]> => this.deps.store.find(kind, partition, query);
    return this.#overlay(kind, partition, query, direct, async (layer) => {
      if (layer.some(({ isMoved }) => isMoved)) return undefined;
      const isAppendOnly = query.order === undefined && layer.every(({ before }) => before === undefined);
      if (isAppendOnly) return this.#appendedPage(kind, partition, query, layer);
      const { offset = 0, limit = Infinity } = query;
      // Those that the store does not have take no place in its answer.
      const listed = layer.filter(({ before }) => before !== undefined).length;
      const more = limit === Infinity ? {} : { limit: offset + limit + listed };
      const stored = await this.deps.store.find(kind, partition, { ...query, offset: 0, ...more });
      const list = applyLayer(stored, layer, query.order).slice(offset, offset + limit);
      return list.map(cloneJson) as RecordKinds[Kind][];
    });
  }

  /** A page of the store's result and, after its end, of the added records: the rows before the page are not read. */
  async #appendedPage<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    query: RecordQuery,
    layer: readonly LayeredChange[],
  ): Promise<RecordKinds[Kind][]> {
    const { offset = 0, limit = Infinity, where } = query;
    const stored = await this.deps.store.find(kind, partition, query);
    const room = limit - stored.length;
    if (layer.length === 0) return stored;
    const isEndKnown = stored.length > 0 || offset === 0;
    const end = isEndKnown ? offset + stored.length : await this.deps.store.count(kind, partition, where);
    const first = Math.max(0, offset - end);
    const added = layer.slice(first, first + room).map(({ after }) => cloneJson(after));
    return [...stored, ...(added as RecordKinds[Kind][])];
  }

  async count(kind: RecordKind, partition: string, where: Condition = everything): Promise<number> {
    this.deps.assertCurrent();
    if (this.deps.completedKinds?.has(kind) === true) return (await this.#written()).count(kind, partition, where);
    const changed = this.deps.changes.changedIn(kind, partition);
    const cached = this.#table(kind, partition)?.count(where, changed);
    if (cached !== undefined) return cached;
    await this.#settle(kind, partition);
    if (this.#settled !== null) return this.#settled.count(kind, partition, where);
    const direct = (): Promise<number> => this.deps.store.count(kind, partition, where);
    return this.#overlay(kind, partition, { where }, direct, async (layer) => {
      const removed = layer.filter(({ before }) => before !== undefined && matches(before, where)).length;
      const added = layer.filter(({ after }) => after !== null).length;
      return (await direct()) - removed + added;
    });
  }

  /** When a commit becomes durable, the cache and the changes above it move together. */
  #table(kind: RecordKind, partition: string): CachedTable | undefined {
    return partition === this.deps.key ? this.deps.cached?.table(kind) : undefined;
  }

  #cached(kind: RecordKind, partition: string, id: string): StoredRecord | null | undefined {
    if (kind === 'identity' && partition === INSTANCE) return this.deps.cached?.identity(id);
    return this.#table(kind, partition)?.get(id);
  }

  /** What is below the unit, once that is durable. */
  async #written(): Promise<RecordReader> {
    await this.deps.durable();
    return this.#below;
  }

  get #below(): RecordReader {
    return this.#settled ?? this.deps.store;
  }

  /** If it pays, waits until everything below the unit is durable: from then on, all reads go through the cache. */
  async #settle(kind: RecordKind, partition: string, query: RecordQuery = {}): Promise<void> {
    const { key, cached, durable } = this.deps;
    if (this.#settled !== null || partition !== key || cached?.isToFill(kind, query) !== true) return;
    await durable();
    this.#settled ??= cached.reader();
  }

  /**
   * The store's answer with the changes applied. If `merge` returns `undefined`, or the store keeps moving, the store's
   * answer once everything is durable.
   */
  async #overlay<T>(
    kind: RecordKind,
    partition: string,
    query: RecordQuery,
    direct: () => Promise<T>,
    merge: (layer: readonly LayeredChange[]) => Promise<T | undefined>,
  ): Promise<T> {
    const { store, key, assertCurrent, durable, durableRevision } = this.deps;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      assertCurrent();
      const changed = this.deps.changes.changedIn(kind, partition);
      if (changed.every((each) => this.#isIrrelevant(kind, partition, each, query.where))) return direct();
      const revision = await store.revision(key);
      const layer = await this.#layer(kind, partition, query, revision === durableRevision());
      const answer = layer === undefined ? undefined : await merge(layer);
      if (answer === undefined) break;
      if ((await store.revision(key)) === revision) return answer;
    }
    await durable();
    return direct();
  }

  /** Whether the record is known not to meet the condition in any version that the store may show. */
  #isIrrelevant(
    kind: RecordKind,
    partition: string,
    { id, versions, isCreated }: ChangedRecord,
    where: Condition = everything,
  ): boolean {
    const before = isCreated ? null : this.#cached(kind, partition, id);
    return before !== undefined && [before, ...versions].every((each) => each === null || !matches(each, where));
  }

  /** `undefined` if too many records have changed. `isBehind`: whether the store shows none of the changes. */
  async #layer(
    kind: RecordKind,
    partition: string,
    { where = everything, order }: RecordQuery,
    isBehind: boolean,
  ): Promise<LayeredChange[] | undefined> {
    const changed = this.deps.changes.changedIn(kind, partition);
    const isNew = ({ isCreated }: ChangedRecord): boolean => isCreated && isBehind;
    if (changed.filter((each) => !isNew(each)).length > COMPARED_AT_MOST) return undefined;
    const stored = await Promise.all(
      changed.map(async (each) => (isNew(each) ? undefined : this.deps.store.get(kind, partition, each.id))),
    );
    return changed.flatMap<LayeredChange>(({ id, value, isRenewed }, at) => {
      const before = stored[at];
      const after = value !== null && matches(value, where) ? value : null;
      const wasListed = before !== undefined && matches(before, where);
      if (after === null) return wasListed ? [{ id, before, after, isMoved: false }] : [];
      const isInPlace = wasListed && (order === undefined || compareAt(before, after, order.path) === 0);
      return [{ id, before, after, isMoved: isRenewed || (before !== undefined && !isInPlace) }];
    });
  }
}

/** Added records come after those in the store, in the order they were added. */
function applyLayer(
  stored: readonly StoredRecord[],
  layer: readonly LayeredChange[],
  order: RecordQuery['order'],
): readonly StoredRecord[] {
  const changed = new Map(layer.map(({ id, after }) => [id, after]));
  const remaining = stored.flatMap((record) => (changed.has(record.id) ? (changed.get(record.id) ?? []) : record));
  const added = layer.flatMap(({ before, after }) => (before === undefined && after !== null ? after : []));
  if (order === undefined || added.length === 0) return [...remaining, ...added];
  const ascending = [...(order.direction === 'desc' ? remaining.reverse() : remaining), ...added];
  ascending.sort((a, b) => compareAt(a, b, order.path));
  return order.direction === 'desc' ? ascending.reverse() : ascending;
}
