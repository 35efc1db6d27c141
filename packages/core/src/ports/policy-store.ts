/**
 * The policy store, which keeps all state. The one port that a database adapter implements. `policyStoreConformance` of `@blockwork/testing` checks every promise made here.
 */
import type { Condition, Order, RecordKind, RecordKinds } from '../records/index.js';
import type { Coordination } from './coordination.js';

/** What a store can do beyond the contract, as data: the engine adapts to them and never asks which store it has. */
export interface StoreCapabilities {
  /** Acknowledged commits survive the end of the process (and, unless documented otherwise, of the machine). */
  readonly durable: boolean;
  /** Several processes may have the store open at once. */
  readonly shared: boolean;
}

/** Selects, orders and limits records of one kind in one partition. */
export interface RecordQuery {
  /** All records when absent. */
  readonly where?: Condition;
  /** Order of insertion when absent. A record that is overwritten keeps its place. */
  readonly order?: Order;
  /** Records to skip; 0 when absent. Past the end, the answer is empty. */
  readonly offset?: number;
  /** Records at most; no limit when absent. */
  readonly limit?: number;
  /** Bytes of the records found, as JSON, at most; no limit when absent. Beyond it `find` rejects with `PAGE_TOO_LARGE`. */
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
   * The revisions that the change is based on: a policy's id, or another key that its writers agree on, and the number that
   * `revision` returned. The commit raises each by one.
   */
  readonly expect: Readonly<Record<string, number>>;
  /** Applied in this order; a later change of the same record wins. */
  readonly changes: readonly Change[];
  /** Nobody changes the values any more: a store that keeps them needs no copies. Otherwise they stay the caller's. */
  readonly isFinal?: boolean;
}

/** The reads of a store. */
export type StoreReader = Pick<
  PolicyStore,
  'revision' | 'revisions' | 'get' | 'find' | 'findShared' | 'findEach' | 'count'
>;

/**
 * Records are JSON values, addressed by kind, partition (a policy's id, or `INSTANCE`) and their `id`.
 * Any text is a valid partition, id and revision key.
 *
 * Reads see every acknowledged commit, and each commit as a whole. Values returned belong to the caller and values passed in stay
 * the caller's, unless their change set is final: mutating either does not affect the store.
 *
 * After `close`, every method rejects with `STORE_CLOSED`, except `close` itself, which may be called again.
 */
export interface PolicyStore {
  readonly capabilities: StoreCapabilities;

  /** For a store that is `shared`. Without it every node does all background work, and looks into the store now and then. */
  readonly coordination?: Coordination;

  /** The current number of a revision key; 0 for a key that no commit has named. */
  revision(key: string): Promise<number>;

  /** The numbers of several keys at one moment, in their order. Absent in a store that gives them one by one. */
  revisions?(keys: readonly string[]): Promise<readonly number[]>;

  /**
   * One record, or `undefined`. This and every other read rejects with `STORE_UNAVAILABLE` where it meets a record that is damaged;
   * a store that knows which one it is gives a `DamagedRecord` as the cause.
   */
  get<Kind extends RecordKind>(kind: Kind, partition: string, id: string): Promise<RecordKinds[Kind] | undefined>;

  /** The records that match the query, in its order. */
  find<Kind extends RecordKind>(kind: Kind, partition: string, query?: RecordQuery): Promise<RecordKinds[Kind][]>;

  /**
   * As `find`, for reading only: a record that is frozen is the one that the store keeps, and is the same object for as long as it
   * is not written. Any other belongs to the caller. Absent in a store that keeps no records at hand.
   */
  findShared?<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    query?: RecordQuery,
  ): Promise<readonly RecordKinds[Kind][]>;

  /**
   * For each of the partitions, in their order, the records in it that meet the condition, in the order of insertion. Absent in a store that
   * loses nothing by being asked for one after another.
   */
  findEach?<Kind extends RecordKind>(
    kind: Kind,
    partitions: readonly string[],
    where?: Condition,
  ): Promise<RecordKinds[Kind][][]>;

  /** The number of records that meet the condition; of all when absent. */
  count(kind: RecordKind, partition: string, where?: Condition): Promise<number>;

  /**
   * Applies the whole change set, or nothing. Resolves when it is as durable as `capabilities` says.
   * Rejects with `CONFLICT` when an expected revision has moved; the commit that moved it is visible by then, so that a retry
   * makes progress. Rejects with `STORE_UNAVAILABLE` when the change could not be made durable. In both cases nothing was
   * changed. Rejects with `COMMIT_UNKNOWN` when the store cannot find out whether it was: nothing is sent again then.
   */
  commit(changeSet: ChangeSet): Promise<void>;

  /**
   * Applies several change sets, each of which expects what those before it leave behind: all of them or nothing. Resolves and rejects
   * as `commit`. A process that dies meanwhile may leave the first ones without those that follow. Absent in a store that
   * cannot: then each unit of work waits until the one before it is durable.
   */
  commitChain?(changeSets: readonly ChangeSet[]): Promise<void>;

  /**
   * Reads that all see the store as it was at one moment, for as long as `read` runs. Rejects with what `read` rejects with, and with
   * `STORE_UNAVAILABLE`. Absent in a store that only gives the present.
   */
  snapshot?<T>(read: (reader: StoreReader) => Promise<T>): Promise<T>;

  /** Flushes and releases everything. Waits for commits under way. */
  close(): Promise<void>;
}
