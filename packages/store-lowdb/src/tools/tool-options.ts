/** What all tools are told, checked. */
import { resolve } from 'node:path';
import { BlockworkError } from '@blockwork/core';
import type { FileSystem } from '../file-system.js';
import { namingFailures } from '../named-failures.js';
import { nodeFileSystem } from '../node-file-system.js';

export interface ToolOptions {
  /** The store's folder. */
  readonly folder: string;
  /** The machine's files when absent. */
  readonly fileSystem?: FileSystem;
}

export const invalid = (option: string, reason: string): BlockworkError =>
  new BlockworkError('OPTION_INVALID', { facts: { option: `lowdb store: ${option}`, reason } });

export const toolFiles = ({ fileSystem = nodeFileSystem }: ToolOptions): FileSystem => namingFailures(fileSystem);

/** An absolute path. Throws `OPTION_INVALID`. */
export function folderOption(option: string, path: string): string {
  if (typeof path !== 'string' || path.trim() === '' || path.includes('\0'))
    throw invalid(option, 'it must be the path of a folder');
  return resolve(path);
}

/** Nothing is ever written over something else. Rejects with `OPTION_INVALID`. */
export async function assertEmpty(files: FileSystem, option: string, folder: string): Promise<void> {
  const [first] = await files.list(folder);
  if (first === undefined) return;
  throw invalid(option, `${folder} is not empty: it holds ${first}. Name a folder that does not exist yet`);
}
