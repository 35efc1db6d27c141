import { MemoryStore, type DocumentRecord } from '@blockwork/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
    const given = document('a', 1);
    unit.put('document', P, given);
    given.document['number'] = 99;
    const got = await unit.get('document', P, 'a');
    if (got) got.document['number'] = 77;
    expect((await unit.get('document', P, 'a'))?.document).toEqual({ number: 1 });
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
          const seen = await unit.find('document', P, query);
          const counted = await unit.count('document', P, where);
          const changeSet = unit.changeSet();
          if (changeSet) await store.commit(changeSet);
          const stored = await store.find('document', P, query);
          expect(counted).toBe(stored.length);
          expect(new Set(seen.map(({ id }) => id))).toEqual(new Set(stored.map(({ id }) => id)));
          if (direction)
            expect(seen.map((row) => row.document['number'])).toEqual(stored.map((row) => row.document['number']));
          expect((await UnitOfWork.begin(store, [P])).changeSet()).toBeNull();
        },
      ),
      { numRuns: 200 },
    );
  });
});
