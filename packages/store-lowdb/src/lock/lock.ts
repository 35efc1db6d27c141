/** An exclusive lock on a folder, by files in `lock/`. */
import type { Clock, Logger } from '@blockwork/core';
import { BlockworkError, isoNow, randomIds, silentLogger } from '@blockwork/core/adapter';
import { join, parse } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { replaceFile } from '../files/atomic-file.js';
import type { Fence } from '../files/fence.js';
import type { FileSystem } from '../files/file-system.js';
import type { Layout } from '../files/layout.js';
import { LivenessSocket } from './liveness-socket.js';
import { currentOwner, describeOwner, isLockOwner, livenessOf, type LockOwner } from './lock-owner.js';

export interface Lock extends Fence {
  /** The error that `assertHeld` throws, once the lock is lost. */
  readonly loss: Error | undefined;
  release(): Promise<void>;
}

/** How often to retry while another process is still competing for the lock. */
const maxAttempts = 200;
const retryMs = 10;

/**
 * Every process publishes a candidate file first and lists the others afterwards. Of two processes, the later one to list
 * sees the other's file, so both cannot win. If both see each other, the one with the greater name withdraws for a moment.
 * Names are unique, so removing the files of an ended process never hits those of a live one.
 *
 * Rejects with `STORE_LOCKED`, naming the owner. `hasSockets`: whether `files` is the machine's own file system, where a
 * liveness socket can be created.
 */
export async function acquireLock(
  files: FileSystem,
  layout: Layout,
  clock: Clock,
  hasSockets: boolean,
  logger = silentLogger,
): Promise<Lock> {
  await files.makeFolder(layout.lock);
  const self = await currentOwner(isoNow(clock));
  const candidate = new Candidate(files, layout.lock, self, randomIds.uuid());
  const socket = hasSockets ? await LivenessSocket.listen(candidate.socketPath) : undefined;
  const release = async (): Promise<void> => {
    await candidate.remove();
    await socket?.close();
  };
  try {
    await compete(candidate, layout.folder);
    return await HeldLock.of({ files, folder: layout.folder, logger, path: candidate.path }, release);
  } catch (error) {
    await release();
    throw error;
  }
}

interface LockedFolder {
  readonly files: FileSystem;
  readonly folder: string;
  /** The file of the candidate. */
  readonly path: string;
  readonly logger: Logger;
}

class HeldLock implements Lock {
  readonly #locked: LockedFolder;
  readonly #id: string | undefined;
  readonly #release: () => Promise<void>;
  #releasing: Promise<void> | undefined;
  loss: Error | undefined;

  private constructor(locked: LockedFolder, release: () => Promise<void>) {
    this.#locked = locked;
    this.#id = locked.files.fileId(locked.path);
    this.#release = release;
  }

  /** Keeps the candidate open, because the system may reuse the id of a file that is gone. */
  static async of(locked: LockedFolder, release: () => Promise<void>): Promise<HeldLock> {
    const file = await locked.files.append(locked.path);
    return new HeldLock(locked, async () => {
      await file.close();
      await release();
    });
  }

  assertHeld(): void {
    if (this.loss) throw this.loss;
    const { files, folder, path, logger } = this.#locked;
    const id = files.fileId(path);
    if (id !== undefined && id === this.#id) return;
    const reason =
      id === undefined
        ? `${path} is gone: the folder was renamed or removed, or that file was removed`
        : `${path} is another file: another folder was put in the place of this one`;
    this.loss = new BlockworkError('STORE_LOCK_LOST', { facts: { folder, reason } });
    logger.error(this.loss.message);
    throw this.loss;
  }

  release(): Promise<void> {
    return (this.#releasing ??= this.#release());
  }
}

async function compete(candidate: Candidate, folder: string): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    await candidate.publish();
    const rivals = await candidate.rivals();
    const owner = rivals.find(({ hasLock }) => hasLock);
    if (owner !== undefined) throw lockedBy(owner, folder);
    if (rivals.length === 0) return candidate.markAsOwner();
    if (rivals.some(({ name }) => name < candidate.name)) await candidate.withdraw();
    await pause(retryMs);
  }
  throw locked(folder, 'other processes that are opening it at the same time');
}

function lockedBy({ owner, path, liveness }: Rival, folder: string): BlockworkError {
  const who = owner === undefined ? 'an unknown process' : describeOwner(owner);
  const advice = `, which cannot be checked from here; if it has ended, remove ${path}`;
  return locked(folder, liveness === 'alive' ? who : who + advice);
}

const locked = (folder: string, holder: string): BlockworkError =>
  new BlockworkError('STORE_LOCKED', { facts: { folder, holder } });

/** Files that a process leaves behind if it ends while it publishes or withdraws its candidate. */
const leftover = /^([^.]+)\.(?:holds|sock|(?:json|holds)\.tmp)$/;

/** File name extensions: the candidate itself, the mark that it won, and its liveness socket. */
const extensions = { candidate: '.json', lock: '.holds', socket: '.sock' } as const;

/** Another candidate that is not known to have ended. */
interface Rival {
  readonly name: string;
  readonly path: string;
  readonly hasLock: boolean;
  /** Absent if the file is unreadable. */
  readonly owner: LockOwner | undefined;
  readonly liveness: 'alive' | 'unknown';
}

class Candidate {
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
