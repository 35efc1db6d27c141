/** The manifest of a folder that is opened: read, made for a new store, or made anew where it is lost. */
import { dirname } from 'node:path';
import { BlockworkError } from '@blockwork/core';
import { unavailable } from '../files/failures.js';
import type { FileSystem } from '../files/file-system.js';
import type { Layout } from '../files/layout.js';
import { Manifest } from '../manifest/manifest.js';
import { rebuildManifest } from './rebuild-manifest.js';
import { DamagedContent } from '../files/sealed-json.js';

export interface OpenManner {
  /** Gives up what cannot be read; the rest is served. */
  readonly acceptsLoss: boolean;
  /** Makes no store where there is none. */
  readonly mustExist: boolean;
}

/** Rejects with `STORE_UNAVAILABLE` for a folder that holds data and no manifest that can be read. */
export async function openManifest(files: FileSystem, layout: Layout, manner: OpenManner): Promise<Manifest> {
  const manifest = new Manifest(files, layout.manifest);
  if (await load(manifest, manner)) {
    for (const folder of [layout.journal, layout.snapshots]) await files.makeFolder(folder);
    // A process that was killed may not have come to flush what it renamed; commits are going to rely on it.
    for (const folder of [layout.folder, layout.journal, layout.snapshots]) await files.syncFolder(folder);
    return manifest;
  }
  const data = [...(await files.list(layout.journal)), ...(await files.list(layout.snapshots))];
  if (data.length > 0) {
    if (manner.acceptsLoss) return rebuildManifest(files, layout);
    throw unavailable(`${layout.manifest} is missing, though ${layout.folder} holds data. Put a good copy of it back`);
  }
  if (manner.mustExist) throw unavailable(`${layout.folder} is not the folder of a store: it has no store.json`);
  for (const folder of [layout.journal, layout.snapshots]) await files.makeFolder(folder);
  await manifest.save();
  // The folder itself may be new. One above it that may not be opened is somebody else's to look after.
  await files.syncFolder(dirname(layout.folder)).catch(() => undefined);
  return manifest;
}

/** `false` where there is none; also where it is damaged, if that is accepted. */
async function load(manifest: Manifest, { acceptsLoss }: OpenManner): Promise<boolean> {
  try {
    return await manifest.load();
  } catch (error) {
    if (acceptsLoss && error instanceof BlockworkError && error.cause instanceof DamagedContent) return false;
    throw error;
  }
}
