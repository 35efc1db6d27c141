/** The file system of the machine. */
import { constants, statSync } from 'node:fs';
import { open, readdir, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { makeFolder } from '@blockwork/core/adapter';
import { codeOf } from './failures.js';
import type { FileSystem, OpenOptions, WritableFile } from './file-system.js';

export const nodeFileSystem: FileSystem = {
  makeFolder,
  fileId: (path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats && `${stats.dev}:${stats.ino}`;
  },
  list: (folder) => readdir(folder).catch(ifMissing<string[]>([])),
  read: (path) => readFile(path).catch(ifMissing(undefined)),
  create: (path, options) => opened(path, O_WRONLY | O_CREAT | O_TRUNC, options),
  append: (path, options) => opened(path, O_WRONLY | O_CREAT | O_APPEND, options),
  rename: (from, to) => rename(from, to),
  remove: (path) => rm(path, { force: true }),
  syncFolder,
};

const { O_APPEND, O_CREAT, O_DSYNC, O_TRUNC, O_WRONLY } = constants;
/** Other systems lack this flag, or leave the data in the cache of the drive. */
const syncFlag = process.platform === 'linux' ? O_DSYNC : 0;

async function opened(path: string, flags: number, { syncsWrites = false }: OpenOptions = {}): Promise<WritableFile> {
  const added = syncsWrites ? syncFlag : 0;
  return writable(await open(path, flags | added, 0o600), added !== 0);
}

const writable = (handle: FileHandle, syncsWrites: boolean): WritableFile => {
  let length: number | undefined;
  return {
    ...(syncsWrites && { syncsWrites }),
    write: async (bytes) => {
      length ??= (await handle.stat()).size;
      for (let at = 0; at < bytes.length;) {
        const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, length);
        at += bytesWritten;
        length += bytesWritten;
      }
    },
    overwrite: async (bytes) => {
      await handle.write(bytes, 0, bytes.length, 0);
    },
    sync: () => handle.datasync(),
    truncate: async (to) => {
      await handle.truncate(to);
      length = to;
    },
    close: () => handle.close(),
  };
};

async function syncFolder(path: string): Promise<void> {
  // Windows cannot flush a folder; NTFS journals renames itself.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

const ifMissing =
  <T>(fallback: T) =>
  (error: unknown): T => {
    if (codeOf(error) === 'ENOENT') return fallback;
    throw error;
  };
