/** Reads on top of changes that are not durable yet: what they ask of the store, and when they wait. */
import { describe, expect, it, vi } from 'vitest';
import { BlockworkError } from '../errors.js';
import { MemoryStore } from '../memory/index.js';
import type { Change, ChangeSet, RecordQuery } from '../ports/index.js';
import { INSTANCE, type RecordKinds } from '../records/index.js';
import { CachedReader, cachedRecords } from './cache/cached-reader.js';
import { RecordCaches } from './cache/record-caches.js';
import { WholeTable } from './cache/whole-table.js';
import { LayeredReader } from './layered-reader.js';
import { revisionKeys } from './revision-keys.js';
import { UndurableChanges } from './undurable-changes.js';

const KEY = revisionKeys.policy.of('p');
const order = { path: 'n', direction: 'asc' } as const;

const record = (id: string, n = 0, type = 'a') => ({ id, n, type });
const put = (value: { id: string }): Change =>
  ({ op: 'put', kind: 'document', partition: 'p', value }) as unknown as Change;
const remove = (id: string): Change => ({ op: 'delete', kind: 'document', partition: 'p', id });
const idsOf = (records: readonly { readonly id: string }[]): string[] => records.map(({ id }) => id);

/** A store with these records, and a reader on top of changes that may become durable. */
async function world(stored: readonly { id: string }[], small?: { records: number; bytes: number }) {
  const store = new MemoryStore();
  await store.commit({ expect: { [KEY]: 0 }, changes: stored.map(put) });
  const changes = new UndurableChanges();
  const units: ChangeSet[] = [];
  let revision = 1;
  let waits = 0;
  const add = (...added: readonly Change[]): void => {
    const unit = { expect: { [KEY]: 1 + units.length }, changes: added };
    units.push(unit);
    const isNew = ({ op }: Change): boolean => op === 'put';
    const created = added.filter(isNew).filter((each) => {
      const id = each.op === 'put' ? each.value.id : '';
      return !stored.some((row) => row.id === id) && changes.get('document', 'p', id) === undefined;
    });
    changes.add(unit, new Set(created));
  };
  /** The oldest unit becomes durable. */
  const apply = async (): Promise<void> => {
    const unit = units.shift();
    if (unit === undefined) return;
    await store.commit(unit);
    changes.remove(unit);
    caches?.committed(unit);
    revision += 1;
  };
  const durable = async (): Promise<void> => {
    waits += 1;
    while (units.length > 0) await apply();
  };
  const caches = small && new RecordCaches({ keptRecordBytes: 1_000_000 }, small);
  caches?.observed(KEY, 1);
  let assertCurrent = (): void => undefined;
  const reader = new LayeredReader({
    ...{ store, changes, key: KEY, durable },
    durableRevision: () => revision,
    assertCurrent: () => assertCurrent(),
    ...(caches && {
      cached: {
        ...cachedRecords(caches, KEY, undefined, () => revision),
        reader: () => new CachedReader({ store, caches, policyId: KEY, revision, history: undefined, isForUnit: true }),
      },
    }),
  });
  const find = async (query: RecordQuery = {}) => idsOf(await reader.find('document', 'p', query));
  const fail = (): void => {
    assertCurrent = () => {
      throw new BlockworkError('CONFLICT', { facts: { key: KEY } });
    };
  };
  return { store, changes, add, apply, reader, find, caches, fail, waits: () => waits };
}

describe('a list on top of changes', () => {
  it('is read with the changes in their places, and waits for nothing', async () => {
    const { add, find, waits } = await world([record('a', 1), record('b', 3), record('c', 5)]);
    add(put(record('b', 3, 'changed')), put(record('d', 4)), remove('c'));
    expect(await find()).toEqual(['a', 'b', 'd']);
    expect(await find({ order })).toEqual(['a', 'b', 'd']);
    expect(await find({ order: { ...order, direction: 'desc' } })).toEqual(['d', 'b', 'a']);
    expect(await find({ order, offset: 1, limit: 1 })).toEqual(['b']);
    expect(waits()).toBe(0);
  });

  it('that is appended to reads its page and no row before it, and counts only beyond the end', async () => {
    const { store, add, find } = await world([record('a'), record('b'), record('c')]);
    add(put(record('d')), put(record('e')));
    const [finds, counts] = [vi.spyOn(store, 'find'), vi.spyOn(store, 'count')];
    expect(await find({ offset: 2, limit: 2 })).toEqual(['c', 'd']);
    expect(await find({ limit: 4 })).toEqual(['a', 'b', 'c', 'd']);
    expect([counts.mock.calls.length, finds.mock.calls.map(([, , query]) => query?.offset)]).toEqual([
      0,
      [2, undefined],
    ]);
    expect(await find({ offset: 4 })).toEqual(['e']);
    expect(await find({ offset: 9 })).toEqual([]);
    expect(counts.mock.calls.length).toBe(2);
  });

  it('that is empty in the store needs no count for its first page', async () => {
    const { store, add, find } = await world([]);
    add(put(record('a')), put(record('b')));
    const counts = vi.spyOn(store, 'count');
    expect(await find({ limit: 1 })).toEqual(['a']);
    expect(counts).not.toHaveBeenCalled();
  });

  it('waits if only the store can tell the new place of a record', async () => {
    const { add, find, waits } = await world([record('a', 1), record('b', 3)]);
    add(put(record('a', 9)));
    expect(await find({ order })).toEqual(['b', 'a']);
    expect(waits()).toBe(1);
  });

  it('waits for a record that comes into it, unless that is new', async () => {
    const where = { path: 'type', op: 'eq', value: 'b' } as const;
    const { add, find, waits } = await world([record('a'), record('b', 0, 'b')]);
    add(put(record('c', 0, 'b')));
    expect([await find({ where }), waits()]).toEqual([['b', 'c'], 0]);
    add(put(record('a', 0, 'b')));
    expect([await find({ where }), waits()]).toEqual([['a', 'b', 'c'], 1]);
  });

  it.each([
    [64, 0],
    [65, 1],
  ])('with %i changed records waits %i times', async (count, expected) => {
    const rows = Array.from({ length: 65 }, (_, at) => record(`r${String(at)}`));
    const { add, find, waits } = await world(rows);
    add(...rows.slice(0, count).map(({ id }) => put(record(id, 1))));
    expect([(await find()).length, waits()]).toEqual([65, expected]);
  });

  it('counts no new record among those that are compared with the store', async () => {
    const { add, find, waits } = await world([record('a')]);
    add(...Array.from({ length: 100 }, (_, at) => put(record(`n${String(at)}`))));
    expect([(await find()).length, waits()]).toEqual([101, 0]);
  });

  it('is read again if a change becomes durable meanwhile, three times before it waits', async () => {
    for (const [units, expected] of [
      [2, 0],
      [3, 1],
    ] as const) {
      const { store, add, apply, find, waits } = await world([record('a')]);
      for (let at = 0; at < 5; at += 1) add(put(record(`n${String(at)}`)));
      const original = store.find.bind(store);
      let left: number = units;
      store.find = async (kind, partition, query) => {
        const page = await original(kind, partition, query);
        if ((left -= 1) >= 0) await apply();
        return page;
      };
      expect([await find(), waits()]).toEqual([['a', 'n0', 'n1', 'n2', 'n3', 'n4'], expected]);
    }
  });

  it('asks the store as it was asked if no change has to do with it', async () => {
    const { store, add, find } = await world([record('a')]);
    add(put(record('new', 0, 'b')));
    const [finds, gets, revisions] = [vi.spyOn(store, 'find'), vi.spyOn(store, 'get'), vi.spyOn(store, 'revision')];
    const query = { where: { path: 'type', op: 'eq', value: 'a' }, limit: 7 } as const;
    expect(await find(query)).toEqual(['a']);
    expect([finds.mock.calls, gets.mock.calls, revisions.mock.calls]).toEqual([[['document', 'p', query]], [], []]);
  });

  it('belongs to its reader', async () => {
    const { add, reader } = await world([record('a')]);
    const own = record('b');
    add(put(own));
    for (const query of [{}, { order }, { offset: 1 }]) {
      for (const each of await reader.find('document', 'p', query)) Object.assign(each, { n: 99 });
    }
    Object.assign((await reader.get('document', 'p', 'b')) ?? {}, { n: 99 });
    expect(own.n).toBe(0);
  });
});

describe('a count on top of changes', () => {
  it('has what they add and lacks what they remove', async () => {
    const where = { path: 'type', op: 'eq', value: 'b' } as const;
    const { add, reader, waits } = await world([record('a'), record('b', 0, 'b'), record('c', 0, 'b')]);
    add(put(record('a', 0, 'b')), put(record('b')), remove('c'), put(record('d', 0, 'b')));
    expect([await reader.count('document', 'p'), await reader.count('document', 'p', where), waits()]).toEqual([
      3, 2, 0,
    ]);
  });
});

describe('a read on top of a unit that has failed', () => {
  it('is refused', async () => {
    const { reader, fail } = await world([record('a')]);
    fail();
    for (const read of [
      () => reader.get('document', 'p', 'a'),
      () => reader.find('document', 'p'),
      () => reader.count('document', 'p'),
      () => reader.revision(KEY),
    ])
      await expect(read()).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('the cache below the changes', () => {
  const small = { records: 100, bytes: 100_000 };

  it('is filled by the first read of a table, when everything below is durable, and confirmed with the unit', async () => {
    const { store, add, reader, find, caches, waits } = await world([record('a')], small);
    add(put(record('b')));
    const finds = vi.spyOn(store, 'find');
    expect(await find()).toEqual(['a', 'b']);
    expect(await find({ order })).toEqual(['a', 'b']);
    expect(await reader.count('document', 'p')).toBe(2);
    expect((await reader.get('document', 'p', 'a'))?.id).toBe('a');
    expect(waits()).toBe(1);
    expect(finds.mock.calls.filter(([kind]) => kind === 'document')).toHaveLength(1);
    expect(caches?.table(KEY, 2, 'document')).toBeUndefined();
    reader.confirmReads();
    expect(caches?.table(KEY, 2, 'document')).toBeInstanceOf(WholeTable);
  });

  it('is filled by a get or a count as well', async () => {
    for (const read of ['get', 'count'] as const) {
      const { add, reader, caches, waits } = await world([record('a')], small);
      add(put(record('b')));
      if (read === 'get') expect((await reader.get('document', 'p', 'a'))?.id).toBe('a');
      else expect(await reader.count('document', 'p')).toBe(2);
      reader.confirmReads();
      expect([waits(), caches?.table(KEY, 2, 'document') instanceof WholeTable]).toEqual([1, true]);
    }
  });

  it('answers for its policy only', async () => {
    const { store, add, reader, caches, waits } = await world([record('a')], small);
    caches?.add(KEY, 1, { definition: 7, tables: new Map([['document', new WholeTable([record('a')])]]) });
    caches?.addIdentity({ id: 'did:example:a' } as RecordKinds['identity']);
    add(put(record('b')));
    const asked = [vi.spyOn(store, 'find'), vi.spyOn(store, 'get'), vi.spyOn(store, 'count')];
    const calls = (): number => asked.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    expect(idsOf(await reader.find('document', 'p'))).toEqual(['a', 'b']);
    expect((await reader.get('document', 'p', 'a'))?.id).toBe('a');
    expect(await reader.get('document', 'p', 'none')).toBeUndefined();
    expect(await reader.count('document', 'p')).toBe(2);
    expect((await reader.get('identity', INSTANCE, 'did:example:a'))?.id).toBe('did:example:a');
    expect(await reader.revision(revisionKeys.definition.of('p'))).toBe(7);
    expect([calls(), await reader.revision(KEY)]).toEqual([0, 1]);
    expect(await reader.find('document', 'q')).toEqual([]);
    expect(await reader.get('document', 'q', 'a')).toBeUndefined();
    expect(await reader.count('document', 'q')).toBe(0);
    expect(await reader.get('identity', 'q', 'did:example:a')).toBeUndefined();
    expect(await reader.get('timer', INSTANCE, 'did:example:a')).toBeUndefined();
    expect([calls(), waits()]).toEqual([5, 0]);
  });

  it('knows a receipt to be unwritten unless a unit below has written it', async () => {
    const { changes, reader } = await world([], small);
    const value = { id: 'written' } as RecordKinds['send-receipt'];
    const change = { op: 'put', kind: 'send-receipt', partition: 'p', value } as const;
    changes.add({ expect: {}, changes: [change] }, new Set([change]));
    expect(
      [
        ['p', 'new'],
        ['p', 'written'],
        ['q', 'new'],
      ].map(([partition = '', id = '']) => reader.isUnwritten('send-receipt', partition, id, 1)),
    ).toEqual([true, false, false]);
    expect((await world([])).reader.isUnwritten('send-receipt', 'p', 'new', 1)).toBe(false);
  });
});
