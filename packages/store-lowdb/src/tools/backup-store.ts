/** Backup and restore: copies a store to another folder and back. */
import { demandObject } from '@blockwork/core/adapter';
import { dirname, join } from 'node:path';
import { keySeedIn, keySeedName, readSecrets, writeSecrets } from '../backup/secret-files.js';
import { copyStore } from '../backup/copy-store.js';
import { unavailable } from '../files/failures.js';
import type { FileSystem } from '../files/file-system.js';
import { folderOption } from '../files/folder-option.js';
import { toolFiles, type ToolOptions } from './tool-options.js';
import { verifyStore, type Verification } from './verify-store.js';

export interface BackupOptions extends ToolOptions {
  /** The folder for the copy, empty or missing. */
  readonly target: string;
  /**
   * File with the secret seed of the engine's keys, to include in the backup, with the file `instance-key` beside it if
   * there is one. Keep such a backup as secret as the seed.
   */
  readonly keys?: string;
}

export interface RestoreOptions extends ToolOptions {
  /** A folder written by `backupStore`. */
  readonly backup: string;
  /**
   * Where to write the key seed that the backup contains; its `instance-key` is written beside it. Others there are not
   * replaced.
   */
  readonly keys?: string;
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
 * Rejects with `OPTION_INVALID` if the target is not empty, or the file with the keys is missing, and with `STORE_UNAVAILABLE`.
 */
export async function backupStore(options: BackupOptions): Promise<BackupReport> {
  demandObject(options, 'backupStore', 'options', 'a folder and a target');
  const files = toolFiles(options);
  const secrets = options.keys === undefined ? undefined : await readSecrets(files, 'keys', options.keys);
  const report = await copyAndVerify(files, options, options.folder, 'target', options.target);
  if (secrets !== undefined) await writeSecrets(files, 'target', keySeedIn(options.target), secrets);
  return report;
}

/** Copies a backup to an empty folder. Rejects like `backupStore`, and if the backup is damaged. */
export async function restoreStore(options: RestoreOptions): Promise<BackupReport> {
  demandObject(options, 'restoreStore', 'options', 'a backup and a folder');
  const { damage } = await verifyStore({ ...options, folder: options.backup });
  const [first] = damage;
  if (first !== undefined) {
    throw unavailable(
      `${first.file} in the backup ${options.backup} is damaged: ${first.reason}. Use another backup, or repair this one`,
    );
  }
  const files = toolFiles(options);
  if (options.keys !== undefined) {
    // Before the copy: the store must not start with other keys.
    const secrets = await readSecrets(files, 'backup', keySeedIn(options.backup));
    await writeSecrets(files, 'keys', options.keys, secrets);
  }
  return copyAndVerify(files, options, options.backup, 'folder', options.folder);
}

/** Where the server keeps the seed: beside the folder of its store. */
export const keySeedBeside = (folder: string): string => join(dirname(folderOption('folder', folder)), keySeedName);

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
