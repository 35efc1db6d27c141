/** Reads the manifest of a folder, creates one for a new store, or rebuilds a lost one. */
import { dirname } from 'node:path';
import { BlockworkError } from '@blockwork/core';
import { DamagedContent } from '../files/checksummed-json.js';
import { unavailable } from '../files/failures.js';
import type { FileSystem } from '../files/file-system.js';
import type { Layout } from '../files/layout.js';
import { Manifest } from '../manifest/manifest.js';
import { rebuildManifest } from './rebuild-manifest.js';

export interface OpenMode {
  /** Gives up damaged files and makes the rest available. */
  readonly acceptsLoss: boolean;
  /** Refuses to create a store. */
  readonly mustExist: boolean;
}

/** Rejects with `STORE_UNAVAILABLE` for a folder with data but no readable manifest. */
export async function openManifest(files: FileSystem, layout: Layout, mode: OpenMode): Promise<Manifest> {
  const manifest = new Manifest(files, layout.manifest);
  if (await load(manifest, mode)) {
    for (const folder of [layout.journal, layout.snapshots]) await files.makeFolder(folder);
    // A killed process may have renamed files without flushing the folder; commits are about to rely on them.
    for (const folder of [layout.folder, layout.journal, layout.snapshots]) await files.syncFolder(folder);
    return manifest;
  }
  const data = [...(await files.list(layout.journal)), ...(await files.list(layout.snapshots))];
  if (data.length > 0) {
    if (mode.acceptsLoss) return rebuildManifest(files, layout);
    throw unavailable(
      `${layout.manifest} is missing, though ${layout.folder} contains data. Restore a good copy of it`,
    );
  }
  if (mode.mustExist) throw unavailable(`${layout.folder} is not a store: it has no store.json`);
  return create(files, layout, manifest);
}

/** `false` if there is none, or it is damaged and loss is accepted. */
async function load(manifest: Manifest, { acceptsLoss }: OpenMode): Promise<boolean> {
  try {
    return await manifest.load();
  } catch (error) {
    if (acceptsLoss && error instanceof BlockworkError && error.cause instanceof DamagedContent) return false;
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
