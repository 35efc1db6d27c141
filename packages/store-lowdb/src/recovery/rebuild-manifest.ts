/** Rebuilds a lost manifest from the other files. */
import { join } from 'node:path';
import type { FileSystem } from '../files/file-system.js';
import { holdsRevisions, type Layout } from '../files/layout.js';
import type { PartFile, SegmentEntry } from '../manifest/manifest-content.js';
import { Manifest } from '../manifest/manifest.js';
import { recordKind, isUndivided } from '../manifest/table-kind.js';
import { TableMap } from '../manifest/table-map.js';
import { findPart, type FoundPart } from './found-part.js';

/** The files of each part: one, or several if a checkpoint was interrupted. */
type Parts = Map<number, FoundPart[]>;

export interface RebuiltManifest {
  readonly manifest: Manifest;
  /** Damaged snapshot files whose table is unknown. */
  readonly unknown: readonly string[];
}

/**
 * Lists one file of each part, and the whole journal for replay. It cannot tell which parts were removed, so these come
 * back, nor the order of split parts. Damaged files are listed too, so that recovery reports and keeps them.
 */
export async function rebuildManifest(files: FileSystem, layout: Layout): Promise<RebuiltManifest> {
  const manifest = new Manifest(files, layout.manifest);
  const { tables, revisions, newest, unknown } = await findParts(files, layout);
  manifest.segments = await findSegments(files, layout);
  manifest.upTo = (manifest.segments[0]?.first ?? newest + 1) - 1;
  const divided = new Set(
    [...tables].filter(({ kind }) => recordKind(kind) !== kind).map(({ kind }) => recordKind(kind)),
  );
  for (const { partition, kind, value } of tables) {
    // The tables that replaced the undivided one are newer than its leftovers.
    if (isUndivided(kind) && divided.has(kind)) continue;
    manifest.snapshots.set(partition, kind, entriesOf(value, manifest.upTo));
  }
  manifest.revisions = entriesOf(revisions, manifest.upTo);
  manifest.needsSave = true;
  return { manifest, unknown };
}

interface FoundParts {
  readonly tables: TableMap<Parts>;
  readonly revisions: Parts;
  readonly newest: number;
  readonly unknown: readonly string[];
}

async function findParts(files: FileSystem, layout: Layout): Promise<FoundParts> {
  const tables = new TableMap<Parts>();
  const revisions: Parts = new Map<number, FoundPart[]>();
  const unknown: string[] = [];
  let newest = 0;
  for (const file of await snapshotNames(files, layout)) {
    const found = await findPart(files, join(layout.folder, file), file);
    if (found === undefined) {
      unknown.push(file);
      continue;
    }
    const { partition, kind } = found;
    const parts = holdsRevisions(file) ? revisions : (tables.get(partition, kind) ?? new Map<number, FoundPart[]>());
    if (parts !== revisions) tables.set(partition, kind, parts);
    parts.set(found.number, [...(parts.get(found.number) ?? []), found]);
    newest = Math.max(newest, found.upTo);
  }
  return { tables, revisions, newest, unknown };
}

async function snapshotNames(files: FileSystem, layout: Layout): Promise<string[]> {
  const inSnapshots = (await files.list(layout.snapshots)).map((name) => `snapshots/${name}`);
  const ofFormat1 = (await files.list(layout.folder)).filter((name) => name === 'revisions.json');
  return [...inSnapshots, ...ofFormat1].filter((name) => name.endsWith('.json'));
}

/** The newest file of each part; an older one only if that is damaged and the journal continues from the older one. */
function entriesOf(parts: Parts, journalStart: number): PartFile[] {
  const chosen = [...parts.values()].flatMap((found) => {
    const [newest, ...older] = found.sort((one, other) => other.upTo - one.upTo);
    if (newest === undefined || newest.isIntact) return newest ?? [];
    return older.find(({ isIntact, upTo }) => isIntact && upTo >= journalStart) ?? newest;
  });
  return chosen.sort((one, other) => one.number - other.number).map(({ entry }) => entry);
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
