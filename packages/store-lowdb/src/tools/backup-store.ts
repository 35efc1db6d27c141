/** Backup and restore: copies a store to another folder and back. */
import { copyStore } from '../backup/copy-store.js';
import { unavailable } from '../files/failures.js';
import type { FileSystem } from '../files/file-system.js';
import { folderOption } from '../files/folder-option.js';
import { toolFiles, type ToolOptions } from './tool-options.js';
import { verifyStore, type Verification } from './verify-store.js';

export interface BackupOptions extends ToolOptions {
  /** The folder for the copy, empty or missing. */
  readonly target: string;
}

export interface RestoreOptions extends ToolOptions {
  /** A folder written by `backupStore`. */
  readonly backup: string;
}

export interface BackupReport extends Verification {
  /** Number of files copied. */
  readonly files: number;
  /** Their total size. */
  readonly bytes: number;
}

/**
 * Copies a store, which may be open and in use, here or in another process. The copy contains every commit acknowledged
 * before the call, and a prefix of the later ones. Damage is copied and reported.
 *
 * Rejects with `OPTION_INVALID` if the target is not empty, and with `STORE_UNAVAILABLE`.
 */
export async function backupStore(options: BackupOptions): Promise<BackupReport> {
  return copyAndVerify(toolFiles(options), options, options.folder, 'target', options.target);
}

/** Copies a backup to an empty folder. Rejects like `backupStore`, and if the backup is damaged. */
export async function restoreStore(options: RestoreOptions): Promise<BackupReport> {
  const { damage } = await verifyStore({ ...options, folder: options.backup });
  const [first] = damage;
  if (first !== undefined) {
    throw unavailable(
      `${first.file} in the backup ${options.backup} is damaged: ${first.reason}. Use another backup, or repair this one`,
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
  const copied = await copyStore(files, folderOption('folder', source), option, target);
  return { ...(await verifyStore({ ...options, folder: target })), ...copied };
}
