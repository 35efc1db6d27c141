import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareAt, matches, everything, type Condition, type Json, type Order } from '../../records/index.js';
import { RecordTable } from './record-table.js';

interface Row {
  id: string;
  [path: string]: Json;
}

type Step =
  | { do: 'put'; row: Row }
  | { do: 'delete'; id: string }
  | { do: 'ask'; where: Condition | undefined; order: Order | undefined; offset: number; limit: number | undefined };

const paths = ['a', 'b', 'c.d', 'id'];
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
const path = fc.constantFrom(...paths);

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

/** What the table must answer, worked out the slow way. */
class Model {
  readonly rows = new Map<string, Row>();

  matching(where: Condition = everything): Row[] {
    return [...this.rows.values()].filter((candidate) => matches(candidate, where));
  }

  page(where: Condition | undefined, order: Order | undefined, offset: number, limit = Infinity): Row[] {
    const found = this.matching(where);
    if (order) found.sort((a, b) => compareAt(a, b, order.path));
    if (order?.direction === 'desc') found.reverse();
    return found.slice(offset, offset + limit);
  }
}

const present = <T extends object>(members: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined)) as never;

function follow(table: RecordTable, steps: readonly Step[]): void {
  const model = new Model();
  const asked: (Step & { do: 'ask' })[] = [];
  for (const now of steps) {
    if (now.do === 'put') {
      model.rows.set(now.row.id, now.row);
      table.put(now.row);
    } else if (now.do === 'delete') {
      model.rows.delete(now.id);
      table.delete(now.id);
    } else asked.push(now);
    // Every question is asked again after every step: what is kept for it must never be stale.
    for (const { where, order, offset, limit } of asked) {
      expect(table.find(present({ where, order, offset, limit }))).toEqual(model.page(where, order, offset, limit));
      expect(table.count(where ?? everything)).toBe(model.matching(where).length);
    }
    expect([...table.values()]).toEqual([...model.rows.values()]);
    expect(table.size).toBe(model.rows.size);
  }
}

describe('RecordTable', { timeout: 120_000 }, () => {
  it('answers like filter, sort and slice after any history, with its selections kept up to date', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        follow(new RecordTable(new Set(['a', 'c.d', 'id']), { few: 1, selections: 100 }), steps);
      }),
      { numRuns: 200 },
    );
  });

  it('answers the same where it must give up selections all the time', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        follow(new RecordTable(new Set(['a', 'c.d', 'id']), { few: 1, selections: 3 }), steps);
      }),
      { numRuns: 100 },
    );
  });

  it('answers the same where it has no index at all', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
        follow(new RecordTable(new Set(), { few: 0, selections: 100 }), steps);
      }),
      { numRuns: 100 },
    );
  });

  it('answers the same where everything is looked at directly', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
        follow(new RecordTable(new Set(['a']), { few: 1000, selections: 1 }), steps);
      }),
      { numRuns: 100 },
    );
  });

  it('finds records among thousands by an indexed path, by id and by a range', () => {
    const table = new RecordTable(new Set(['a', 'id']));
    for (let n = 0; n < 5000; n++) table.put({ id: String(n), a: n % 100, n } as Row);
    expect(table.count({ path: 'a', op: 'eq', value: 7 })).toBe(50);
    expect(table.find({ where: { path: 'id', op: 'in', value: ['4000', '12', 'none'] } })).toMatchObject([
      { n: 12 },
      { n: 4000 },
    ]);
    const where: Condition = { path: 'n', op: 'gte', value: 4990 };
    const order: Order = { path: 'n', direction: 'desc' };
    expect(table.find({ where, order, limit: 2 })).toMatchObject([{ n: 4999 }, { n: 4998 }]);
  });

  it('keeps conditions apart that differ only in a number JSON cannot write', () => {
    const table = new RecordTable(new Set(), { few: 0, selections: 8 });
    table.put({ id: '1', a: 5 } as Row);
    expect(table.count({ path: 'a', op: 'lt', value: Infinity })).toBe(1);
    expect(table.count({ path: 'a', op: 'lt', value: null })).toBe(0);
    expect(table.count({ path: 'a', op: 'lt', value: -Infinity })).toBe(0);
  });

  it('is not confused by a caller who changes a condition after asking', () => {
    const table = new RecordTable(new Set(), { few: 0, selections: 8 });
    table.put({ id: '1', a: 1 } as Row);
    const where = { path: 'a', op: 'eq' as const, value: 1 };
    expect(table.count(where)).toBe(1);
    where.value = 2;
    table.put({ id: '2', a: 1 } as Row);
    expect(table.count({ path: 'a', op: 'eq', value: 1 })).toBe(2);
  });
});
