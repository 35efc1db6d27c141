/** Minimizes the size of a store on disk. */
import { demandObject } from '@blockwork/core/adapter';
import { folderOption } from '../files/folder-option.js';
import { layoutOf } from '../files/layout.js';
import { openFolder } from '../store/open-lowdb-store.js';
import { toolFiles, type ToolOptions } from './tool-options.js';

export interface Compaction {
  /** Number of snapshot and journal files. */
  readonly filesBefore: number;
  readonly filesAfter: number;
}

/**
 * Moves the journal into snapshots, merges small snapshot files, and removes leftovers. The content stays the same.
 * Rejects with `STORE_LOCKED` while a process has the store open.
 */
export async function compactStore(options: ToolOptions): Promise<Compaction> {
  demandObject(options, 'compactStore', 'options', 'a folder');
  const folder = folderOption('folder', options.folder);
  const files = toolFiles(options);
  const { snapshots, journal } = layoutOf(folder);
  const count = async (): Promise<number> => (await files.list(snapshots)).length + (await files.list(journal)).length;
  const filesBefore = await count();
  const store = await openFolder({ ...options, folder }, { acceptsLoss: false, mustExist: true, keepsAll: false });
  try {
    await store.compact();
  } finally {
    await store.close();
  }
  return { filesBefore, filesAfter: await count() };
}
