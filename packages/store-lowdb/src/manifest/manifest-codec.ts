/** What `store.json` says, in each format that there has been. */
import type { DamageEntry, ManifestContent, PartFile, SegmentEntry } from './manifest-content.js';
import { DamagedContent, sealedJson } from '../files/sealed-json.js';
import { format } from '../files/layout.js';
import { TableMap } from './table-map.js';

interface TableName {
  readonly partition: string;
  readonly kind: string;
}

interface Text {
  readonly upTo: number;
  readonly revisions: readonly PartFile[];
  /** Those of one table stand in the order of insertion. */
  readonly snapshots: readonly (PartFile & TableName)[];
  readonly journal: SegmentEntry[];
  readonly damaged: readonly (DamageEntry & TableName)[];
}

interface TextOfFormat1 {
  readonly upTo: number;
  readonly revisionsUpTo?: number;
  readonly snapshots: readonly (TableName & { file: string; records: number; upTo: number })[];
  readonly segments: SegmentEntry[];
  readonly damaged: readonly (DamageEntry & TableName)[];
}

/** What it says when this is called; the slices are made as they are asked for. */
export function manifestText({ upTo, revisions, snapshots, segments, damaged }: ManifestContent): Iterable<Buffer> {
  return sealedJson(
    { format, upTo },
    {
      revisions,
      snapshots: rows([...snapshots]),
      journal: segments.map((entry) => ({ ...entry })),
      damaged: rows([...damaged]),
    },
  );
}

/** Throws `DamagedContent` where it has not the form of its format, which is one that this version knows. */
export function readManifestText(read: Record<string, unknown>): ManifestContent {
  const content = read['format'] === 1 ? upgraded(read as unknown as TextOfFormat1) : (read as unknown as Text);
  const lists = [content.revisions, content.snapshots, content.journal, content.damaged];
  if (!Number.isSafeInteger(content.upTo) || !lists.every((list) => Array.isArray(list)))
    throw new DamagedContent('it does not say what there is');
  const { upTo, journal: segments } = content;
  return {
    upTo,
    revisions: [...content.revisions],
    snapshots: byTable<PartFile>(content.snapshots),
    segments,
    damaged: byTable<DamageEntry>(content.damaged),
  };
}

/** In format 1, each table was in one file, and so were the revisions. */
function upgraded(text: TextOfFormat1): Text {
  const { upTo, revisionsUpTo, segments: journal, damaged } = text;
  const whole = { records: 0, bytes: 0 };
  return {
    upTo,
    revisions: revisionsUpTo === undefined ? [] : [{ ...whole, file: 'revisions.json', upTo: revisionsUpTo }],
    snapshots: text.snapshots.map((entry) => ({ ...entry, bytes: 0, file: `snapshots/${entry.file}` })),
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
