/** `store.json`: the format of the folder, and which files it must hold. */
import { dirname } from 'node:path';
import { replaceFile } from '../files/atomic-file.js';
import { unavailable } from '../files/failures.js';
import type { FileSystem } from '../files/file-system.js';
import { format } from '../files/layout.js';
import { manifestText, readManifestText } from './manifest-codec.js';
import { DamagedContent, parseSealedJson } from '../files/sealed-json.js';
import type { DamageEntry, ManifestContent, PartFile, SegmentEntry } from './manifest-content.js';
import { TableMap } from './table-map.js';

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
