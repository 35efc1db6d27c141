/** Which timers are due first, also where those of some policies cannot be read. */
import { expect, it, vi } from 'vitest';
import { BlockworkError } from '../errors.js';
import { MemoryStore } from '../memory/index.js';
import type { Change, RecordQuery } from '../ports/index.js';
import { INSTANCE, type RecordKind, type Timer } from '../records/index.js';
import { firstTimers, timersOf } from './due-timers.js';

const timer = (id: string, due: number, policyId: string): Timer => ({ id, type: 'tick', policyId, due, tag: id });

/** Queries that meet a timer of a damaged policy fail. */
class DamagedStore extends MemoryStore {
  readonly damaged = new Set<string>();

  override async find<Kind extends RecordKind>(kind: Kind, partition: string, query?: RecordQuery) {
    const records = await super.find(kind, partition, query);
    if (
      kind === 'timer' &&
      (records as readonly { readonly policyId?: string }[]).some(({ policyId = '' }) => this.damaged.has(policyId))
    )
      throw new SyntaxError('not JSON');
    return records;
  }
}

async function storeWith(...timers: readonly Timer[]): Promise<DamagedStore> {
  const store = new DamagedStore();
  const policies = [...new Set(timers.map(({ policyId }) => policyId))].map(
    (id) => ({ op: 'put', kind: 'policy', partition: INSTANCE, value: { id } }) as unknown as Change,
  );
  const puts = timers.map((value) => ({ op: 'put', kind: 'timer', partition: INSTANCE, value }) as const);
  await store.commit({ expect: {}, changes: [...policies, ...puts] });
  return store;
}

const all = [timer('1', 30, 'a'), timer('2', 10, 'b'), timer('3', 20, 'a'), timer('4', 5, 'c'), timer('5', 40, 'b')];
const idsOf = (timers: readonly Timer[]): string[] => timers.map(({ id }) => id);

it('the first timers of all policies are read at once, in their order', async () => {
  const store = await storeWith(...all);
  const find = vi.spyOn(store, 'find');
  const { timers, unreadable } = await firstTimers(store, 3);
  expect([idsOf(timers), [...unreadable], find.mock.calls.length]).toEqual([['4', '2', '3'], [], 1]);
  expect(find.mock.calls[0]?.[2]).toEqual({ order: { path: 'due', direction: 'asc' }, limit: 3 });
  expect(idsOf((await firstTimers(store, 9, new Set(['a', 'c']))).timers)).toEqual(['2', '5']);
  expect(idsOf(await timersOf(store, 'a', 1))).toEqual(['3']);
});

it('the timers of policies that can be read come first in their order, and the others are named', async () => {
  const store = await storeWith(...all, timer('6', 50, 'c'));
  store.damaged.add('a');
  const { timers, unreadable } = await firstTimers(store, 3);
  expect([idsOf(timers), [...unreadable]]).toEqual([['4', '2', '5'], [['a', new SyntaxError('not JSON')]]]);
  const others = await firstTimers(store, 9, new Set(['c']));
  expect([idsOf(others.timers), [...others.unreadable.keys()]]).toEqual([['2', '5'], ['a']]);
  const find = vi.spyOn(store, 'find');
  const without = await firstTimers(store, 9, new Set(['a']));
  expect([idsOf(without.timers), without.unreadable.size, find.mock.calls.length]).toEqual([
    ['4', '2', '5', '6'],
    0,
    1,
  ]);
});

it('it fails as the store does if no policy can be read', async () => {
  const store = await storeWith(...all);
  for (const id of ['a', 'b', 'c']) store.damaged.add(id);
  await expect(firstTimers(store, 5)).rejects.toThrow('not JSON');
});

it('a store that is closed is not asked for each policy', async () => {
  const store = await storeWith(...all);
  const find = vi.fn(() => Promise.reject(new BlockworkError('STORE_CLOSED')));
  await expect(firstTimers({ find }, 5)).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  expect([find.mock.calls.length, (await store.find('timer', INSTANCE)).length]).toEqual([1, 5]);
});
