/** Makes a store as small as it can be on the disk. */
import { openFolder } from '../store/open-lowdb-store.js';
import { folderOption } from '../files/folder-option.js';
import { toolFiles, type ToolOptions } from './tool-options.js';
import { layoutOf } from '../files/layout.js';

export interface Compaction {
  /** Files of snapshots and of the journal before and after. */
  readonly filesBefore: number;
  readonly filesAfter: number;
}

/**
 * Writes what the journal holds into snapshots, puts small files of snapshots together, and clears leftovers away.
 * Nothing else changes. Rejects with `STORE_LOCKED` while a process has the store open.
 */
export async function compactStore(options: ToolOptions): Promise<Compaction> {
  const folder = folderOption('folder', options.folder);
  const files = toolFiles(options);
  const { snapshots, journal } = layoutOf(folder);
  const count = async (): Promise<number> => (await files.list(snapshots)).length + (await files.list(journal)).length;
  const filesBefore = await count();
  const store = await openFolder({ ...options, folder }, { acceptsLoss: false, mustExist: true });
  try {
    await store.compact();
  } finally {
    await store.close();
  }
  return { filesBefore, filesAfter: await count() };
}
