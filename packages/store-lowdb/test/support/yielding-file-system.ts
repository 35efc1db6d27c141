/** A file system that yields to the event loop before it answers, like a real one. */
import type { FileSystem } from '../../src/index.js';

export function yieldingFileSystem(files: FileSystem): FileSystem {
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    makeFolder: (path) => files.makeFolder(path),
    fileId: (path) => files.fileId(path),
    list: (folder) => files.list(folder),
    read: async (path) => {
      await turn();
      return files.read(path);
    },
    create: async (path) => {
      await turn();
      return files.create(path);
    },
    append: (path) => files.append(path),
    rename: (from, to) => files.rename(from, to),
    remove: (path) => files.remove(path),
    syncFolder: (path) => files.syncFolder(path),
  };
}
