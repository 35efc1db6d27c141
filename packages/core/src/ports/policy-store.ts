/**
 * The policy store, which keeps all state: the one port that a database adapter implements. `policyStoreConformance` of
 * `@blockwork/testing` checks every promise made here.
 */
import type { Condition, Order, RecordKind, RecordKinds } from '../records/index.js';
import type { Coordination } from './coordination.js';

/**
 * What a store can do beyond the contract, as data: the engine adapts to these flags and never asks which store it has.
 */
export interface StoreCapabilities {
  /** Acknowledged commits survive the end of the process (and, unless documented otherwise, of the machine). */
  readonly durable: boolean;
  /** Several processes may have the store open at once. */
  readonly shared: boolean;
  /** The embedding program can take part in a commit: its locks accept `HostWork`. Default: it cannot. */
  readonly hostWork?: boolean;
}

/**
 * Writes of the embedding program in the transaction of a commit. `transaction` is what the package of the store says.
 * It runs again if the commit has to be tried again.
 */
export type HostWork = (transaction: unknown) => Promise<void>;

/**
 * The history that the revisions of a store belong to. Another one begins whenever commits that were visible may be
 * gone: after a failover to a server that lacked some, or when a backup takes the place of the data. A revision of one
 * history says nothing about another, even if the numbers are equal.
 */
export interface StoreHistory {
  /** Changes with the history. Reads that begin after the change show the new one; those before it may show either. */
  readonly id: string;
  /** Calls `listener` after each change, until the returned function is called. */
  subscribe(listener: (change: HistoryChange) => void): () => void;
}

export interface HistoryChange {
  /** Ids of histories. */
  readonly from: string;
  readonly to: string;
  /** How the store noticed, for operators. */
  readonly reason: string;
}

/** Selects, orders and limits records of one kind in one partition. */
export interface RecordQuery {
  /** All records when absent. */
  readonly where?: Condition;
  /** Insertion order when absent. An overwritten record keeps its place. */
  readonly order?: Order;
  /** Records to skip; 0 when absent. Past the end, the result is empty. */
  readonly offset?: number;
  /** Maximum number of records; unlimited when absent. */
  readonly limit?: number;
  /**
   * Maximum size of the result as JSON, in bytes; unlimited when absent. Beyond it `find` rejects with
   * `PAGE_TOO_LARGE`.
   */
  readonly bytes?: number;
}

/** One record written or removed. Removing a record that does not exist changes nothing. */
export type Change = {
  [Kind in RecordKind]:
    | { readonly op: 'put'; readonly kind: Kind; readonly partition: string; readonly value: RecordKinds[Kind] }
    | { readonly op: 'delete'; readonly kind: Kind; readonly partition: string; readonly id: string };
}[RecordKind];

export interface ChangeSet {
  /**
   * The revisions that the change is based on: for each key (a policy's id, or another key that its writers agree on)
   * the number that `revision` returned. The commit increments each.
   */
  readonly expect: Readonly<Record<string, number>>;
  /** The id of the history in which the expected revisions were read; any when absent. */
  readonly history?: string;
  /** Applied in this order; a later change of the same record wins. */
  readonly changes: readonly Change[];
  /**
   * The values never change again, so a store may keep them without copying. Otherwise they still belong to the caller.
   */
  readonly isFinal?: boolean;
}

/** The reads of a store. */
export type StoreReader = Pick<
  PolicyStore,
  'revision' | 'revisions' | 'get' | 'find' | 'findShared' | 'findEach' | 'count'
>;

/**
 * Records are JSON values, addressed by kind, partition (a policy's id, or `INSTANCE`) and their `id`. Any text is a
 * valid partition, id and revision key.
 *
 * Reads see every acknowledged commit, and each commit as a whole. Returned values belong to the caller, and passed
 * values stay the caller's unless their change set is final: mutating either does not affect the store.
 *
 * After `close`, every method rejects with `STORE_CLOSED`, except `close` itself, which may be called again.
 */
export interface PolicyStore {
  readonly capabilities: StoreCapabilities;

  /** For a store that is `shared`. Without it every node does all background work, and polls the store. */
  readonly coordination?: Coordination;

  /**
   * Absent if the data can neither be replaced nor lose commits while the store is open, as that of a store that
   * belongs to one process.
   */
  readonly history?: StoreHistory;

  /** The current revision of a key; 0 for a key that no commit has named. */
  revision(key: string): Promise<number>;

  /**
   * The revisions of several keys at one moment, in their order. Absent if the store can only read them one at a time.
   */
  revisions?(keys: readonly string[]): Promise<readonly number[]>;

  /**
   * One record, or `undefined`. This and every other read rejects with `STORE_UNAVAILABLE` if it meets a damaged
   * record; a store that can identify the record gives a `DamagedRecord` as the cause.
   */
  get<Kind extends RecordKind>(kind: Kind, partition: string, id: string): Promise<RecordKinds[Kind] | undefined>;

  /** The records that match the query, in its order. */
  find<Kind extends RecordKind>(kind: Kind, partition: string, query?: RecordQuery): Promise<RecordKinds[Kind][]>;

  /**
   * As `find`, but read-only: a frozen record is the store's own object, and remains the same object until it is
   * written. Any other record belongs to the caller. Absent if the store keeps no records in memory.
   */
  findShared?<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    query?: RecordQuery,
  ): Promise<readonly RecordKinds[Kind][]>;

  /**
   * For each partition, in their order, its records that meet the condition, in insertion order. Absent if the store
   * gains nothing from batching.
   */
  findEach?<Kind extends RecordKind>(
    kind: Kind,
    partitions: readonly string[],
    where?: Condition,
  ): Promise<RecordKinds[Kind][][]>;

  /** The number of records that meet the condition; of all records when it is absent. */
  count(kind: RecordKind, partition: string, where?: Condition): Promise<number>;

  /**
   * Applies the change set atomically. Resolves when it is as durable as `capabilities` says. Rejects with `CONFLICT`
   * when an expected revision has moved (Promise 2), or was read in another history; the commit that moved it is visible by then, so that a retry makes progress.
   * Rejects with `STORE_UNAVAILABLE` when the change could not be made durable. In both cases nothing was changed.
   * Rejects with `COMMIT_UNKNOWN` when the store cannot determine the outcome: the engine does not retry then.
   */
  commit(changeSet: ChangeSet): Promise<void>;

  /**
   * Applies several change sets atomically, each of which expects the revisions left by those before it. Resolves and
   * rejects as `commit`. If the process dies meanwhile, only a prefix of them may be applied. Absent if the store
   * cannot do this: each unit of work then waits until the one before it is durable.
   */
  commitChain?(changeSets: readonly ChangeSet[]): Promise<void>;

  /**
   * Waits for a lock on revision keys; `null` if the store cannot lock one of them, such as one that no commit has named.
   * Reads wait for no lock. Rejects with `STORE_UNAVAILABLE`, also if the lock is not free for long. Absent if no other
   * process writes to the store, or if the store has no locks: processes then only learn of each other by conflicts.
   */
  lock?(request: LockRequest): Promise<RevisionLock | null>;

  /**
   * Runs `read` with a reader that shows the store as it was at one moment. Rejects with what `read` rejects with, and
   * with `STORE_UNAVAILABLE`. Absent if the store can only read the present state.
   */
  snapshot?<T>(read: (reader: StoreReader) => Promise<T>): Promise<T>;

  /** Flushes and releases everything. Waits for commits in progress. */
  close(): Promise<void>;
}

export interface LockRequest {
  /** The queue to wait in: processes that ask for locks under one name get them in the order of their requests. */
  readonly queue: string;
  /** The revision keys to lock. */
  readonly keys: readonly string[];
  /** Further revision keys to read once the lock is there. */
  readonly alsoRead?: readonly string[];
}

/**
 * A lock on revision keys: until it ends, no other commit moves them. It ends with its commit, with its release, and by
 * itself if neither comes soon: its process may be dead or stand still. Such a lock commits nothing any more.
 */
export interface RevisionLock {
  /** The revisions of the keys of the request, locked or only read. */
  readonly revisions: ReadonlyMap<string, number>;
  /** The history that they belong to; `undefined` for a store without histories. */
  readonly history: string | undefined;
  /** Whether another process held the lock, or waited for it. */
  readonly hasWaited: boolean;

  /**
   * Commits as `PolicyStore.commitChain`, and ends the lock. Rejects with `CONFLICT`, having changed nothing, also if
   * the lock has ended before.
   *
   * `work`, for a store with the capability `hostWork`, runs once the expected revisions are known to hold, and is
   * committed together with the change sets, or rolled back with them. Rejects with what it rejects with, and with
   * `HOST_WORK_TOO_LONG`; with `CONFLICT` if it only has to be tried again.
   */
  commit(changeSets: readonly ChangeSet[], work?: HostWork): Promise<void>;

  /** Ends the lock without a commit. Rejects with `CONFLICT` if it has ended before: another commit may have come. */
  release(): Promise<void>;
}

/** Kinds of which records are only appended, removed oldest first, and read rarely, in pages. */
const historyKinds: ReadonlySet<string> = new Set<RecordKind>(['journal', 'journal-archive']);

/**
 * Whether records of a kind are history. A store need not keep them in memory; the contract for other records holds for
 * them too, and reads may take longer.
 */
export const isHistory = (kind: string): boolean => historyKinds.has(kind);
