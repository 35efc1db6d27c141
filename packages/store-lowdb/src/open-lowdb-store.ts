/** Opens a store: takes the lock, puts together what the files say, contains what is damaged. */
import { dirname } from 'node:path';
import type { FileSystem } from './file-system.js';
import { format } from './format.js';
import { layoutOf, type Layout } from './layout.js';
import { acquireLock, type Lock } from './lock.js';
import { LowdbStore } from './lowdb-store.js';
import { Manifest } from './manifest.js';
import { unavailable } from './failures.js';
import { namingFailures } from './named-failures.js';
import { nodeFileSystem } from './node-file-system.js';
import { checkedOptions, type LowdbStoreOptions } from './options.js';
import { Quarantine } from './quarantine.js';
import { recover } from './recover.js';
import { tidy } from './tidy.js';

/**
 * Opens the store in a folder, and makes one where there is none. Rejects with `OPTION_INVALID`; with
 * `STORE_LOCKED` when it is open already, here or in another process; with `STORE_UNAVAILABLE`, naming the file,
 * when the folder cannot be used.
 */
export const openLowdbStore = (options: LowdbStoreOptions): Promise<LowdbStore> => openFolder(options, false);

/** With `acceptsLoss`, whatever cannot be read is given up: the files go to the quarantine, the rest is served. */
export async function openFolder(options: LowdbStoreOptions, acceptsLoss: boolean): Promise<LowdbStore> {
  const checked = checkedOptions(options);
  const files = namingFailures(checked.fileSystem);
  const layout = layoutOf(checked.folder);
  await files.makeFolder(layout.folder);
  const lock = await acquireLock(files, layout, checked.clock, checked.fileSystem === nodeFileSystem);
  try {
    return await openLocked(files, layout, lock, checked, acceptsLoss);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openLocked(
  files: FileSystem,
  layout: Layout,
  lock: Lock,
  options: Required<LowdbStoreOptions>,
  acceptsLoss: boolean,
): Promise<LowdbStore> {
  const { logger, durability, segmentBytes, checkpointBytes, partBytes } = options;
  const manifest = await openManifest(files, layout);
  const { recovered, replay } = await recover(files, layout, manifest, { partBytes, acceptsLoss });
  const knownDamage = new Set([...manifest.damaged].flatMap(({ value }) => value.map(({ file }) => file)));

  // Up to here nothing was changed. The manifest knows of damage before a damaged file is touched.
  const { tables, snapshots, held, spoiled, damage, torn, replayed, lastSeq, journalBytes } = recovered;
  manifest.mustBeSaved = recovered.hasNews || acceptsLoss || manifest.found < format;
  manifest.damaged = recovered.damaged;
  const quarantine = new Quarantine(files, layout);
  const segment = await replay.mend(quarantine);
  await tidy(files, layout, recovered, quarantine);

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
  const store = new LowdbStore({ ...parts, durability, segmentBytes, checkpointBytes, lastSeq, bytes: journalBytes });
  // What a damaged file still said is safe in snapshots before the file goes to the quarantine; and it is the first
  // checkpoint that upgrades a folder of an older format.
  if (manifest.mustBeSaved || spoiled.size > 0 || recovered.revisionsAreLost) await store.checkpoint();
  for (const path of spoiled) {
    if (!path.startsWith(layout.journal)) await quarantine.move(path);
    else if (!knownDamage.has(recovered.nameOf(path))) await quarantine.copy(path);
  }

  if (torn) logger.warn('The end of the journal was torn off by a crash; nothing acknowledged was in it.', { ...torn });
  for (const entry of damage) logger.error('A file of the store is damaged.', { folder: layout.folder, ...entry });
  return store;
}

async function openManifest(files: FileSystem, layout: Layout): Promise<Manifest> {
  const manifest = new Manifest(files, layout.manifest);
  if (await manifest.load()) {
    for (const folder of [layout.journal, layout.snapshots]) await files.makeFolder(folder);
    // A process that was killed may not have come to flush what it renamed; commits are going to rely on it.
    for (const folder of [layout.folder, layout.journal, layout.snapshots]) await files.syncFolder(folder);
    return manifest;
  }
  const data = [...(await files.list(layout.journal)), ...(await files.list(layout.snapshots))];
  if (data.length > 0) {
    throw unavailable(`${layout.manifest} is missing, though ${layout.folder} holds data. Put a good copy of it back`);
  }
  for (const folder of [layout.journal, layout.snapshots]) await files.makeFolder(folder);
  await manifest.save();
  // The folder itself may be new. One above it that may not be opened is somebody else's to look after.
  await files.syncFolder(dirname(layout.folder)).catch(() => undefined);
  return manifest;
}
