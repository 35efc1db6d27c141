/** Reads the manifest of a folder, creates one for a new store, or rebuilds a lost one. */
import { dirname } from 'node:path';
import { BlockworkError } from '@blockwork/core/adapter';
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
