/** Opens a store: takes the lock, recovers the state, contains damage. */
import { unavailable } from '../files/failures.js';
import { fencedFileSystem } from '../files/fenced-file-system.js';
import type { FileSystem } from '../files/file-system.js';
import { format, layoutOf, type Layout } from '../files/layout.js';
import { nodeFileSystem } from '../files/node-file-system.js';
import { Quarantine } from '../files/quarantine.js';
import { withStoreErrors } from '../files/with-store-errors.js';
import type { JournalSegment } from '../journal/journal-segment.js';
import { acquireLock, type Lock } from '../lock/lock.js';
import type { Manifest } from '../manifest/manifest.js';
import { openManifest, type OpenMode } from '../recovery/open-manifest.js';
import type { TruncatedEnd } from '../recovery/open-report.js';
import { recover } from '../recovery/recover.js';
import type { RecoveredState } from '../recovery/recovered-state.js';
import { removeOrphans } from '../recovery/remove-orphans.js';
import { restoreGivenUpTimers } from '../recovery/restored-timers.js';
import { StoredRows } from '../snapshots/stored-rows.js';
import { LowdbStore } from './lowdb-store.js';
import { validatedOptions, type LowdbStoreOptions } from './options.js';

export interface OpenContext {
  readonly files: FileSystem;
  readonly layout: Layout;
  readonly lock: Lock;
  readonly options: Required<LowdbStoreOptions>;
}

/**
 * Opens the store in a folder; creates it if there is none. Rejects with `OPTION_INVALID`; with `STORE_LOCKED` if it is
 * already open, here or in another process; with `STORE_UNAVAILABLE`, naming the file, if the folder is unusable.
 */
export const openLowdbStore = (options: LowdbStoreOptions): Promise<LowdbStore> =>
  openFolder(options, { acceptsLoss: false, mustExist: false, keepsAll: false });

/** `openLowdbStore` with the modes that only tools need. */
export async function openFolder(storeOptions: LowdbStoreOptions, mode: OpenMode): Promise<LowdbStore> {
  const options = validatedOptions(storeOptions);
  const files = withStoreErrors(options.fileSystem);
  const layout = layoutOf(options.folder);
  if (mode.mustExist && (await files.list(layout.folder)).length === 0)
    throw unavailable(`${layout.folder} is not a store: it does not exist, or is empty`);
  await files.makeFolder(layout.folder);
  const lock = await acquireLock(files, layout, options.clock, options.fileSystem === nodeFileSystem, options.logger);
  try {
    return await openLocked({ files: fencedFileSystem(files, lock), layout, lock, options }, mode);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openLocked(context: OpenContext, mode: OpenMode): Promise<LowdbStore> {
  const { files, layout, options } = context;
  const { partBytes } = options;
  const { acceptsLoss } = mode;
  const { manifest, losses } = await openManifest(files, layout, mode);
  const { state, replay } = await recover(files, layout, manifest, { partBytes, acceptsLoss, keepsHistory: false });
  const damageBefore = damagedFiles(manifest);

  // Nothing is changed before this line. From here on, the manifest lists damage before a damaged file is touched.
  manifest.needsSave = state.damageHasChanged || acceptsLoss || manifest.formatOnDisk < format;
  manifest.damaged = state.damaged;
  const quarantine = new Quarantine(files, layout, mode.keepsAll);
  for (const { file, reason } of losses) state.addDamage(file, reason);
  if (acceptsLoss) restoreGivenUpTimers(state);
  if (losses.length > 0) await quarantine.copy(layout.manifest);
  const segment = await replay.reopenSegment(quarantine, options.durability);
  await removeOrphans(files, layout, state, quarantine);

  const store = createStore(context, state, segment);
  try {
    // The checkpoint saves what is left of damaged files before they are moved, and upgrades older formats.
    if (manifest.needsSave || state.corrupted.size > 0 || state.revisionsAreLost) await store.checkpoint();
    await quarantineCorrupted(layout, state, quarantine, damageBefore);
  } catch (error) {
    await segment?.close().catch(() => undefined);
    throw error;
  }
  logFindings(context, state);
  return store;
}

const damagedFiles = ({ damaged }: Manifest): Set<string> =>
  new Set([...damaged].flatMap(({ value }) => value.map(({ file }) => file)));

async function quarantineCorrupted(
  layout: Layout,
  state: RecoveredState,
  quarantine: Quarantine,
  damageBefore: ReadonlySet<string>,
): Promise<void> {
  for (const path of state.corrupted) {
    if (!path.startsWith(layout.journal)) await quarantine.move(path);
    else if (!damageBefore.has(state.nameOf(path))) await quarantine.copy(path);
  }
}

function logFindings({ layout, options: { logger } }: OpenContext, { truncated, damage }: RecoveredState): void {
  if (truncated) logger.warn(truncation(truncated), { ...truncated });
  for (const entry of damage) logger.error('A file of the store is damaged.', { folder: layout.folder, ...entry });
}

const truncation = ({ lastCommit, isConfirmed }: TruncatedEnd): string =>
  `Removed the unreadable end of the journal, after commit ${lastCommit}. ` +
  (isConfirmed
    ? 'That was the last commit recorded as durable: the end was being written when the process stopped.'
    : 'Every commit known to be durable is there. A write that was interrupted and a file that was cut look the same here.');

/** `segment`: the journal segment to continue, if any. */
export function createStore(
  { files, layout, lock, options }: OpenContext,
  state: RecoveredState,
  segment: JournalSegment | undefined,
): LowdbStore {
  const { logger, durability, segmentBytes, checkpointBytes } = options;
  const { manifest, tables, snapshots, retained, corrupted, replayed, damage, truncated } = state;
  const { lastSeq, journalBytes: bytes } = state;
  const quarantine = new Quarantine(files, layout);
  const report = { replayed, damage, ...(truncated && { truncated }) };
  const stored = new StoredRows(files, layout);
  return new LowdbStore({
    ...{ files, layout, lock, logger, durability, segmentBytes, checkpointBytes, quarantine, report },
    ...{ manifest, tables, snapshots, stored, retained, corrupted, lastSeq, bytes, segment },
  });
}
