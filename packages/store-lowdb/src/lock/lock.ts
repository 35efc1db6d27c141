/** One process at a time: files in `lock/` say who has the folder open. */
import { join, parse } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BlockworkError, randomIds, type Clock } from '@blockwork/core';
import { isoNow } from '@blockwork/core/adapter';
import { replaceFile } from '../files/atomic-file.js';
import { lightBeacon } from './liveness-socket.js';
import type { FileSystem } from '../files/file-system.js';
import { describeHolder, stateOf, thisProcess, type Holder } from './lock-owner.js';
import type { Layout } from '../files/layout.js';

export interface Lock {
  release(): Promise<void>;
}

/** The ends of file names: the claim of a process, the mark beside it that it has won, and the socket that shows it lives. */
const claim = '.json';
const won = '.holds';
const socket = '.sock';

/** Another one who wants the lock decides within moments; so long it is waited for. */
const patience = 200;
const pauseMs = 10;

/**
 * Each process puts up a claim of its own first and then looks for others. A claim stays under its name for as long
 * as it is meant, so nobody who looks can miss it: of two that come at once, the later one to look sees the other, and
 * they cannot both win. Where both see each other, the one with the greater name takes its claim back for a moment.
 * No two processes use one name, so clearing away the claim of one that has ended can never hit another one's.
 *
 * Rejects with `STORE_LOCKED`, saying who holds it. `hasSockets`: whether the files are those of the machine, so that a
 * socket can lie beside them.
 */
export async function acquireLock(files: FileSystem, layout: Layout, clock: Clock, hasSockets: boolean): Promise<Lock> {
  await files.makeFolder(layout.lock);
  const self = await thisProcess(isoNow(clock));
  const name = `${self.pid}-${randomIds.uuid()}`;
  const own = join(layout.lock, name);
  const beacon = hasSockets ? await lightBeacon(own + socket) : undefined;
  const release = async (): Promise<void> => {
    await files.remove(own + won);
    await files.remove(own + claim);
    await beacon?.end();
  };
  let isUp = false;
  try {
    for (let attempt = 0; attempt < patience; attempt++) {
      if (!isUp) await replaceFile(files, own + claim, [Buffer.from(JSON.stringify(self))]);
      isUp = true;
      const rivals = await livingRivals(files, layout, name, self);
      const holder = rivals.find((rival) => rival.holds);
      if (holder !== undefined) throw locked(layout, holder);
      if (rivals.length === 0) {
        await replaceFile(files, own + won, []);
        return { release };
      }
      if (rivals.some((rival) => rival.name < name)) {
        await files.remove(own + claim);
        isUp = false;
      }
      await pause(pauseMs);
    }
    throw new BlockworkError('STORE_LOCKED', {
      facts: { folder: layout.folder, holder: 'others that open it at the same moment' },
    });
  } catch (error) {
    await release();
    throw error;
  }
}

interface Rival {
  readonly name: string;
  readonly path: string;
  readonly holds: boolean;
  /** Absent where the claim cannot be understood. */
  readonly holder: Holder | undefined;
  readonly state: 'alive' | 'unknown';
}

async function livingRivals(files: FileSystem, layout: Layout, own: string, self: Holder): Promise<Rival[]> {
  const rivals: Rival[] = [];
  const found = new Set(await files.list(layout.lock));
  for (const file of found) {
    const { name, ext } = parse(file);
    if (name === own || ext !== claim) continue;
    const path = join(layout.lock, file);
    const base = join(layout.lock, name);
    const content = await files.read(path);
    if (content === undefined) continue;
    const holder = parseHolder(content);
    const state = holder === undefined ? 'unknown' : await stateOf(holder, self, base + socket);
    if (state === 'gone') {
      for (const end of [won, socket, claim]) await files.remove(base + end);
    } else rivals.push({ name, path, holds: found.has(name + won) || state === 'unknown', holder, state });
  }
  return rivals;
}

function parseHolder(content: Buffer): Holder | undefined {
  try {
    return JSON.parse(content.toString('utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function locked({ folder }: Layout, { holder, path, state }: Rival): BlockworkError {
  const who = holder === undefined ? 'somebody unknown' : describeHolder(holder);
  const advice = `, which cannot be seen from here; if it has surely ended, remove ${path}`;
  return new BlockworkError('STORE_LOCKED', { facts: { folder, holder: state === 'alive' ? who : who + advice } });
}
