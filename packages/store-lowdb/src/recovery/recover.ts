/** Rebuilds the state of a store from its files, without changing them. */
import type { RecordKind, RecordKinds } from '@blockwork/core/adapter';
import { basename, join } from 'node:path';
import { DamagedContent, MissingContent } from '../files/checksummed-json.js';
import { mapInOrder } from '../files/concurrency.js';
import type { FileSystem } from '../files/file-system.js';
import { type Layout, versionIn } from '../files/layout.js';
import { Turns } from '../files/turns.js';
import type { PartFile } from '../manifest/manifest-content.js';
import type { Manifest } from '../manifest/manifest.js';
import { isSeparated, isUndivided, tableKind } from '../manifest/table-kind.js';
import type { MultipartTable } from '../snapshots/multipart-table.js';
import { pack, type PackedSnapshot } from '../snapshots/packed-snapshot.js';
import { ParsedCache } from '../snapshots/parsed-cache.js';
import { decodeSnapshot, type Snapshot } from '../snapshots/snapshot-file.js';
import type { RevisionRow } from '../snapshots/snapshots.js';
import { JournalReplay } from './journal-replay.js';
import { RecoveredState, type RecoveryOptions } from './recovered-state.js';

/** Rejects with `STORE_UNAVAILABLE` if it is unknown what was lost, unless loss is accepted. */
export async function recover(
  files: FileSystem,
  layout: Layout,
  manifest: Manifest,
  options: RecoveryOptions,
): Promise<{ state: RecoveredState; replay: JournalReplay }> {
  const state = new RecoveredState(manifest, layout, options);
  await loadSnapshots(files, layout, state);
  await loadRevisions(files, layout, state);
  const replay = new JournalReplay(files, layout, state);
  await replay.run();
  state.regenerateRevisions();
  if (options.acceptsLoss) await nameGivenUpRecords(files, layout, state);
  for (const { partition, kind } of state.snapshots.tables())
    if (!state.isIntact(partition, kind)) state.snapshots.forget(partition, kind);
  return { state, replay };
}

/** Records that another file or the journal still holds are not lost. */
async function nameGivenUpRecords(files: FileSystem, layout: Layout, state: RecoveredState): Promise<void> {
  for (const { file, table } of state.damage) {
    if (table === undefined || !file.startsWith('snapshots/')) continue;
    // An earlier opening may have moved it to the quarantine. Its name is unique, since it contains the commit.
    const bytes = (await files.read(join(layout.folder, file))) ?? (await files.read(quarantinedPath(layout, file)));
    if (bytes === undefined) continue;
    const isLost = (id: string): boolean => !state.snapshots.table(table.partition, table.kind).has(id);
    state.abandoned.set(file, legibleIds(bytes).filter(isLost));
  }
}

const quarantinedPath = (layout: Layout, file: string): string => join(layout.quarantine, basename(file));

/** A record is one line, and its id is its first member of that name in all but hand-edited files. */
function legibleIds(bytes: Buffer): string[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const quoted = /"id":("(?:[^"\\]|\\.)*")/.exec(line)?.[1];
      return quoted === undefined ? [] : (textIn(quoted) ?? []);
    });
}

function textIn(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined;
  }
}

const concurrentReads = 16;

interface Part {
  readonly partition: string;
  readonly kind: string;
  readonly entry: PartFile;
}

interface ReadPart extends Part {
  /** `undefined` if the file is missing. */
  readonly content: Buffer | undefined;
}

interface LoadedPart extends Part {
  readonly snapshot: Snapshot;
  readonly bytes: number;
}

/** Damage is recorded per table. Rejects with `STORE_UNAVAILABLE` if the file system fails. */
async function loadSnapshots(files: FileSystem, layout: Layout, state: RecoveredState): Promise<void> {
  const listed = [...state.manifest.snapshots].flatMap(({ partition, kind, value }) =>
    value.map((entry): Part => ({ partition, kind, entry })),
  );
  const cache = new ParsedCache();
  const turns = new Turns();
  for await (const part of mapInOrder(listed, concurrentReads, (item) => readPart(files, layout, item))) {
    const { partition, kind, entry } = part;
    const damage = await damageIn(part, async (bytes) => {
      if (isPacked(part)) loadPacked(part, await pack(bytes, cache, turns), bytes.length, state);
      else loadPart({ ...part, snapshot: decoded(part, bytes), bytes: bytes.length }, state);
    });
    if (turns.spend(part.content?.length ?? 0)) await turns.next();
    if (damage === undefined) continue;
    state.markDamaged(partition, kind, entry.file, damage.message);
    state.snapshots.table(partition, kind).reserve(versionIn(entry.file)?.part ?? 0);
    if (!(damage instanceof MissingContent)) state.markCorrupted(entry.file);
  }
  for (const { partition, kind, packed } of state.snapshots.tables())
    if (packed !== undefined && state.isKept(kind)) state.tables.loadPacked(kind as RecordKind, partition, packed);
  state.loadSeparated();
}

/** Damage is recorded as lost revisions. */
async function loadRevisions(files: FileSystem, layout: Layout, state: RecoveredState): Promise<void> {
  state.revisionsUpTo = state.manifest.upTo;
  const turns = new Turns();
  for (const entry of state.manifest.revisions) {
    const part = await readPart(files, layout, { partition: '', kind: 'revisions', entry });
    const damage = await damageIn(part, (bytes) => {
      loadRevisionsOf({ ...part, snapshot: decoded(part, bytes), bytes: bytes.length }, state);
    });
    if (turns.spend(part.content?.length ?? 0)) await turns.next();
    if (damage === undefined) continue;
    state.loseRevisions(entry.file, damage.message);
    state.snapshots.revisions.reserve(versionIn(entry.file)?.part ?? 0);
    if (!(damage instanceof MissingContent)) state.markCorrupted(entry.file);
  }
}

function loadRevisionsOf(part: LoadedPart, state: RecoveredState): void {
  const { entry, snapshot } = part;
  const rows = snapshot.records as readonly RevisionRow[];
  for (const { key, revision } of rows) state.tables.revisions.set(key, revision);
  if (entry.upTo !== undefined) {
    state.revisionsUpTo = snapshot.upTo;
    state.advanceTo(snapshot.upTo);
  }
  addToSnapshots(part, rows, ({ key }) => key, state.snapshots.revisions, state);
}

async function readPart(files: FileSystem, layout: Layout, part: Part): Promise<ReadPart> {
  return { ...part, content: await files.read(join(layout.folder, part.entry.file)) };
}

/** Loads the content of a file. Resolves to its damage; `undefined` if it was loaded. */
async function damageIn(
  { content }: ReadPart,
  load: (bytes: Buffer) => Promise<void> | void,
): Promise<DamagedContent | undefined> {
  if (content === undefined) return new MissingContent();
  try {
    await load(content);
    return undefined;
  } catch (error) {
    if (!(error instanceof DamagedContent)) throw error;
    return error;
  }
}

function decoded(part: Part, bytes: Buffer): Snapshot {
  const snapshot = decodeSnapshot(bytes);
  assertExpected(snapshot, part);
  return snapshot;
}

/** Not so timers, which need their order across all policies, and files of format 1, which are replaced at once. */
const isPacked = ({ partition, kind, entry }: Part): boolean =>
  versionIn(entry.file) !== undefined && !isSeparated(kind, partition);

function loadPacked(part: Part, snapshot: PackedSnapshot, bytes: number, state: RecoveredState): void {
  assertExpected(snapshot, part);
  const { partition, kind, entry } = part;
  const { lines, part: number = 0 } = snapshot;
  if (entry.upTo !== undefined) state.upTo.set(partition, kind, snapshot.upTo);
  state.advanceTo(snapshot.upTo);
  const file = { file: entry.file, records: lines.size, bytes };
  const expected = (): number =>
    (state.manifest.snapshots.get(partition, kind) ?? []).reduce((sum, { records }) => sum + records, 0);
  state.snapshots.table(partition, kind).loadPacked(file, number, lines, state.isKept(kind), expected);
}

function assertExpected(snapshot: Omit<Snapshot, 'records'>, { partition, kind, entry }: Part): void {
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
  const isOneOfSeveral = isSeparated(kind, partition);
  if (isOneOfSeveral) state.addSeparated(snapshot);
  else if (state.isKept(kind))
    state.tables.load(kind as RecordKind, partition, snapshot.records as RecordKinds[RecordKind][]);
  if (entry.upTo !== undefined) state.upTo.set(partition, kind, snapshot.upTo);
  state.advanceTo(snapshot.upTo);
  const rows = snapshot.records as readonly { id: string }[];
  if (isOneOfSeveral && isUndivided(kind)) distribute(part, rows, state);
  else addToSnapshots(part, rows, ({ id }) => id, state.snapshots.table(partition, kind), state);
}

/** The next checkpoint replaces the undivided table of all timers by one per policy. */
function distribute(
  { partition, kind, entry, snapshot, bytes }: LoadedPart,
  rows: readonly { id: string }[],
  state: RecoveredState,
): void {
  const { snapshots } = state;
  for (const row of rows)
    snapshots.put(snapshots.table(partition, tableKind(kind, partition, row.id)), row, bytes / rows.length);
  const whole = snapshots.table(partition, kind);
  whole.orphan(entry.file);
  if (snapshot.part !== undefined) whole.reserve(snapshot.part);
  snapshots.trackChange(whole);
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
