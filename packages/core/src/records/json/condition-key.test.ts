import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Condition } from './condition.js';
import { conditionKey } from './condition-key.js';
import type { Json } from './json.js';

const value = fc.oneof(
  fc.constantFrom<Json>(null, 'null', 0, '0', NaN, 'NaN', Infinity, true, 'true', '', ',', '1:', 'a', 'a,1:b', '2:a'),
  fc.array(fc.constantFrom<Json>('a', 'b', 'a,1:b', null, 1), { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('a', 'b', 'a,1:b'), fc.constantFrom<Json>(1, 'a'), { maxKeys: 2 }),
);
const path = fc.constantFrom('a', 'b', 'a,1:b', '');
const comparison: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ path, op: fc.constantFrom('eq', 'ne', 'gt', 'lt'), value }),
  fc.record({ path, op: fc.constantFrom('in', 'nin'), value: fc.array(value, { maxLength: 2 }) }),
);
const parts = fc.array(comparison, { maxLength: 2 });
const condition: fc.Arbitrary<Condition> = fc.oneof(
  comparison,
  fc.record({ all: parts }),
  fc.record({ any: parts }),
  fc.record({ not: comparison }),
  fc.record({ all: fc.tuple(fc.record({ any: parts }), comparison) }),
);

/** Tells apart what JSON alone does not. */
const text = (json: unknown): string =>
  JSON.stringify(json, (_, member: unknown) =>
    typeof member === 'number' && !Number.isFinite(member) ? { number: String(member) } : member,
  );
const sortedMembers = ({ path, op, value }: Extract<Condition, { path: string }>): Condition =>
  ({ path, op, value }) as Condition;
const normal = (one: Condition): Condition => {
  if ('all' in one) return { all: one.all.map(normal) };
  if ('any' in one) return { any: one.any.map(normal) };
  return 'not' in one ? { not: normal(one.not) } : sortedMembers(one);
};

describe('conditionKey', () => {
  it('is the same for two conditions exactly when they are', () => {
    fc.assert(
      fc.property(condition, condition, (one, other) => {
        expect(conditionKey(one) === conditionKey(other)).toBe(text(normal(one)) === text(normal(other)));
      }),
      { numRuns: 5000 },
    );
  });

  it('is not misled by texts that look like parts of a key', () => {
    const eq = (path: string, value: string): Condition => ({ path, op: 'eq', value });
    const one = { all: [eq('a', '1),eq(b,2')] };
    const two = { all: [eq('a', '1'), eq('b', '2')] };
    expect(conditionKey(one)).not.toBe(conditionKey(two));
    expect(conditionKey(eq('a,b', 'c'))).not.toBe(conditionKey(eq('a', 'b,c')));
    expect(conditionKey(eq('a', 'null'))).not.toBe(conditionKey({ path: 'a', op: 'eq', value: null }));
  });

  it('differs once a condition was changed', () => {
    const changing = { path: 'a', op: 'eq' as const, value: 'x' };
    const before = conditionKey(changing);
    changing.value = 'y';
    expect(conditionKey(changing)).not.toBe(before);
  });
});
