/** Conditions that mean harm, and those that refer to each other in unusual ways. */
import type { JsonObject } from '@blockwork/core/block';
import { describe, expect, it } from 'vitest';
import {
  demanded,
  is,
  nested,
  number,
  object,
  text,
  when,
  within,
} from '../../../../../test/support/written-schemas.js';
import { SchemaUnusable } from '../schema-unusable.js';
import { failuresOf } from '../validators.js';

const failures = (schema: JsonObject, document: JsonObject) => failuresOf(schema, document, '');
const texts = (count: number): Record<string, JsonObject> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${String(at)}`, text]));
const field = (at: number): string => `f${String(at)}`;

describe('conditions', () => {
  it('in a long chain are checked, each question once the one before it was asked', () => {
    const length = 101;
    const allOf = Array.from({ length: length - 1 }, (_, at) =>
      when(is(field(at), 'go'), { [field(at + 1)]: demanded(text) }, { [field(at + 1)]: false }),
    );
    const schema = object(texts(length), { allOf });
    const all = Object.fromEntries(Object.keys(texts(length)).map((name) => [name, 'go']));
    expect(failures(schema, all)).toEqual([]);
    expect(failures(schema, {})).toEqual([]);
    const { [field(length - 1)]: _, ...allButOne } = all;
    expect(failures(schema, allButOne)).toEqual([{ path: `/${field(length - 1)}`, message: 'is required' }]);
  });

  it('in a circle count as asked', () => {
    const schema = object(
      { p: text, q: text },
      { allOf: [when(is('p', '1'), { q: demanded(text) }), when(is('q', '1'), { p: demanded(text) })] },
    );
    expect(failures(schema, { p: '1', q: '1' })).toEqual([]);
    expect(failures(schema, {})).toEqual([]);
  });

  it('in a chain without end are refused', () => {
    const allOf = Array.from({ length: 5_000 }, (_, at) => when(is(field(at), 'go'), { [field(at + 1)]: text }));
    expect(() => failures(object(texts(5_001), { allOf }), {})).toThrow('a chain of more than 100 conditions');
    expect(() => failures(object(texts(5_001), { allOf: allOf.reverse() }), {})).toThrow(SchemaUnusable);
  });

  it('that read each other field many times are read once each', () => {
    const count = 300;
    const shown = Object.fromEntries(Object.keys(texts(count)).map((name) => [name, demanded(text)]));
    const any = { anyOf: Array.from({ length: count }, (_, at) => is(field(at), 'x')) };
    const schema = object(
      { q: text, r: text, ...texts(count) },
      { allOf: [when(is('q', 'yes'), shown), when(any, { r: demanded(text) })] },
    );
    expect(failures(schema, { r: 'x' })).toEqual([
      { path: '/r', message: 'is not allowed: the question that reveals it is not asked' },
    ]);
  });

  it('cannot copy nested schemas without end', () => {
    const large = object({ m: text, ...texts(20_000) }, { required: ['m'] });
    const fields = Object.fromEntries(Object.keys(texts(200)).map((name) => [name, nested('T')]));
    const targets = Object.fromEntries(Object.keys(fields).map((name) => [name, { required: ['m'] }]));
    const schema = object({ q: text, ...fields }, { allOf: [when(is('q', '1'), targets)], nested: { T: large } });
    expect(() => failures(schema, {})).toThrow(SchemaUnusable);
  });

  it('may reach into a schema that holds itself', () => {
    const node = object(
      { k: text, m: text, next: nested('N') },
      { required: ['m'], allOf: [when(is('k', 'go'), { next: { required: ['m'] } })] },
    );
    const schema = object({ first: nested('N') }, { nested: { N: node } });
    expect(failures(schema, { first: { m: 'a', k: 'no', next: {} } })).toEqual([]);
    expect(failures(schema, { first: { m: 'a', k: 'go', next: {} } })).toEqual([
      { path: '/first/next/m', message: 'is required' },
    ]);
  });

  it('hold for objects that are written in place, and reach into the entries of lists', () => {
    const inner = object({ k: text, b: text }, { allOf: [when(is('k', 'go'), { b: demanded(text) })] });
    expect(failures(object({ inner }), { inner: { k: 'go' } })).toEqual([{ path: '/inner/b', message: 'is required' }]);
    const schema = object(
      { q: text, l: { type: 'array', items: nested('T') } },
      {
        allOf: [
          when(is('q', 'yes'), { l: { items: { required: ['m'] } } }, { l: { items: { properties: { m: false } } } }),
        ],
        nested: { T: object({ m: text }, { required: ['m'] }) },
      },
    );
    expect(failures(schema, { l: [{}] })).toEqual([]);
    expect(failures(schema, { q: 'yes', l: [{}] })).toEqual([{ path: '/l/0/m', message: 'is required' }]);
    expect(failures(schema, { l: [{ m: 'x' }] })).toEqual([
      { path: '/l/0/m', message: 'is not allowed unless q is "yes"' },
    ]);
  });

  it('compare constants of nested fields in the type of the field', () => {
    const schema = object(
      { s: nested('S'), b: text },
      { allOf: [when(within('s', is('n', '5')), { b: demanded(text) })], nested: { S: object({ n: number }) } },
    );
    expect(failures(schema, { s: { n: 5 } })).toEqual([{ path: '/b', message: 'is required' }]);
  });

  it('take no word of a policy for one of the engine', () => {
    const schema = object({ a: { ...text, forbiddenField: 'never', answeredFields: 5, decimalMultipleOf: 0 } });
    expect(failures({ ...schema, answeredFields: ['b'], unaskedFields: ['a'] }, { a: 'x' })).toEqual([]);
  });

  it.each([
    [{ allOf: [is('p', '1'), is('q', '2')] }, 'p is "1" and q is "2"'],
    [{ anyOf: [is('p', '1'), is('q', 2)] }, 'p is "1" or q is 2'],
    [within('s', is('k', true)), 's.k is true'],
    [within('a', { contains: { const: 'X' } }), 'a contains "X"'],
    [within('a', { items: { const: 'X' }, minItems: 1 }), 'every entry of a is "X"'],
    [{ not: is('p', '1') }, 'its condition holds'],
  ])('are told in words: %j', (test, words) => {
    const schema = { ...object({ b: text }), allOf: [{ if: test, then: {}, else: { properties: { b: false } } }] };
    expect(failures(schema, { b: 'x', ...(words === 'its condition holds' && { p: '1' }) })).toContainEqual({
      path: '/b',
      message: `is not allowed unless ${words}`,
    });
  });
});
