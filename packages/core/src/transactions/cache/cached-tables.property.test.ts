/** Tables that are kept follow the commits of their process: what they say they know is what the store would answer. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../memory/index.js';
import type { Change, RecordQuery } from '../../ports/index.js';
import type { Condition, DocumentRecord } from '../../records/index.js';
import { PartialTable } from './partial-table.js';
import { UndurableChanges, type ChangedRecord } from '../undurable-changes.js';
import { WholeTable } from './whole-table.js';

const documentOf = (id: number, type: number): DocumentRecord =>
  ({
    id: `d${String(id)}`,
    dataType: 'vc-documents',
    type: String(type),
    option: {},
    document: {},
  }) as unknown as DocumentRecord;

const put = (id: number, type: number): Change => ({
  op: 'put',
  kind: 'document',
  partition: 'p',
  value: documentOf(id, type),
});
const remove = (id: number): Change => ({ op: 'delete', kind: 'document', partition: 'p', id: `d${String(id)}` });

const id = fc.integer({ min: 0, max: 5 });
const type = fc.integer({ min: 0, max: 1 });
const change = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(id, type).map((of) => put(...of)) },
  { weight: 1, arbitrary: id.map(remove) },
);
const where: fc.Arbitrary<Condition> = type.map((value) => ({ path: 'type', op: 'eq', value: String(value) }));
const query: fc.Arbitrary<RecordQuery> = fc.record(
  {
    where,
    order: fc.constantFrom(
      ...(['desc', 'asc'] as const).flatMap((direction) => [
        { path: 'id', direction },
        { path: 'type', direction },
      ]),
    ),
    offset: fc.integer({ min: 0, max: 2 }),
    limit: fc.integer({ min: 1, max: 3 }),
  },
  { requiredKeys: [] },
);
type Step =
  | { readonly change: Change }
  | { readonly get: number }
  | { readonly find: RecordQuery }
  | { readonly count: Condition };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: change.map((each) => ({ change: each })) },
  { weight: 1, arbitrary: id.map((each) => ({ get: each })) },
  { weight: 2, arbitrary: query.map((each) => ({ find: each })) },
  { weight: 1, arbitrary: where.map((each) => ({ count: each })) },
);

const stored = async (store: MemoryStore, at: number) => (await store.get('document', 'p', `d${String(at)}`)) ?? null;

/** Changes of units that are not durable yet, each a unit, on top of what `store` holds. */
async function undurable(store: MemoryStore, changes: readonly Change[]): Promise<readonly ChangedRecord[]> {
  const above = new UndurableChanges();
  const existing = new Set((await store.find('document', 'p')).map(({ id: each }) => each));
  for (const each of changes) {
    const at = each.op === 'put' ? each.value.id : each.id;
    above.add({ expect: {}, changes: [each] }, existing.has(at) ? new Set() : new Set([each]));
    if (each.op === 'put') existing.add(at);
    else existing.delete(at);
  }
  return above.changedIn('document', 'p');
}

describe('a table of which only what was asked is kept', () => {
  it('knows nothing wrong of what changes will make of it that are not durable yet', async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 6 }),
        fc.array(fc.oneof(query, query, where, id), { maxLength: 6 }),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        async (before, trialSteps, changes) => {
          const store = new MemoryStore();
          await store.commit({ expect: {}, changes: before });
          const table = new PartialTable(10_000);
          for (const each of trialSteps) {
            if (typeof each === 'number') table.addRecord(`d${String(each)}`, await stored(store, each));
            else if ('op' in each) table.addCount(each, await store.count('document', 'p', each));
            else table.addList(each as RecordQuery, await store.find('document', 'p', each as RecordQuery));
          }
          const changed = await undurable(store, changes);
          await store.commit({ expect: {}, changes });
          for (const each of trialSteps) {
            if (typeof each === 'number') continue;
            const [answer, right] =
              'op' in each
                ? [table.count(each, changed), await store.count('document', 'p', each)]
                : [table.find(each as RecordQuery, changed), await store.find('document', 'p', each as RecordQuery)];
            if (answer !== undefined) expect(answer).toEqual(right);
            answered += answer === undefined ? 0 : 1;
          }
        },
      ),
      { numRuns: 500 },
    );
    expect(answered).toBeGreaterThan(50);
  });

  it.each([10_000, 900])('knows nothing wrong after any history, in %i bytes', async (bytes) => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 6 }), fc.array(step, { maxLength: 25 }), async (before, steps) => {
        const store = new MemoryStore();
        await store.commit({ expect: {}, changes: before });
        const table = new PartialTable(bytes);
        const trialSteps: Step[] = [];
        for (const now of steps) {
          trialSteps.push(now);
          if ('change' in now) {
            await store.commit({ expect: {}, changes: [now.change] });
            table.apply(now.change);
          } else if ('get' in now) table.addRecord(`d${String(now.get)}`, await stored(store, now.get));
          else if ('find' in now) table.addList(now.find, await store.find('document', 'p', now.find));
          else table.addCount(now.count, await store.count('document', 'p', now.count));
          expect(table.bytes).toBeLessThanOrEqual(bytes);
          for (const each of trialSteps) {
            if ('get' in each)
              expect([undefined, await stored(store, each.get)]).toContainEqual(table.get(`d${String(each.get)}`));
            if ('find' in each)
              expect([undefined, await store.find('document', 'p', each.find)]).toContainEqual(table.find(each.find));
            if ('count' in each)
              expect([undefined, await store.count('document', 'p', each.count)]).toContain(table.count(each.count));
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it('still knows what a change has nothing to do with', () => {
    const table = new PartialTable(10_000);
    const ofType = (value: string) => ({ where: { path: 'type', op: 'eq', value } }) as const;
    table.addList(ofType('0'), [documentOf(0, 0)]);
    table.addList({ ...ofType('0'), limit: 1 }, [documentOf(0, 0)]);
    table.addCount(ofType('0').where, 1);
    table.apply(put(2, 1));
    // Unknown before: it may have been on the page or among those counted, but not in the whole list.
    expect(table.find(ofType('0'))).toEqual([documentOf(0, 0)]);
    expect(table.find({ ...ofType('0'), limit: 1 })).toBeUndefined();
    expect(table.count(ofType('0').where)).toBeUndefined();
    table.addList({ ...ofType('0'), limit: 1 }, [documentOf(0, 0)]);
    table.addCount(ofType('0').where, 1);
    table.addRecord('d1', null);
    table.apply(put(1, 1));
    expect(table.get('d1')).toEqual(documentOf(1, 1));
    expect(table.find(ofType('0'))).toEqual([documentOf(0, 0)]);
    expect(table.find({ ...ofType('0'), limit: 1 })).toEqual([documentOf(0, 0)]);
    expect(table.count(ofType('0').where)).toBe(1);
  });

  it('knows the newest of an order when a newer one comes', () => {
    const table = new PartialTable(10_000);
    const newest = { order: { path: 'id', direction: 'desc' }, limit: 1 } as const;
    table.addList(newest, [documentOf(1, 0)]);
    table.apply(put(3, 0));
    expect(table.find(newest)).toEqual([documentOf(3, 0)]);
    table.apply(put(2, 0));
    expect(table.find(newest)).toBeUndefined();
  });

  it('gives back the bytes of an answer that a change makes wrong, and counts none twice', () => {
    const table = new PartialTable(10_000);
    const ofType = { path: 'type', op: 'eq', value: '0' } as const;
    table.addRecord('d0', documentOf(0, 0));
    table.addRecord('d0', documentOf(0, 0));
    const ofRecord = table.bytes;
    table.addCount(ofType, 1);
    table.addCount(ofType, 1);
    const withCount = table.bytes;
    table.addList({ where: ofType }, [documentOf(0, 0)]);
    table.addList({ where: ofType }, [documentOf(0, 0)]);
    const withAll = table.bytes;
    expect(ofRecord).toBeGreaterThan(0);
    expect(withCount).toBeGreaterThan(ofRecord);
    expect(withAll).toBeGreaterThan(withCount);
    const other = new PartialTable(10_000);
    other.addRecord('d0', documentOf(0, 0));
    other.addCount(ofType, 1);
    other.addList({ where: ofType }, [documentOf(0, 0)]);
    expect(other.bytes).toBe(withAll);
    table.merge(other);
    expect(table.bytes).toBe(withAll);
    table.apply(put(0, 1));
    expect([table.count(ofType), table.find({ where: ofType }), table.bytes]).toEqual([undefined, undefined, ofRecord]);
    table.apply({ op: 'delete', kind: 'document', partition: 'p', id: 'd0' });
    expect(table.get('d0')).toBeNull();
    expect(table.bytes).toBeLessThan(ofRecord);
  });

  it('keeps nothing that is too large', () => {
    const table = new PartialTable(10_000_000);
    const large = { ...documentOf(0, 0), document: { text: 'x'.repeat(300_000) } };
    table.addRecord('d0', documentOf(0, 0));
    table.addRecord('d0', large);
    table.addList({}, [large]);
    expect([table.get('d0'), table.find({}), table.bytes]).toEqual([undefined, undefined, 0]);
  });
});

describe('a table that is kept as a whole', () => {
  it('answers as the store after any history', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 6 }),
        fc.array(change, { maxLength: 10 }),
        query,
        async (before, changes, wanted) => {
          const store = new MemoryStore();
          await store.commit({ expect: {}, changes: before });
          const table = new WholeTable(await store.find('document', 'p'));
          const changed = await undurable(store, changes);
          await store.commit({ expect: {}, changes });
          const ahead = [table.find(wanted, changed), table.count(wanted.where, changed)];
          expect([undefined, await store.find('document', 'p', wanted)]).toContainEqual(ahead[0]);
          expect([undefined, await store.count('document', 'p', wanted.where)]).toContain(ahead[1]);
          for (const each of changes) table.apply(each);
          expect(table.find(wanted)).toEqual(await store.find('document', 'p', wanted));
          expect(table.count(wanted.where)).toBe(await store.count('document', 'p', wanted.where));
          const all = await store.find('document', 'p');
          expect(table.size).toBe(all.length);
          expect(new WholeTable(all).bytes).toBe(table.bytes);
        },
      ),
    );
  });

  it('refuses a page that is larger than was asked for', () => {
    const table = new WholeTable([documentOf(0, 0), documentOf(1, 0)]);
    expect(() => table.find({ bytes: 100 })).toThrow(expect.objectContaining({ code: 'PAGE_TOO_LARGE' }) as Error);
    expect(table.find({ bytes: 100, limit: 1 })).toHaveLength(1);
  });
});
