import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedJson, DEPTH_AT_MOST, SIZE_AT_MOST } from './bounded-json.js';

const nested = (levels: number): object => {
  let value: object = {};
  for (let level = 1; level < levels; level += 1) value = { value };
  return value;
};
const reasonOf = (value: unknown): string => {
  const bounded = boundedJson(value);
  return 'reason' in bounded ? bounded.reason : '';
};

describe('bounded JSON', () => {
  it('is a copy of any JSON object, whatever its members are called', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        const bounded = boundedJson(JSON.parse(text));
        expect('value' in bounded && JSON.stringify(bounded.value)).toBe(text);
      }),
    );
  });

  it('shares nothing with the original', () => {
    const original = { list: [{ name: 'a' }] };
    const bounded = boundedJson(original);
    original.list.push({ name: 'b' });
    expect(bounded).toEqual({ value: { list: [{ name: 'a' }] } });
  });

  it('keeps members called __proto__, and no prototype comes of them', () => {
    const bounded = boundedJson(JSON.parse('{"__proto__":{"admin":true},"constructor":1}'));
    const value = 'value' in bounded ? bounded.value : {};
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value.admin).toBeUndefined();
  });

  it('leaves out members that are undefined', () => {
    expect(boundedJson({ a: undefined, b: 1 })).toEqual({ value: { b: 1 } });
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'text'],
    ['a list', [{}]],
    ['a function', { a: () => 1 }],
    ['an endless number', { a: Infinity }],
    ['no number', { a: [NaN] }],
    ['a large integer', { a: 1n }],
    ['a gap in a list', { a: [undefined] }],
    ['a symbol', { a: Symbol('a') }],
    ['a date', { a: new Date(0) }],
    ['a map', { a: new Map() }],
    ['half a character', { a: '\ud800' }],
    ['half a character in a name', { '\udc00': 1 }],
    [
      'a value that throws',
      {
        get a() {
          throw new Error('no');
        },
      },
    ],
    [
      'a revoked proxy',
      (() => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return { a: proxy };
      })(),
    ],
  ])('refuses %s', (_, value) => {
    expect(reasonOf(value)).not.toBe('');
  });

  it('takes values as deep as the limit, and none deeper, not even one that holds itself', () => {
    expect(reasonOf(nested(DEPTH_AT_MOST))).toBe('');
    expect(reasonOf(nested(DEPTH_AT_MOST + 1))).toBe('it nests too deep');
    expect(reasonOf(nested(100_000))).toBe('it nests too deep');
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(reasonOf(circle)).toBe('it nests too deep');
  });

  it('refuses what is too large: in one text, in names, in many small values, or in what is shared', () => {
    expect(reasonOf({ a: 'x'.repeat(SIZE_AT_MOST) })).toBe('it is too large');
    expect(reasonOf({ ['x'.repeat(SIZE_AT_MOST)]: 1 })).toBe('it is too large');
    expect(reasonOf({ a: new Array(SIZE_AT_MOST / 8).fill(0) })).toBe('it is too large');
    let shared: unknown[] = [0];
    for (let level = 0; level < 60; level += 1) shared = [shared, shared];
    expect(reasonOf({ shared })).toBe('it is too large');
  });
});
