/** What the store needs of a file system. */

/** Paths are absolute. Failures carry the `code` of the operating system, for instance `ENOSPC`. */
export interface FileSystem {
  /** Makes the folder and those above it, where they are missing. */
  makeFolder(path: string): Promise<void>;

  /** The names in a folder; none when it does not exist. */
  list(folder: string): Promise<string[]>;

  /** The whole file, or `undefined` when it does not exist. */
  read(path: string): Promise<Buffer | undefined>;

  /** Opens a file for writing; what it held is gone. */
  create(path: string): Promise<WritableFile>;

  /** Opens a file that exists, to write at its end. */
  append(path: string): Promise<WritableFile>;

  /** Replaces what is at `to`, in one step. */
  rename(from: string, to: string): Promise<void>;

  /** Does nothing when there is no such file. */
  remove(path: string): Promise<void>;

  /** Resolves when what was created, renamed or removed in the folder survives a power cut. */
  syncFolder(path: string): Promise<void>;
}

export interface WritableFile {
  /** Writes all of it at the end. After a failure, some of it may be there. */
  write(bytes: Uint8Array): Promise<void>;

  /** Resolves when everything written survives a power cut. */
  sync(): Promise<void>;

  truncate(length: number): Promise<void>;

  close(): Promise<void>;
}
