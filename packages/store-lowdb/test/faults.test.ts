import type { Logger } from '@blockwork/core';
import type { Change } from '@blockwork/core/adapter';
import { silentLogger } from '@blockwork/core';
import { SimulatedDisk, type FaultCode } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { openLowdbStore, type LowdbStore, type LowdbStoreOptions } from '../src/index.js';
import { syncingFileSystem } from './support/syncing-file-system.js';

const folder = '/store';
const journal = '/store/journal/';

const put = (id: string, content = ''): Change => ({
  op: 'put',
  kind: 'artifact',
  partition: 'p',
  value: { id, name: '', extension: '', content },
});

const commit = (store: LowdbStore, ...ids: string[]): Promise<void> =>
  store.commit({ expect: {}, changes: ids.map((id) => put(id)) });

const ids = async (store: LowdbStore): Promise<string[]> => (await store.find('artifact', 'p')).map(({ id }) => id);

/** A store on a disk that can be made to fail. */
async function setup(options: Partial<LowdbStoreOptions> = {}, disk = new SimulatedDisk()) {
  const open = (): Promise<LowdbStore> => openLowdbStore({ folder, fileSystem: disk, ...options });
  const failOn = (start: string, code: FaultCode): void => disk.faults.failOn(start, code);
  return { disk, open, failOn, heal: () => disk.faults.heal(), store: await open() };
}

describe('when the disk fails', () => {
  it('a commit on a full disk is rejected, naming the file, and changes nothing; later commits succeed', async () => {
    const { open, failOn, heal, store } = await setup();
    await commit(store, 'a');
    failOn(`write ${journal}`, 'ENOSPC');
    await expect(store.commit({ expect: { k: 0 }, changes: [put('b')] })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringMatching(/write to \/store\/journal\/0+1\.jsonl: the disk is full \(ENOSPC\)/),
    });
    expect(await ids(store)).toEqual(['a']);
    expect(await store.revision('k')).toBe(0);
    heal();
    await store.commit({ expect: { k: 0 }, changes: [put('c')] });
    await store.close();
    const again = await open();
    expect(await ids(again)).toEqual(['a', 'c']);
    expect(again.report).toEqual({ replayed: 0, damage: [] });
    await again.close();
  });

  it('a commit that was partly written when the disk was full leaves no trace', async () => {
    const { disk, open, store } = await setup();
    await commit(store, 'a');
    await store.close();
    const full = await open();
    // The simulated disk writes half of the bytes before it fails.
    disk.faults.failOn(`write ${journal}`, 'ENOSPC');
    await commit(full, 'first in its segment').catch(() => undefined);
    disk.faults.heal();
    await commit(full, 'b');
    disk.faults.failOn(`write ${journal}`, 'ENOSPC');
    await expect(commit(full, 'half')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    disk.faults.heal();
    await commit(full, 'c');
    const killed = await openLowdbStore({ folder, fileSystem: disk.afterKill() });
    expect([await ids(killed), killed.report.truncated]).toEqual([['a', 'b', 'c'], undefined]);
    await killed.close();
    await full.close();
    const again = await open();
    expect(await ids(again)).toEqual(['a', 'b', 'c']);
    await again.close();
  });

  it('all commits pending behind a failing one are rejected with it', async () => {
    const { failOn, heal, store } = await setup();
    await commit(store, 'a');
    failOn(`write ${journal}`, 'ENOSPC');
    const first = store.commit({ expect: { k: 0 }, changes: [put('b')] });
    await Promise.resolve();
    const second = store.commit({ expect: { k: 1 }, changes: [put('c')] });
    const outcomes = await Promise.allSettled([first, second]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    heal();
    expect([await ids(store), await store.revision('k')]).toEqual([['a'], 0]);
    await store.commit({ expect: { k: 0 }, changes: [] });
    await store.close();
  });

  it.each([
    ['after a write', (disk: SimulatedDisk) => disk],
    ['in the step of a write', syncingFileSystem],
  ])('a failed flush (%s) stops all commits until the store is reopened; reads continue', async (_, filesOf) => {
    const disk = new SimulatedDisk();
    const { open, heal, store } = await setup({ fileSystem: filesOf(disk) }, disk);
    await commit(store, 'a');
    let flushes = 0;
    // Only the first flush fails: a second one would claim success.
    disk.faults.failWhere((operation) => operation.startsWith(`sync ${journal}`) && ++flushes === 1, 'EIO');
    await expect(commit(store, 'b')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    heal();
    await expect(commit(store, 'c')).rejects.toThrow(
      /\/store accepts no commits until it is reopened: could not (flush|write to) .*: the device reported an error \(EIO\)/,
    );
    expect(await ids(store)).toEqual(['a']);
    await store.close();
    const again = await open();
    expect(await ids(again)).toEqual(['a']);
    await commit(again, 'd');
    await again.close();
  });

  it('what a process finds after a failed flush is on the disk before anything is built on it', async () => {
    const { disk, store } = await setup();
    await commit(store, 'a');
    // What the flush was about cannot be taken back either.
    const fails = (operation: string): boolean => /^(sync|truncate) \/store\/journal/.test(operation);
    disk.faults.failWhere(fails, 'EIO');
    await expect(commit(store, 'b')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    const restarted = disk.afterKill();
    const next = await openLowdbStore({ folder, fileSystem: restarted });
    // The commit was refused, but what it has written is in the cache of the system.
    const visible = await ids(next);
    await commit(next, 'c');
    for (const fate of [0, 0.25, 0.4, 0.7, 1]) {
      const after = await openLowdbStore({ folder, fileSystem: restarted.afterPowerCut(() => fate) });
      expect(await ids(after)).toEqual([...visible, 'c']);
      await after.close();
    }
    await next.close();
  });

  it('a checkpoint does not remove an empty segment that a commit is about to use', async () => {
    for (let turns = 0; turns < 60; turns++) {
      const { disk, heal, store } = await setup();
      let writes = 0;
      // The first write is the segment header; the commit itself fails.
      disk.faults.failWhere((operation) => operation.startsWith(`write ${journal}`) && ++writes > 1, 'ENOSPC');
      await expect(commit(store, 'a')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      heal();
      const checkpoint = store.checkpoint();
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      await Promise.all([checkpoint, commit(store, 'b')]);
      const next = await openLowdbStore({ folder, fileSystem: disk.afterKill() });
      expect(await ids(next)).toEqual(['b']);
      await next.close();
      await store.close();
    }
  });

  it('a failed checkpoint is logged, loses nothing, and is repeated later', async () => {
    const warnings: string[] = [];
    const logger: Logger = { ...silentLogger, warn: (message) => void warnings.push(message) };
    const { disk, open, failOn, heal, store } = await setup({ checkpointBytes: 300, logger });
    failOn('create /store/snapshots', 'ENOSPC');
    for (let n = 0; n < 10; n++) await commit(store, `r${n}`);
    await expect(store.checkpoint()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(warnings).toContain('A checkpoint failed. Nothing is lost, but the journal grows.');
    await store.close();
    expect(warnings.at(-1)).toBe('The last checkpoint failed. Nothing is lost: the journal holds the changes.');
    heal();
    const again = await open();
    expect(again.report.replayed).toBe(10);
    expect((await ids(again)).length).toBe(10);
    await again.close();
    expect(
      disk.done.filter((operation) => operation.startsWith('rename /store/snapshots/p.artifact.1-10.json')).length,
    ).toBeGreaterThan(0);
    expect(await disk.list('/store/journal')).toEqual([]);
  });

  it.each(['makeFolder /store', 'read /store/store.json', 'create /store/store.json', 'rename /store/store.json'])(
    'opening is rejected, naming the path, and releases the lock: %s',
    async (operation) => {
      const disk = new SimulatedDisk();
      disk.faults.failWhere((done) => done.startsWith(operation) && !done.includes('lock'), 'EACCES');
      const opening = openLowdbStore({ folder, fileSystem: disk });
      await expect(opening).rejects.toThrow(/\/store.*: permission denied \(EACCES\)/);
      disk.faults.heal();
      await (await openLowdbStore({ folder, fileSystem: disk })).close();
    },
  );

  it('closing releases the lock, whatever else fails', async () => {
    const { disk, open, store, heal } = await setup();
    await commit(store, 'a');
    disk.faults.failWhere((operation) => !operation.includes('lock'), 'EIO');
    await expect(store.close()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    heal();
    const again = await open();
    expect(await ids(again)).toEqual(['a']);
    await again.close();
  });
});
