/** The first half of opening: what the snapshots hold. */
import { join } from 'node:path';
import type { RecordKind, RecordKinds } from '@blockwork/core/adapter';
import { Low } from 'lowdb';
import type { FileSystem } from '../files/file-system.js';
import { inOrder } from '../files/concurrency.js';
import { versionIn, type Layout } from '../files/layout.js';
import type { Recovered } from './recovered.js';
import { DamagedContent, MissingContent } from '../files/sealed-json.js';
import type { PartedTable } from '../snapshots/parted-table.js';
import { SnapshotFile, type Snapshot } from '../snapshots/snapshot-file.js';
import type { RevisionRow } from '../snapshots/snapshots.js';
import type { PartFile } from '../manifest/manifest-content.js';

const readAhead = 16;
const missing: Snapshot = { partition: '', kind: '', upTo: -1, records: [] };

interface Part {
  readonly partition: string;
  readonly kind: string;
  readonly entry: PartFile;
}

interface Loaded extends Part {
  readonly snapshot: Snapshot;
  readonly bytes: number;
}

interface Unreadable extends Part {
  readonly damage: DamagedContent;
}

/**
 * Damaged ones exclude their table, or a part of it. Rejects with `STORE_UNAVAILABLE` where a file cannot be read at
 * all.
 */
export async function loadSnapshots(files: FileSystem, layout: Layout, into: Recovered): Promise<void> {
  const listed = [...into.manifest.snapshots].flatMap(({ partition, kind, value }) =>
    value.map((entry): Part => ({ partition, kind, entry })),
  );
  for await (const part of inOrder(listed, readAhead, (item) => readPart(files, layout, item))) {
    if ('damage' in part) {
      into.exclude(part.partition, part.kind, part.entry.file, part.damage.message);
      if (!(part.damage instanceof MissingContent)) into.spoil(part.entry.file);
    } else loadPart(part, into);
  }
}

/** Where some are damaged, `Recovered.restartRevisions` makes new ones. */
export async function loadRevisions(files: FileSystem, layout: Layout, into: Recovered): Promise<void> {
  into.revisionsUpTo = into.manifest.upTo;
  for (const entry of into.manifest.revisions) {
    const part = await readPart(files, layout, { partition: '', kind: 'revisions', entry });
    if ('damage' in part) {
      into.loseRevisions(entry.file, part.damage.message);
      if (!(part.damage instanceof MissingContent)) into.spoil(entry.file);
      continue;
    }
    const rows = part.snapshot.records as readonly RevisionRow[];
    for (const { key, revision } of rows) into.tables.revisions.set(key, revision);
    if (entry.upTo !== undefined) {
      into.revisionsUpTo = part.snapshot.upTo;
      into.saw(part.snapshot.upTo);
    }
    keep(part, rows, ({ key }) => key, into.snapshots.revisions, into);
  }
}

async function readPart(files: FileSystem, layout: Layout, part: Part): Promise<Loaded | Unreadable> {
  const file = new SnapshotFile(files, join(layout.folder, part.entry.file));
  const low = new Low<Snapshot>(file, missing);
  try {
    await low.read();
    if (low.data === missing) throw new MissingContent();
    assertExpected(low.data, part);
    return { ...part, snapshot: low.data, bytes: file.size };
  } catch (error) {
    if (!(error instanceof DamagedContent)) throw error;
    return { ...part, damage: error };
  }
}

function assertExpected(snapshot: Snapshot, { partition, kind, entry }: Part): void {
  if (snapshot.partition !== partition || snapshot.kind !== kind)
    throw new DamagedContent('it holds the records of another table');
  const version = versionIn(entry.file);
  if (version === undefined ? snapshot.upTo < (entry.upTo ?? 0) : snapshot.upTo < version.upTo)
    throw new DamagedContent('it is older than store.json says');
  if (version === undefined) return;
  if (snapshot.upTo !== version.upTo || snapshot.part !== version.part)
    throw new DamagedContent('it is not the one that store.json means');
}

function loadPart(part: Loaded, into: Recovered): void {
  const { partition, kind, entry, snapshot } = part;
  into.tables.load(kind as RecordKind, partition, snapshot.records as RecordKinds[RecordKind][]);
  if (entry.upTo !== undefined) into.upTo.set(partition, kind, snapshot.upTo);
  into.saw(snapshot.upTo);
  const rows = snapshot.records as readonly { id: string }[];
  keep(part, rows, ({ id }) => id, into.snapshots.table(partition, kind), into);
}

/** A file of format 1 is given up for parts, which the next checkpoint writes. */
function keep<Row>(
  { entry: { file }, snapshot, bytes }: Loaded,
  rows: readonly Row[],
  idOf: (row: Row) => string,
  table: PartedTable,
  into: Recovered,
): void {
  if (snapshot.part !== undefined) {
    table.load({ file, records: rows.length, bytes }, snapshot.part, rows, idOf);
    return;
  }
  for (const row of rows) table.put(idOf(row), row, bytes / rows.length);
  table.abandon(file);
  into.snapshots.changed(table);
}
