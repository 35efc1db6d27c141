/** Reads and writes the secret key seed, which a backup can include. */
import { dirname, join } from 'node:path';
import { replaceFile } from '../files/atomic-file.js';
import type { FileSystem } from '../files/file-system.js';
import { folderOption, invalidOption } from '../files/folder-option.js';

/** The file name of the seed in a backup, and beside the store of the server. */
export const keySeedName = 'key-seed';

export async function readKeySeed(files: FileSystem, option: string, path: string): Promise<Buffer> {
  const file = folderOption(option, path);
  const seed = await files.read(file);
  if (seed !== undefined) return seed;
  throw invalidOption(option, `${file} does not exist`);
}

/** Never replaces another seed, whose keys would be lost. */
export async function writeKeySeed(files: FileSystem, option: string, path: string, seed: Buffer): Promise<void> {
  const file = folderOption(option, path);
  const found = await files.read(file);
  if (found?.equals(seed)) return;
  if (found !== undefined) throw invalidOption(option, `${file} is another seed of keys; move it away first`);
  await replaceFile(files, file, [seed]);
  await files.syncFolder(dirname(file));
}

export const keySeedIn = (backup: string): string => join(backup, keySeedName);
