/** `store.json`: the format of the folder, and which files it must hold. */
import { dirname } from 'node:path';
import { replaceFile } from './atomic-file.js';
import { unavailable } from './failures.js';
import type { FileSystem } from './file-system.js';
import { DamagedContent, parseSealedJson, sealedJson } from './sealed-json.js';
import { TableMap } from './table-map.js';

/** What this version writes. It reads this format and no newer one. */
export const format = 1;

/** A segment of the journal. */
export interface SegmentEntry {
  readonly file: string;
  /** The numbers of its first and last commit; `last` is absent while it is written to. */
  readonly first: number;
  last?: number;
}

/** The snapshot of one kind in one partition. */
export interface SnapshotEntry {
  readonly file: string;
  readonly records: number;
  /** The number of the last commit that it holds. */
  readonly upTo: number;
}

/** Why one kind in one partition is not served. */
export interface DamageEntry {
  /** The damaged file, as it was called. */
  readonly file: string;
  readonly reason: string;
  /** What its last good snapshot held, or would have held: what the journal says after this commit is missing. */
  readonly upTo: number;
}

export class Manifest {
  readonly #files: FileSystem;
  readonly #path: string;
  #saving: Promise<void> = Promise.resolve();

  /** Snapshots hold every commit up to this number. */
  upTo = 0;
  /** The number of the last commit that `revisions.json` holds; `undefined` before there is such a file. */
  revisionsUpTo: number | undefined;
  segments: SegmentEntry[] = [];
  readonly snapshots = new TableMap<SnapshotEntry>();
  readonly damaged = new TableMap<DamageEntry>();

  constructor(files: FileSystem, path: string) {
    this.#files = files;
    this.#path = path;
  }

  /** Reads it from its file; `false` when there is none. Rejects with `STORE_UNAVAILABLE`. */
  async load(): Promise<boolean> {
    const bytes = await this.#files.read(this.#path);
    if (bytes === undefined) return false;
    let read: Record<string, unknown>;
    try {
      read = parseSealedJson(bytes);
    } catch (error) {
      if (!(error instanceof DamagedContent)) throw error;
      throw unavailable(`${this.#path} is damaged: ${error.message}. Put a good copy of it in its place`, error);
    }
    this.#assertFormat(read['format']);
    this.#take(read as unknown as ManifestText);
    return true;
  }

  /** Resolves when what the manifest says at this moment is durable. */
  save(): Promise<void> {
    const saved = this.#saving.then(() => this.#write());
    this.#saving = saved.catch(() => undefined);
    return saved;
  }

  async #write(): Promise<void> {
    const { upTo, revisionsUpTo } = this;
    const lists = { snapshots: rows(this.snapshots), segments: this.segments, damaged: rows(this.damaged) };
    await replaceFile(this.#files, this.#path, sealedJson({ format, upTo, revisionsUpTo }, lists));
    await this.#files.syncFolder(dirname(this.#path));
  }

  #take(text: ManifestText): void {
    this.upTo = text.upTo;
    this.revisionsUpTo = text.revisionsUpTo;
    this.segments = text.segments;
    for (const { partition, kind, ...entry } of text.snapshots) this.snapshots.set(partition, kind, entry);
    for (const { partition, kind, ...entry } of text.damaged) this.damaged.set(partition, kind, entry);
  }

  #assertFormat(found: unknown): void {
    if (found === format) return;
    const known = `this version of @blockwork/store-lowdb reads format ${format}`;
    const advice = typeof found === 'number' && found > format ? ' Use the newer version that wrote it' : '';
    throw unavailable(`${this.#path} has the format ${JSON.stringify(found)}; ${known}.${advice}`);
  }
}

interface ManifestText {
  readonly upTo: number;
  readonly revisionsUpTo?: number;
  readonly segments: SegmentEntry[];
  readonly snapshots: readonly (SnapshotEntry & TableName)[];
  readonly damaged: readonly (DamageEntry & TableName)[];
}

interface TableName {
  readonly partition: string;
  readonly kind: string;
}

function* rows<T extends object>(entries: TableMap<T>): Iterable<TableName & T> {
  for (const { partition, kind, value } of entries) yield { partition, kind, ...value };
}
