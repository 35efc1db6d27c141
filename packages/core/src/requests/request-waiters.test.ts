import { expect, it, vi } from 'vitest';
import { simulatedWorld, turn } from '../../test/background.js';
import { requestRow } from '../../test/request-row.js';
import { INSTANCE, type RemoteRequest } from '../records/index.js';
import { RequestWaiters } from './request-waiters.js';

function world() {
  const { store, timers, clock } = simulatedWorld();
  const waiters = new RequestWaiters({ store, timers });
  const changesOf = (value: RemoteRequest) => [{ op: 'put', kind: 'request', partition: INSTANCE, value } as const];
  /** Written by this process, or by another one, which tells nothing. */
  const put = async (row: RemoteRequest, isOwn = true): Promise<void> => {
    await store.commit({ expect: {}, changes: changesOf(row) });
    if (isOwn) waiters.committed({ expect: {}, changes: changesOf(row) });
    await turn();
  };
  const ended: string[] = [];
  const wait = async (name: string, ms: number, id = 'a'): Promise<void> => {
    void waiters.waitForClosing(id, ms).then((row) => ended.push(`${name} ${row?.status ?? 'none'}`));
    await turn();
  };
  const pass = async (ms: number): Promise<void> => {
    timers.advance(ms);
    await turn();
  };
  return { store, timers, clock, waiters, put, wait, pass, ended };
}

const open = requestRow({ id: 'a' });
const closed = requestRow({ id: 'a', status: 'COMPLETED' });

it('nobody waits for a request that does not exist, and no timer is left of it', async () => {
  const { waiters, timers } = world();
  expect(await waiters.waitForClosing('unknown', 60_000)).toBeUndefined();
  expect(timers.pending).toEqual([]);
});

it('everybody who waits for a request learns of its end at once, and nobody else does', async () => {
  const { put, wait, ended, timers } = world();
  await put(open);
  await put(requestRow({ id: 'b' }));
  for (const name of ['one', 'two']) await wait(name, 60_000);
  await wait('other', 60_000, 'b');
  await put({ ...open, history: [] });
  expect(ended).toEqual([]);
  await put(closed);
  expect(ended).toEqual(['one COMPLETED', 'two COMPLETED']);
  expect(timers.pending).toHaveLength(2);
});

it('who has waited long enough gets the request as it is, and the others still wait', async () => {
  const { put, wait, pass, ended } = world();
  await put(open);
  await wait('at once', 0);
  await wait('one', 100);
  await wait('two', 60_000);
  expect(ended).toEqual(['at once NEW']);
  await pass(100);
  expect(ended).toEqual(['at once NEW', 'one NEW']);
  await put(closed);
  expect(ended.at(-1)).toBe('two COMPLETED');
});

it('the store is read every half second, since another process may have closed the request', async () => {
  const { store, put, wait, pass, ended } = world();
  await put(open);
  await wait('one', 60_000);
  const get = vi.spyOn(store, 'get');
  await pass(499);
  expect(get).not.toHaveBeenCalled();
  await pass(1);
  expect(get).toHaveBeenCalledTimes(1);
  await put(closed, false);
  expect(ended).toEqual([]);
  await pass(500);
  expect(ended).toEqual(['one COMPLETED']);
});

it('everybody looks again when another node has changed requests', async () => {
  const { waiters, put, wait, ended } = world();
  await put(open);
  await wait('one', 60_000);
  await put(closed, false);
  waiters.wake();
  await turn();
  expect(ended).toEqual(['one COMPLETED']);
});

it('nobody waits any longer once it is stopped', async () => {
  const { waiters, put, wait, ended, timers } = world();
  await put(open);
  await wait('one', 60_000);
  waiters.stop();
  await turn();
  await wait('late', 60_000);
  expect([ended, timers.pending]).toEqual([['one NEW', 'late NEW'], []]);
});
