/** Opens a store: takes the lock, puts together what the files say, contains what is damaged. */
import { unavailable } from '../files/failures.js';
import type { FileSystem } from '../files/file-system.js';
import { format } from '../files/layout.js';
import type { JournalSegment } from '../journal/journal-segment.js';
import { layoutOf, type Layout } from '../files/layout.js';
import { acquireLock, type Lock } from '../lock/lock.js';
import { LowdbStore } from './lowdb-store.js';
import { namingFailures } from '../files/with-store-errors.js';
import { nodeFileSystem } from '../files/node-file-system.js';
import { openManifest, type OpenManner } from '../recovery/open-manifest.js';
import { checkedOptions, type LowdbStoreOptions } from './options.js';
import { Quarantine } from '../files/quarantine.js';
import { recover } from '../recovery/recover.js';
import type { Recovered } from '../recovery/recovered.js';
import { tidy } from '../recovery/remove-orphans.js';

type Options = Required<LowdbStoreOptions>;

/**
 * Opens the store in a folder, and makes one where there is none. Rejects with `OPTION_INVALID`; with
 * `STORE_LOCKED` when it is open already, here or in another process; with `STORE_UNAVAILABLE`, naming the file,
 * when the folder cannot be used.
 */
export const openLowdbStore = (options: LowdbStoreOptions): Promise<LowdbStore> =>
  openFolder(options, { acceptsLoss: false, mustExist: false });

/** For tools, which may ask for more than those who use a store. */
export async function openFolder(options: LowdbStoreOptions, manner: OpenManner): Promise<LowdbStore> {
  const checked = checkedOptions(options);
  const files = namingFailures(checked.fileSystem);
  const layout = layoutOf(checked.folder);
  if (manner.mustExist && (await files.list(layout.folder)).length === 0)
    throw unavailable(`${layout.folder} is not the folder of a store: it does not exist, or is empty`);
  await files.makeFolder(layout.folder);
  const lock = await acquireLock(files, layout, checked.clock, checked.fileSystem === nodeFileSystem);
  try {
    return await openLocked(files, layout, lock, checked, manner);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openLocked(
  files: FileSystem,
  layout: Layout,
  lock: Lock,
  options: Options,
  manner: OpenManner,
): Promise<LowdbStore> {
  const { logger, partBytes } = options;
  const { acceptsLoss } = manner;
  const manifest = await openManifest(files, layout, manner);
  const { recovered, replay } = await recover(files, layout, manifest, { partBytes, acceptsLoss });
  const knownDamage = new Set([...manifest.damaged].flatMap(({ value }) => value.map(({ file }) => file)));

  // Up to here nothing was changed. The manifest knows of damage before a damaged file is touched.
  const { spoiled, damage, torn } = recovered;
  manifest.mustBeSaved = recovered.hasNews || acceptsLoss || manifest.found < format;
  manifest.damaged = recovered.damaged;
  const quarantine = new Quarantine(files, layout);
  const segment = await replay.mend(quarantine);
  await tidy(files, layout, recovered, quarantine);

  const store = assemble(files, layout, lock, options, recovered, segment);
  try {
    // What a damaged file still said is safe in snapshots before the file goes to the quarantine; and it is the first
    // checkpoint that upgrades a folder of an older format.
    if (manifest.mustBeSaved || spoiled.size > 0 || recovered.revisionsAreLost) await store.checkpoint();
    for (const path of spoiled) {
      if (!path.startsWith(layout.journal)) await quarantine.move(path);
      else if (!knownDamage.has(recovered.nameOf(path))) await quarantine.copy(path);
    }
  } catch (error) {
    await segment?.close().catch(() => undefined);
    throw error;
  }

  if (torn) logger.warn('The end of the journal was torn off by a crash; nothing acknowledged was in it.', { ...torn });
  for (const entry of damage) logger.error('A file of the store is damaged.', { folder: layout.folder, ...entry });
  return store;
}

/** The store of what was recovered; `segment` is the one of the journal to go on with, if there is one. */
export function assemble(
  files: FileSystem,
  layout: Layout,
  lock: Lock,
  { logger, durability, segmentBytes, checkpointBytes }: Options,
  recovered: Recovered,
  segment: JournalSegment | undefined,
): LowdbStore {
  const { manifest, tables, snapshots, held, spoiled, replayed, damage, torn } = recovered;
  const { lastSeq, journalBytes: bytes } = recovered;
  const quarantine = new Quarantine(files, layout);
  const report = { replayed, damage, ...(torn && { torn }) };
  const parts = {
    files,
    layout,
    lock,
    logger,
    manifest,
    quarantine,
    tables,
    snapshots,
    held,
    spoiled,
    segment,
    report,
  };
  return new LowdbStore({ ...parts, durability, segmentBytes, checkpointBytes, lastSeq, bytes });
}
