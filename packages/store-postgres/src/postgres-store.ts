/** The policy store on PostgreSQL: any number of processes, on any number of machines, over one database. */
import { BlockworkError, type PolicyStore } from '@blockwork/core';
import type {
  ChangeSet,
  Condition,
  LockRequest,
  RecordKind,
  RecordKinds,
  RecordQuery,
  RevisionLock,
  StoreCapabilities,
  StoreHistory,
} from '@blockwork/core/adapter';
import { CommitQueue } from './commit/commit-queue.js';
import { CommitWriter } from './commit/commit-statements.js';
import { Locks } from './commit/locks.js';
import { placeOf } from './connection/address.js';
import type { Connections } from './connection/connections.js';
import { PostgresCoordination } from './coordination/postgres-coordination.js';
import { NodeNotifier } from './notifier/node-notifier.js';
import type { ResolvedOptions } from './options.js';
import { Anchors } from './query/anchors.js';
import { RecordReader } from './query/record-reader.js';
import { snapshotOf, withinTransaction, type SnapshotOptions, type SnapshotReader } from './query/snapshot.js';
import type { Tables } from './schema/tables.js';

/** Opened by `openPostgresStore`. */
export class PostgresStore implements PolicyStore {
  readonly capabilities: StoreCapabilities = { durable: true, shared: true, hostWork: true };
  /** Host, port, database and schema, for display. */
  readonly place: string;
  readonly history: StoreHistory;
  readonly coordination: PostgresCoordination;
  /** Notifies the other nodes of pending work. Connects on first use; a no-op if the database has no notifications. */
  readonly notifier: NodeNotifier;
  readonly #connections: Connections;
  readonly #tables: Tables;
  readonly #anchors = new Anchors();
  readonly #reader: RecordReader;
  readonly #queue: CommitQueue;
  readonly #locks: Locks;
  #closing: Promise<void> | undefined;

  constructor(connections: Connections, tables: Tables, options: ResolvedOptions, hasNotifications: boolean) {
    this.#connections = connections;
    this.#tables = tables;
    this.history = connections.history;
    this.place = placeOf(options.server, tables.schemaName);
    this.#reader = new RecordReader({
      tables,
      anchors: this.#anchors,
      run: (statement) => connections.read(statement),
      history: connections.history,
      inSnapshot: (work) => connections.readWith((run) => withinTransaction(run, work)),
    });
    const { ids, logger, patienceMs, outcomeMs, commitConnections, timers } = options;
    const { lockWaitMs, lockIdleMs, hostWorkMs } = options;
    const writer = new CommitWriter(tables);
    const deps = { connections, writer, tables, ids, logger, patienceMs, outcomeMs };
    this.#queue = new CommitQueue(commitConnections, deps);
    this.#locks = new Locks({
      ...{ ...deps, timers, lockWaitMs, lockIdleMs, hostWorkMs },
      commit: (changeSets) => this.#queue.commit(changeSets),
    });
    const channel = `blockwork_${tables.schemaName}`;
    this.notifier = new NodeNotifier({ connections, channel, timers, logger, isMute: !hasNotifications });
    const assertOpen = (): void => this.#assertOpen();
    const { notifier } = this;
    const { clock } = options;
    this.coordination = new PostgresCoordination({ connections, tables, notifier, clock, assertOpen });
  }

  async revision(key: string): Promise<number> {
    this.#assertOpen();
    return this.#reader.revision(key);
  }

  async revisions(keys: readonly string[]): Promise<readonly number[]> {
    this.#assertOpen();
    return this.#reader.revisions(keys);
  }

  async get<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    id: string,
  ): Promise<RecordKinds[Kind] | undefined> {
    this.#assertOpen();
    return this.#reader.get(kind, partition, id);
  }

  async find<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    query?: RecordQuery,
  ): Promise<RecordKinds[Kind][]> {
    this.#assertOpen();
    return this.#reader.find(kind, partition, query);
  }

  async findEach<Kind extends RecordKind>(
    kind: Kind,
    partitions: readonly string[],
    where?: Condition,
  ): Promise<RecordKinds[Kind][][]> {
    this.#assertOpen();
    return this.#reader.findEach(kind, partitions, where);
  }

  async count(kind: RecordKind, partition: string, where?: Condition): Promise<number> {
    this.#assertOpen();
    return this.#reader.count(kind, partition, where);
  }

  async commit(changeSet: ChangeSet): Promise<void> {
    this.#assertOpen();
    return this.#queue.commit([changeSet]);
  }

  async commitChain(changeSets: readonly ChangeSet[]): Promise<void> {
    this.#assertOpen();
    return this.#queue.commit(changeSets);
  }

  async lock(request: LockRequest): Promise<RevisionLock | null> {
    this.#assertOpen();
    return this.#locks.lock(request);
  }

  /** Milliseconds since 1970 by the database clock, shared by all nodes. */
  async now(): Promise<number> {
    this.#assertOpen();
    const text = 'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now';
    const [row] = await this.#connections.read<{ now: string }>({ text, values: [] });
    return Number(row?.now);
  }

  /**
   * Runs `read` over one snapshot, on a dedicated connection. Its reads cannot be retried transparently: a lost connection rejects
   * with `STORE_UNAVAILABLE`.
   */
  async snapshot<T>(read: (reader: SnapshotReader) => Promise<T>, options: SnapshotOptions = {}): Promise<T> {
    this.#assertOpen();
    return snapshotOf(this.#connections, { tables: this.#tables, anchors: this.#anchors }, read, options);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    await this.notifier.close();
    await this.#queue.idle();
    await this.#locks.idle();
    // Another node later removes a lane row left behind.
    await Promise.all([this.#queue.close(), this.#locks.close()]).catch(() => undefined);
    await this.#connections.close();
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new BlockworkError('STORE_CLOSED');
  }
}
