/** Reads the manifest of a folder, creates one for a new store, or rebuilds a lost one. */
import { BlockworkError } from '@blockwork/core/adapter';
import { dirname, join } from 'node:path';
import { DamagedContent } from '../files/checksummed-json.js';
import { unavailable } from '../files/failures.js';
import type { FileSystem } from '../files/file-system.js';
import { holdsRevisions, type Layout, partName, tableIn, versionIn } from '../files/layout.js';
import { type PartFile, type SegmentEntry, TableMap } from '../manifest/manifest-content.js';
import { Manifest } from '../manifest/manifest.js';
import { isUndivided, recordKind } from '../manifest/table-kind.js';
import { type Snapshot, SnapshotFile } from '../snapshots/snapshot-file.js';

export interface OpenMode {
  /** Gives up damaged files and makes the rest available. */
  readonly acceptsLoss: boolean;
  /** Refuses to create a store. */
  readonly mustExist: boolean;
  /** Moves files that nothing lists to the quarantine, whether or not they hold data that is stored nowhere else. */
  readonly keepsAll: boolean;
}

interface Loss {
  readonly file: string;
  readonly reason: string;
}

export interface OpenedManifest {
  readonly manifest: Manifest;
  /** What was lost, if it had to be rebuilt. */
  readonly losses: readonly Loss[];
}

/** Rejects with `STORE_UNAVAILABLE` for a folder with data but no readable manifest. */
export async function openManifest(files: FileSystem, layout: Layout, mode: OpenMode): Promise<OpenedManifest> {
  const manifest = new Manifest(files, layout.manifest);
  const loss = await load(manifest, mode);
  if (loss === undefined) {
    for (const folder of [layout.journal, layout.snapshots]) await files.makeFolder(folder);
    // A killed process may have renamed files without flushing the folder; commits are about to rely on them.
    for (const folder of [layout.folder, layout.journal, layout.snapshots]) await files.syncFolder(folder);
    return { manifest, losses: [] };
  }
  const data = [...(await files.list(layout.journal)), ...(await files.list(layout.snapshots))];
  if (data.length > 0) {
    if (mode.acceptsLoss) return rebuild(files, layout, loss);
    throw unavailable(
      `${layout.manifest} is missing, though ${layout.folder} contains data. Restore a good copy of it`,
    );
  }
  if (mode.mustExist) throw unavailable(`${layout.folder} is not a store: it has no store.json`);
  return { manifest: await create(files, layout, manifest), losses: [] };
}

async function rebuild(files: FileSystem, layout: Layout, why: string): Promise<OpenedManifest> {
  const { manifest, unknown } = await rebuildManifest(files, layout);
  const reason = `${why}; it was rebuilt, and what else was missing in the folder is unknown`;
  const ofUnknown = unknown.map((file) => ({ file, reason: 'it is damaged, and the table it belongs to is unknown' }));
  return { manifest, losses: [{ file: 'store.json', reason }, ...ofUnknown] };
}

/** Why there is none to use: it is missing, or damaged and loss is accepted. `undefined` if it is loaded. */
async function load(manifest: Manifest, { acceptsLoss }: OpenMode): Promise<string | undefined> {
  try {
    return (await manifest.load()) ? undefined : 'it is missing';
  } catch (error) {
    if (acceptsLoss && error instanceof BlockworkError && error.cause instanceof DamagedContent)
      return error.cause.message;
    throw error;
  }
}

async function create(files: FileSystem, layout: Layout, manifest: Manifest): Promise<Manifest> {
  for (const folder of [layout.journal, layout.snapshots]) await files.makeFolder(folder);
  await manifest.save();
  // The folder itself may be new. Its parent may be inaccessible, and is not the store's concern then.
  await files.syncFolder(dirname(layout.folder)).catch(() => undefined);
  return manifest;
}

/** The files of each part: one, or several if a checkpoint was interrupted. */
type Parts = Map<number, FoundPart[]>;

interface RebuiltManifest {
  readonly manifest: Manifest;
  /** Damaged snapshot files whose table is unknown. */
  readonly unknown: readonly string[];
}

/**
 * Lists one file of each part, and the whole journal for replay. It cannot tell which parts were removed, so these come
 * back, nor the order of split parts. Damaged files are listed too, so that recovery reports and keeps them.
 */
async function rebuildManifest(files: FileSystem, layout: Layout): Promise<RebuiltManifest> {
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
    const part = await findPart(files, join(layout.folder, file), file);
    if (part === undefined) {
      unknown.push(file);
      continue;
    }
    const { partition, kind } = part;
    const parts = holdsRevisions(file) ? revisions : (tables.get(partition, kind) ?? new Map<number, FoundPart[]>());
    if (parts !== revisions) tables.set(partition, kind, parts);
    parts.set(part.number, [...(parts.get(part.number) ?? []), part]);
    newest = Math.max(newest, part.upTo);
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
  const chosen = [...parts.values()].flatMap((versions) => {
    const [newest, ...older] = versions.sort((one, other) => other.upTo - one.upTo);
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

interface FoundPart {
  readonly partition: string;
  readonly kind: string;
  readonly number: number;
  readonly upTo: number;
  readonly isIntact: boolean;
  readonly entry: PartFile;
}

/** `file`: the path relative to the store. `undefined` if neither content nor name tells which table it belongs to. */
async function findPart(files: FileSystem, path: string, file: string): Promise<FoundPart | undefined> {
  const snapshot = await readIfIntact(files, path);
  if (snapshot === undefined) return findDamaged(files, path, file);
  const { partition, kind, upTo, part: number = 0, records } = snapshot;
  const entry = { file, records: records.length, bytes: 0, ...(number === 0 && { upTo }) };
  return { partition, kind, number, upTo, isIntact: true, entry };
}

async function findDamaged(files: FileSystem, path: string, file: string): Promise<FoundPart | undefined> {
  const version = versionIn(file);
  const { part: number = 0, upTo = 0 } = version ?? {};
  const table = holdsRevisions(file) ? { partition: '', kind: 'revisions' } : tableIn(file);
  const { partition, kind } = table ?? headOf((await files.read(path)) ?? Buffer.alloc(0));
  if (partition === undefined || kind === undefined) return undefined;
  // A shortened name cannot be decoded, but confirms the head.
  if (table === undefined && partName(partition, kind, number, upTo) !== file) return undefined;
  const entry = { file, records: 0, bytes: 0, ...(version === undefined && { upTo }) };
  return { partition, kind, number, upTo, isIntact: false, entry };
}

function headOf(bytes: Buffer): Partial<Pick<Snapshot, 'partition' | 'kind'>> {
  const [line = ''] = bytes.toString('utf8', 0, 4096).split('\n');
  try {
    return JSON.parse(line.replace(/,?$/, '}')) as Snapshot;
  } catch {
    return {};
  }
}

async function readIfIntact(files: FileSystem, path: string): Promise<Snapshot | undefined> {
  try {
    return (await new SnapshotFile(files, path).read()) ?? undefined;
  } catch (error) {
    if (error instanceof DamagedContent) return undefined;
    throw error;
  }
}
