import fc from 'fast-check';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { compareAt, matches, everything, valueAt, type Condition, type Json, type Order } from '../../records/index.js';
import { IndexBudget } from './equality-index.js';
import type { PackedRecords } from './packed-records.js';
import { RecordTable, type TablePaths } from './record-table.js';

interface Row {
  id: string;
  [path: string]: Json;
}

type Step =
  | { do: 'put'; row: Row }
  | { do: 'delete'; id: string }
  | { do: 'ask'; where: Condition | undefined; order: Order | undefined; offset: number; limit: number | undefined };

const allPaths = ['a', 'b', 'c.d', 'id'];
// Few values, so that records and conditions often meet.
const scalar = fc.constantFrom<Json>(null, true, 1, 10, 'x', 'y', '10');
const value = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom<Json>([['x']], [], {}, { e: 1 }, [{ e: 1 }]) },
);
const id = fc.constantFrom('1', '2', '3', '4', '5', '6', '7', '__proto__', '', 'x');
const row = fc.record(
  { id, a: value, b: value, c: fc.record({ d: value }, { requiredKeys: [] }) },
  { requiredKeys: ['id'] },
);
const path = fc.constantFrom(...allPaths);

const comparison: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ path, op: fc.constant('eq'), value: scalar }),
  fc.record({ path, op: fc.constant('in'), value: fc.array(scalar, { minLength: 2, maxLength: 3 }) }),
  fc.record({ path, op: fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte'), value }),
  fc.record({ path, op: fc.constantFrom('in', 'nin'), value: fc.array(value, { maxLength: 3 }) }),
);
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    comparison,
    fc.record({ all: fc.array(tie('condition'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('condition'), { maxLength: 3 }) }),
    fc.record({ not: tie('condition') }),
  ),
}));

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('put' as const), row }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), id }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      where: fc.option(condition, { nil: undefined }),
      order: fc.option(fc.record({ path, direction: fc.constantFrom('asc', 'desc') }), { nil: undefined }),
      offset: fc.nat({ max: 6 }),
      limit: fc.option(fc.nat({ max: 6 }), { nil: undefined }),
    }),
  },
);

const paths = (equality: string[], order = ['b', 'c.d']): TablePaths => ({
  equality: new Set(equality),
  order: new Set(order),
});

/** What the table must answer, worked out the slow way. */
class Model {
  readonly rows = new Map<string, Row>();

  matching(where: Condition = everything): Row[] {
    return [...this.rows.values()].filter((candidate) => matches(candidate, where));
  }

  page(where: Condition | undefined, order: Order | undefined, offset: number, limit = Infinity): Row[] {
    const rows = this.matching(where);
    if (order) rows.sort((a, b) => compareAt(a, b, order.path));
    if (order?.direction === 'desc') rows.reverse();
    return rows.slice(offset, offset + limit);
  }
}

const present = <T extends object>(members: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined)) as never;

/** As an adapter keeps them: each time that one is read, it is another object. */
function packed(rows: readonly Row[]): PackedRecords {
  const texts = rows.map((one) => JSON.stringify(one));
  const positions = new Map(rows.map((one, position) => [one.id, position]));
  const parsed = (position: number): Row => JSON.parse(texts[position] ?? '') as Row;
  return {
    length: rows.length,
    superseded: new Set(),
    positionOf: (own) => positions.get(own) ?? -1,
    entryAt: (seq) => ({
      seq,
      get value() {
        return parsed(seq);
      },
      fieldAt: (at) => valueAt(parsed(seq), at),
    }),
  };
}

/** Asked hundreds of thousands of times, of which an `expect` would be a third of the time: it is left to say what is different. */
function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}

async function follow(table: RecordTable, steps: readonly Step[], initial: readonly Row[] = []): Promise<void> {
  const model = new Model();
  for (const one of initial) model.rows.set(one.id, one);
  const questions: (Step & { do: 'ask' })[] = [];
  for (const now of steps) {
    if (now.do === 'put') {
      model.rows.set(now.row.id, now.row);
      table.put(now.row);
    } else if (now.do === 'delete') {
      model.rows.delete(now.id);
      table.delete(now.id);
    } else questions.push(now);
    // Every question is asked again after every step: what is kept for it must never be stale.
    for (const { where, order, offset, limit } of questions) {
      expectSame(await table.find(present({ where, order, offset, limit })), model.page(where, order, offset, limit));
      expectSame(await table.count(where ?? everything), model.matching(where).length);
    }
    expectSame([...table.values()], [...model.rows.values()]);
    expectSame(table.size, model.rows.size);
  }
}

describe('RecordTable', () => {
  it('answers like filter, sort and slice after any history, with its selections kept up to date', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
        await follow(new RecordTable(paths(['a', 'c.d', 'id']), undefined, { few: 1, conditions: 100 }), steps);
      }),
      { numRuns: 200 },
    );
  });

  it('answers the same where it must give up selections all the time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
        await follow(new RecordTable(paths(['a', 'c.d', 'id']), undefined, { few: 1, conditions: 3 }), steps);
      }),
      { numRuns: 100 },
    );
  });

  it('answers the same where it has no index at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
        await follow(new RecordTable(paths([]), undefined, { few: 0, conditions: 100 }), steps);
      }),
      { numRuns: 100 },
    );
  });

  it('answers the same where everything is looked at directly', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
        await follow(new RecordTable(paths(['a']), undefined, { few: 1000, conditions: 1 }), steps);
      }),
      { numRuns: 100 },
    );
  });

  it('answers the same where it begins with packed records', async () => {
    const rows = fc.uniqueArray(row, { selector: (one) => one.id });
    await fc.assert(
      fc.asyncProperty(rows, fc.array(step, { maxLength: 40, size: 'max' }), async (initial, steps) => {
        const tuning = { few: 1, conditions: 100 };
        const table = new RecordTable(paths(['a', 'c.d', 'id']), undefined, tuning, packed(initial));
        await follow(table, steps, initial);
      }),
      { numRuns: 100 },
    );
  });

  it('finds records among thousands by an indexed path, by id and by a range', async () => {
    const table = new RecordTable(paths(['a', 'id']));
    for (let n = 0; n < 5000; n++) table.put({ id: String(n), a: n % 100, n } as Row);
    expect(await table.count({ path: 'a', op: 'eq', value: 7 })).toBe(50);
    expect(await table.find({ where: { path: 'id', op: 'in', value: ['4000', '12', 'none'] } })).toMatchObject([
      { n: 12 },
      { n: 4000 },
    ]);
    const where: Condition = { path: 'n', op: 'gte', value: 4990 };
    const order: Order = { path: 'n', direction: 'desc' };
    expect(await table.find({ where, order, limit: 2 })).toMatchObject([{ n: 4999 }, { n: 4998 }]);
  });

  it('keeps conditions apart that differ only in a number JSON cannot write', async () => {
    const table = new RecordTable(paths([]), undefined, { few: 0, conditions: 8 });
    table.put({ id: '1', a: 5 } as Row);
    expect(await table.count({ path: 'a', op: 'lt', value: Infinity })).toBe(1);
    expect(await table.count({ path: 'a', op: 'lt', value: null })).toBe(0);
    expect(await table.count({ path: 'a', op: 'lt', value: -Infinity })).toBe(0);
  });

  it('is not confused by a caller who changes a condition after asking', async () => {
    const table = new RecordTable(paths([]), undefined, { few: 0, conditions: 8 });
    table.put({ id: '1', a: 1 } as Row);
    const where = { path: 'a', op: 'eq' as const, value: 1 };
    expect(await table.count(where)).toBe(1);
    where.value = 2;
    table.put({ id: '2', a: 1 } as Row);
    expect(await table.count({ path: 'a', op: 'eq', value: 1 })).toBe(2);
  });

  it('answers the same where the budget has room for nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
        await follow(new RecordTable(paths(['a', 'id']), new IndexBudget(1), { few: 1, conditions: 100 }), steps);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a large table', () => {
  const rows = Array.from({ length: 10_000 }, (_, n): Row => ({
    id: String(n),
    a: n % 3,
    b: (n * 7919) % 10_007,
    c: -n,
  }));
  const filled = (budget?: IndexBudget): RecordTable => {
    const table = new RecordTable(paths(['a', 'id'], ['b']), budget);
    for (const one of rows) table.put(one);
    return table;
  };
  const packedTable = (): RecordTable => new RecordTable(paths(['a', 'id'], ['b']), undefined, undefined, packed(rows));
  const where: Condition = { path: 'a', op: 'eq', value: 1 };

  it('lets the event loop turn while it builds an index, sorts, or looks through all records', async () => {
    for (const order of [{ path: 'b', direction: 'desc' } as const, { path: 'c', direction: 'asc' } as const]) {
      const table = filled();
      const happened: string[] = [];
      const answer = table.find({ order, limit: 10 }).then((records) => {
        happened.push('answered');
        return records;
      });
      // Counted in slices of work, not in time.
      for (let turn = 0; turn < 8; turn += 1) await setImmediate();
      happened.push('turned');
      expect(await answer).toHaveLength(10);
      expect(happened).toEqual(['turned', 'answered']);
    }
  });

  it.each([
    ['of objects', filled],
    ['of packed records', packedTable],
  ])('%s takes into account what changes while an index is built', async (_, createTable) => {
    const table = createTable();
    const order: Order = { path: 'b', direction: 'asc' };
    const answers = [table.find({ where, order }), table.find({ where }), table.find({ order, where, limit: 5 })];
    const model = new Model();
    for (const row of table.values()) model.rows.set(row.id, row as Row);
    for (let n = 0; n < 3_000; n++) {
      if (n % 500 === 0) await setImmediate();
      const id = String((n * 31) % 11_000);
      if (n % 3 === 0) {
        table.delete(id);
        model.rows.delete(id);
      } else {
        const row = { id, a: n % 2, b: n, c: 0 } as Row;
        table.put(row);
        model.rows.set(id, row);
      }
    }
    await Promise.all(answers);
    expect(await table.find({ where, order })).toEqual(model.page(where, order, 0));
    expect(await table.find({ where })).toEqual(model.page(where, undefined, 0));
    expect(await table.count(where)).toBe(model.matching(where).length);
  });

  it('keeps nothing for an order that no index is declared for', async () => {
    const budget = new IndexBudget();
    const table = filled(budget);
    await table.find({ where, order: { path: 'x', direction: 'asc' }, limit: 1 });
    const bytesBefore = budget.bytes;
    for (let n = 0; n < 50; n++) await table.find({ where, order: { path: `x${n}`, direction: 'asc' }, limit: 1 });
    expect(budget.bytes).toBe(bytesBefore);
  });

  it('stays within its budget, whatever is asked', async () => {
    const limit = 500_000;
    const budget = new IndexBudget(limit);
    const table = filled(budget);
    for (let n = 0; n < 60; n++) {
      await table.find({ where: { path: 'c', op: 'lt', value: -n }, order: { path: 'b', direction: 'asc' }, limit: 1 });
      expect(budget.bytes).toBeLessThanOrEqual(limit);
    }
  });
});
