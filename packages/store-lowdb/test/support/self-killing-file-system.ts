/** The machine's file system, which kills its own process at a given operation. */
import type { FileSystem, OpenOptions, WritableFile } from '../../src/index.js';
import { nodeFileSystem } from '../../src/files/node-file-system.js';

export class SelfKillingFileSystem implements FileSystem {
  /** The process is killed once this many more operations have started. */
  operationsLeft: number;

  constructor(operationsLeft: number) {
    this.operationsLeft = operationsLeft;
  }

  makeFolder = (path: string): Promise<void> => this.#count(nodeFileSystem.makeFolder(path));
  fileId = (path: string): string | undefined => nodeFileSystem.fileId(path);
  list = (folder: string): Promise<string[]> => this.#count(nodeFileSystem.list(folder));
  read = (path: string): Promise<Buffer | undefined> => this.#count(nodeFileSystem.read(path));
  create = async (path: string, options?: OpenOptions): Promise<WritableFile> =>
    this.#wrap(await this.#count(nodeFileSystem.create(path, options)));
  append = async (path: string, options?: OpenOptions): Promise<WritableFile> =>
    this.#wrap(await this.#count(nodeFileSystem.append(path, options)));
  rename = (from: string, to: string): Promise<void> => this.#count(nodeFileSystem.rename(from, to));
  remove = (path: string): Promise<void> => this.#count(nodeFileSystem.remove(path));
  syncFolder = (path: string): Promise<void> => this.#count(nodeFileSystem.syncFolder(path));

  #wrap(file: WritableFile): WritableFile {
    return {
      ...(file.syncsWrites === true && { syncsWrites: true }),
      write: (bytes) => this.#count(file.write(bytes)),
      overwrite: (bytes) => this.#count(file.overwrite(bytes)),
      sync: () => this.#count(file.sync()),
      truncate: (length) => this.#count(file.truncate(length)),
      close: () => file.close(),
    };
  }

  /** The operation has started in another thread; the kill hits it at any point. */
  #count<T>(operation: Promise<T>): Promise<T> {
    this.operationsLeft -= 1;
    if (this.operationsLeft === 0) process.kill(process.pid, 'SIGKILL');
    return operation;
  }
}
