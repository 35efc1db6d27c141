/** `store.json`: the format of the folder, and which files it must hold. */
import { dirname } from 'node:path';
import { replaceFile } from './atomic-file.js';
import { unavailable } from './failures.js';
import type { FileSystem } from './file-system.js';
import { format } from './format.js';
import { manifestText, readManifestText } from './manifest-text.js';
import { DamagedContent, parseSealedJson } from './sealed-json.js';
import { TableMap } from './table-map.js';
import type { PartFile } from './table-part.js';

/** A segment of the journal. */
export interface SegmentEntry {
  readonly file: string;
  /** The numbers of its first and last commit; `last` is absent while it is written to. */
  readonly first: number;
  last?: number;
}

/** Why one kind in one partition is not served, or not all of it. */
export interface DamageEntry {
  /** The damaged file, relative to the store's folder, as it was called. */
  readonly file: string;
  readonly reason: string;
  /** The number of the last commit that the table's snapshot holds, or would hold. */
  readonly upTo: number;
}

export interface ManifestContent {
  /** Snapshots hold every commit up to this number, but those of damaged tables. */
  upTo: number;
  revisions: readonly PartFile[];
  /** The parts of each table, in the order of insertion. */
  readonly snapshots: TableMap<readonly PartFile[]>;
  segments: SegmentEntry[];
  readonly damaged: TableMap<readonly DamageEntry[]>;
}

export class Manifest implements ManifestContent {
  readonly #files: FileSystem;
  readonly #path: string;
  #saving: Promise<void> = Promise.resolve();
  upTo = 0;
  revisions: readonly PartFile[] = [];
  snapshots = new TableMap<readonly PartFile[]>();
  segments: SegmentEntry[] = [];
  damaged = new TableMap<readonly DamageEntry[]>();
  /** The format that was read. */
  found: number = format;
  /** Whether it says something that the disk may not say yet. */
  mustBeSaved = false;

  constructor(files: FileSystem, path: string) {
    this.#files = files;
    this.#path = path;
  }

  /** Reads it from its file; `false` when there is none. Rejects with `STORE_UNAVAILABLE`. */
  async load(): Promise<boolean> {
    const bytes = await this.#files.read(this.#path);
    if (bytes === undefined) return false;
    this.parse(bytes);
    return true;
  }

  /** Takes over what a manifest says. Throws `STORE_UNAVAILABLE`. */
  parse(bytes: Buffer): void {
    try {
      const read = parseSealedJson(bytes);
      this.found = this.#known(read['format']);
      Object.assign(this, readManifestText(read));
    } catch (error) {
      if (!(error instanceof DamagedContent)) throw error;
      throw unavailable(`${this.#path} is damaged: ${error.message}. Put a good copy of it in its place`, error);
    }
  }

  /** Resolves when what the manifest says at this moment is durable. */
  save(): Promise<void> {
    const saved = this.#saving.then(() => this.#write());
    this.#saving = saved.catch(() => undefined);
    return saved;
  }

  async #write(): Promise<void> {
    this.mustBeSaved = true;
    await replaceFile(this.#files, this.#path, manifestText(this));
    await this.#files.syncFolder(dirname(this.#path));
    this.mustBeSaved = false;
  }

  #known(found: unknown): number {
    if (typeof found === 'number' && Number.isInteger(found) && found >= 1 && found <= format) return found;
    const known = `this version of @blockwork/store-lowdb reads the formats 1 to ${format}`;
    const advice = typeof found === 'number' && found > format ? '. Use the newer version that wrote it' : '';
    throw unavailable(`${this.#path} has the format ${JSON.stringify(found)}; ${known}${advice}`);
  }
}
