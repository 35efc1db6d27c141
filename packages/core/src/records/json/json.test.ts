import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cloneJson, isObject, NESTING_AT_MOST, nestsTooDeep, withoutMember, type JsonObject } from './json.js';

describe('cloneJson', () => {
  it('gives an equal value that shares no object with the original', () => {
    const parts = (value: unknown): unknown[] =>
      typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(parts)] : [];
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = cloneJson(value);
        expect(copy).toEqual(value);
        const originals = new Set(parts(value));
        expect(parts(copy).some((part) => originals.has(part))).toBe(false);
      }),
    );
  });

  it('leaves undefined members out', () => {
    expect(Object.keys(cloneJson({ a: undefined, b: null }))).toEqual(['b']);
  });

  it('keeps a member called __proto__ as a member', () => {
    const copy = cloneJson(JSON.parse('{"__proto__":{"admin":true},"a":1}') as Record<string, unknown>);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"admin":true},"a":1}');
    expect(copy['admin']).toBeUndefined();
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });
});

describe('withoutMember', () => {
  it('copies all members but one, in their order, and leaves the original alone', () => {
    const original = JSON.parse('{"b":1,"__proto__":{"admin":true},"minted":{},"a":[2]}') as JsonObject;
    const copy = withoutMember(original, 'minted');
    expect(JSON.stringify(copy)).toBe('{"b":1,"__proto__":{"admin":true},"a":[2]}');
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    copy['b'] = 7;
    expect(JSON.stringify(original)).toBe('{"b":1,"__proto__":{"admin":true},"minted":{},"a":[2]}');
    expect(Object.keys(withoutMember({ a: null }, 'b'))).toEqual(['a']);
  });
});

describe('nestsTooDeep', () => {
  /** `levels` objects, one in the other; beside each, so many numbers. */
  const nested = (levels: number, beside: number): JsonObject => {
    let value: JsonObject = {};
    for (let level = 1; level < levels; level += 1) {
      const numbers = Array.from({ length: beside }, (_, at) => [`number${at}`, level]);
      value = { ...(Object.fromEntries(numbers) as JsonObject), in: value };
    }
    return value;
  };

  it('means more levels than the limit, of small values and of large ones', () => {
    for (const beside of [0, 20]) {
      expect(nestsTooDeep(nested(NESTING_AT_MOST, beside))).toBe(false);
      expect(nestsTooDeep(nested(NESTING_AT_MOST + 1, beside))).toBe(false);
      expect(nestsTooDeep(nested(NESTING_AT_MOST + 2, beside))).toBe(true);
      expect(nestsTooDeep({ a: nested(NESTING_AT_MOST, beside), b: nested(NESTING_AT_MOST + 1, beside) })).toBe(true);
    }
    expect(nestsTooDeep({ wide: Array.from({ length: 100_000 }, () => [1]) })).toBe(false);
  });

  it('is true of what holds itself, and answers at once where much is shared', () => {
    const cyclic: JsonObject = { a: 1 };
    cyclic['self'] = [cyclic];
    expect(nestsTooDeep(cyclic)).toBe(true);
    let shared: unknown[] = [];
    for (let level = 0; level < 150; level += 1) shared = [shared, shared];
    expect(nestsTooDeep(shared)).toBe(false);
    for (let level = 0; level < 60; level += 1) shared = [shared, shared];
    expect(nestsTooDeep(shared)).toBe(true);
  });
});

describe('isObject', () => {
  it('means objects, not lists and not null', () => {
    expect([{}, [], null, undefined, 'text', 7].map(isObject)).toEqual([true, false, false, false, false, false]);
  });
});
