/** An exclusive lock on a folder, by files in `lock/`. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock, Logger } from '@blockwork/core';
import { BlockworkError, isoNow, randomIds, silentLogger } from '@blockwork/core/adapter';
import type { Fence } from '../files/fence.js';
import type { FileSystem } from '../files/file-system.js';
import type { Layout } from '../files/layout.js';
import { Candidate, type Rival } from './candidate.js';
import { LivenessSocket } from './liveness-socket.js';
import { currentOwner, describeOwner } from './lock-owner.js';

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
