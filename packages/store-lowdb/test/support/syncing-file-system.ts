/** A file system that writes and flushes in one step if permitted, like that of Linux. */
import type { FileSystem, OpenOptions, WritableFile } from '../../src/index.js';

export function syncingFileSystem(files: FileSystem): FileSystem {
  const opened = async (file: Promise<WritableFile>, options?: OpenOptions): Promise<WritableFile> => {
    const plain = await file;
    if (options?.syncsWrites !== true) return plain;
    return {
      syncsWrites: true,
      write: async (bytes) => {
        await plain.write(bytes);
        await plain.sync();
      },
      overwrite: (bytes) => plain.overwrite(bytes),
      sync: () => plain.sync(),
      truncate: (length) => plain.truncate(length),
      close: () => plain.close(),
    };
  };
  return {
    makeFolder: (path) => files.makeFolder(path),
    fileId: (path) => files.fileId(path),
    list: (folder) => files.list(folder),
    read: (path) => files.read(path),
    create: (path, options) => opened(files.create(path), options),
    append: (path, options) => opened(files.append(path), options),
    rename: (from, to) => files.rename(from, to),
    remove: (path) => files.remove(path),
    syncFolder: (path) => files.syncFolder(path),
  };
}
