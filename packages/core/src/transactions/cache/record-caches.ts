/**
 * Records of policies that a process caches although other processes may change them: each policy at the last revision
 * this process knows. Whether that is still current is decided by a unit's commit, or checked before a read.
 */
import { LRUCache } from 'lru-cache';
import { lruCache } from '../../lru-cache.js';
import type { ChangeSet } from '../../ports/index.js';
import type { IdentityRecord, RecordKind } from '../../records/index.js';
import type { RevisionKey } from '../revision-keys.js';
import { AskedTable } from './asked-table.js';
import type { KeptTable } from './kept-table.js';
import { RecentWrites } from './recent-writes.js';
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
const visited: readonly RecordKind[] = ['membership', 'block-state', 'document', 'completion'];
/** Read one after another by a send that needs one of them: fetched together, to wait for the store only once. */
const together: readonly (readonly RecordKind[])[] = [
  ['token', 'ledger-token', 'ledger-relation'],
  ['ledger-topic', 'ledger-message', 'document-usage'],
];
/** Read by some units: fetched with the first table that a unit misses, so that later ones cost no round trip. */
const readByUnits: readonly RecordKind[] = [
  ...together.flat(),
  ...(['trial', 'schema', 'document-state', 'block-entry', 'invitation'] as const),
];

interface KeptPolicy {
  revision: number;
  /** Whether no other process has written since the last check: a unit then begins without asking the store. */
  isAlone: boolean;
  /** Commits of this process in progress. */
  writes: number;
  /** The revision of the policy's definition. */
  definition: number | undefined;
  /**
   * Whether tables were prefetched for its units: once only, since other writers would make further prefetches useless.
   */
  isAhead: boolean;
  readonly tables: Map<RecordKind, KeptTable>;
  readonly large: Set<RecordKind>;
  /** Receipts of sends: too many to cache, and nearly every lookup is for a new one. */
  readonly receipts: RecentWrites;
}

/** What a reader has read, all of it known to be of one revision. */
export interface ReadRecords {
  readonly definition: number | undefined;
  readonly tables: ReadonlyMap<RecordKind, KeptTable>;
}

export class RecordCaches {
  readonly #policies: LRUCache<string, KeptPolicy>;
  /** Identities only gain keys, so a cached one stays valid. */
  readonly #identities = lruCache<IdentityRecord>(IDENTITIES_AT_MOST);

  constructor(
    { keptRecordBytes }: RecordCacheLimits,
    readonly small: TableSize = SMALL,
  ) {
    this.#policies = new LRUCache({ maxSize: keptRecordBytes, sizeCalculation: bytesOf });
  }

  /**
   * The revision that a unit may begin with without asking the store; `undefined` if another process may have written.
   */
  presumed(key: RevisionKey): number | undefined {
    const policy = this.#policies.get(key);
    return policy?.isAlone === true ? policy.revision : undefined;
  }

  /** The last revision of a policy that this process has seen; `undefined` if nothing is cached for it. */
  revision(key: RevisionKey): number | undefined {
    return this.#policies.peek(key)?.revision;
  }

  /** Records that the store reported this revision for the policy. */
  observed(key: RevisionKey, revision: number): void {
    const policy = this.#policies.get(key);
    if (policy === undefined) {
      this.#policies.set(key, emptyPolicy(revision));
    } else if (policy.revision === revision) {
      policy.isAlone = true;
    } else if (revision > policy.revision && policy.writes === 0) {
      this.#reset(key, policy, revision);
      policy.isAlone = false;
    }
  }

  /** The table at this revision; `undefined` if it is not cached. */
  table(key: string, revision: number, kind: RecordKind): KeptTable | undefined {
    return this.#at(key, revision)?.tables.get(kind);
  }

  /** The revision of the policy's definition at this revision. */
  definition(key: string, revision: number): number | undefined {
    return this.#at(key, revision)?.definition;
  }

  /** Whether, at this revision, the record is known not to have been written from revision `since` on. */
  isUnwritten(key: string, revision: number, kind: RecordKind, id: string, since: number): boolean {
    return since <= revision && this.#at(key, revision)?.receipts.lacks(kind, id, since) === true;
  }

  /**
   * The tables to fetch whole when one of a kind is read; none while other processes write, since they would soon be
   * stale.
   */
  toFetch(key: string, revision: number, kind: RecordKind, isForUnit = false): RecordKind[] {
    const policy = this.#at(key, revision);
    if (policy?.isAlone !== true || policy.large.has(kind)) return [];
    const others = together.find((kinds) => kinds.includes(kind)) ?? [];
    const first = policy.tables.size === 0 ? visited : [];
    const isMissing = (each: RecordKind): boolean =>
      !policy.large.has(each) && !(policy.tables.get(each) instanceof WholeTable);
    const ahead = isForUnit && !policy.isAhead ? readByUnits : [];
    policy.isAhead ||= isForUnit;
    return [...new Set([kind, ...others, ...first, ...ahead])].filter(isMissing);
  }

  /** Marks the table as too large to cache whole. */
  tooLarge(key: string, kind: RecordKind): void {
    this.#policies.peek(key)?.large.add(kind);
  }

  /** Caches what was read at this revision. */
  keep(key: string, revision: number, read: ReadRecords): void {
    const policy = this.#at(key, revision);
    if (policy === undefined) return;
    policy.definition ??= read.definition;
    for (const [kind, table] of read.tables) {
      const known = policy.tables.get(kind);
      if (known instanceof AskedTable && table instanceof AskedTable) known.absorb(table);
      else if (!(known instanceof WholeTable)) policy.tables.set(kind, table);
    }
    this.#resize(key, policy);
  }

  identity(did: string): IdentityRecord | undefined {
    return this.#identities.get(did);
  }

  /** Caches an identity as the store has it. */
  keepIdentity(record: IdentityRecord): void {
    this.#identities.set(record.id, record);
  }

  /** Marks a commit of this process as in progress: until `written`, a higher revision may be its own. */
  writing(changeSets: readonly ChangeSet[]): void {
    for (const policy of this.#expectedBy(changeSets)) policy.writes += 1;
  }

  written(changeSets: readonly ChangeSet[]): void {
    for (const policy of this.#expectedBy(changeSets)) policy.writes = Math.max(0, policy.writes - 1);
  }

  /** Follows a commit of this process. */
  committed({ expect, changes }: ChangeSet): void {
    for (const change of changes) {
      if (change.kind === 'identity' && change.op === 'put') this.keepIdentity(change.value);
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

  /** Units that began with these revisions were rejected, or their outcome is unknown. */
  doubted(expectations: readonly ChangeSet['expect'][]): void {
    for (const policy of this.#expectedBy(expectations.map((expect) => ({ expect })))) policy.isAlone = false;
  }

  #at(key: string, revision: number): KeptPolicy | undefined {
    const policy = this.#policies.get(key);
    return policy?.revision === revision ? policy : undefined;
  }

  #follow(key: string, policy: KeptPolicy, changes: ChangeSet['changes']): void {
    const own = changes.filter(({ partition }) => partition === key);
    policy.receipts.follow(policy.revision, own);
    policy.revision += 1;
    for (const change of own) policy.tables.get(change.kind)?.apply(change);
    for (const [kind, table] of policy.tables) {
      if (!(table instanceof WholeTable) || this.#isSmall(table)) continue;
      policy.tables.delete(kind);
      policy.large.add(kind);
    }
    this.#resize(key, policy);
  }

  #reset(key: string, policy: KeptPolicy, revision: number): void {
    policy.revision = revision;
    policy.definition = undefined;
    policy.tables.clear();
    policy.large.clear();
    policy.receipts.forget(revision);
    this.#resize(key, policy);
  }

  #isSmall({ size, bytes }: WholeTable): boolean {
    return size <= this.small.records && bytes <= this.small.bytes;
  }

  #resize(key: string, policy: KeptPolicy): void {
    this.#policies.set(key, policy, { size: bytesOf(policy) });
  }

  #expectedBy(changeSets: readonly Pick<ChangeSet, 'expect'>[]): KeptPolicy[] {
    const keys = new Set(changeSets.flatMap(({ expect }) => Object.keys(expect)));
    return [...keys].flatMap((key) => this.#policies.peek(key) ?? []);
  }
}

const emptyPolicy = (revision: number): KeptPolicy => ({
  revision,
  isAlone: true,
  writes: 0,
  definition: undefined,
  isAhead: false,
  tables: new Map(),
  large: new Set(),
  receipts: new RecentWrites('send-receipt', revision),
});

const bytesOf = ({ tables, receipts }: KeptPolicy): number =>
  [...tables.values()].reduce((sum, { bytes }) => sum + bytes, POLICY_BYTES + receipts.bytes);
