/** Commits on a file system that writes and flushes in one step. */
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Change } from '@blockwork/core/adapter';
import { SimulatedDisk } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { openLowdbStore, type Durability, type LowdbStore } from '../src/index.js';
import { syncingFileSystem } from './support/syncing-file-system.js';

const put = (id: string): Change => ({
  op: 'put',
  kind: 'artifact',
  partition: 'p',
  value: { id, name: '', extension: '', content: '' },
});

const commit = (store: LowdbStore, id: string): Promise<void> => store.commit({ expect: {}, changes: [put(id)] });
const ids = async (store: LowdbStore): Promise<string[]> => (await store.find('artifact', 'p')).map(({ id }) => id);

async function setup() {
  const disk = new SimulatedDisk();
  const open = (on = disk): Promise<LowdbStore> =>
    openLowdbStore({ folder: '/store', fileSystem: syncingFileSystem(on) });
  const store = await open();
  await commit(store, 'a');
  disk.done.length = 0;
  return { disk, open, store };
}

describe('on a file system that writes and flushes in one step', () => {
  it('a commit takes a single step', async () => {
    const { disk, store } = await setup();
    await commit(store, 'b');
    const operations = disk.done.filter((operation) => operation.includes('/journal/'));
    expect(operations.map((operation) => operation.split(' ')[0])).toEqual(['write', 'sync']);
    const reopened = await openLowdbStore({ folder: '/store', fileSystem: disk.afterPowerCut(() => 0) });
    expect(await ids(reopened)).toEqual(['a', 'b']);
    await reopened.close();
    await store.close();
  });

  it.each(['write', 'sync'])('a commit on a full disk leaves no trace (%s)', async (operation) => {
    const { disk, open, store } = await setup();
    disk.faults.failOn(`${operation} /store/journal/`, 'ENOSPC');
    const failing = commit(store, 'b');
    await Promise.resolve();
    // The lines of this commit wait while others are being written.
    const behind = commit(store, 'behind');
    await expect(failing).rejects.toThrow(/the disk is full \(ENOSPC\)/);
    await expect(behind).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    disk.faults.heal();
    if (operation === 'write') {
      await commit(store, 'c');
      expect(await ids(store)).toEqual(['a', 'c']);
    }
    const reopened = await open(disk.afterPowerCut(() => 0));
    expect(await ids(reopened)).toEqual(operation === 'write' ? ['a', 'c'] : ['a']);
    expect(reopened.report.damage).toEqual([]);
    await reopened.close();
    await store.close();
  });

  it('a commit is not acknowledged once the folder has another owner', async () => {
    const { disk, store } = await setup();
    disk.before = (operation) => {
      if (!operation.startsWith('sync /store/journal/')) return;
      for (const path of disk.paths) if (path.startsWith('/store/lock/')) disk.put(path, undefined);
    };
    await expect(commit(store, 'b')).rejects.toMatchObject({ code: 'STORE_LOCK_LOST' });
    await expect(ids(store)).rejects.toMatchObject({ code: 'STORE_LOCK_LOST' });
    await store.close().catch(() => undefined);
  });
});

describe.runIf(process.platform === 'linux')('on Linux', () => {
  /** The octal flags with which the process has the journal open. */
  async function journalFlags(folder: string): Promise<number> {
    for (const descriptor of await readdir('/proc/self/fd')) {
      const target = await readlink(`/proc/self/fd/${descriptor}`).catch(() => '');
      if (!target.startsWith(join(folder, 'journal'))) continue;
      const facts = await readFile(`/proc/self/fdinfo/${descriptor}`, 'utf8');
      return Number.parseInt(/^flags:\s*(\d+)$/m.exec(facts)?.[1] ?? '', 8);
    }
    return Number.NaN;
  }

  it.each<[Durability, boolean]>([
    ['fsync', true],
    ['os', false],
  ])('with the durability `%s`, the journal is opened so that a write flushes: %s', async (durability, isSynced) => {
    const folder = await mkdtemp(join(tmpdir(), 'blockwork-synced-'));
    const dataSync = 0o10000;
    for (let opening = 0; opening < 2; opening += 1) {
      const store = await openLowdbStore({ folder, durability });
      await commit(store, 'a');
      expect(((await journalFlags(folder)) & dataSync) !== 0).toBe(isSynced);
      await store.close();
    }
    await rm(folder, { recursive: true });
  });
});
