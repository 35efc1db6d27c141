/** The policy store on files: reads from memory, history from files; acknowledges commits once the journal has them. */
import type { Logger, PolicyStore } from '@blockwork/core';
import {
  BlockworkError,
  copyChangeSet,
  everything,
  isHistory,
  Revisions,
  type ChangeSet,
  type Condition,
  type RecordKind,
  type RecordKinds,
  type RecordQuery,
  type RecordTables,
  type StoreCapabilities,
} from '@blockwork/core/adapter';
import { copyStore, type Copied } from '../backup/copy-store.js';
import { Checkpointer, type CheckpointerDeps } from '../checkpoint/checkpointer.js';
import { unavailable } from '../files/failures.js';
import type { FileSystem } from '../files/file-system.js';
import type { ChangedRows } from '../journal/commit-lines.js';
import { Journal, type JournalDeps } from '../journal/journal.js';
import type { Lock } from '../lock/lock.js';
import type { DamageEntry } from '../manifest/manifest-content.js';
import type { Manifest } from '../manifest/manifest.js';
import { mayMatch, recordKind, tableKind, tableKindOf } from '../manifest/table-kind.js';
import type { OpenReport } from '../recovery/open-report.js';
import { withoutHistory, type Snapshots } from '../snapshots/snapshots.js';
import { History } from './history.js';

export interface LowdbStoreDeps extends Omit<CheckpointerDeps, 'journal'>, Omit<JournalDeps, 'apply' | 'onRejected'> {
  readonly tables: RecordTables;
  readonly lock: Lock;
  readonly logger: Logger;
  readonly report: OpenReport;
}

/** Opened by `openLowdbStore`. */
export class LowdbStore implements PolicyStore {
  readonly capabilities: StoreCapabilities;
  /** The findings of opening. */
  readonly report: OpenReport;
  readonly #tables: RecordTables;
  readonly #history: History;
  /** The revisions once all pending commits are written. */
  readonly #pendingRevisions: Revisions;
  readonly #snapshots: Snapshots;
  readonly #manifest: Manifest;
  readonly #journal: Journal;
  readonly #checkpointer: Checkpointer;
  readonly #checkpointBytes: number;
  readonly #lock: Lock;
  readonly #logger: Logger;
  readonly #files: FileSystem;
  readonly #folder: string;
  /** Journal size that starts the next checkpoint. */
  #nextCheckpoint: number;
  #closing: Promise<void> | undefined;

  constructor(deps: LowdbStoreDeps) {
    this.capabilities = { durable: deps.durability !== 'none', shared: false };
    this.report = deps.report;
    this.#tables = deps.tables;
    this.#history = new History(deps.snapshots, deps.stored);
    this.#pendingRevisions = new Revisions(deps.tables.revisions);
    this.#snapshots = deps.snapshots;
    this.#manifest = deps.manifest;
    this.#lock = deps.lock;
    this.#logger = deps.logger;
    this.#files = deps.files;
    this.#folder = deps.layout.folder;
    const apply: JournalDeps['apply'] = (changeSet, bytes, rows) => this.#apply(changeSet, bytes, rows);
    this.#journal = new Journal({ ...deps, apply, onRejected: () => this.#pendingRevisions.clear() });
    this.#checkpointer = new Checkpointer({ ...deps, journal: this.#journal });
    this.#checkpointBytes = deps.checkpointBytes;
    this.#nextCheckpoint = deps.checkpointBytes;
    this.#checkpointIfDue();
  }

  async revision(key: string): Promise<number> {
    this.#assertOpen();
    return this.#tables.revisions.get(key);
  }

  async revisions(keys: readonly string[]): Promise<readonly number[]> {
    this.#assertOpen();
    return keys.map((key) => this.#tables.revisions.get(key));
  }

  async get<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    id: string,
  ): Promise<RecordKinds[Kind] | undefined> {
    this.#assertOpen();
    const damage = this.#damageOf(tableKind(kind, partition, id), partition);
    const record = isHistory(kind)
      ? await this.#history.get(kind, partition, id)
      : this.#tables.get(kind, partition, id);
    // If only snapshot files are damaged, the records of the others are certain; the absence of a record is not.
    if (damage !== undefined && (record === undefined || !damage.every(isOfSnapshot)))
      throw this.#tableUnavailable(kind, partition, damage);
    return record;
  }

  async find<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    query?: RecordQuery,
  ): Promise<RecordKinds[Kind][]> {
    this.#assertSearchable(kind, partition, query?.where);
    return (isHistory(kind) ? this.#history : this.#tables).find(kind, partition, query);
  }

  async findShared<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    query?: RecordQuery,
  ): Promise<readonly RecordKinds[Kind][]> {
    if (isHistory(kind)) return this.find(kind, partition, query);
    this.#assertSearchable(kind, partition, query?.where);
    return this.#tables.findShared(kind, partition, query);
  }

  async count(kind: RecordKind, partition: string, where?: Condition): Promise<number> {
    this.#assertSearchable(kind, partition, where);
    return (isHistory(kind) ? this.#history : this.#tables).count(kind, partition, where);
  }

  async commit(changeSet: ChangeSet): Promise<void> {
    return this.commitChain([changeSet]);
  }

  /** Appends one journal line per change set; all are written and flushed together. */
  async commitChain(changeSets: readonly ChangeSet[]): Promise<void> {
    this.#assertOpen();
    this.#journal.assertUsable();
    for (const { changes } of changeSets)
      for (const change of changes) this.#assertWritable(tableKindOf(change), change.partition);
    try {
      this.#pendingRevisions.checkChain(changeSets.map(({ expect }) => expect));
    } catch (conflict) {
      // The winning commit may still be pending. A caller that retries at once must see it.
      await this.#journal.drained();
      throw conflict;
    }
    const copies = changeSets.map(copyChangeSet);
    for (const { expect } of copies) this.#pendingRevisions.advance(expect);
    // In one turn, so that no other batch comes in between.
    await Promise.all(copies.map((copy) => this.#journal.append(copy)));
  }

  /**
   * Writes changes to snapshots and truncates the journal, as happens in the background once the journal is long. Commits
   * continue meanwhile. Rejects with `STORE_UNAVAILABLE`, without loss.
   */
  async checkpoint(): Promise<void> {
    this.#assertOpen();
    await this.#checkpointer.run();
  }

  /**
   * Copies the store to an empty or missing folder, like `backupStore`, but with checkpoints paused, so that it succeeds
   * under any write load. Rejects with `OPTION_INVALID` for another target.
   */
  async backup(target: string): Promise<Copied> {
    this.#assertOpen();
    return this.#checkpointer.exclusive(() => copyStore(this.#files, this.#folder, 'target', target));
  }

  /** A checkpoint that also merges small snapshot files, which many deletions leave behind. */
  async compact(): Promise<void> {
    this.#assertOpen();
    // Rows must not change their part between the capture and the end of a checkpoint.
    await this.#checkpointer.exclusive(async () => this.#snapshots.compact());
    await this.#checkpointer.run();
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    try {
      this.#checkpointer.disableThrottle();
      await this.#journal.drained();
      if (!this.#journal.hasFailed) await this.#checkpointer.run();
    } catch (error) {
      this.#logger.warn('The last checkpoint failed. Nothing is lost: the journal holds the changes.', { error });
    }
    try {
      // A running checkpoint must not continue after the lock is released.
      await this.#checkpointer.idle();
      await this.#journal.close();
    } finally {
      await this.#lock.release();
    }
  }

  #apply(changeSet: ChangeSet, bytes: number, rows: ChangedRows): void {
    this.#tables.apply(withoutHistory(changeSet));
    this.#snapshots.apply(changeSet, bytes, rows);
    this.#checkpointIfDue();
  }

  #checkpointIfDue(): void {
    if (this.#journal.bytesWritten < this.#nextCheckpoint) return;
    // Only one background checkpoint at a time.
    this.#nextCheckpoint = Infinity;
    void this.#checkpointInBackground();
  }

  async #checkpointInBackground(): Promise<void> {
    const { bytesWritten } = this.#journal;
    try {
      await this.#checkpointer.run('background');
    } catch (error) {
      const folder = this.#folder;
      this.#logger.warn('A checkpoint failed. Nothing is lost, but the journal grows.', { error, folder });
    }
    // A large store checkpoints less often, so that checkpoints never write more than the journal.
    this.#nextCheckpoint = bytesWritten + Math.max(this.#checkpointBytes, this.#checkpointer.bytesWritten);
  }

  #assertOpen(): void {
    if (this.#closing) throw new BlockworkError('STORE_CLOSED');
    if (this.#lock.loss) throw this.#lock.loss;
  }

  #assertWritable(kind: string, partition: string): void {
    const damage = this.#damageOf(kind, partition);
    if (damage !== undefined) throw this.#tableUnavailable(kind, partition, damage);
  }

  /** Damage fails only the searches that may match records of the damaged table. */
  #assertSearchable(kind: string, partition: string, where: Condition = everything): void {
    this.#assertOpen();
    for (const { partition: of, kind: table, value: damage } of this.#manifest.damaged) {
      if (of === partition && recordKind(table) === kind && mayMatch(table, where))
        throw this.#tableUnavailable(table, partition, damage);
    }
  }

  /** The damage of the table, or of the undivided table of its kind. */
  #damageOf(kind: string, partition: string): readonly DamageEntry[] | undefined {
    const { damaged } = this.#manifest;
    return damaged.get(partition, kind) ?? damaged.get(partition, recordKind(kind));
  }

  #tableUnavailable(kind: string, partition: string, damage: readonly DamageEntry[]): BlockworkError {
    const files = damage.map(({ file, reason }) => `${file} in ${this.#folder} is damaged: ${reason}`);
    return unavailable(
      `the records of kind "${kind}" in partition "${partition}" are unavailable, because ${files.join('; and ')}`,
    );
  }
}

const isOfSnapshot = ({ file }: DamageEntry): boolean => !file.startsWith('journal');
