/**
 * Records of policies that a process caches although other processes may change them: each policy at the last revision
 * this process knows. Whether that is still current is decided by a unit's commit, or checked before a read.
 */
import { LRUCache } from 'lru-cache';
import { lruCache } from '../../lru-cache.js';
import type { Change, ChangeSet, RecordQuery, StoreHistory } from '../../ports/index.js';
import type { IdentityRecord, RecordKind } from '../../records/index.js';
import type { RevisionKey } from '../revision-keys.js';
import { type CachedTable, idOf, PartialTable } from './partial-table.js';
import { WholeTable } from './whole-table.js';

export interface RecordCacheLimits {
  /** Total size of cached records as JSON, in bytes. */
  readonly keptRecordBytes: number;
}

/** Larger tables are not cached whole. */
export interface TableSize {
  readonly records: number;
  readonly bytes: number;
}

const SMALL: TableSize = { records: 1000, bytes: 1024 * 1024 };
const IDENTITIES_AT_MOST = 10_000;
/** Overhead of a policy with empty tables. */
const POLICY_BYTES = 1000;

/** Read by nearly every request to a policy: fetched together, with the first table that is read. */
const readByMost: readonly RecordKind[] = ['membership', 'block-state', 'document', 'completion'];
/** Read one after another by a send that needs one of them: fetched together, to wait for the store only once. */
const readTogether: readonly (readonly RecordKind[])[] = [
  ['token', 'ledger-token', 'ledger-relation'],
  ['ledger-topic', 'ledger-message', 'document-usage'],
];
/** Read by some units: fetched with the first table that a unit misses, so that later ones cost no round trip. */
const readByUnits: readonly RecordKind[] = [
  ...readTogether.flat(),
  ...(['trial', 'schema', 'document-state', 'block-entry', 'invitation', 'journal-tree'] as const),
];

interface CachedPolicy {
  revision: number;
  /** Whether no other process has written since the last check: a unit then begins without a round trip. */
  isSoleWriter: boolean;
  /** Commits of this process in progress. */
  writes: number;
  /** The revision of the policy's definition. */
  definition: number | undefined;
  /**
   * Whether tables were prefetched for its units: once only, since other writers would make further prefetches useless.
   */
  isPrefetched: boolean;
  readonly tables: Map<RecordKind, CachedTable>;
  readonly large: Set<RecordKind>;
  /** Receipts of sends: too many to cache, and nearly every lookup is for a new one. */
  readonly receipts: RecentWrites;
}

/** What a reader has read, all of it known to be of one revision. */
export interface ReadRecords {
  readonly definition: number | undefined;
  readonly tables: ReadonlyMap<RecordKind, CachedTable>;
}

export class RecordCaches {
  readonly #policies: LRUCache<string, CachedPolicy>;
  /** Identities only gain keys, so a cached one stays valid. */
  readonly #identities = lruCache<IdentityRecord>(IDENTITIES_AT_MOST);
  /** The history that everything cached belongs to. */
  #history: string | undefined;

  constructor(
    { keptRecordBytes }: RecordCacheLimits,
    readonly small: TableSize = SMALL,
    private readonly history?: StoreHistory,
  ) {
    this.#history = history?.id;
    this.#policies = new LRUCache({ maxSize: keptRecordBytes, sizeCalculation: bytesOf });
  }

  /**
   * Whether this is the store's present history, the only one of which anything is cached. Called before each other
   * method with the history that its arguments belong to.
   */
  isOf(history: string | undefined): boolean {
    this.#dropOtherHistory();
    return history === this.#history;
  }

  /**
   * The revision that a unit may begin with without a round trip; `undefined` if another process may have written.
   */
  presumedRevision(key: RevisionKey): number | undefined {
    this.#dropOtherHistory();
    const policy = this.#policies.get(key);
    return policy?.isSoleWriter === true ? policy.revision : undefined;
  }

  /** Records that the store reported this revision for the policy. */
  observed(key: RevisionKey, revision: number): void {
    const policy = this.#policies.get(key);
    if (policy === undefined) {
      this.#policies.set(key, emptyPolicy(revision));
    } else if (policy.revision === revision) {
      policy.isSoleWriter = true;
    } else if (revision > policy.revision && policy.writes === 0) {
      this.#reset(key, policy, revision);
      policy.isSoleWriter = false;
    }
  }

  /** The table at this revision; `undefined` if it is not cached. */
  table(key: string, revision: number, kind: RecordKind): CachedTable | undefined {
    return this.#at(key, revision)?.tables.get(kind);
  }

  /** The revision of the policy's definition at this revision. */
  definition(key: string, revision: number): number | undefined {
    return this.#at(key, revision)?.definition;
  }

  /** Whether, at this revision, the record is known not to have been written from revision `since` on. */
  isUnwritten(key: string, revision: number, kind: RecordKind, id: string, since: number): boolean {
    return since <= revision && this.#at(key, revision)?.receipts.isUnwritten(kind, id, since) === true;
  }

  /**
   * The tables to fetch whole when one of a kind is read; none while other processes write, since they would soon be
   * stale.
   */
  tablesToFetch(key: string, revision: number, kind: RecordKind, isForUnit = false): RecordKind[] {
    const policy = this.#at(key, revision);
    if (policy?.isSoleWriter !== true || policy.large.has(kind)) return [];
    const others = readTogether.find((kinds) => kinds.includes(kind)) ?? [];
    const first = policy.tables.size === 0 ? readByMost : [];
    const isMissing = (each: RecordKind): boolean =>
      !policy.large.has(each) && !(policy.tables.get(each) instanceof WholeTable);
    const prefetched = isForUnit && !policy.isPrefetched ? readByUnits : [];
    policy.isPrefetched ||= isForUnit;
    return [...new Set([kind, ...others, ...first, ...prefetched])].filter(isMissing);
  }

  /**
   * Whether it pays to wait until a read can fill the cache, since all later ones are then answered from it: for a table
   * that is cached whole, and for a list that changes extend at its beginning, such as the newest message of a ledger.
   */
  isToFill(key: string, revision: number, kind: RecordKind, query: RecordQuery): boolean {
    const policy = this.#at(key, revision);
    if (policy?.isSoleWriter !== true) return false;
    const table = policy.tables.get(kind);
    if (!policy.large.has(kind)) return !(table instanceof WholeTable);
    return query.order !== undefined && !(table instanceof PartialTable && !table.isLasting(query));
  }

  /** Marks the table as too large to cache whole. */
  markTooLarge(key: string, kind: RecordKind): void {
    this.#policies.peek(key)?.large.add(kind);
  }

  /** Caches what was read at this revision. */
  add(key: string, revision: number, read: ReadRecords): void {
    const policy = this.#at(key, revision);
    if (policy === undefined) return;
    policy.definition ??= read.definition;
    for (const [kind, table] of read.tables) {
      const existing = policy.tables.get(kind);
      if (existing instanceof PartialTable && table instanceof PartialTable) existing.merge(table);
      else if (!(existing instanceof WholeTable)) policy.tables.set(kind, table);
    }
    this.#resize(key, policy);
  }

  identity(did: string): IdentityRecord | undefined {
    return this.#identities.get(did);
  }

  /** Caches an identity as the store has it. */
  addIdentity(record: IdentityRecord): void {
    this.#identities.set(record.id, record);
  }

  /** Marks a commit of this process as in progress: until `endCommit`, a higher revision may be its own. */
  beginCommit(changeSets: readonly ChangeSet[]): void {
    for (const policy of this.#expectedBy(changeSets)) policy.writes += 1;
  }

  endCommit(changeSets: readonly ChangeSet[]): void {
    for (const policy of this.#expectedBy(changeSets)) policy.writes = Math.max(0, policy.writes - 1);
  }

  /** Follows a commit of this process. */
  committed({ expect, history, changes }: ChangeSet): void {
    if (!this.isOf(history)) return;
    for (const change of changes) {
      if (change.kind === 'identity' && change.op === 'put') this.addIdentity(change.value);
    }
    const keys = Object.entries(expect);
    for (const [key, number] of keys) {
      const policy = this.#policies.peek(key);
      if (policy === undefined || policy.revision > number) continue;
      // A commit that expects further keys may change the policy's definition.
      if (keys.length > 1 || policy.revision < number) this.#reset(key, policy, number + 1);
      else this.#follow(key, policy, changes);
    }
  }

  /**
   * Called when units that began with these revisions were rejected, or their outcome is unknown: the next unit checks
   * the revision first.
   */
  assumeOtherWriters(expectations: readonly ChangeSet['expect'][]): void {
    for (const policy of this.#expectedBy(expectations.map((expect) => ({ expect })))) policy.isSoleWriter = false;
  }

  #dropOtherHistory(): void {
    const present = this.history?.id;
    if (present === this.#history) return;
    this.#history = present;
    this.#policies.clear();
    this.#identities.clear();
  }

  #at(key: string, revision: number): CachedPolicy | undefined {
    const policy = this.#policies.get(key);
    return policy?.revision === revision ? policy : undefined;
  }

  #follow(key: string, policy: CachedPolicy, changes: ChangeSet['changes']): void {
    const own = changes.filter(({ partition }) => partition === key);
    policy.receipts.apply(policy.revision, own);
    policy.revision += 1;
    for (const change of own) policy.tables.get(change.kind)?.apply(change);
    for (const [kind, table] of policy.tables) {
      if (!(table instanceof WholeTable) || this.#isSmall(table)) continue;
      policy.tables.delete(kind);
      policy.large.add(kind);
    }
    this.#resize(key, policy);
  }

  #reset(key: string, policy: CachedPolicy, revision: number): void {
    policy.revision = revision;
    policy.definition = undefined;
    policy.tables.clear();
    policy.large.clear();
    policy.receipts.reset(revision);
    this.#resize(key, policy);
  }

  #isSmall({ size, bytes }: WholeTable): boolean {
    return size <= this.small.records && bytes <= this.small.bytes;
  }

  #resize(key: string, policy: CachedPolicy): void {
    // The size of an entry that is set to the value it has already stays as it was.
    this.#policies.delete(key);
    this.#policies.set(key, policy, { size: bytesOf(policy) });
  }

  #expectedBy(changeSets: readonly Pick<ChangeSet, 'expect'>[]): CachedPolicy[] {
    const keys = new Set(changeSets.flatMap(({ expect }) => Object.keys(expect)));
    return [...keys].flatMap((key) => this.#policies.peek(key) ?? []);
  }
}

const emptyPolicy = (revision: number): CachedPolicy => ({
  revision,
  isSoleWriter: true,
  writes: 0,
  definition: undefined,
  isPrefetched: false,
  tables: new Map(),
  large: new Set(),
  receipts: new RecentWrites('send-receipt', revision),
});

const bytesOf = ({ tables, receipts }: CachedPolicy): number =>
  [...tables.values()].reduce((sum, { bytes }) => sum + bytes, POLICY_BYTES + receipts.bytes);

/** Number of writes remembered. */
const RECORDS_AT_MOST = 2_000;
/** Size of one entry. */
const ENTRY_BYTES = 150;

class RecentWrites {
  /** The revision at which each record was written, by id; oldest first. */
  readonly #written = new Map<string, number>();
  #since: number;

  /** Knows every write from this `revision` on. */
  constructor(
    private readonly kind: RecordKind,
    revision: number,
  ) {
    this.#since = revision;
  }

  get bytes(): number {
    return this.#written.size * ENTRY_BYTES;
  }

  /** Follows the commit that began with this revision. */
  apply(revision: number, changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.kind !== this.kind) continue;
      const id = idOf(change);
      this.#written.delete(id);
      this.#written.set(id, revision);
    }
    for (const [id, at] of this.#written) {
      if (this.#written.size <= RECORDS_AT_MOST) break;
      this.#written.delete(id);
      this.#since = at + 1;
    }
  }

  /** Discards everything known before this revision, since other processes may have written. */
  reset(revision: number): void {
    this.#written.clear();
    this.#since = revision;
  }

  /** Whether the record was certainly not written from revision `since` on. */
  isUnwritten(kind: RecordKind, id: string, since: number): boolean {
    return kind === this.kind && since >= this.#since && !this.#written.has(id);
  }
}
