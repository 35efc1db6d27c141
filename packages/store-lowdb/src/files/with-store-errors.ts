/** A file system whose failures are `STORE_UNAVAILABLE` and name the path. */
import { explain, unavailable } from './failures.js';
import type { FileSystem, WritableFile } from './file-system.js';

export function namingFailures(files: FileSystem): FileSystem {
  return {
    makeFolder: (path) => told('make the folder', path, files.makeFolder(path)),
    list: (folder) => told('list the folder', folder, files.list(folder)),
    read: (path) => told('read', path, files.read(path)),
    create: async (path) => namingWritable(path, await told('create', path, files.create(path))),
    append: async (path) => namingWritable(path, await told('open', path, files.append(path))),
    rename: (from, to) => told(`rename ${from} to`, to, files.rename(from, to)),
    remove: (path) => told('remove', path, files.remove(path)),
    syncFolder: (path) => told('flush the folder', path, files.syncFolder(path)),
  };
}

const namingWritable = (path: string, file: WritableFile): WritableFile => ({
  write: (bytes) => told('write to', path, file.write(bytes)),
  sync: () => told('flush', path, file.sync()),
  truncate: (length) => told('shorten', path, file.truncate(length)),
  close: () => told('close', path, file.close()),
});

async function told<T>(doing: string, path: string, done: Promise<T>): Promise<T> {
  try {
    return await done;
  } catch (error) {
    throw unavailable(`it was not possible to ${doing} ${path}: ${explain(error)}`, error);
  }
}
