/** The first half of opening: what the snapshots hold. */
import { join, relative } from 'node:path';
import type { RecordKind, RecordKinds } from '@blockwork/core';
import { Low } from 'lowdb';
import type { FileSystem } from './file-system.js';
import type { Layout } from './layout.js';
import { forEachLimited } from './limited.js';
import type { Manifest, SnapshotEntry } from './manifest.js';
import type { Recovered } from './recovered.js';
import { DamagedContent, MissingContent } from './sealed-json.js';
import { SnapshotFile, type Snapshot } from './snapshot-file.js';

const readAtOnce = 16;
const missing: Snapshot = { partition: '', kind: '', upTo: -1, records: [] };

/** Damaged ones exclude their table. Rejects with `STORE_UNAVAILABLE` where a file cannot be read at all. */
export async function loadSnapshots(
  files: FileSystem,
  layout: Layout,
  manifest: Manifest,
  into: Recovered,
): Promise<void> {
  const listed = [...manifest.snapshots].filter(({ partition, kind }) => into.isServed(partition, kind));
  await forEachLimited(listed, readAtOnce, async ({ partition, kind, value: entry }) => {
    const path = join(layout.snapshots, entry.file);
    try {
      const snapshot = await readSnapshot(files, path);
      assertExpected(snapshot, partition, kind, entry);
      into.tables.load(kind as RecordKind, partition, snapshot.records as RecordKinds[RecordKind][]);
      into.snapshotUpTo.set(partition, kind, snapshot.upTo);
      into.saw(snapshot.upTo);
    } catch (error) {
      if (!(error instanceof DamagedContent)) throw error;
      into.exclude(partition, kind, relative(layout.folder, path), error.message);
      if (!(error instanceof MissingContent)) into.spoiled.add(path);
    }
  });
}

/** Where they are damaged, `Recovered.restartRevisions` makes new ones once the journal was read. */
export async function loadRevisions(
  files: FileSystem,
  layout: Layout,
  manifest: Manifest,
  into: Recovered,
): Promise<void> {
  if (manifest.revisionsUpTo === undefined) return;
  try {
    const snapshot = await readSnapshot(files, layout.revisions);
    if (snapshot.upTo < manifest.revisionsUpTo) throw new DamagedContent(isOlder);
    for (const { key, revision } of snapshot.records as readonly RevisionRow[])
      into.tables.revisions.set(key, revision);
    into.saw(snapshot.upTo);
    into.revisionsUpTo = snapshot.upTo;
  } catch (error) {
    if (!(error instanceof DamagedContent)) throw error;
    into.damage.push({ file: relative(layout.folder, layout.revisions), reason: error.message });
    if (!(error instanceof MissingContent)) into.spoiled.add(layout.revisions);
    into.revisionsAreLost = true;
  }
}

export interface RevisionRow {
  readonly key: string;
  readonly revision: number;
}

const isOlder = 'it is older than store.json says';

async function readSnapshot(files: FileSystem, path: string): Promise<Snapshot> {
  const low = new Low<Snapshot>(new SnapshotFile(files, path), missing);
  await low.read();
  if (low.data === missing) throw new MissingContent();
  return low.data;
}

function assertExpected(snapshot: Snapshot, partition: string, kind: string, entry: SnapshotEntry): void {
  if (snapshot.partition !== partition || snapshot.kind !== kind)
    throw new DamagedContent('it holds the records of another table');
  if (snapshot.upTo < entry.upTo) throw new DamagedContent(isOlder);
}
