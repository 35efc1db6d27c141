/**
 * Reads of one policy at one revision: from the cache of that revision, else from the store. Records from the store are
 * cached once they are known to belong to this revision.
 */
import { isBlockworkError } from '../../errors.js';
import type { PolicyStore, RecordQuery, StoreReader } from '../../ports/index.js';
import { cloneJson, deepFreeze, INSTANCE } from '../../records/index.js';
import type { Condition, IdentityRecord, RecordKind, RecordKinds } from '../../records/index.js';
import { revisionKeys, type RevisionKey } from '../revision-keys.js';
import type { StoredRecord } from '../undurable-changes.js';
import type { RecordReader } from '../unit-of-work.js';
import { type CachedTable, PartialTable } from './partial-table.js';
import type { RecordCaches } from './record-caches.js';
import { WholeTable } from './whole-table.js';

export interface CachedReaderDeps {
  readonly store: StoreReader & Pick<PolicyStore, 'history'>;
  readonly caches: RecordCaches;
  readonly policyId: string;
  /** The policy's revision. */
  readonly revision: number;
  /** The history that the revision belongs to. */
  readonly history: string | undefined;
  /** Revisions of other keys that were read together with it. */
  readonly revisions?: ReadonlyMap<string, number>;
  /** Whether a unit of work reads, rather than a plain read request. */
  readonly isForUnit?: boolean;
}

export class CachedReader implements RecordReader {
  readonly #deps: CachedReaderDeps;
  readonly #definitionKey: string;
  readonly #tables = new Map<RecordKind, CachedTable>();
  readonly #fetching = new Map<RecordKind, Promise<void>>();
  /** Identities that did not exist when this reader read them. */
  readonly #missingIdentities = new Set<string>();
  #definition: number | undefined;
  #hasReadStore = false;

  constructor(deps: CachedReaderDeps) {
    this.#deps = deps;
    this.#definitionKey = revisionKeys.definition.of(deps.policyId);
    this.#definition = deps.revisions?.get(this.#definitionKey);
  }

  get policyRevision(): number {
    return this.#deps.revision;
  }

  get history(): string | undefined {
    return this.#deps.history;
  }

  /** Whether everything read is known to be of this revision because it all came from the cache. */
  get isExact(): boolean {
    const { caches, policyId, revision, history } = this.#deps;
    if (this.#hasReadStore || !caches.isOf(history)) return false;
    return caches.definition(policyId, revision) === this.#definition;
  }

  /** Caches what was read; called once it is known to be of this revision. */
  confirmReads(): void {
    const { caches, policyId, revision, history } = this.#deps;
    if (!caches.isOf(history)) return;
    caches.add(policyId, revision, { definition: this.#definition, tables: this.#tables });
  }

  /** A policy's definition also changes under the policy's own key. */
  async revision(key: string): Promise<number> {
    const { caches, policyId, revision, history, revisions } = this.#deps;
    if (key !== this.#definitionKey) return revisions?.get(key) ?? this.#readStore((store) => store.revision(key));
    const cached = caches.isOf(history) ? caches.definition(policyId, revision) : undefined;
    return (this.#definition ??= cached ?? (await this.#readStore((store) => store.revision(key))));
  }

  async get<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    id: string,
  ): Promise<RecordKinds[Kind] | undefined> {
    if (partition !== this.#deps.policyId) return this.#getElsewhere(kind, partition, id);
    const record = await this.#readThrough(
      kind,
      (table) => table.get(id),
      async (store) => (await store.get(kind, partition, id)) ?? null,
      (table, answer) => table.addRecord(id, answer),
    );
    return (record ?? undefined) as RecordKinds[Kind] | undefined;
  }

  isUnwritten(kind: RecordKind, partition: string, id: string, since: number): boolean {
    const { caches, policyId, revision, history } = this.#deps;
    return partition === policyId && caches.isOf(history) && caches.isUnwritten(policyId, revision, kind, id, since);
  }

  async find<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    query: RecordQuery = {},
  ): Promise<RecordKinds[Kind][]> {
    if (partition !== this.#deps.policyId) return this.#readStore((store) => store.find(kind, partition, query));
    const records = await this.#readThrough(
      kind,
      (table) => table.find(query),
      (store) => store.find(kind, partition, query),
      (table, answer) => table.addList(cloneQuery(query), answer),
    );
    return records as RecordKinds[Kind][];
  }

  /** As `find`; cached records are returned as they are, frozen. */
  async findShared<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    query: RecordQuery = {},
  ): Promise<readonly RecordKinds[Kind][]> {
    if (partition !== this.#deps.policyId) return this.find(kind, partition, query);
    const lookUp = (table: CachedTable): readonly StoredRecord[] | undefined => table.find(query);
    const cached = await this.#cached(kind, lookUp);
    if (cached !== undefined) return cached.map(deepFreeze) as RecordKinds[Kind][];
    const answer = await this.#readStore((store) => store.find(kind, partition, query));
    const table = this.#partialTable(kind);
    table.addList(cloneQuery(query), answer);
    // A result too large to cache stays the caller's.
    return (table.find(query)?.map(deepFreeze) ?? answer) as RecordKinds[Kind][];
  }

  async count(kind: RecordKind, partition: string, where?: Condition): Promise<number> {
    if (partition !== this.#deps.policyId) return this.#readStore((store) => store.count(kind, partition, where));
    return this.#readThrough(
      kind,
      (table) => table.count(where),
      (store) => store.count(kind, partition, where),
      (table, answer) => table.addCount(cloneJson(where), answer),
    );
  }

  async #getElsewhere<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    id: string,
  ): Promise<RecordKinds[Kind] | undefined> {
    if (kind !== 'identity' || partition !== INSTANCE)
      return this.#readStore((store) => store.get(kind, partition, id));
    const { caches, history } = this.#deps;
    const identity = caches.isOf(history) ? caches.identity(id) : undefined;
    if (identity !== undefined) return cloneJson(identity) as RecordKinds[Kind];
    if (this.#missingIdentities.has(id)) return undefined;
    const record = await this.#readStore((store) => store.get(kind, partition, id));
    if (record === undefined) this.#missingIdentities.add(id);
    else if (caches.isOf(history)) caches.addIdentity(cloneJson(record) as RecordKinds['identity']);
    return record;
  }

  /** A copy of the cached answer; on a miss the store's, which is then cached. */
  async #readThrough<T>(
    kind: RecordKind,
    lookUp: (table: CachedTable) => T | undefined,
    read: (store: StoreReader) => Promise<T>,
    add: (table: PartialTable, answer: T) => void,
  ): Promise<T> {
    const cached = await this.#cached(kind, lookUp);
    if (cached !== undefined) return cloneJson(cached as never);
    const answer = await this.#readStore(read);
    add(this.#partialTable(kind), cloneJson(answer as never));
    return answer;
  }

  /**
   * The cached answer, after fetching the tables that are cached whole. `null` is an answer: the record does not exist.
   */
  async #cached<T>(kind: RecordKind, lookUp: (table: CachedTable) => T | undefined): Promise<T | undefined> {
    const cached = this.#lookUp(kind, lookUp);
    return cached === undefined && (await this.#fetchTables(kind)) ? this.#lookUp(kind, lookUp) : cached;
  }

  #lookUp<T>(kind: RecordKind, lookUp: (table: CachedTable) => T | undefined): T | undefined {
    const { caches, policyId, revision, history } = this.#deps;
    const own = this.#tables.get(kind);
    const result = own && lookUp(own);
    if (result !== undefined || !caches.isOf(history)) return result;
    const table = caches.table(policyId, revision, kind);
    return table && lookUp(table);
  }

  /** Resolves to false if the table is not to be cached whole. */
  async #fetchTables(kind: RecordKind): Promise<boolean> {
    const { caches, policyId, revision, history, isForUnit } = this.#deps;
    if (!caches.isOf(history)) return false;
    const kinds = caches.tablesToFetch(policyId, revision, kind, isForUnit);
    await Promise.all(kinds.map((each) => this.#fetchTable(each)));
    return kinds.length > 0;
  }

  #fetchTable(kind: RecordKind): Promise<void> {
    let fetching = this.#fetching.get(kind);
    if (fetching === undefined) this.#fetching.set(kind, (fetching = this.#readTable(kind)));
    return fetching;
  }

  async #readTable(kind: RecordKind): Promise<void> {
    const { caches, policyId } = this.#deps;
    try {
      const page = { limit: caches.small.records + 1, bytes: caches.small.bytes };
      const records = await this.#readStore((store) => store.find(kind, policyId, page));
      if (records.length > caches.small.records) caches.markTooLarge(policyId, kind);
      else this.#tables.set(kind, new WholeTable(records));
    } catch (error) {
      if (!isBlockworkError(error, 'PAGE_TOO_LARGE')) throw error;
      caches.markTooLarge(policyId, kind);
    }
  }

  #partialTable(kind: RecordKind): PartialTable {
    const own = this.#tables.get(kind);
    if (own instanceof PartialTable) return own;
    const table = new PartialTable(this.#deps.caches.small.bytes);
    this.#tables.set(kind, table);
    return table;
  }

  #readStore<T>(read: (store: StoreReader) => Promise<T>): Promise<T> {
    this.#hasReadStore = true;
    return read(this.#deps.store);
  }
}

/** A reader at the store's current revision, which is read together with that of the definition. */
export async function currentReader(
  deps: Pick<CachedReaderDeps, 'store' | 'caches' | 'isForUnit'> & { policyId: RevisionKey },
): Promise<CachedReader> {
  const { store, caches, policyId } = deps;
  const definitionKey = revisionKeys.definition.of(policyId);
  const history = store.history?.id;
  const [revision = 0, definition = 0] = (await store.revisions?.([policyId, definitionKey])) ?? [
    await store.revision(policyId),
    // Read afterwards: while the policy stays at its revision, this one does not move either.
    await store.revision(definitionKey),
  ];
  if (caches.isOf(history)) caches.observed(policyId, revision);
  return new CachedReader({ ...deps, revision, history, revisions: new Map([[definitionKey, definition]]) });
}

/** The cached records of a policy at one revision, for reads with changes on top of them. */
export interface CachedRecords {
  table(kind: RecordKind): CachedTable | undefined;
  definition(): number | undefined;
  identity(did: string): StoredRecord | undefined;
  /** Caches an identity as the store has it. */
  addIdentity(record: IdentityRecord): void;
  /** Whether it pays to wait until a read can fill the cache. */
  isToFill(kind: RecordKind, query: RecordQuery): boolean;
  isUnwritten(kind: RecordKind, id: string, since: number): boolean;
}

/** The cached records of a policy at the revision that `revision` returns on each call; none in another history. */
export function cachedRecords(
  caches: RecordCaches,
  policyId: string,
  history: string | undefined,
  revision: () => number | undefined,
): CachedRecords {
  const current = (): number => (caches.isOf(history) ? revision() : undefined) ?? NaN;
  return {
    table: (kind) => caches.table(policyId, current(), kind),
    definition: () => caches.definition(policyId, current()),
    identity: (did) => (caches.isOf(history) ? caches.identity(did) : undefined),
    addIdentity: (record) => {
      if (caches.isOf(history)) caches.addIdentity(record);
    },
    isToFill: (kind, query) => caches.isToFill(policyId, current(), kind, query),
    isUnwritten: (kind, id, since) => caches.isUnwritten(policyId, current(), kind, id, since),
  };
}

/** The caller may mutate the query it passed. */
const cloneQuery = (query: RecordQuery): RecordQuery => ({
  ...query,
  ...(query.where && { where: cloneJson(query.where) }),
  ...(query.order && { order: { ...query.order } }),
});
