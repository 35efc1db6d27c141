/** The file system port. */

/** Paths are absolute. Errors carry the `code` of the operating system, such as `ENOSPC`. */
export interface FileSystem {
  /** Creates the folder and its missing parents, for this user only. */
  makeFolder(path: string): Promise<void>;

  /**
   * Identifies the file at a path as long as it is open somewhere: another file has another id. `undefined` if there is
   * none. Answers at once, which takes a machine about two microseconds for a file it has looked at before.
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
  /** The file is flushed after each write: where both can be done in one step, they may be. See `WritableFile.syncsWrites`. */
  readonly syncsWrites?: boolean;
}

export interface WritableFile {
  /** Whether `write` also makes what it has written survive a power cut, as `sync` does. Absent: no. */
  readonly syncsWrites?: boolean;

  /** Appends all bytes. A failed write may leave some of them in the file. They are the caller's again once it has ended. */
  write(bytes: Uint8Array): Promise<void>;

  /** Replaces the first bytes of a file that was opened by `create`. */
  overwrite(bytes: Uint8Array): Promise<void>;

  /** Makes everything written survive a power cut. */
  sync(): Promise<void>;

  truncate(length: number): Promise<void>;

  close(): Promise<void>;
}
