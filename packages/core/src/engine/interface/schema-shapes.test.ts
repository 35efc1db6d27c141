import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../records/index.js';
import { SchemaShapes } from './schema-shapes.js';

const described = (...schemas: [iri: string, name: string, document: JsonObject | null][]) => {
  const shapes = new SchemaShapes(schemas.map(([id, name, document]) => ({ id, name, document })));
  const reference = shapes.referring({ properties: { it: { $ref: schemas[0]?.[0] ?? '' } } });
  return { reference, named: shapes.named() };
};

describe('the schemas of a policy, as what somebody fills in', () => {
  it('lack what the server writes, at each level', () => {
    const { named } = described([
      '#a',
      'Farm',
      {
        properties: {
          id: { type: 'string' },
          '@context': {},
          seen: { type: 'boolean', readOnly: true },
          name: { type: 'string' },
          field: { type: 'object', properties: { ref: {}, size: { type: 'number' } }, required: ['ref', 'size'] },
        },
        required: ['@context', 'seen', 'name', 'name'],
      },
    ]);
    expect(named).toEqual({
      Farm: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          field: { type: 'object', properties: { size: { type: 'number' } }, required: ['size'] },
        },
        required: ['name'],
      },
    });
  });

  it('keep what an object of one of several kinds says about itself, as GeoJSON does', () => {
    const point = {
      type: 'object',
      properties: { type: { enum: ['Point'] }, coordinates: { type: 'array' } },
      required: ['type', 'coordinates'],
    };
    const feature = { type: 'object', properties: { id: {}, geometry: { oneOf: [{ type: 'null' }, point] } } };
    const { named } = described(
      ['#a', 'Farm', { properties: { type: {}, place: { $ref: '#GeoJSON' } }, allOf: [{ required: ['type'] }] }],
      ['#GeoJSON', 'GeoJSON', { type: 'object', oneOf: [point, feature] }],
    );
    expect(named).toEqual({
      Farm: { type: 'object', properties: { place: { $ref: '#/$defs/GeoJSON' } }, allOf: [{}] },
      GeoJSON: { type: 'object', oneOf: [point, feature] },
    });
  });

  it('refer to each other by names, also in circles, and each is there once', () => {
    const { reference, named } = described(
      ['#a', 'Farm (2024)', { properties: { fields: { type: 'array', items: { $ref: '#b', title: 'Plot' } } } }],
      ['#b', 'field', { properties: { farm: { $ref: '#a' }, inner: { $ref: '#c' }, gone: { $ref: '#x' } } }],
      ['#unused', 'Unused', {}],
      ['#d', 'x', { $defs: { '#c': { $id: '#c', title: '2nd', properties: { b: { $ref: '#b' } } } } }],
    );
    expect(reference).toEqual({ properties: { it: { $ref: '#/$defs/Farm2024' } } });
    expect(named).toEqual({
      Document2nd: { type: 'object', title: '2nd', properties: { b: { $ref: '#/$defs/Field' } } },
      Farm2024: {
        type: 'object',
        properties: { fields: { type: 'array', items: { $ref: '#/$defs/Field', title: 'Plot' } } },
      },
      Field: {
        type: 'object',
        properties: { farm: { $ref: '#/$defs/Farm2024' }, inner: { $ref: '#/$defs/Document2nd' }, gone: {} },
      },
    });
  });

  it('get different names where their own are the same, or have no letters of the alphabet', () => {
    const refs = { oneOf: [{ $ref: '#b' }, { $ref: '#c' }, { $ref: '#d' }] };
    const { named } = described(['#a', 'Farm', refs], ['#b', 'farm', {}], ['#c', 'Хозяйство', {}], ['#d', '', {}]);
    expect(Object.keys(named)).toEqual(['Document', 'Document_2', 'Farm', 'Farm_2']);
  });

  it('keep only keywords that are well-formed, so that they are JSON Schemas', () => {
    const { named } = described([
      '#a',
      'Farm',
      {
        type: 'farm',
        description: 5,
        required: 'all',
        properties: {
          choice: { type: 'string', enum: [], pattern: '(', format: 7, minLength: -1, maxLength: 3, multipleOf: 0 },
          list: { type: ['string', 'null'], items: 'x', $comment: 'c', unknown: 1, default: 0 },
          values: { type: 'string', $ref: 'ipfs://values' },
          odd: true,
        },
        allOf: [{ if: { properties: { choice: { const: null } } }, then: { required: ['list'] } }],
        anyOf: [],
      },
    ]);
    expect(named['Farm']).toEqual({
      type: 'object',
      properties: {
        choice: { type: 'string', maxLength: 3 },
        list: { type: ['string', 'null'], default: 0 },
        values: { type: 'string' },
        odd: {},
      },
      allOf: [{ if: { properties: { choice: { const: null } } }, then: { required: ['list'] } }],
    });
  });

  it('keep conditions that look into lists, and what they forbid', () => {
    const contains = { properties: { kinds: { contains: { const: 'solar' } } }, required: ['kinds'] };
    const condition = {
      if: contains,
      then: { properties: { panel: { type: 'string' } } },
      else: { properties: { panel: false } },
    };
    const { named } = described(['#a', 'Plant', { properties: {}, allOf: [condition] }]);
    expect(named).toMatchObject({ Plant: { allOf: [condition] } });
  });

  it('may be thousands that refer to one another in a row', () => {
    const { named } = described(
      ...Array.from({ length: 20_000 }, (_, n): [string, string, JsonObject] => [
        `#${n}`,
        `S${n}`,
        { properties: { next: { $ref: `#${n + 1}` } } },
      ]),
    );
    expect(Object.keys(named)).toHaveLength(20_000);
  });
});
