/** Validates options that name a folder. */
import { basename, resolve } from 'node:path';
import type { BlockworkError } from '@blockwork/core';
import { invalidOption as invalid } from '@blockwork/core/adapter';
import type { FileSystem } from './file-system.js';
import { layoutOf } from './layout.js';

export const invalidOption = (option: string, reason: string): BlockworkError =>
  invalid(`lowdb store: ${option}`, reason);

/** Returns an absolute path. Throws `OPTION_INVALID`. */
export function folderOption(option: string, path: string): string {
  if (typeof path !== 'string' || path.trim() === '') throw invalidOption(option, 'it must be the path of a folder');
  if (path.includes('\0')) throw invalidOption(option, 'a path cannot contain a null byte');
  return resolve(path);
}

/**
 * Protects existing files from being overwritten. Rejects with `OPTION_INVALID`. The folder of a lock that was released is
 * what a failed import leaves behind.
 */
export async function assertEmpty(files: FileSystem, option: string, folder: string): Promise<void> {
  const { lock } = layoutOf(folder);
  const names = await files.list(folder);
  const [first] =
    (await files.list(lock).catch(() => [''])).length > 0 ? names : names.filter((name) => name !== basename(lock));
  if (first === undefined) return;
  throw invalidOption(option, `${folder} is not empty: it contains ${first}. Name a folder that does not exist yet`);
}
