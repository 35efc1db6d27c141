import { MemoryStore } from '../memory/store/memory-store.js';
import type { DocumentRecord } from '../records/kinds.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INSTANCE } from '../records/index.js';
import { revisionKeys } from './revision-keys.js';
import { UnitOfWork } from './unit-of-work.js';

const P = revisionKeys.policy.of('policy');
const document = (id: string, number: number): DocumentRecord => ({
  id,
  policyId: P,
  dataType: 'vc-documents',
  owner: 'did:example:owner',
  option: {},
  document: { number },
  createDate: '2026-01-01T00:00:00.000Z',
  updateDate: '2026-01-01T00:00:00.000Z',
});
const put = (value: DocumentRecord) => ({ op: 'put', kind: 'document', partition: P, value }) as const;

const storeWith = async (...records: DocumentRecord[]): Promise<MemoryStore> => {
  const store = new MemoryStore();
  await store.commit({ expect: {}, changes: records.map(put) });
  return store;
};

describe('a unit of work', () => {
  it('sees its own changes, and the store sees none of them before the commit', async () => {
    const store = await storeWith(document('a', 1), document('b', 2));
    const unit = await UnitOfWork.begin(store, [P]);
    unit.put('document', P, document('a', 10));
    unit.delete('document', P, 'b');
    unit.put('document', P, document('c', 3));
    expect((await unit.find('document', P)).map(({ id, document: { number } }) => [id, number])).toEqual([
      ['a', 10],
      ['c', 3],
    ]);
    expect(await unit.get('document', P, 'b')).toBeUndefined();
    expect(await unit.count('document', P, { path: 'document.number', op: 'gte', value: 3 })).toBe(2);
    expect(await store.count('document', P)).toBe(2);
    expect((await store.get('document', P, 'a'))?.document).toEqual({ number: 1 });
  });

  it('without changes has nothing to commit', async () => {
    expect((await UnitOfWork.begin(await storeWith(), [P])).changeSet()).toBeNull();
  });

  it('expects the revisions that it began with', async () => {
    const store = await storeWith();
    const unit = await UnitOfWork.begin(store, [P]);
    await store.commit({ expect: { [P]: 0 }, changes: [put(document('x', 1))] });
    unit.put('document', P, document('y', 1));
    const changeSet = unit.changeSet();
    expect(changeSet?.expect).toEqual({ [P]: 0 });
    await expect(store.commit(changeSet ?? { expect: {}, changes: [] })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('is not changed by what callers do to what they gave or got', async () => {
    const unit = await UnitOfWork.begin(await storeWith(), [P]);
    const original = document('a', 1);
    unit.put('document', P, original);
    original.document['number'] = 99;
    const got = await unit.get('document', P, 'a');
    if (got) got.document['number'] = 77;
    expect((await unit.get('document', P, 'a'))?.document).toEqual({ number: 1 });
  });

  it('writes no more bytes than its limit, also where the work has caught the refusal', async () => {
    const unit = await UnitOfWork.begin(await storeWith(), [P], { unitBytes: 500 });
    unit.put('document', P, document('a', 1));
    const point = unit.savepoint();
    unit.put('document', P, document('b', 1));
    const more = (): void => unit.put('document', P, document('c', 1));
    expect(more).toThrow(expect.objectContaining({ code: 'UNIT_TOO_LARGE', facts: { key: P, limit: 500 } }));
    expect(() => unit.changeSet()).toThrow('unitBytes');
    unit.rollBack(point);
    for (let at = 0; at < 10; at += 1) unit.put('document', P, document('b', at));
    unit.delete('document', P, 'a');
    expect(unit.changeSet()?.changes).toHaveLength(2);
    expect(unit.bytes).toBe(Buffer.byteLength(JSON.stringify(document('b', 9))));
  });

  it('gives a page of what it has changed, and asks the store for no more than that takes', async () => {
    const change = fc.record({ id: fc.nat(15), number: fc.option(fc.nat(5)) });
    const page = fc.record({ offset: fc.nat(6), limit: fc.nat(6), least: fc.option(fc.nat(5)) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(5), { maxLength: 12 }),
        fc.array(change),
        page,
        async (stored, changes, query) => {
          const store = await storeWith(...stored.map((number, at) => document(String(at), number)));
          const pages: number[] = [];
          const find = store.find.bind(store);
          store.find = async (...args) => {
            const records = await find(...args);
            pages.push(records.length);
            return records;
          };
          const unit = await UnitOfWork.begin(store, [P]);
          for (const { id, number } of changes) {
            if (number === null) unit.delete('document', P, String(id));
            else unit.put('document', P, document(String(id), number));
          }
          const { offset, limit, least } = query;
          const where = least === null ? {} : { where: { path: 'document.number', op: 'gte' as const, value: least } };
          const all = await unit.find('document', P, where);
          pages.length = 0;
          expect(await unit.find('document', P, { ...where, offset, limit })).toEqual(
            all.slice(offset, offset + limit),
          );
          expect(Math.max(0, ...pages)).toBeLessThanOrEqual(offset + limit + unit.size);
        },
      ),
    );
  });

  it('has room for as many bytes as its limit, and not for one more, whatever was taken back', async () => {
    const sized = (id: string, text: string) => ({ ...document(id, 1), document: { text } });
    const bytes = (...records: DocumentRecord[]) =>
      records.reduce((sum, record) => sum + Buffer.byteLength(JSON.stringify(record)), 0);
    const [first, second] = [sized('a', '\u0000é"x'.repeat(40)), sized('b', 'y'.repeat(400))];
    const unit = await UnitOfWork.begin(await storeWith(), [P], { unitBytes: bytes(first, second) });
    const point = unit.savepoint();
    for (let round = 0; round < 3; round += 1) {
      unit.put('document', P, first);
      const between = unit.savepoint();
      unit.put('document', P, second);
      expect(unit.changeSet()?.changes).toHaveLength(2);
      expect(() => unit.put('document', P, sized('b', 'y'.repeat(401)))).toThrow('unitBytes');
      unit.rollBack(between);
      unit.put('document', P, second);
      expect(unit.changeSet()?.changes).toHaveLength(2);
      unit.rollBack(point);
      expect(unit.bytes).toBe(0);
    }
  });

  it('refuses to write once it is over, and says whose work it was', async () => {
    const unit = await UnitOfWork.begin(await storeWith(), [P]);
    unit.origin = 'form';
    unit.end();
    const facts = { what: 'A block of the run that began at block "form"', policyId: P };
    expect(() => unit.put('document', P, document('a', 1))).toThrow(
      expect.objectContaining({ code: 'RUN_ENDED', facts }),
    );
    expect(() => unit.delete('timer', INSTANCE, 'a')).toThrow(expect.objectContaining({ code: 'RUN_ENDED', facts }));
    expect(unit.changeSet()).toBeNull();
  });

  it('refuses what is no JSON', async () => {
    const unit = await UnitOfWork.begin(await storeWith(), [P]);
    expect(() => unit.put('document', P, { ...document('a', 1), document: { number: 1n as never } })).toThrow(
      TypeError,
    );
    expect(unit.size).toBe(0);
  });

  it('hands over what it was given, and a copy of what was only put', async () => {
    const store = await storeWith();
    const unit = await UnitOfWork.begin(store, [P]);
    const [original, put] = [document('a', 1), document('b', 2)];
    unit.putOwned('document', P, original);
    unit.put('document', P, put);
    const changeSet = unit.changeSet();
    const values = changeSet?.changes.map((change) => (change.op === 'put' ? change.value : null));
    expect(changeSet?.isFinal).toBe(true);
    expect(values?.[0]).toBe(original);
    expect(values?.[1]).toEqual(put);
    expect(values?.[1]).not.toBe(put);
  });

  it('takes back everything since a savepoint, also what was changed more than once', async () => {
    const unit = await UnitOfWork.begin(await storeWith(document('a', 1), document('b', 2)), [P]);
    unit.put('document', P, document('a', 10));
    unit.put('document', P, document('c', 3));
    const before = unit.changeSet();
    const point = unit.savepoint();
    unit.put('document', P, document('a', 20));
    unit.put('document', P, document('a', 30));
    unit.delete('document', P, 'b');
    unit.delete('document', P, 'c');
    unit.put('document', P, document('c', 4));
    unit.put('document', P, document('d', 5));
    unit.rollBack(point);
    expect(unit.changeSet()).toEqual(before);
    expect((await unit.find('document', P)).map(({ id, document: { number } }) => [id, number])).toEqual([
      ['a', 10],
      ['b', 2],
      ['c', 3],
    ]);
    expect(await unit.count('document', P)).toBe(3);
    expect((await unit.get('document', P, 'b'))?.document).toEqual({ number: 2 });
    expect(await unit.get('document', P, 'd')).toBeUndefined();
  });

  it('has nothing to commit once everything was taken back, and can go on from there', async () => {
    const unit = await UnitOfWork.begin(await storeWith(document('a', 1)), [P]);
    const point = unit.savepoint();
    unit.delete('document', P, 'a');
    unit.rollBack(point);
    expect(unit.changeSet()).toBeNull();
    unit.put('document', P, document('a', 2));
    unit.rollBack(unit.savepoint());
    expect((await unit.get('document', P, 'a'))?.document).toEqual({ number: 2 });
    expect(unit.size).toBe(1);
  });

  it('knows of what it has taken back only what its store knows', async () => {
    const answers = { isUnwritten: (_kind: string, _partition: string, id: string) => id !== 'b' };
    const reader = Object.assign(await storeWith(), answers);
    const unit = UnitOfWork.on({ reader, expect: {}, history: undefined });
    const isUnwritten = () => ['a', 'b'].map((id) => unit.isUnwritten('document', P, id, 0));
    expect(isUnwritten()).toEqual([true, false]);
    const point = unit.savepoint();
    unit.put('document', P, document('a', 1));
    expect(isUnwritten()).toEqual([false, false]);
    unit.rollBack(point);
    expect(isUnwritten()).toEqual([true, false]);
    expect((await UnitOfWork.begin(await storeWith(), [P])).isUnwritten('document', P, 'a', 0)).toBe(false);
  });

  it('takes back what came after the inner of two savepoints, then what came after the outer one', async () => {
    const unit = await UnitOfWork.begin(await storeWith(), [P]);
    const outer = unit.savepoint();
    unit.put('document', P, document('a', 1));
    const inner = unit.savepoint();
    unit.put('document', P, document('a', 2));
    unit.rollBack(inner);
    expect((await unit.get('document', P, 'a'))?.document).toEqual({ number: 1 });
    unit.rollBack(outer);
    expect(await unit.get('document', P, 'a')).toBeUndefined();
  });

  it('pages through what it finds, changed records and stored ones alike', async () => {
    const unit = await UnitOfWork.begin(await storeWith(...[1, 2, 3, 4, 5].map((n) => document(String(n), n))), [P]);
    unit.delete('document', P, '2');
    unit.put('document', P, document('6', 0));
    const page = async (offset?: number, limit?: number): Promise<string[]> => {
      const order = { path: 'document.number', direction: 'desc' } as const;
      const range = { ...(offset !== undefined && { offset }), ...(limit !== undefined && { limit }) };
      return (await unit.find('document', P, { order, ...range })).map(({ id }) => id);
    };
    expect(await page()).toEqual(['5', '4', '3', '1', '6']);
    expect(await page(0, 2)).toEqual(['5', '4']);
    expect(await page(2, 2)).toEqual(['3', '1']);
    expect(await page(4)).toEqual(['6']);
    expect(await page(5, 2)).toEqual([]);
    expect(await page(0, 0)).toEqual([]);
  });

  it('finds, counts and pages as the store will after the commit', async () => {
    const change = fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      number: fc.integer({ min: 0, max: 4 }),
      remove: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 8 }),
        fc.array(change, { maxLength: 8 }),
        fc.integer({ min: 0, max: 4 }),
        fc.constantFrom(undefined, 'asc' as const, 'desc' as const),
        async (before, changes, least, direction) => {
          const store = await storeWith(...before.map(({ id, number }) => document(id, number)));
          const unit = await UnitOfWork.begin(store, [P]);
          for (const { id, number, remove } of changes) {
            if (remove) unit.delete('document', P, id);
            else unit.put('document', P, document(id, number));
          }
          const where = { path: 'document.number', op: 'gte', value: least } as const;
          const query = { where, ...(direction && { order: { path: 'document.number', direction } }) };
          const documents = await unit.find('document', P, query);
          const counted = await unit.count('document', P, where);
          const page = { where, order: { path: 'id', direction: direction ?? 'asc' }, offset: 1, limit: 2 } as const;
          const paged = await unit.find('document', P, page);
          const changeSet = unit.changeSet();
          if (changeSet) await store.commit(changeSet);
          const stored = await store.find('document', P, query);
          expect(paged).toEqual(await store.find('document', P, page));
          expect(counted).toBe(stored.length);
          expect(new Set(documents.map(({ id }) => id))).toEqual(new Set(stored.map(({ id }) => id)));
          if (direction)
            expect(documents.map((row) => row.document['number'])).toEqual(stored.map((row) => row.document['number']));
          expect((await UnitOfWork.begin(store, [P])).changeSet()).toBeNull();
        },
      ),
      { numRuns: 200 },
    );
  });
});
