/** `store.json`: the format of the folder, and which files it must contain. */
import { dirname } from 'node:path';
import { replaceFile } from '../files/atomic-file.js';
import { DamagedContent, decodeJson } from '../files/checksummed-json.js';
import { unavailable } from '../files/failures.js';
import type { FileSystem } from '../files/file-system.js';
import { format } from '../files/layout.js';
import { decodeManifest, encodeManifest } from './manifest-codec.js';
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
  formatOnDisk: number = format;
  /** Whether the file may lack a change made in memory. */
  needsSave = false;

  constructor(files: FileSystem, path: string) {
    this.#files = files;
    this.#path = path;
  }

  /** Resolves to `false` if the file does not exist. Rejects with `STORE_UNAVAILABLE`. */
  async load(): Promise<boolean> {
    const bytes = await this.#files.read(this.#path);
    if (bytes === undefined) return false;
    this.parse(bytes);
    return true;
  }

  /** Throws `STORE_UNAVAILABLE`. */
  parse(bytes: Buffer): void {
    try {
      const content = decodeJson(bytes);
      this.formatOnDisk = this.#knownFormat(content['format']);
      Object.assign(this, decodeManifest(content));
    } catch (error) {
      if (!(error instanceof DamagedContent)) throw error;
      throw unavailable(`${this.#path} is damaged: ${error.message}. Restore a good copy of it`, error);
    }
  }

  /** Resolves when the content, as of this call or later, is durable. */
  save(): Promise<void> {
    const saved = this.#saving.then(() => this.#write());
    this.#saving = saved.catch(() => undefined);
    return saved;
  }

  async #write(): Promise<void> {
    this.needsSave = true;
    await replaceFile(this.#files, this.#path, encodeManifest(this));
    await this.#files.syncFolder(dirname(this.#path));
    this.needsSave = false;
  }

  #knownFormat(found: unknown): number {
    if (typeof found === 'number' && Number.isInteger(found) && found >= 1 && found <= format) return found;
    const known = `this version of @blockwork/store-lowdb reads the formats 1 to ${format}`;
    const advice = typeof found === 'number' && found > format ? '. Use the newer version that wrote it' : '';
    throw unavailable(`${this.#path} has the format ${JSON.stringify(found)}; ${known}${advice}`);
  }
}
