/** What is cached of a large table: how much of it, and for how long. */
import { describe, expect, it } from 'vitest';
import type { Change, RecordQuery } from '../../ports/index.js';
import type { Condition } from '../../records/index.js';
import type { ChangedRecord, StoredRecord } from '../undurable-changes.js';
import { PartialTable } from './partial-table.js';

const ENTRY = 200;
const RESULT = 256 * 1024;
const ofType = (value: string): Condition => ({ path: 'type', op: 'eq', value });
const record = (id: string, type = 'a', more: object = {}) => ({ id, type, ...more }) as StoredRecord;
const put = (value: StoredRecord): Change =>
  ({ op: 'put', kind: 'document', partition: 'p', value }) as unknown as Change;
const remove = (id: string): Change => ({ op: 'delete', kind: 'document', partition: 'p', id });
const sizeOf = (value: unknown): number => JSON.stringify(value).length;
const changed = (id: string, value: StoredRecord | null, more: Partial<ChangedRecord> = {}): ChangedRecord => ({
  ...{ id, value, versions: [value], isCreated: false, isRenewed: false },
  ...more,
});

/** Of which the JSON, as the only one in a list, has so many bytes. */
function recordOf(bytes: number): StoredRecord {
  const around = sizeOf(record('a', 'a', { text: '' }));
  return record('a', 'a', { text: 'x'.repeat(bytes - around) });
}

describe('the size of a cache', () => {
  it('is that of the JSON in it, and something for each entry', () => {
    const table = new PartialTable(1_000_000);
    table.addRecord('a', record('a'));
    table.addRecord('gone', null);
    table.addList({ where: ofType('a') }, [record('a')]);
    table.addCount(ofType('a'), 1);
    expect(table.bytes).toBe(ENTRY + sizeOf(record('a')) + ENTRY + (ENTRY + sizeOf([record('a')])) + ENTRY);
  });

  it('may be all that it may have; with one byte more it starts over', () => {
    const size = 2 * ENTRY + sizeOf(record('a')) + sizeOf(record('b'));
    for (const [room, first] of [
      [size, record('a')],
      [size - 1, undefined],
    ] as const) {
      const table = new PartialTable(room);
      table.addRecord('a', record('a'));
      table.addRecord('b', record('b'));
      expect([table.get('a'), table.get('b')]).toEqual([first, record('b')]);
    }
  });

  it('starts over with everything: records, lists, counts and what is known of lists that do not last', () => {
    const table = new PartialTable(3_000);
    const query = { limit: 1 };
    table.addRecord('a', record('a'));
    table.addCount(ofType('a'), 1);
    table.addList(query, [record('a')]);
    table.apply(remove('a'));
    expect(table.isLasting(query)).toBe(false);
    table.addList({ where: ofType('b') }, []);
    table.addRecord('large', record('large', 'b', { text: 'x'.repeat(2_500) }));
    expect([table.get('a'), table.count(ofType('a')), table.find({ where: ofType('b') })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([table.isLasting(query), table.bytes]).toEqual([
      true,
      ENTRY + sizeOf(record('large', 'b', { text: 'x'.repeat(2_500) })),
    ]);
  });

  it('has room for what is exactly as large as a result may be, and not for more', () => {
    const table = new PartialTable(10_000_000);
    const [fitting, larger] = [recordOf(RESULT - ENTRY), recordOf(RESULT - ENTRY + 1)];
    table.addRecord('a', fitting);
    expect(table.get('a')).toBe(fitting);
    table.addRecord('a', larger);
    expect(table.get('a')).toBeUndefined();
    const [list, largerList] = [[recordOf(RESULT - ENTRY - 2)], [recordOf(RESULT - ENTRY - 1)]];
    table.addList({ limit: 1 }, list);
    table.addList({ limit: 2 }, largerList);
    expect([table.find({ limit: 1 }), table.find({ limit: 2 })]).toEqual([list, undefined]);
  });
});

describe('a cached list', () => {
  it('is told from those with another condition, order, page or size', () => {
    const table = new PartialTable(1_000_000);
    const order = { path: 'id', direction: 'asc' } as const;
    const queries: RecordQuery[] = [
      ...[{}, { where: ofType('a') }, { order }, { order: { ...order, direction: 'desc' } as const }],
      ...[{ offset: 1 }, { limit: 1 }, { bytes: 9 }],
    ];
    for (const [at, query] of queries.entries()) table.addList(query, [record(String(at))]);
    expect(queries.map((query) => table.find(query)?.[0]?.id)).toEqual(queries.map((_, at) => String(at)));
    expect(table.find({ offset: 0 })?.[0]?.id).toBe('0');
  });

  it('does not last if a change has dropped it before, and none does if that happened to a thousand', () => {
    const table = new PartialTable(10_000_000);
    const page = (limit: number): RecordQuery => ({ limit });
    const drop = (limit: number): void => {
      table.addList(page(limit), [record('a')]);
      table.apply(remove('a'));
    };
    expect(table.isLasting(page(1))).toBe(true);
    drop(1);
    expect([table.isLasting(page(1)), table.isLasting(page(2))]).toEqual([false, true]);
    for (let limit = 2; limit < 1_000; limit += 1) drop(limit);
    expect(table.isLasting(page(1_000))).toBe(true);
    drop(1_000);
    expect(table.isLasting(page(2_000))).toBe(false);
    drop(1_001);
    table.merge(new PartialTable(1));
    expect(table.isLasting(page(2_000))).toBe(false);
  });

  it('follows each record that comes first, also if that is changed later', () => {
    const newest = { order: { path: 'id', direction: 'desc' }, limit: 2 } as const;
    const oldest = { order: { path: 'id', direction: 'asc' }, limit: 2 } as const;
    const table = new PartialTable(1_000_000);
    table.addList(newest, [record('m')]);
    table.addList(oldest, [record('m')]);
    table.apply(put(record('z')));
    expect([table.find(newest), table.find(oldest)]).toEqual([[record('z'), record('m')], undefined]);
    table.addList(oldest, [record('m'), record('z')]);
    table.apply(put(record('b')));
    expect([table.find(newest), table.find(oldest)]).toEqual([undefined, [record('b'), record('m')]]);
    table.addList(newest, [record('z'), record('m')]);
    table.apply(put(record('z', 'changed')));
    expect([table.find(newest), table.isLasting(newest)]).toEqual([undefined, false]);
  });

  it('that begins later than the first record, or with nothing, is read again', () => {
    const order = { path: 'id', direction: 'desc' } as const;
    const table = new PartialTable(1_000_000);
    for (const query of [{ order, offset: 1 }, { order, where: ofType('empty') }, { limit: 3 }]) {
      table.addList(query, query.offset === 1 || query.limit === 3 ? [record('m')] : []);
      table.apply(put(record('z', 'empty')));
      expect(table.find(query)).toBeUndefined();
    }
  });

  it('keeps its place for a record that equals its first one in the order', () => {
    const order = { path: 'type', direction: 'desc' } as const;
    const table = new PartialTable(1_000_000);
    for (const direction of ['asc', 'desc'] as const) {
      table.addList({ order: { ...order, direction }, limit: 1 }, [record('m', 'a')]);
      table.apply(put(record(`same ${direction}`, 'a')));
      expect(table.find({ order: { ...order, direction }, limit: 1 })).toBeUndefined();
    }
  });

  it('that is complete stays so when a record comes first, until its page is full', () => {
    const query = { order: { path: 'id', direction: 'desc' }, where: ofType('a'), limit: 3 } as const;
    const table = new PartialTable(1_000_000);
    table.addList(query, [record('m')]);
    table.apply(put(record('n')));
    table.apply(put(record('unknown before', 'b')));
    expect(table.find(query)).toEqual([record('n'), record('m')]);
    table.apply(put(record('o')));
    expect(table.find(query)).toEqual([record('o'), record('n'), record('m')]);
    table.apply(put(record('unknown as well', 'b')));
    expect(table.find(query)).toBeUndefined();
  });
});

describe('an answer with changes above it', () => {
  it('is not known if a change may affect it', () => {
    const table = new PartialTable(1_000_000);
    const query = { order: { path: 'id', direction: 'desc' }, limit: 1 } as const;
    table.addList(query, [record('m')]);
    table.addCount(ofType('a'), 1);
    table.addRecord('m', record('m'));
    const created = changed('z', record('z'), { isCreated: true });
    expect([table.find(query, [created]), table.count(ofType('a'), [created])]).toEqual([[record('z')], 2]);
    const removed = changed('m', null);
    expect([table.find(query, [removed]), table.count(ofType('a'), [removed])]).toEqual([undefined, 0]);
    const both = [removed, created];
    expect([table.find(query, both), table.count(ofType('a'), both)]).toEqual([undefined, 1]);
    const renewed = changed('z', record('z'), { isCreated: true, isRenewed: true });
    expect(table.find(query, [renewed])).toBeUndefined();
    const unknown = changed('x', record('x', 'b'));
    expect([table.find(query, [unknown]), table.count(ofType('a'), [unknown])]).toEqual([
      [record('x', 'b')],
      undefined,
    ]);
    expect(table.count(ofType('never asked'), [created])).toBeUndefined();
    // What was asked for without changes is as it was.
    expect([table.find(query), table.count(ofType('a'))]).toEqual([[record('m')], 1]);
  });
});

describe('two caches of one table', () => {
  it('are merged in all that they have, the later one on top', () => {
    const [table, other] = [new PartialTable(1_000_000), new PartialTable(1_000_000)];
    table.addRecord('a', record('a'));
    table.addList({ limit: 1 }, [record('a')]);
    table.addCount(ofType('a'), 1);
    other.addRecord('a', record('a', 'newer'));
    other.addRecord('b', null);
    other.addList({ limit: 1 }, [record('a', 'newer')]);
    other.addList({ limit: 2 }, [record('a', 'newer')]);
    other.addCount(ofType('b'), 7);
    table.merge(other);
    expect([table.get('a'), table.get('b'), table.find({ limit: 1 }), table.find({ limit: 2 })]).toEqual([
      record('a', 'newer'),
      null,
      [record('a', 'newer')],
      [record('a', 'newer')],
    ]);
    expect([table.count(ofType('a')), table.count(ofType('b'))]).toEqual([1, 7]);
    expect(table.bytes).toBe(other.bytes + ENTRY);
    table.merge(table);
    expect(table.bytes).toBe(other.bytes + ENTRY);
  });

  it('have no more in them together than one of them may', () => {
    const [table, other] = [new PartialTable(1_000), new PartialTable(10_000)];
    for (let limit = 1; limit <= 9; limit += 1) other.addList({ limit }, [record('a')]);
    table.merge(other);
    expect(table.bytes).toBeLessThanOrEqual(1_000);
    expect(table.find({ limit: 9 })).toEqual([record('a')]);
    expect(table.find({ limit: 1 })).toBeUndefined();
  });
});
