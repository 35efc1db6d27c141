/** The file `durable` names the last commit known to be on the disk, so that a journal cut short later is recognized. */
import type { Logger } from '@blockwork/core';
import { checksum } from '../files/checksum.js';
import { explain } from '../files/failures.js';
import type { FileSystem, WritableFile } from '../files/file-system.js';
import type { SegmentEntry } from '../manifest/manifest-content.js';

/** The last commit that was flushed, and the segment that holds it. */
export interface Durable {
  readonly segment: string;
  readonly commit: number;
}

/** Every text has this length, and fits into one sector of a disk. */
const length = 128;

const encode = ({ segment, commit }: Durable): Buffer => {
  const body = JSON.stringify({ segment, commit });
  return Buffer.from(`${body} ${checksum(body)}`.padEnd(length - 1) + '\n');
};

const readable = /^(\{"segment":"[^"]+","commit":\d+\}) ([0-9a-f]{8}) *\n$/;

/** `undefined` if nothing is known: there is no such file, or it was being written when the power was cut. */
export async function readDurable(files: FileSystem, path: string): Promise<Durable | undefined> {
  const [, body = '', sum] = readable.exec((await files.read(path))?.toString('latin1') ?? '') ?? [];
  return sum !== undefined && sum === checksum(body) ? (JSON.parse(body) as Durable) : undefined;
}

/**
 * Written after each flush, but neither flushed nor waited for: it never claims too much, and may lag behind
 * by what was acknowledged while it was written or, after a power cut, by some seconds.
 */
export class DurableMark {
  readonly #files: FileSystem;
  readonly #path: string;
  readonly #logger: Logger;
  #file: WritableFile | undefined;
  #next: Durable | undefined;
  #writing: Promise<void> | undefined;

  constructor(files: FileSystem, path: string, logger: Logger) {
    this.#files = files;
    this.#path = path;
    this.#logger = logger;
  }

  record({ file: segment }: SegmentEntry, commit: number): void {
    this.#next = { segment, commit };
    this.#writing ??= this.#write();
  }

  /** `isObsolete`: whether the journal is empty, so that the file is of no use. */
  async close(isObsolete: boolean): Promise<void> {
    await this.#writing;
    await this.#file?.close();
    this.#file = undefined;
    if (isObsolete) await this.#files.remove(this.#path).catch((error: unknown) => this.#warn(error));
  }

  async #write(): Promise<void> {
    try {
      for (let now = this.#take(); now !== undefined; now = this.#take()) {
        this.#file ??= await this.#files.create(this.#path);
        await this.#file.overwrite(encode(now));
      }
    } catch (error) {
      this.#warn(error);
    }
    this.#writing = undefined;
  }

  #warn(error: unknown): void {
    const message = 'Could not record which commits are durable; commits are not affected.';
    this.#logger.warn(message, { reason: explain(error) });
  }

  #take(): Durable | undefined {
    const next = this.#next;
    this.#next = undefined;
    return next;
  }
}
