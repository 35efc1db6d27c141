/**
 * Copies a store into a new folder. Lines are staged in a file next to it, which survives an interruption; the folder is
 * created from them at the end, and is a store only once it is complete.
 */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder, type StoreEnd } from '@blockwork/core/adapter';
import { importStore } from '@blockwork/store-lowdb';
import { exitCodes } from '../../line/exit-codes.js';
import { CommandError } from '../../line/failure.js';
import type { CopyTarget } from './copy-target.js';

const PIECE = 2 ** 20;

/** The only files left in the folder by an interrupted import. */
const leftovers = new Set(['snapshots', 'journal', 'lock', 'quarantine', 'durable']);

export async function openFolderCopy(folder: string): Promise<CopyTarget> {
  const path = resolve(folder);
  const staged = `${path}.copying`;
  const handle = await openStaged(path, staged);
  try {
    const lines = await linesIn(staged);
    await handle.truncate(lines.bytes);
    return new FolderCopy(path, staged, handle, lines);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openStaged(folder: string, staged: string): Promise<FileHandle> {
  const isResumed = (await stat(staged).catch(() => undefined)) !== undefined;
  const names = await namesIn(folder);
  const isOurs = isResumed && (names.includes('store.json') || names.every((name) => leftovers.has(name)));
  const [first] = names;
  if (first === undefined || isOurs) {
    await makeFolder(dirname(staged));
    return open(staged, 'a', 0o600);
  }
  const message = `${folder} is not empty: it contains ${first}. A copy never overwrites: name a folder that does not exist yet.`;
  throw new CommandError(exitCodes.usage, message, 'OPTION_INVALID');
}

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });

interface Staged {
  readonly lines: number;
  readonly bytes: number;
  readonly digest: string;
}

/** Counts complete lines; the rest is a partial write. */
async function linesIn(staged: string): Promise<Staged> {
  const hash = createHash('sha256');
  let [lines, bytes, read] = [0, 0, 0];
  let rest: Buffer[] = [];
  for await (const chunk of createReadStream(staged) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      for (const piece of rest.splice(0)) hash.update(piece);
      hash.update(chunk.subarray(start, end + 1));
      start = end + 1;
      lines += 1;
      bytes = read + start;
    }
    if (start < chunk.length) rest = [...rest, chunk.subarray(start)];
    read += chunk.length;
  }
  return { lines, bytes, digest: hash.digest('hex') };
}

class FolderCopy implements CopyTarget {
  readonly #folder: string;
  readonly #staged: string;
  readonly #handle: FileHandle;
  readonly #known: Staged;
  readonly #hash: Hash = createHash('sha256');
  #lines = 0;
  #piece = '';

  constructor(folder: string, staged: string, handle: FileHandle, stagedLines: Staged) {
    this.#folder = folder;
    this.#staged = staged;
    this.#handle = handle;
    this.#known = stagedLines;
  }

  get resumesAt(): number {
    return this.#known.lines;
  }

  async take(lines: AsyncIterable<string>, report: (lines: number) => void): Promise<StoreEnd> {
    let last = '{}';
    for await (const line of lines) {
      last = line;
      this.#lines += 1;
      if (this.#lines <= this.#known.lines) this.#compare(line);
      else this.#piece += `${line}\n`;
      if (this.#piece.length < PIECE) continue;
      await this.#write();
      report(this.#lines);
    }
    if (this.#lines < this.#known.lines) throw this.#changed();
    await this.#write();
    report(this.#lines);
    await this.#import();
    return JSON.parse(last) as StoreEnd;
  }

  async finish(): Promise<void> {
    await rm(this.#staged);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  #compare(line: string): void {
    this.#hash.update(line).update('\n');
    if (this.#lines < this.#known.lines || this.#hash.digest('hex') === this.#known.digest) return;
    throw this.#changed();
  }

  #changed(): CommandError {
    const message =
      `${this.#staged} is a partial copy of another store, or the store has changed since. ` +
      'Delete that file and start over.';
    return new CommandError(exitCodes.found, message, 'COPY_DIFFERS');
  }

  async #write(): Promise<void> {
    await this.#handle.appendFile(this.#piece);
    await this.#handle.datasync();
    this.#piece = '';
  }

  async #import(): Promise<void> {
    const names = await namesIn(this.#folder);
    // If it exists, the copy was interrupted after the import; completeness is verified next.
    if (names.includes('store.json')) return;
    for (const name of names) await rm(join(this.#folder, name), { recursive: true });
    await importStore({ folder: this.#folder, from: createReadStream(this.#staged) });
  }
}
