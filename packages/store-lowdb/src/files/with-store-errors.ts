/** Wraps a file system so that its errors become `STORE_UNAVAILABLE` and name the path. */
import { explain, unavailable } from './failures.js';
import type { FileSystem, WritableFile } from './file-system.js';

export function withStoreErrors(files: FileSystem): FileSystem {
  return {
    makeFolder: (path) => translated('create the folder', path, files.makeFolder(path)),
    fileId: (path) => idOf(files, path),
    list: (folder) => translated('list the folder', folder, files.list(folder)),
    read: (path) => translated('read', path, files.read(path)),
    create: async (path, options) => wrapFile(path, await translated('create', path, files.create(path, options))),
    append: async (path, options) => wrapFile(path, await translated('open', path, files.append(path, options))),
    rename: (from, to) => translated(`rename ${from} to`, to, files.rename(from, to)),
    remove: (path) => translated('remove', path, files.remove(path)),
    syncFolder: (path) => translated('flush the folder', path, files.syncFolder(path)),
  };
}

const wrapFile = (path: string, file: WritableFile): WritableFile => ({
  ...(file.syncsWrites === true && { syncsWrites: true }),
  write: (bytes) => translated('write to', path, file.write(bytes)),
  overwrite: (bytes) => translated('write to', path, file.overwrite(bytes)),
  sync: () => translated('flush', path, file.sync()),
  truncate: (length) => translated('truncate', path, file.truncate(length)),
  close: () => translated('close', path, file.close()),
});

function idOf(files: FileSystem, path: string): string | undefined {
  try {
    return files.fileId(path);
  } catch (error) {
    throw unavailable(`could not look at ${path}: ${explain(error)}`, error);
  }
}

async function translated<T>(action: string, path: string, operation: Promise<T>): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    throw unavailable(`could not ${action} ${path}: ${explain(error)}`, error);
  }
}
