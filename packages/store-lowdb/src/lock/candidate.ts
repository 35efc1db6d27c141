/** The files by which one process competes for the lock of a folder. */
import { join, parse } from 'node:path';
import { replaceFile } from '../files/atomic-file.js';
import type { FileSystem } from '../files/file-system.js';
import { LivenessSocket } from './liveness-socket.js';
import { isLockOwner, livenessOf, type LockOwner } from './lock-owner.js';

/** Files that a process leaves behind if it ends while it publishes or withdraws its candidate. */
const leftover = /^([^.]+)\.(?:holds|sock|(?:json|holds)\.tmp)$/;

/** File name extensions: the candidate itself, the mark that it won, and its liveness socket. */
const extensions = { candidate: '.json', lock: '.holds', socket: '.sock' } as const;

/** Another candidate that is not known to have ended. */
export interface Rival {
  readonly name: string;
  readonly path: string;
  readonly hasLock: boolean;
  /** Absent if the file is unreadable. */
  readonly owner: LockOwner | undefined;
  readonly liveness: 'alive' | 'unknown';
}

export class Candidate {
  readonly name: string;
  readonly #files: FileSystem;
  readonly #folder: string;
  readonly #self: LockOwner;
  #isPublished = false;

  /** `id` is unique across processes. */
  constructor(files: FileSystem, folder: string, self: LockOwner, id: string) {
    this.name = `${self.pid}-${id}`;
    this.#files = files;
    this.#folder = folder;
    this.#self = self;
  }

  get path(): string {
    return this.#path(this.name, 'candidate');
  }

  get socketPath(): string {
    return this.#path(this.name, 'socket');
  }

  async publish(): Promise<void> {
    if (this.#isPublished) return;
    await replaceFile(this.#files, this.#path(this.name, 'candidate'), [Buffer.from(JSON.stringify(this.#self))]);
    this.#isPublished = true;
  }

  async withdraw(): Promise<void> {
    await this.#files.remove(this.#path(this.name, 'candidate'));
    this.#isPublished = false;
  }

  async markAsOwner(): Promise<void> {
    await replaceFile(this.#files, this.#path(this.name, 'lock'), []);
  }

  async remove(): Promise<void> {
    await this.#files.remove(this.#path(this.name, 'lock'));
    await this.withdraw();
  }

  /** Also removes the files of processes that have ended. */
  async rivals(): Promise<Rival[]> {
    const rivals: Rival[] = [];
    const names = new Set(await this.#files.list(this.#folder));
    for (const file of names) {
      const { name, ext } = parse(file);
      if (name === this.name || ext !== extensions.candidate) continue;
      const rival = await this.#inspect(name, names.has(name + extensions.lock));
      if (rival !== undefined) rivals.push(rival);
    }
    await this.#removeLeftovers(names);
    return rivals;
  }

  async #removeLeftovers(files: ReadonlySet<string>): Promise<void> {
    for (const file of files) {
      const name = leftover.exec(file)?.[1];
      if (name === undefined || name === this.name || files.has(name + extensions.candidate)) continue;
      if (await this.#isLeftover(name, files)) await this.#files.remove(join(this.#folder, file));
    }
  }

  /**
   * Whether the process behind files without a candidate has ended. A live one may be about to publish its candidate.
   */
  async #isLeftover(name: string, files: ReadonlySet<string>): Promise<boolean> {
    const [socket, temporary] = [this.#path(name, 'socket'), `${name}${extensions.candidate}.tmp`];
    const owner = parseOwner((await this.#files.read(join(this.#folder, temporary))) ?? Buffer.alloc(0));
    const liveness = await (owner === undefined ? LivenessSocket.probe(socket) : livenessOf(owner, this.#self, socket));
    if (liveness !== 'unknown') return liveness === 'gone';
    // Only the mark is left, which is no lock without a candidate.
    return !files.has(temporary) && !files.has(name + extensions.socket);
  }

  async #inspect(name: string, hasMark: boolean): Promise<Rival | undefined> {
    const path = this.#path(name, 'candidate');
    const content = await this.#files.read(path);
    if (content === undefined) return undefined;
    const owner = parseOwner(content);
    const socket = this.#path(name, 'socket');
    const liveness = owner === undefined ? 'unknown' : await livenessOf(owner, this.#self, socket);
    if (liveness !== 'gone') return { name, path, hasLock: hasMark || liveness === 'unknown', owner, liveness };
    for (const kind of ['lock', 'socket', 'candidate'] as const) await this.#files.remove(this.#path(name, kind));
    return undefined;
  }

  #path(name: string, kind: keyof typeof extensions): string {
    return join(this.#folder, name + extensions[kind]);
  }
}

function parseOwner(content: Buffer): LockOwner | undefined {
  try {
    const parsed: unknown = JSON.parse(content.toString('utf8'));
    return isLockOwner(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
