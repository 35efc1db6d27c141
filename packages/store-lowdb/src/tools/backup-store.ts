/** Backup and restore: a copy of a store in another folder, and back. */
import type { FileSystem } from '../files/file-system.js';
import { unavailable } from '../files/failures.js';
import { copyInto } from '../backup/copy-store.js';
import { folderOption } from '../files/folder-option.js';
import { toolFiles, type ToolOptions } from './tool-options.js';
import { verifyStore, type Verification } from './verify-store.js';

export interface BackupOptions extends ToolOptions {
  /** Where the copy goes: a folder that is empty or does not exist. */
  readonly target: string;
}

export interface RestoreOptions extends ToolOptions {
  /** A folder that `backupStore` has written. */
  readonly backup: string;
}

export interface BackupReport extends Verification {
  /** Files that were copied, and what they hold. */
  readonly files: number;
  readonly bytes: number;
}

/**
 * Copies a store, which may be open, here or in another process, and be written meanwhile. The copy holds every commit
 * that was acknowledged when this was called, and none of which an earlier one is missing. What is damaged in the
 * store is damaged in the copy, and reported.
 *
 * Rejects with `OPTION_INVALID` for a target that is not empty, and with `STORE_UNAVAILABLE`.
 */
export async function backupStore(options: BackupOptions): Promise<BackupReport> {
  return copyAndVerify(toolFiles(options), options, options.folder, 'target', options.target);
}

/** Copies a backup into an empty folder. Rejects as `backupStore` does, and for a backup that is damaged. */
export async function restoreStore(options: RestoreOptions): Promise<BackupReport> {
  const { damage } = await verifyStore({ ...options, folder: options.backup });
  const [first] = damage;
  if (first !== undefined) {
    throw unavailable(
      `${first.file} in the backup ${options.backup} is damaged: ${first.reason}. Take another backup, or repair this one`,
    );
  }
  return copyAndVerify(toolFiles(options), options, options.backup, 'folder', options.folder);
}

async function copyAndVerify(
  files: FileSystem,
  options: ToolOptions,
  source: string,
  option: string,
  target: string,
): Promise<BackupReport> {
  const copied = await copyInto(files, folderOption('folder', source), option, target);
  return { ...(await verifyStore({ ...options, folder: target })), ...copied };
}
