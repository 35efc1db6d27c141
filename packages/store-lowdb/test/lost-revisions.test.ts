import type { ChangeSet } from '@blockwork/core/adapter';
import { SimulatedDisk } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { openLowdbStore, type LowdbStore } from '../src/index.js';

const folder = '/store';
const open = (disk: SimulatedDisk): Promise<LowdbStore> => openLowdbStore({ folder, fileSystem: disk });

const commitTo = (partition: string, expect: ChangeSet['expect']): ChangeSet => ({
  expect,
  changes: [{ op: 'put', kind: 'artifact', partition, value: { id: 'a', name: '', extension: '', content: '' } }],
});

/** A closed store after six commits: `p` has revision 3, `q` has 2, `unversioned` has none. */
async function closedStore(): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk();
  const store = await open(disk);
  for (let n = 0; n < 3; n++) await store.commit(commitTo('p', { p: n }));
  for (let n = 0; n < 2; n++) await store.commit(commitTo('q', { q: n, 'not a partition': n }));
  await store.commit(commitTo('unversioned', {}));
  await store.close();
  return disk;
}

const revisionsFile = (disk: SimulatedDisk): string =>
  disk.paths.find((path) => path.startsWith(`${folder}/snapshots/revisions.`)) ?? '';

const revisionsOf = async (store: LowdbStore): Promise<number[]> =>
  Promise.all(['p', 'q', 'unversioned', 'not a partition'].map((key) => store.revision(key)));

describe('revisions', () => {
  it('of partitions that never had one stay 0 when an intact store is reopened', async () => {
    const store = await open(await closedStore());
    expect(await revisionsOf(store)).toEqual([3, 2, 0, 2]);
    expect(store.report.damage).toEqual([]);
    await store.close();
  });

  it.each([
    ['is missing', undefined, 'it is missing'],
    ['is damaged', '{"format":2', 'it is not JSON'],
  ])('exceed all earlier ones for every partition, now and later, if their file %s', async (_, content, reason) => {
    const disk = await closedStore();
    const path = revisionsFile(disk);
    disk.put(path, content);
    const inQuarantine = path.replace('/snapshots/', '/quarantine/');
    const store = await open(disk);
    expect(store.report.damage).toEqual([{ file: path.slice(folder.length + 1), reason }]);
    expect(await revisionsOf(store)).toEqual([6, 6, 6, 0]);
    await expect(store.commit(commitTo('p', { p: 3 }))).rejects.toMatchObject({ code: 'CONFLICT' });
    await store.commit(commitTo('p', { p: 6 }));

    // The damaged file is kept.
    if (content !== undefined) expect(disk.contentOf(inQuarantine).toString()).toBe(content);

    // Also for a process that follows a crash.
    const next = await open(disk.afterKill());
    expect(await revisionsOf(next)).toEqual([7, 6, 6, 0]);
    expect(next.report.damage).toEqual([]);
    await next.close();
  });

  it('are durable as soon as the store is open, if their file was lost', async () => {
    const disk = await closedStore();
    disk.put(revisionsFile(disk), undefined);
    await open(disk);
    const next = await open(disk.afterPowerCut(() => 0));
    expect(await revisionsOf(next)).toEqual([6, 6, 6, 0]);
    expect(next.report.damage).toEqual([]);
  });

  it('known from the journal are kept, if the file of the others was lost', async () => {
    const disk = await closedStore();
    const store = await open(disk);
    await store.commit(commitTo('q', { q: 2 }));
    await store.commit(commitTo('new', {}));
    const killed = disk.afterKill();
    killed.put(revisionsFile(killed), undefined);
    const next = await open(killed);
    expect(await revisionsOf(next)).toEqual([8, 3, 8, 0]);
    expect(await next.revision('new')).toBe(8);
    await next.close();
  });

  it('are replaced for partitions whose records were lost with them', async () => {
    const disk = await closedStore();
    disk.put(revisionsFile(disk), undefined);
    for (const path of disk.paths.filter((name) => name.includes('/snapshots/p.'))) disk.put(path, undefined);
    const store = await open(disk);
    expect(await revisionsOf(store)).toEqual([6, 6, 6, 0]);
    await store.close();
  });

  it('that cannot be replaced are reported as lost once', async () => {
    const disk = new SimulatedDisk();
    const store = await open(disk);
    await store.commit({ expect: { key: 0 }, changes: [] });
    await store.close();
    disk.put(revisionsFile(disk), undefined);
    const [first, second] = [await open(disk), await open(disk.afterKill())];
    expect([first.report.damage.length, second.report.damage.length]).toEqual([1, 0]);
    expect(await second.revision('key')).toBe(0);
  });
});
