/** The first half of recovery: loads the snapshots. */
import { join } from 'node:path';
import type { RecordKind, RecordKinds } from '@blockwork/core/adapter';
import { Low } from 'lowdb';
import { DamagedContent, MissingContent } from '../files/checksummed-json.js';
import { mapInOrder } from '../files/concurrency.js';
import type { FileSystem } from '../files/file-system.js';
import { versionIn, type Layout } from '../files/layout.js';
import type { PartFile } from '../manifest/manifest-content.js';
import type { MultipartTable } from '../snapshots/multipart-table.js';
import { SnapshotFile, type Snapshot } from '../snapshots/snapshot-file.js';
import type { RevisionRow } from '../snapshots/snapshots.js';
import type { RecoveredState } from './recovered-state.js';

const concurrentReads = 16;
const missing: Snapshot = { partition: '', kind: '', upTo: -1, records: [] };

interface Part {
  readonly partition: string;
  readonly kind: string;
  readonly entry: PartFile;
}

interface LoadedPart extends Part {
  readonly snapshot: Snapshot;
  readonly bytes: number;
}

interface DamagedPart extends Part {
  readonly damage: DamagedContent;
}

/** Damage is recorded per table. Rejects with `STORE_UNAVAILABLE` if the file system fails. */
export async function loadSnapshots(files: FileSystem, layout: Layout, state: RecoveredState): Promise<void> {
  const listed = [...state.manifest.snapshots].flatMap(({ partition, kind, value }) =>
    value.map((entry): Part => ({ partition, kind, entry })),
  );
  for await (const part of mapInOrder(listed, concurrentReads, (item) => readPart(files, layout, item))) {
    if ('damage' in part) {
      state.markDamaged(part.partition, part.kind, part.entry.file, part.damage.message);
      state.snapshots.table(part.partition, part.kind).reserve(versionIn(part.entry.file)?.part ?? 0);
      if (!(part.damage instanceof MissingContent)) state.markCorrupted(part.entry.file);
    } else loadPart(part, state);
  }
}

/** Damage is recorded as lost revisions. */
export async function loadRevisions(files: FileSystem, layout: Layout, state: RecoveredState): Promise<void> {
  state.revisionsUpTo = state.manifest.upTo;
  for (const entry of state.manifest.revisions) {
    const part = await readPart(files, layout, { partition: '', kind: 'revisions', entry });
    if ('damage' in part) {
      state.loseRevisions(entry.file, part.damage.message);
      state.snapshots.revisions.reserve(versionIn(entry.file)?.part ?? 0);
      if (!(part.damage instanceof MissingContent)) state.markCorrupted(entry.file);
      continue;
    }
    const rows = part.snapshot.records as readonly RevisionRow[];
    for (const { key, revision } of rows) state.tables.revisions.set(key, revision);
    if (entry.upTo !== undefined) {
      state.revisionsUpTo = part.snapshot.upTo;
      state.advanceTo(part.snapshot.upTo);
    }
    addToSnapshots(part, rows, ({ key }) => key, state.snapshots.revisions, state);
  }
}

async function readPart(files: FileSystem, layout: Layout, part: Part): Promise<LoadedPart | DamagedPart> {
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
    throw new DamagedContent('it contains the records of another table');
  const version = versionIn(entry.file);
  if (version === undefined ? snapshot.upTo < (entry.upTo ?? 0) : snapshot.upTo < version.upTo)
    throw new DamagedContent('it is older than store.json says');
  if (version === undefined) return;
  if (snapshot.upTo !== version.upTo || snapshot.part !== version.part)
    throw new DamagedContent('it is not the file that store.json lists');
}

function loadPart(part: LoadedPart, state: RecoveredState): void {
  const { partition, kind, entry, snapshot } = part;
  if (state.isKept(kind))
    state.tables.load(kind as RecordKind, partition, snapshot.records as RecordKinds[RecordKind][]);
  if (entry.upTo !== undefined) state.upTo.set(partition, kind, snapshot.upTo);
  state.advanceTo(snapshot.upTo);
  const rows = snapshot.records as readonly { id: string }[];
  addToSnapshots(part, rows, ({ id }) => id, state.snapshots.table(partition, kind), state);
}

/** The next checkpoint replaces a file of format 1 by parts. */
function addToSnapshots<Row>(
  { entry: { file }, snapshot, bytes }: LoadedPart,
  rows: readonly Row[],
  idOf: (row: Row) => string,
  table: MultipartTable,
  state: RecoveredState,
): void {
  if (snapshot.part !== undefined) {
    table.load({ file, records: rows.length, bytes }, snapshot.part, rows, idOf, state.isKept(table.kind));
    return;
  }
  for (const row of rows) table.put(idOf(row), row, bytes / rows.length);
  table.orphan(file);
  state.snapshots.trackChange(table);
}
