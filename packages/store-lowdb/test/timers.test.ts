/** Each policy's timers are a separate table, so damage to one does not affect the others. */
import type { PolicyStore } from '@blockwork/core';
import type { Change, Condition } from '@blockwork/core/adapter';
import { INSTANCE, type TickTimer } from '@blockwork/core/records';
import { SimulatedDisk } from '@blockwork/testing';
import { expect, it } from 'vitest';
import { openLowdbStore, repairStore, type LowdbStore } from '../src/index.js';

const folder = '/store';
const open = (disk: SimulatedDisk): Promise<LowdbStore> => openLowdbStore({ folder, fileSystem: disk, partBytes: 300 });
const timer = (policyId: string, tag: string, due: number): TickTimer => ({
  id: `${policyId}/tick/${tag}`,
  type: 'tick',
  policyId,
  due,
  tag,
});
const put = (value: TickTimer): Change => ({ op: 'put', kind: 'timer', partition: INSTANCE, value });
const commit = (store: PolicyStore, ...changes: Change[]): Promise<void> => store.commit({ expect: {}, changes });
const ids = async (store: PolicyStore, where?: Condition): Promise<string[]> =>
  (await store.find('timer', INSTANCE, where && { where })).map(({ id }) => id);
const of = (policyId: string): Condition => ({ path: 'policyId', op: 'eq', value: policyId });
const policy = (id: string): Change =>
  ({ op: 'put', kind: 'policy', partition: INSTANCE, value: { id, name: id, status: 'PUBLISH' } }) as unknown as Change;

const timers = [
  ...[timer('one', 'a', 3), timer('two', 'a', 2), timer('one', 'b', 1)],
  ...[timer('a/b', 'a', 9), timer('two', 'b', 5), timer('one', 'c', 4)],
];

/** A closed store with these timers, and some changed in the journal only. */
async function filled(): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk();
  const store = await open(disk);
  await commit(store, policy('one'), policy('two'), ...timers.map(put));
  await store.close();
  return disk;
}

/** Cuts the file of the timers of this policy. */
async function damaged(policyId: string, name = `instance.timer~002f${policyId}.`): Promise<SimulatedDisk> {
  const disk = await filled();
  const path = disk.paths.find((each) => each.includes(name)) ?? 'none';
  const whole = disk.contentOf(path);
  const text = whole.toString();
  disk.put(path, Buffer.from(text.replace('"due":', '"duE":')));
  return disk;
}

it('keeps the insertion order across the timers of all policies', async () => {
  const disk = await filled();
  let store = await open(disk);
  const all = timers.map(({ id }) => id);
  expect(await ids(store)).toEqual(all);
  await commit(store, put(timer('one', 'a', 7)), put(timer('two', 'c', 7)), put(timer('one', 'd', 7)));
  await commit(store, { op: 'delete', kind: 'timer', partition: INSTANCE, id: 'two/tick/a' });
  await commit(store, put(timer('two', 'a', 7)));
  const after = [...all.filter((id) => id !== 'two/tick/a'), 'two/tick/c', 'one/tick/d', 'two/tick/a'];
  expect(await ids(store)).toEqual(after);
  await store.close();
  store = await open(disk);
  expect(await ids(store)).toEqual(after);
  await store.close();
});

it('finds and changes the timers of other policies while those of one are damaged', async () => {
  const disk = await damaged('one');
  for (let round = 0; round < 2; round += 1) {
    const store = await open(disk);
    const refused = { code: 'STORE_UNAVAILABLE', message: expect.stringContaining('timer~002fone') as string };
    await expect(ids(store)).rejects.toMatchObject(refused);
    await expect(ids(store, of('one'))).rejects.toMatchObject(refused);
    await expect(store.count('timer', INSTANCE, of('one'))).rejects.toMatchObject(refused);
    await expect(commit(store, put(timer('one', 'new', 1)))).rejects.toMatchObject(refused);
    const others = { path: 'policyId', op: 'nin', value: ['one'] } as const;
    expect(await ids(store, others)).toEqual(['two/tick/a', 'a/b/tick/a', 'two/tick/b']);
    expect(await ids(store, { all: [of('two'), { path: 'due', op: 'gt', value: 2 }] })).toEqual(['two/tick/b']);
    expect(await store.count('timer', INSTANCE, { any: [of('two'), of('a/b')] })).toBe(3);
    await commit(store, put(timer('two', 'new', 1)));
    expect(await store.get('timer', INSTANCE, 'two/tick/new')).toMatchObject({ due: 1 });
    expect(await store.get('timer', INSTANCE, 'two/tick/none')).toBeUndefined();
    await commit(store, { op: 'delete', kind: 'timer', partition: INSTANCE, id: 'two/tick/new' });
    await store.close();
  }
});

it('fails reads for policies whose ids contain a slash while their common table is damaged', async () => {
  const store = await open(await damaged('', 'instance.timer~002f.'));
  await expect(ids(store, of('a/b'))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  await expect(ids(store, { path: 'policyId', op: 'in', value: ['one', 'a/b'] })).rejects.toThrow();
  await expect(ids(store, { path: 'policyId', op: 'nin', value: ['one'] })).rejects.toThrow();
  expect(await ids(store, of('two'))).toEqual(['two/tick/a', 'two/tick/b']);
  expect(await ids(store, { path: 'policyId', op: 'in', value: ['one', 'two'] })).toHaveLength(5);
  await store.close();
});

it('loses only the timers of the policies that an unreadable commit in the journal changed', async () => {
  const disk = await filled();
  const store = await open(disk);
  await commit(store, put(timer('one', 'late', 1)));
  await commit(store, put(timer('two', 'late', 1)));
  const crashed = disk.copy();
  const path = crashed.paths.find((each) => each.includes('/journal/')) ?? 'none';
  crashed.put(path, Buffer.from(crashed.contentOf(path).toString().replace('one/tick/late', 'one/tick/L8te')));
  await store.close();
  const reopened = await open(crashed.afterKill());
  await expect(ids(reopened, of('one'))).rejects.toThrow('is damaged');
  expect(await ids(reopened, of('two'))).toEqual(['two/tick/a', 'two/tick/b', 'two/tick/late']);
  await reopened.close();
});

it('names each timer that a repair gives up, keeps its file, and requests that timers are set again', async () => {
  const disk = await damaged('one');
  const { damage } = await repairStore({ folder, fileSystem: disk, acceptLoss: true });
  expect(damage).toMatchObject([{ table: { partition: INSTANCE, kind: 'timer/one' } }]);
  expect(damage.flatMap(({ records = [] }) => records)).toEqual(['one/tick/a', 'one/tick/b', 'one/tick/c']);
  const aside = disk.paths.filter((path) => path.includes('/quarantine/'));
  expect(aside.map((path) => disk.contentOf(path).toString())).toEqual([expect.stringContaining('one/tick/b')]);
  const store = await open(disk);
  expect(await store.find('timer', INSTANCE, { where: of('one') })).toEqual([
    { id: 'one/restore', type: 'restore', policyId: 'one', due: 0 },
  ]);
  expect(await ids(store, of('two'))).toEqual(['two/tick/a', 'two/tick/b']);
  await store.close();
});

it('requests the timers of all policies if it is unknown what was lost, and of none if nothing was', async () => {
  const disk = await filled();
  await repairStore({ folder, fileSystem: disk, acceptLoss: true });
  const store = await open(disk);
  expect(await ids(store)).toEqual(timers.map(({ id }) => id));
  await store.close();
  disk.put('/store/store.json', Buffer.from('not JSON'));
  await repairStore({ folder, fileSystem: disk, acceptLoss: true });
  const repaired = await open(disk);
  expect(await ids(repaired)).toEqual([...timers.map(({ id }) => id), 'one/restore', 'two/restore']);
  await repaired.close();
});
