/** The file system of the machine. */
import { constants, statSync } from 'node:fs';
import { open, readdir, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { makeFolder } from '@blockwork/core/adapter';
import { codeOf, isOutOfSpace } from './failures.js';
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
  append: (path, options) => opened(path, O_WRONLY | O_CREAT, options),
  rename: (from, to) => rename(from, to),
  remove: (path) => rm(path, { force: true }),
  syncFolder,
};

const { O_CREAT, O_DSYNC, O_TRUNC, O_WRONLY } = constants;
/** Other systems lack this flag, or leave the data in the cache of the drive. */
const syncFlag = process.platform === 'linux' ? O_DSYNC : 0;
/** Bytes by which a file is longer than what was written, whenever it has to become longer. */
const reservedBytes = 256 * 1024;

async function opened(path: string, flags: number, options: OpenOptions = {}): Promise<WritableFile> {
  const added = options.syncsWrites === true ? syncFlag : 0;
  const handle = await open(path, flags | added, 0o600);
  return {
    ...writable(handle, options.mayReserve === true ? reservedBytes : 0),
    ...(added !== 0 && { syncsWrites: true }),
  };
}

function writable(handle: FileHandle, reserve: number): WritableFile {
  /** The end of what was written, once it is known, and that of the file. */
  let length: number | undefined;
  let fileLength = 0;
  const truncate = async (to: number): Promise<void> => {
    await handle.truncate(to);
    length = fileLength = to;
  };
  const writeAt = async (bytes: Uint8Array, start: number): Promise<void> => {
    for (let at = 0; at < bytes.length;)
      at += (await handle.write(bytes, at, bytes.length - at, start + at)).bytesWritten;
  };
  const writeReserving = async (bytes: Uint8Array, start: number): Promise<void> => {
    const longer = Buffer.alloc(bytes.length + reserve);
    longer.set(bytes);
    try {
      await writeAt(longer, start);
      fileLength = start + longer.length;
    } catch (error) {
      if (!isOutOfSpace(error)) throw error;
      await truncate(start);
      await writeAt(bytes, start);
    }
  };
  return {
    write: async (bytes) => {
      const start = (length ??= (await handle.stat()).size);
      const end = start + bytes.length;
      await (reserve > 0 && end > fileLength ? writeReserving(bytes, start) : writeAt(bytes, start));
      length = end;
    },
    overwrite: async (bytes) => {
      await handle.write(bytes, 0, bytes.length, 0);
    },
    sync: () => handle.datasync(),
    truncate,
    close: () => handle.close(),
  };
}

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
