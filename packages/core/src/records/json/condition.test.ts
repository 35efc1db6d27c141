import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allOf, everything, matches, nothing, type Condition } from './condition.js';
import type { Json } from './json.js';

const v = (value: unknown): object => ({ v: value });

describe('matches', () => {
  it.each<[string, unknown, Json, boolean]>([
    ['the same text', 'A', 'A', true],
    ['another text', 'A', 'a', false],
    ['the same number', 5, 5, true],
    ['a number and its text', 5, '5', false],
    ['a text and its number', '5', 5, false],
    ['zero and false', 0, false, false],
    ['nothing there and null', undefined, null, true],
    ['null and null', null, null, true],
    ['null and the empty text', null, '', false],
    ['nothing there and the empty text', undefined, '', false],
    ['a list with the value', ['A', 'B'], 'B', true],
    ['a list without it', ['A', 'B'], 'C', false],
    ['an empty list', [], 'A', false],
    ['a list with null', [null], null, true],
    ['a list and the same list', [1, [2]], [1, [2]], true],
    ['a list and a part of it', [1, 2], [1], false],
    ['a list and a longer one', [1], [1, 2], false],
    ['objects in another order', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
    ['objects of which one has more', { a: 1, b: 2 }, { a: 1 }, false],
    ['objects with other members', { a: 1 }, { b: 1 }, false],
    ['a list and an object', [1], { 0: 1 }, false],
    ['an object in a list', [{ a: 1 }], { a: 1 }, true],
  ])('eq: %s', (_, actual, value, expected) => {
    expect(matches(v(actual), { path: 'v', op: 'eq', value })).toBe(expected);
    expect(matches(v(actual), { path: 'v', op: 'ne', value })).toBe(!expected);
    expect(matches(v(actual), { path: 'v', op: 'in', value: ['no', value] })).toBe(expected);
    expect(matches(v(actual), { path: 'v', op: 'nin', value: ['no', value] })).toBe(!expected);
  });

  it('in an empty list is nothing, out of it everything', () => {
    expect(matches(v('A'), { path: 'v', op: 'in', value: [] })).toBe(false);
    expect(matches(v('A'), { path: 'v', op: 'nin', value: [] })).toBe(true);
  });

  it.each<[unknown, Json, string]>([
    [5, 5, 'gte lte'],
    [5, 10, 'lt lte'],
    [10, 5, 'gt gte'],
    ['B', 'A', 'gt gte'],
    ['10', '9', 'lt lte'],
    ['a', 'B', 'gt gte'],
    ['A', 'A', 'gte lte'],
    ['5', 5, ''],
    [5, '5', ''],
    [undefined, 5, ''],
    [null, 0, ''],
    [null, null, ''],
    [true, false, ''],
    [[5], 1, ''],
  ])('%j compared with %j is: %s', (actual, value, expected) => {
    const operators = (['gt', 'gte', 'lt', 'lte'] as const).filter((op) =>
      matches(v(actual), { path: 'v', op, value }),
    );
    expect(operators.join(' ')).toBe(expected);
  });

  it('joins, chooses and turns around', () => {
    const a: Condition = { path: 'v', op: 'eq', value: 'A' };
    const b: Condition = { path: 'v', op: 'eq', value: 'B' };
    expect(matches(v(['A', 'B']), { all: [a, b] })).toBe(true);
    expect(matches(v('A'), { all: [a, b] })).toBe(false);
    expect(matches(v('B'), { any: [a, b] })).toBe(true);
    expect(matches(v('C'), { any: [a, b] })).toBe(false);
    expect(matches(v('C'), { not: { any: [a, b] } })).toBe(true);
    expect(matches(v('A'), everything)).toBe(true);
    expect(matches(v('A'), nothing)).toBe(false);
  });

  const comparison = fc.record({
    path: fc.constantFrom('a', 'b'),
    op: fc.constantFrom('eq' as const, 'ne' as const, 'gt' as const),
    value: fc.constantFrom<Json>(1, 2, 'x', null),
  });
  const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3 },
      comparison,
      fc.record({ all: fc.array(tie('condition'), { maxLength: 3 }) }),
      fc.record({ any: fc.array(tie('condition'), { maxLength: 3 }) }),
      fc.record({ not: tie('condition') }),
    ),
  }));
  const record = fc.record({ a: fc.constantFrom(1, 2, 'x', null, [1, 'x']), b: fc.constantFrom(1, 'x') });

  it('follows the laws of logic, whatever the condition', () => {
    fc.assert(
      fc.property(record, condition, condition, (record, p, q) => {
        expect(matches(record, { not: p })).toBe(!matches(record, p));
        expect(matches(record, { not: { all: [p, q] } })).toBe(matches(record, { any: [{ not: p }, { not: q }] }));
        expect(matches(record, { any: [p, { not: p }] })).toBe(true);
      }),
    );
  });

  it('allOf means all of them, and puts their comparisons at the top', () => {
    fc.assert(
      fc.property(record, fc.array(condition, { maxLength: 4 }), (record, conditions) => {
        expect(matches(record, allOf(...conditions))).toBe(conditions.every((each) => matches(record, each)));
      }),
    );
    const a: Condition = { path: 'v', op: 'eq', value: 'A' };
    expect(allOf({ all: [a] }, everything, { all: [a, nothing] })).toEqual({ all: [a, a, nothing] });
    expect(allOf(a, everything)).toBe(a);
    expect(allOf()).toEqual(everything);
  });
});
