/** The file system of the machine. */
import { statSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { codeOf } from './failures.js';
import type { FileSystem, WritableFile } from './file-system.js';

export const nodeFileSystem: FileSystem = {
  makeFolder: async (path) => {
    await mkdir(path, { recursive: true, mode: 0o700 });
  },
  fileId: (path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found && `${found.dev}:${found.ino}`;
  },
  list: (folder) => readdir(folder).catch(ifMissing<string[]>([])),
  read: (path) => readFile(path).catch(ifMissing(undefined)),
  create: async (path) => writable(await open(path, 'w', 0o600)),
  append: async (path) => writable(await open(path, 'a')),
  rename: (from, to) => rename(from, to),
  remove: (path) => rm(path, { force: true }),
  syncFolder,
};

const writable = (handle: FileHandle): WritableFile => {
  let length: number | undefined;
  return {
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
