import type { JsonObject } from '@blockwork/core/block';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { farmDocument } from '../../test/farm-schemas.js';
import { DIFFERENT_ITEMS, FAILURES, FORMATTED_CHARACTERS } from './limits.js';
import { SchemaUnusable } from './schema-unusable.js';
import { failuresOf } from './validators.js';

const farm = { type: 'x', '@context': ['y'], name: 'North field' };
const failures = (schema: unknown, value: unknown): unknown[] =>
  failuresOf(schema as JsonObject, value as JsonObject, '');

describe('a check against a schema', () => {
  it('lets pass what is as the schema wants it', () => {
    expect(failures(farmDocument, { ...farm, area: 1.5, since: '2023-01-15', account: '0.0.7' })).toEqual([]);
  });

  it('finds everything that is wrong, each with its place', () => {
    const value = { ...farm, name: 5, area: 'x', since: 'yesterday', account: 'mine', 'a/b': 1, address: {} };
    expect(failuresOf(farmDocument, value, '/document')).toEqual([
      { path: '/document/a~1b', message: 'is not known here' },
      { path: '/document/name', message: 'must be string' },
      { path: '/document/area', message: 'must be number' },
      { path: '/document/since', message: 'must match format "date"' },
      { path: '/document/account', message: 'must match pattern "^\\d+\\.\\d+\\.\\d+$"' },
      { path: '/document/address/city', message: 'is required' },
    ]);
  });

  it('never requires what is read-only, at any level', () => {
    expect(failures(farmDocument, { name: 'n', address: { city: 'Kyiv' } })).toEqual([]);
    expect(failures(farmDocument, {})).toEqual([{ path: '/name', message: 'is required' }]);
  });

  it('honours conditions', () => {
    const schema = {
      type: 'object',
      properties: { country: { type: 'string' }, zip: { type: 'string' } },
      allOf: [{ if: { properties: { country: { const: 'US' } } }, then: { required: ['zip'] } }],
    };
    expect(failures(schema, { country: 'US' })).toEqual([{ path: '/zip', message: 'is required' }]);
    expect(failures(schema, { country: 'FR' })).toEqual([]);
  });

  it('names the values of an enumeration', () => {
    const schema = { properties: { season: { enum: ['Heating', 'Cooling'] } } };
    expect(failures(schema, { season: 'x' })).toEqual([
      { path: '/season', message: 'must be one of "Heating", "Cooling"' },
    ]);
  });

  describe('of a value of one of several kinds', () => {
    const geometry = (type: string, coordinates: object): object => ({
      type: 'object',
      required: ['type', 'coordinates'],
      properties: { type: { type: 'string', enum: [type] }, coordinates },
    });
    const position = { type: 'array', minItems: 2, items: { type: 'number' } };
    const geometries = [geometry('Point', position), geometry('LineString', { type: 'array', items: position })];
    const feature = {
      type: 'object',
      required: ['type', 'geometry'],
      properties: { type: { const: 'Feature' }, geometry: { oneOf: [{ type: 'null' }, ...geometries] } },
    };
    const $defs = { '#GeoJSON': { $id: '#GeoJSON', type: 'object', oneOf: [...geometries, feature] } };
    const schema = { type: 'object', $defs, properties: { at: { $ref: '#GeoJSON' } } };
    const wrong = (at: unknown) => failures(schema, { at });

    it('says what is wrong with the kind that it says it is', () => {
      expect(wrong({ type: 'Point', coordinates: [1, 'x'] })).toEqual([
        { path: '/at/coordinates/1', message: 'must be number' },
      ]);
      expect(wrong({ type: 'LineString' })).toEqual([{ path: '/at/coordinates', message: 'is required' }]);
      expect(wrong({ type: 'Feature', geometry: { type: 'Point', coordinates: [1] } })).toEqual([
        { path: '/at/geometry/coordinates', message: 'must NOT have fewer than 2 items' },
      ]);
    });

    it('names the kinds that there are, where it is none of them or does not say', () => {
      const type = { path: '/at/type', message: 'must be one of "Point", "LineString", "Feature"' };
      expect(wrong({ type: 'Pint', coordinates: [1, 2] })).toEqual([type]);
      expect(wrong({ coordinates: [1, 2] })).toEqual([{ path: '/at/type', message: 'is required' }]);
      expect(wrong('Kyiv')).toEqual([{ path: '/at', message: 'must be object' }]);
      expect(wrong({ type: 'Point', coordinates: [1, 2] })).toEqual([]);
    });

    it('keeps the failures of every alternative where nothing tells them apart', () => {
      const either = { oneOf: [{ type: 'string', minLength: 3 }, { type: 'number' }] };
      expect(failures({ properties: { either } }, { either: 'ab' })).toEqual([
        { path: '/either', message: 'must NOT have fewer than 3 characters' },
      ]);
      expect(failures({ properties: { either } }, { either: true })).toEqual([
        { path: '/either', message: 'must be string' },
        { path: '/either', message: 'must be number' },
        { path: '/either', message: 'must match exactly one schema in oneOf' },
      ]);
      const some = { anyOf: [{ required: ['a'] }, { required: ['b'] }] };
      expect(failures(some, {})).toEqual([
        { path: '/a', message: 'is required' },
        { path: '/b', message: 'is required' },
        { path: '', message: 'must match a schema in anyOf' },
      ]);
    });

    it('works through thousands of values that fit nothing', () => {
      const list = Array.from({ length: 20_000 }, () => ({ type: 'Pint' }));
      const failed = failures({ properties: { list: { items: { oneOf: geometries } } } }, { list });
      expect(failed[0]).toEqual({ path: '/list/0/coordinates', message: 'is required' });
    });
  });

  it('lists a bounded number of failures', () => {
    const schema = { additionalProperties: { type: 'string' } };
    const value = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`field${String(at)}`, at]));
    expect(failures(schema, value)).toHaveLength(FAILURES);
  });

  it('does not take the members of every object for fields', () => {
    const schema = {
      type: 'object',
      properties: {},
      required: ['toString', 'constructor'],
      additionalProperties: false,
    };
    expect(failures(schema, {})).toHaveLength(2);
    expect(failures(schema, JSON.parse('{"__proto__": 1}'))).toContainEqual({
      path: '/__proto__',
      message: 'is not known here',
    });
  });
});

describe('a schema that means harm', () => {
  it('cannot keep the engine busy with a pattern', () => {
    const schema = { properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
    expect(failures(schema, { text: `${'a'.repeat(50_000)}!` })).toHaveLength(1);
    expect(failures(schema, { text: 'a'.repeat(50_000) })).toEqual([]);
  });

  it.each([
    ['^[\\u0400-\\u04FF]+$', 'Ѐя', 'abc'],
    ['^\\u{1F600}$', '😀', 'u{1F600}'],
    ['^\\\\u0400$', '\\u0400', 'Ѐ'],
  ])('matches the code points of %s', (pattern, text, other) => {
    const schema = { properties: { text: { type: 'string', pattern } } };
    expect(failures(schema, { text })).toEqual([]);
    expect(failures(schema, { text: other })).toHaveLength(1);
  });

  it('is refused for a pattern that only backtracking can match', () => {
    const schema = { properties: { text: { pattern: '^(?=a)\\w+$' } } };
    expect(() => failures(schema, { text: 'a' })).toThrow(SchemaUnusable);
  });

  it('is refused where it refers to anything but its own definitions', () => {
    for (const $ref of ['https://example.org/schema.json', 'file:///etc/passwd', '#other', '#/properties/a', 5]) {
      expect(() => failures({ properties: { a: { $ref } } }, {})).toThrow('not among its own definitions');
    }
  });

  it('takes any value of the type where the choices of a field stand in a file elsewhere', () => {
    const schema = { properties: { kind: { type: 'string', $ref: 'ipfs://bafkreidlqappxmtwup2cyd6zodgf4mb5' } } };
    expect(failures(schema, { kind: 'wind' })).toEqual([]);
    expect(failures(schema, { kind: 5 })).toHaveLength(1);
  });

  it('has a pattern of its own for each field', () => {
    const schema = { properties: { zip: { pattern: '^\\d{5}$' }, file: { pattern: '^ipfs://.+' } } };
    expect(failures(schema, { zip: '12345', file: 'ipfs://a' })).toEqual([]);
    expect(failures(schema, { zip: '12345', file: '12345' })).toHaveLength(1);
  });

  it('cannot multiply itself by references', () => {
    const level = (at: number): unknown => ({ allOf: [{ $ref: `#l${String(at)}` }, { $ref: `#l${String(at)}` }] });
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`#l${String(at)}`, at === 39 ? { type: 'object' } : level(at + 1)]),
    );
    expect(() => failures({ ...(level(0) as object), $defs }, {})).toThrow('takes too long');
  });

  it('cannot go round in circles', () => {
    expect(() => failures({ allOf: [{ $ref: '#' }] }, {})).toThrow('takes too long');
    expect(() => failures({ $defs: { '#a': { $ref: '#b' }, '#b': { $ref: '#a' } }, $ref: '#a' }, {})).toThrow(
      'takes too long',
    );
  });

  it('may describe what holds itself', () => {
    const schema = { properties: { next: { $ref: '#' }, name: { type: 'string' } } };
    expect(failures(schema, { next: { next: { name: 5 } } })).toEqual([
      { path: '/next/next/name', message: 'must be string' },
    ]);
  });

  it('is refused when it is too deep or too long, or no schema', () => {
    let deep: unknown = {};
    for (let at = 0; at < 300; at += 1) deep = { properties: { a: deep } };
    expect(() => failures(deep, {})).toThrow('deeper');
    expect(() => failures({ enum: ['x'.repeat(2_000_000)] }, {})).toThrow('longer');
    for (const bad of [{ type: 'text' }, { properties: [] }, { allOf: {} }, { required: 'a' }, { not: 5 }]) {
      expect(() => failures(bad, {})).toThrow(SchemaUnusable);
    }
  });

  it('bounds lists whose elements are compared with each other, and texts that have a format', () => {
    const list = Array.from({ length: DIFFERENT_ITEMS + 1 }, (_, at) => ({ at }));
    expect(failures({ properties: { list: { uniqueItems: true } } }, { list })).toHaveLength(1);
    const url = `https://example.org/${'a'.repeat(FORMATTED_CHARACTERS)}`;
    expect(failures({ properties: { url: { type: 'string', format: 'url' } } }, { url })).toHaveLength(1);
  });

  it('either works or is refused, whatever it is', () => {
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof({ maxDepth: 3, withCrossShrink: true }, fc.boolean(), tie('object')),
      object: fc.record(
        {
          type: fc.constantFrom('string', 'object', 'array', 'number', 'nothing'),
          properties: fc.dictionary(fc.string(), tie('schema'), { maxKeys: 3 }),
          items: tie('schema'),
          allOf: fc.array(tie('schema'), { maxLength: 2 }),
          pattern: fc.string(),
          format: fc.constantFrom('url', 'email', 'date', 'regex', 'made-up'),
          required: fc.array(fc.string()),
          $ref: fc.constantFrom('#', '#a', 'https://x'),
          enum: fc.array(fc.jsonValue()),
          minimum: fc.oneof(fc.integer(), fc.string()),
        },
        { requiredKeys: [] },
      ),
    }));
    fc.assert(
      fc.property(schema, fc.dictionary(fc.string(), fc.jsonValue()), (written, value) => {
        const document = typeof written === 'boolean' ? {} : written;
        try {
          expect(Array.isArray(failures(document, value))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(SchemaUnusable);
        }
      }),
      { numRuns: 200 },
    );
  });
});
