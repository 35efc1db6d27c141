/** Rebuilds a lost manifest from the other files. */
import { join } from 'node:path';
import { DamagedContent } from '../files/checksummed-json.js';
import type { FileSystem } from '../files/file-system.js';
import type { Layout } from '../files/layout.js';
import type { PartFile, SegmentEntry } from '../manifest/manifest-content.js';
import { Manifest } from '../manifest/manifest.js';
import { TableMap } from '../manifest/table-map.js';
import { SnapshotFile, type Snapshot } from '../snapshots/snapshot-file.js';

interface FoundPart {
  readonly number: number;
  readonly upTo: number;
  readonly entry: PartFile;
}

type Parts = Map<number, FoundPart>;

/**
 * Takes the newest file of each part and replays the whole journal. Unknown are removed parts, which come back, and the
 * order of split parts.
 */
export async function rebuildManifest(files: FileSystem, layout: Layout): Promise<Manifest> {
  const manifest = new Manifest(files, layout.manifest);
  const { tables, revisions, newest } = await findParts(files, layout);
  manifest.segments = await findSegments(files, layout);
  manifest.upTo = (manifest.segments[0]?.first ?? newest + 1) - 1;
  for (const { partition, kind, value } of tables) manifest.snapshots.set(partition, kind, inOrder(value));
  manifest.revisions = inOrder(revisions);
  manifest.needsSave = true;
  return manifest;
}

async function findParts(
  files: FileSystem,
  layout: Layout,
): Promise<{ tables: TableMap<Parts>; revisions: Parts; newest: number }> {
  const tables = new TableMap<Parts>();
  const revisions: Parts = new Map<number, FoundPart>();
  let newest = 0;
  for (const file of await snapshotNames(files, layout)) {
    const snapshot = await readIfIntact(files, join(layout.folder, file));
    if (snapshot === undefined) continue;
    const { partition, kind, upTo, part: number = 0 } = snapshot;
    const entry = { file, records: snapshot.records.length, bytes: 0, ...(number === 0 && { upTo }) };
    const holdsRevisions = file === 'revisions.json' || /^snapshots\/revisions\.\d/.test(file);
    const parts = holdsRevisions ? revisions : (tables.get(partition, kind) ?? new Map<number, FoundPart>());
    if (!holdsRevisions) tables.set(partition, kind, parts);
    if ((parts.get(number)?.upTo ?? -1) < upTo) parts.set(number, { number, upTo, entry });
    newest = Math.max(newest, upTo);
  }
  return { tables, revisions, newest };
}

async function snapshotNames(files: FileSystem, layout: Layout): Promise<string[]> {
  const inSnapshots = (await files.list(layout.snapshots)).map((name) => `snapshots/${name}`);
  const ofFormat1 = (await files.list(layout.folder)).filter((name) => name === 'revisions.json');
  return [...inSnapshots, ...ofFormat1];
}

const inOrder = (parts: Parts): PartFile[] =>
  [...parts.values()].sort((one, other) => one.number - other.number).map(({ entry }) => entry);

async function readIfIntact(files: FileSystem, path: string): Promise<Snapshot | undefined> {
  try {
    return (await new SnapshotFile(files, path).read()) ?? undefined;
  } catch (error) {
    if (error instanceof DamagedContent) return undefined;
    throw error;
  }
}

/** Only the last one can be unsealed. */
async function findSegments(files: FileSystem, layout: Layout): Promise<SegmentEntry[]> {
  const names = (await files.list(layout.journal)).filter((name) => /^\d+\.jsonl$/.test(name)).sort();
  const firsts = names.map((name) => Number.parseInt(name, 10));
  return names.map((file, at) => {
    const [first = 0, next] = firsts.slice(at);
    return next === undefined ? { file, first } : { file, first, last: next - 1 };
  });
}
