/** `store.json`: the format of the folder, and which files it must contain. */
import { dirname } from 'node:path';
import { replaceFile } from '../files/atomic-file.js';
import { DamagedContent, decodeJson, encodeJson } from '../files/checksummed-json.js';
import { unavailable } from '../files/failures.js';
import type { FileSystem } from '../files/file-system.js';
import { format } from '../files/layout.js';
import {
  type DamageEntry,
  type ManifestContent,
  type PartFile,
  type SegmentEntry,
  TableMap,
} from './manifest-content.js';

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

  #knownFormat(version: unknown): number {
    if (typeof version === 'number' && Number.isInteger(version) && version >= 1 && version <= format) return version;
    const formats = `this version of @blockwork/store-lowdb reads the formats 1 to ${format}`;
    const advice = typeof version === 'number' && version > format ? '. Use the newer version that wrote it' : '';
    throw unavailable(`${this.#path} has the format ${JSON.stringify(version)}; ${formats}${advice}`);
  }
}

interface TableName {
  readonly partition: string;
  readonly kind: string;
}

interface Format2 {
  readonly upTo: number;
  readonly revisions: readonly PartFile[];
  /** The parts of a table stand in insertion order. */
  readonly snapshots: readonly (PartFile & TableName)[];
  readonly journal: SegmentEntry[];
  readonly damaged: readonly (DamageEntry & TableName)[];
}

interface Format1 {
  readonly upTo: number;
  readonly revisionsUpTo?: number;
  readonly snapshots: readonly (TableName & { file: string; records: number; upTo: number })[];
  readonly segments: SegmentEntry[];
  readonly damaged: readonly (DamageEntry & TableName)[];
}

/** Captures the content at the time of the call; slices are encoded on demand. */
function encodeManifest({ upTo, revisions, snapshots, segments, damaged }: ManifestContent): Iterable<Buffer> {
  return encodeJson(
    { format, upTo },
    {
      revisions,
      snapshots: rows([...snapshots]),
      journal: segments.map((entry) => ({ ...entry })),
      damaged: rows([...damaged]),
    },
  );
}

/** Throws `DamagedContent` if the content does not match its declared (known) format. */
function decodeManifest(read: Record<string, unknown>): ManifestContent {
  const content = read['format'] === 1 ? upgraded(read as unknown as Format1) : (read as unknown as Format2);
  const lists = [content.revisions, content.snapshots, content.journal, content.damaged];
  if (!Number.isSafeInteger(content.upTo) || !lists.every((list) => Array.isArray(list)))
    throw new DamagedContent('it is not a manifest');
  const { upTo, journal: segments } = content;
  return {
    upTo,
    revisions: [...content.revisions],
    snapshots: byTable<PartFile>(content.snapshots),
    segments,
    damaged: byTable<DamageEntry>(content.damaged),
  };
}

/** In format 1, each table was one file, and so were the revisions. */
function upgraded(content: Format1): Format2 {
  const { upTo, revisionsUpTo, segments: journal, damaged } = content;
  const unknownSize = { records: 0, bytes: 0 };
  return {
    upTo,
    revisions: revisionsUpTo === undefined ? [] : [{ ...unknownSize, file: 'revisions.json', upTo: revisionsUpTo }],
    snapshots: content.snapshots.map((entry) => ({ ...entry, bytes: 0, file: `snapshots/${entry.file}` })),
    journal,
    damaged,
  };
}

function byTable<T extends object>(list: readonly (T & TableName)[]): TableMap<T[]> {
  const tables = new TableMap<T[]>();
  for (const { partition, kind, ...entry } of list) {
    const part = tables.get(partition, kind);
    if (part === undefined) tables.set(partition, kind, [entry as unknown as T]);
    else part.push(entry as unknown as T);
  }
  return tables;
}

function* rows<T extends object>(tables: readonly (TableName & { value: readonly T[] })[]): Iterable<TableName & T> {
  for (const { partition, kind, value } of tables) for (const entry of value) yield { partition, kind, ...entry };
}
