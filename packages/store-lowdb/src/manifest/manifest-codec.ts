/** Encodes and decodes the text of `store.json`, in every format so far. */
import { DamagedContent, encodeJson } from '../files/checksummed-json.js';
import { format } from '../files/layout.js';
import type { DamageEntry, ManifestContent, PartFile, SegmentEntry } from './manifest-content.js';
import { TableMap } from './table-map.js';

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
export function encodeManifest({ upTo, revisions, snapshots, segments, damaged }: ManifestContent): Iterable<Buffer> {
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
export function decodeManifest(read: Record<string, unknown>): ManifestContent {
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
    const known = tables.get(partition, kind);
    if (known === undefined) tables.set(partition, kind, [entry as unknown as T]);
    else known.push(entry as unknown as T);
  }
  return tables;
}

function* rows<T extends object>(tables: readonly (TableName & { value: readonly T[] })[]): Iterable<TableName & T> {
  for (const { partition, kind, value } of tables) for (const entry of value) yield { partition, kind, ...entry };
}
