/** Checks of options that name a folder. */
import { resolve } from 'node:path';
import { BlockworkError } from '@blockwork/core';
import type { FileSystem } from './file-system.js';

export const invalidOption = (option: string, reason: string): BlockworkError =>
  new BlockworkError('OPTION_INVALID', { facts: { option: `lowdb store: ${option}`, reason } });

/** An absolute path. Throws `OPTION_INVALID`. */
export function folderOption(option: string, path: string): string {
  if (typeof path !== 'string' || path.trim() === '') throw invalidOption(option, 'it must be the path of a folder');
  if (path.includes('\0')) throw invalidOption(option, 'a path cannot hold a zero byte');
  return resolve(path);
}

/** Nothing is ever written over something else. Rejects with `OPTION_INVALID`. */
export async function assertEmpty(files: FileSystem, option: string, folder: string): Promise<void> {
  const [first] = await files.list(folder);
  if (first === undefined) return;
  throw invalidOption(option, `${folder} is not empty: it holds ${first}. Name a folder that does not exist yet`);
}
