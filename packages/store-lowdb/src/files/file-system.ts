/** The port to the file system. */

/** Paths are absolute. Errors carry the `code` of the operating system, such as `ENOSPC`. */
export interface FileSystem {
  /** Creates the folder and its missing parents, for this user only. */
  makeFolder(path: string): Promise<void>;

  /**
   * Identifies the file at a path: while it is open, no other file has the same id. `undefined` if it does not exist.
   * Synchronous; takes about two microseconds if the system has the file's metadata in its cache.
   */
  fileId(path: string): string | undefined;

  /** The names in a folder; empty if it does not exist. */
  list(folder: string): Promise<string[]>;

  /** The whole file, or `undefined` if it does not exist. */
  read(path: string): Promise<Buffer | undefined>;

  /** Opens a file for writing and truncates it. */
  create(path: string, options?: OpenOptions): Promise<WritableFile>;

  /** Opens an existing file to write at its end. */
  append(path: string, options?: OpenOptions): Promise<WritableFile>;

  /** Atomically replaces whatever is at `to`. */
  rename(from: string, to: string): Promise<void>;

  /** No-op if the file does not exist. */
  remove(path: string): Promise<void>;

  /** Makes files created, renamed or removed in the folder survive a power cut. */
  syncFolder(path: string): Promise<void>;
}

export interface OpenOptions {
  /** The caller flushes after each write, so `write` may do both in one step. See `WritableFile.syncsWrites`. */
  readonly syncsWrites?: boolean;

  /**
   * Readers ignore zeros at the end of the file, so it may be longer than what was written: later writes then need not
   * change its length, and a flush has only their bytes to write. `truncate` removes such zeros.
   */
  readonly mayReserve?: boolean;
}

export interface WritableFile {
  /** Whether `write` also makes its bytes survive a power cut, like `sync`. Default `false`. */
  readonly syncsWrites?: boolean;

  /**
   * Appends all bytes. A failed write may leave some of them in the file. The caller may reuse the buffer once the
   * promise is settled.
   */
  write(bytes: Uint8Array): Promise<void>;

  /** Replaces the first bytes of a file that was opened by `create`. */
  overwrite(bytes: Uint8Array): Promise<void>;

  /** Makes everything written survive a power cut. */
  sync(): Promise<void>;

  truncate(length: number): Promise<void>;

  close(): Promise<void>;
}
