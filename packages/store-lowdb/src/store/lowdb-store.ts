/** The policy store on files: answers from memory, acknowledges what its journal holds. */
import { BlockworkError, type Logger, type PolicyStore } from '@blockwork/core';
import {
  copyChangeSet,
  Revisions,
  type ChangeSet,
  type Condition,
  type RecordKind,
  type RecordKinds,
  type RecordQuery,
  type RecordTables,
  type StoreCapabilities,
} from '@blockwork/core/adapter';
import { Checkpoint, type CheckpointParts } from '../checkpoint/checkpoint.js';
import { unavailable } from '../files/failures.js';
import { Journal, type JournalOptions } from '../journal/journal.js';
import type { FileSystem } from '../files/file-system.js';
import type { JournalSegment } from '../journal/journal-segment.js';
import type { Lock } from '../lock/lock.js';
import type { DamageEntry } from '../manifest/manifest-content.js';
import type { Manifest } from '../manifest/manifest.js';
import type { OpenReport } from '../recovery/open-report.js';
import type { Snapshots } from '../snapshots/snapshots.js';
import { copyInto, type Copied } from '../backup/copy-store.js';

export interface StoreParts extends Omit<CheckpointParts, 'journal'>, Omit<JournalOptions, 'apply' | 'onRejected'> {
  readonly tables: RecordTables;
  readonly segment: JournalSegment | undefined;
  readonly lock: Lock;
  readonly logger: Logger;
  readonly report: OpenReport;
  readonly checkpointBytes: number;
}

/** Opened by `openLowdbStore`. */
export class LowdbStore implements PolicyStore {
  readonly capabilities: StoreCapabilities;
  /** What was found when it was opened. */
  readonly report: OpenReport;
  readonly #tables: RecordTables;
  /** The revisions as they will be when everything is written that waits for it. */
  readonly #promised: Revisions;
  readonly #snapshots: Snapshots;
  readonly #manifest: Manifest;
  readonly #journal: Journal;
  readonly #checkpoint: Checkpoint;
  readonly #checkpointBytes: number;
  readonly #lock: Lock;
  readonly #logger: Logger;
  readonly #files: FileSystem;
  readonly #folder: string;
  #nextCheckpoint: number;
  #closing: Promise<void> | undefined;

  constructor(parts: StoreParts) {
    this.capabilities = { durable: parts.durability !== 'none', shared: false };
    this.report = parts.report;
    this.#tables = parts.tables;
    this.#promised = new Revisions(parts.tables.revisions);
    this.#snapshots = parts.snapshots;
    this.#manifest = parts.manifest;
    this.#lock = parts.lock;
    this.#logger = parts.logger;
    this.#files = parts.files;
    this.#folder = parts.layout.folder;
    const apply = (changeSet: ChangeSet, bytes: number): void => this.#apply(changeSet, bytes);
    this.#journal = new Journal({ ...parts, apply, onRejected: () => this.#promised.clear() }, parts.segment);
    this.#checkpoint = new Checkpoint({ ...parts, journal: this.#journal });
    this.#checkpointBytes = parts.checkpointBytes;
    this.#nextCheckpoint = parts.checkpointBytes;
    this.#checkpointIfDue();
  }

  async revision(key: string): Promise<number> {
    this.#assertOpen();
    return this.#tables.revisions.get(key);
  }

  async get<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    id: string,
  ): Promise<RecordKinds[Kind] | undefined> {
    this.#assertOpen();
    const damage = this.#manifest.damaged.get(partition, kind);
    const record = this.#tables.get(kind, partition, id);
    // Of a table that has lost a part, the rest is known for sure; that a record is not there is not.
    if (damage !== undefined && (record === undefined || !damage.every(isOfSnapshot)))
      throw this.#unserved(kind, partition, damage);
    return record;
  }

  async find<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    query?: RecordQuery,
  ): Promise<RecordKinds[Kind][]> {
    this.#assertServed(kind, partition);
    return this.#tables.find(kind, partition, query);
  }

  async count(kind: RecordKind, partition: string, where?: Condition): Promise<number> {
    this.#assertServed(kind, partition);
    return this.#tables.count(kind, partition, where);
  }

  async commit(changeSet: ChangeSet): Promise<void> {
    this.#assertOpen();
    this.#journal.assertUsable();
    for (const { kind, partition } of changeSet.changes) this.#assertServed(kind, partition);
    try {
      this.#promised.check(changeSet.expect);
    } catch (conflict) {
      // The faster one may still wait for the disk. Whoever tries again at once must find its change visible.
      await this.#journal.settled();
      throw conflict;
    }
    const taken = copyChangeSet(changeSet);
    this.#promised.advance(taken.expect);
    await this.#journal.append(taken);
  }

  /**
   * Writes snapshots of what changed and cuts the journal, as happens by itself once the journal is long. Commits
   * go on meanwhile. Rejects with `STORE_UNAVAILABLE`; nothing is lost by that.
   */
  async checkpoint(): Promise<void> {
    this.#assertOpen();
    await this.#checkpoint.run();
  }

  /**
   * Copies the store into a folder that is empty or does not exist, as `backupStore` does; checkpoints wait meanwhile,
   * so that it succeeds however much is written. Rejects with `OPTION_INVALID` for another target.
   */
  async backup(target: string): Promise<Copied> {
    this.#assertOpen();
    return this.#checkpoint.between(() => copyInto(this.#files, this.#folder, 'target', target));
  }

  /** A checkpoint that also puts small files of snapshots together, as many deletions leave them behind. */
  async compact(): Promise<void> {
    this.#assertOpen();
    this.#snapshots.compact();
    await this.#checkpoint.run();
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    try {
      this.#checkpoint.hurry();
      await this.#journal.settled();
      if (!this.#journal.hasFailed) await this.#checkpoint.run();
    } catch (error) {
      this.#logger.warn('The last checkpoint failed; the journal holds what it should have written.', { error });
    }
    try {
      // One that was under way must not go on when somebody else has the folder.
      await this.#checkpoint.ended();
      await this.#journal.close();
    } finally {
      await this.#lock.release();
    }
  }

  #apply(changeSet: ChangeSet, bytes: number): void {
    this.#tables.apply(changeSet);
    this.#snapshots.apply(changeSet, bytes);
    this.#checkpointIfDue();
  }

  #checkpointIfDue(): void {
    if (this.#journal.written < this.#nextCheckpoint) return;
    // None other begins before this one has ended.
    this.#nextCheckpoint = Infinity;
    void this.#checkpointNow();
  }

  async #checkpointNow(): Promise<void> {
    const { written } = this.#journal;
    try {
      await this.#checkpoint.run('at ease');
    } catch (error) {
      this.#logger.warn('A checkpoint failed. Nothing is lost, but the journal grows.', {
        error,
        folder: this.#folder,
      });
    }
    // A large store makes checkpoints more rarely, so that it spends no more on them than on the journal.
    this.#nextCheckpoint = written + Math.max(this.#checkpointBytes, this.#checkpoint.cost);
  }

  #assertOpen(): void {
    if (this.#closing) throw new BlockworkError('STORE_CLOSED');
  }

  #assertServed(kind: string, partition: string): void {
    this.#assertOpen();
    const damage = this.#manifest.damaged.get(partition, kind);
    if (damage !== undefined) throw this.#unserved(kind, partition, damage);
  }

  #unserved(kind: string, partition: string, damage: readonly DamageEntry[]): BlockworkError {
    const records = `the records of the kind "${kind}" in the partition "${partition}"`;
    const files = damage.map(({ file, reason }) => `${file} in ${this.#folder} is damaged: ${reason}`);
    return unavailable(`${records} are not served, since ${files.join('; and ')}`);
  }
}

const isOfSnapshot = ({ file }: DamageEntry): boolean => !file.startsWith('journal');
