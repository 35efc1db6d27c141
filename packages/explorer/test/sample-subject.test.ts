import type { JsonObject } from '@blockwork/core';
import { block, policyBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { Random } from '../src/sample-data/random.js';
import { sampleSubject } from '../src/sample-data/sample-subject.js';

const IRI = '#00000000-0000-4000-8000-0000000000bb';

const schema: JsonObject = {
  $id: IRI,
  type: 'object',
  additionalProperties: false,
  required: ['plain', 'kind', 'place'],
  properties: {
    '@context': { readOnly: true },
    type: { type: 'string', readOnly: true },
    id: { type: 'string', readOnly: true },
    plain: { type: 'string', minLength: 20, maxLength: 24 },
    kind: { type: 'string', enum: ['wind', 'sun'] },
    day: { type: 'string', format: 'date' },
    moment: { type: 'string', format: 'date-time' },
    mail: { type: 'string', format: 'email' },
    page: { type: 'string', format: 'url' },
    zip: { type: 'string', pattern: '^\\d{5}(-\\d{4})?$' },
    file: { type: 'string', pattern: '^ipfs://.+' },
    account: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
    share: { type: 'number', minimum: 0.1, maximum: 0.4 },
    count: { type: 'integer', minimum: 3, exclusiveMaximum: 5 },
    step: { type: 'number', multipleOf: 5 },
    flags: { type: 'array', minItems: 2, maxItems: 3, items: { type: 'boolean' } },
    tags: { type: 'array', uniqueItems: true, items: { type: 'string', enum: ['a', 'b'] } },
    place: { $ref: '#place' },
    places: { type: 'array', items: { $ref: '#place' } },
    geometry: { $ref: '#GeoJSON' },
    height: { type: 'number' },
    area: { type: 'number' },
  },
  allOf: [
    {
      if: { properties: { kind: { const: 'wind' } } },
      then: { properties: { height: { type: 'number' } }, required: ['height'] },
      else: { properties: { area: { type: 'number' } }, required: ['area'] },
    },
  ],
  $defs: {
    '#place': {
      $id: '#place',
      type: 'object',
      properties: { type: { readOnly: true }, '@context': { readOnly: true }, name: { type: 'string' } },
      required: ['name'],
      additionalProperties: false,
    },
    '#GeoJSON': {
      $id: '#GeoJSON',
      type: 'object',
      oneOf: [
        {
          type: 'object',
          required: ['type', 'coordinates'],
          properties: {
            type: { type: 'string', enum: ['Point'] },
            coordinates: { type: 'array', minItems: 2, items: { type: 'number' } },
          },
        },
        {
          type: 'object',
          required: ['type', 'coordinates'],
          properties: {
            type: { type: 'string', enum: ['LineString'] },
            coordinates: {
              type: 'array',
              minItems: 2,
              items: { type: 'array', minItems: 2, items: { type: 'number' } },
            },
          },
        },
      ],
    },
  },
};

describe('sample data', () => {
  it('is what the engine accepts, for every seed', async () => {
    const bench = policyBench({
      name: 'Form',
      policyRoles: ['User'],
      schemas: [{ iri: IRI, name: 'Form', document: schema }],
      config: block('interfaceContainerBlock', 'root', {
        children: [
          block('policyRolesBlock', 'choose', { permissions: ['NO_ROLE'], roles: ['User'] }),
          block('requestVcDocumentBlock', 'form', { permissions: ['User'], schema: IRI }),
        ],
      }),
    });
    const user = bench.as('user');
    await user.choose({ role: 'User' });
    for (let seed = 1; seed <= 40; seed += 1) {
      const document = sampleSubject(schema, { random: new Random(seed) });
      await user.send('form', { document, ref: null }).catch((error: unknown) => {
        throw new Error(`seed ${String(seed)}: ${JSON.stringify(document)}`, { cause: error });
      });
    }
    await bench.close();
  });

  it('has the fields that its other values ask for, and no others', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const { kind, height, area } = sampleSubject(schema, { random: new Random(seed) });
      expect([typeof height, typeof area]).toEqual(kind === 'wind' ? ['number', 'undefined'] : ['undefined', 'number']);
    }
  });

  it('takes what is given, and leaves out what only the engine writes', () => {
    const subject = sampleSubject(schema, { random: new Random(1), presets: { plain: 'given' } });
    expect(subject).toMatchObject({ plain: 'given' });
    expect(Object.keys(subject)).not.toContain('id');
  });
});
