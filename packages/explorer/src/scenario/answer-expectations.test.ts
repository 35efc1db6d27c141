import { describe, expect, it } from 'vitest';
import { checkAnswer, sameValue } from './answer-expectations.js';
import type { Expectation } from './script.js';

const answer = {
  total: 0.1 + 0.2,
  none: null,
  data: [
    { id: 'a', option: { status: 'New' } },
    { id: 'b', option: { status: 'Old' } },
  ],
};

const complaints = (expected: Expectation, actual: unknown = answer): string[] => {
  const paths: string[] = [];
  checkAnswer(actual, expected, (path) => paths.push(path));
  return paths;
};

describe('what is expected of an answer', () => {
  it('is met', () => {
    expect(
      complaints({
        count: 2,
        rows: [
          { id: 'b', 'option.status': 'Old' },
          { 'option.status': 'New', missing: null },
        ],
        order: { id: ['a', 'b'] },
        has: { total: 0.3, none: null, 'data.0.id': 'a', gone: null, 'data.1.option': { status: 'Old' } },
        exists: ['data.0'],
        absent: ['data.2', 'none'],
        lengths: { data: 2 },
      }),
    ).toEqual([]);
  });

  it.each<[string, Expectation]>([
    ['count', { count: 1 }],
    ['rows/0', { rows: [{ id: 'a', 'option.status': 'Old' }] }],
    ['order/id', { order: { id: ['b', 'a'] } }],
    ['order/id', { order: { id: ['a'] } }],
    ['has/total', { has: { total: 0.31 } }],
    ['has/total', { has: { total: '0.3' } }],
    ['has/total', { has: { total: null } }],
    ['has/data.0', { has: { 'data.0': { id: 'a' } } }],
    ['exists/none', { exists: ['none'] }],
    ['absent/data.1', { absent: ['data.1'] }],
    ['lengths/data', { lengths: { data: 3 } }],
    ['lengths/total', { lengths: { total: 1 } }],
  ])('is reported at %s where it is not met', (path, expected) => {
    expect(complaints(expected)).toEqual([path]);
  });

  it('is not met by an answer without rows', () => {
    expect(complaints({ count: 0, rows: [{}], order: { id: [] } }, {})).toEqual(['count', 'rows/0', 'order/id']);
  });
});

describe('the same value', () => {
  it('is the same number within 1e-9, at any depth', () => {
    expect(sameValue({ a: [1, { b: 2 }] }, { a: [1 + 1e-10, { b: 2 - 1e-10 }] })).toBe(true);
    expect(sameValue({ a: [1] }, { a: [1 + 1e-8] })).toBe(false);
  });

  it('is not a part of another', () => {
    expect(sameValue({ a: 1 }, { a: 1, b: 2 })).toBe(false);
    expect(sameValue({ a: 1, b: null }, { a: 1 })).toBe(true);
  });
});
