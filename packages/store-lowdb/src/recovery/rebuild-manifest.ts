/** Makes a manifest anew from the files that there are, where it was lost. */
import { join } from 'node:path';
import type { FileSystem } from '../files/file-system.js';
import type { Layout } from '../files/layout.js';
import type { PartFile, SegmentEntry } from '../manifest/manifest-content.js';
import { Manifest } from '../manifest/manifest.js';
import { DamagedContent } from '../files/sealed-json.js';
import { SnapshotFile, type Snapshot } from '../snapshots/snapshot-file.js';
import { TableMap } from '../manifest/table-map.js';

interface Found {
  readonly number: number;
  readonly upTo: number;
  readonly entry: PartFile;
}

/**
 * Takes the newest file of each part, and has the whole journal told again on top of them. What it cannot know: which
 * parts had been given up, and in which order those stood that had once been cut in two.
 */
export async function rebuildManifest(files: FileSystem, layout: Layout): Promise<Manifest> {
  const manifest = new Manifest(files, layout.manifest);
  const tables = new TableMap<Map<number, Found>>();
  const revisions = new Map<number, Found>();
  let newest = 0;
  const names = (await files.list(layout.snapshots)).map((name) => `snapshots/${name}`);
  const besides = (await files.list(layout.folder)).filter((name) => name === 'revisions.json');
  for (const file of [...names, ...besides]) {
    const snapshot = await readable(files, join(layout.folder, file));
    if (snapshot === undefined) continue;
    const { partition, kind, upTo, part: number = 0 } = snapshot;
    const entry = { file, records: snapshot.records.length, bytes: 0, ...(number === 0 && { upTo }) };
    const isOfRevisions = file === 'revisions.json' || /^snapshots\/revisions\.\d/.test(file);
    const parts = isOfRevisions ? revisions : (tables.get(partition, kind) ?? new Map<number, Found>());
    if (!isOfRevisions) tables.set(partition, kind, parts);
    if ((parts.get(number)?.upTo ?? -1) < upTo) parts.set(number, { number, upTo, entry });
    newest = Math.max(newest, upTo);
  }
  manifest.segments = await segmentsOf(files, layout);
  manifest.upTo = (manifest.segments[0]?.first ?? newest + 1) - 1;
  for (const { partition, kind, value } of tables) manifest.snapshots.set(partition, kind, inOrder(value));
  manifest.revisions = inOrder(revisions);
  manifest.mustBeSaved = true;
  return manifest;
}

const inOrder = (parts: ReadonlyMap<number, Found>): PartFile[] =>
  [...parts.values()].sort((one, other) => one.number - other.number).map(({ entry }) => entry);

async function readable(files: FileSystem, path: string): Promise<Snapshot | undefined> {
  try {
    return (await new SnapshotFile(files, path).read()) ?? undefined;
  } catch (error) {
    if (error instanceof DamagedContent) return undefined;
    throw error;
  }
}

/** Only the last one may be written to still. */
async function segmentsOf(files: FileSystem, layout: Layout): Promise<SegmentEntry[]> {
  const names = (await files.list(layout.journal)).filter((name) => /^\d+\.jsonl$/.test(name)).sort();
  const firsts = names.map((name) => Number.parseInt(name, 10));
  return names.map((file, at) => {
    const [first = 0, next] = firsts.slice(at);
    return next === undefined ? { file, first } : { file, first, last: next - 1 };
  });
}
