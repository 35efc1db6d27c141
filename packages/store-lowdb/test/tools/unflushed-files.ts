/** The machine's files without the flushes: for tests that open many stores and pull no plugs. */
import type { FileSystem, WritableFile } from '../../src/index.js';
import { nodeFileSystem } from '../../src/node-file-system.js';

const unflushed = (file: WritableFile): WritableFile => ({
  write: (bytes) => file.write(bytes),
  sync: async () => undefined,
  truncate: (length) => file.truncate(length),
  close: () => file.close(),
});

export const unflushedFiles: FileSystem = {
  ...nodeFileSystem,
  create: async (path) => unflushed(await nodeFileSystem.create(path)),
  append: async (path) => unflushed(await nodeFileSystem.append(path)),
  syncFolder: async () => undefined,
};
