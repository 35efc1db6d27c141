/** Wraps a file system so that a store changes nothing in a folder that is no longer its own. */
import type { Fence } from './fence.js';
import type { FileSystem, WritableFile } from './file-system.js';

/** The fence is checked before each change, and after each flush: before what was flushed is acknowledged. */
export function fencedFileSystem(files: FileSystem, fence: Fence): FileSystem {
  const fenced =
    <Args extends unknown[], T>(change: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      fence.assertHeld();
      return change(...args);
    };
  const opened = async (file: Promise<WritableFile>): Promise<WritableFile> => fencedFile(await file, fence);
  return {
    ...files,
    makeFolder: fenced((path) => files.makeFolder(path)),
    create: fenced((path, options) => opened(files.create(path, options))),
    append: fenced((path, options) => opened(files.append(path, options))),
    rename: fenced((from, to) => files.rename(from, to)),
    remove: fenced((path) => files.remove(path)),
  };
}

const fencedFile = (file: WritableFile, fence: Fence): WritableFile => ({
  ...(file.syncsWrites === true && { syncsWrites: true }),
  write: async (bytes) => {
    fence.assertHeld();
    await file.write(bytes);
    if (file.syncsWrites === true) fence.assertHeld();
  },
  overwrite: async (bytes) => {
    fence.assertHeld();
    await file.overwrite(bytes);
  },
  sync: async () => {
    await file.sync();
    fence.assertHeld();
  },
  truncate: async (length) => {
    fence.assertHeld();
    await file.truncate(length);
  },
  close: () => file.close(),
});
