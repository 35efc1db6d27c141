/** Forms from the JSON schemas of credentials. */
import { describe, expect, it } from 'vitest';
import { errorTree, formSchema } from '../app/page/form/form-schema.js';
import { formUi } from '../app/page/form/form-ui.js';
import { schemaValidator } from '../app/page/form/form-validator.js';

const document = {
  $id: '#a',
  type: 'object',
  required: ['@context', 'site', 'meter'],
  additionalProperties: false,
  properties: {
    '@context': { type: 'string', readOnly: true },
    type: { type: 'string', readOnly: true },
    site: { title: 'field0', description: 'Name of the site', type: 'string', $comment: '{}' },
    secret: { type: 'string' },
    meter: { $ref: '#meter' },
  },
  $defs: {
    '#meter': {
      $id: '#meter',
      type: 'object',
      required: ['id', 'serial'],
      properties: { id: { type: 'string' }, serial: { title: 'Serial', type: 'number' } },
    },
  },
} as const;

describe('the schema of a form', () => {
  const schema = formSchema(document as never, ['secret']);

  it('has what a person fills in, and not what the server does or the form hides', () => {
    expect(Object.keys(schema.properties ?? {})).toEqual(['site', 'meter']);
    expect(schema.required).toEqual(['site', 'meter']);
  });

  it('labels a field with its description, which is written for people', () => {
    expect(schema.properties?.['site']).toMatchObject({ title: 'Name of the site', type: 'string' });
  });

  it('finds nested schemas, which refer to each other by names that are no pointers', () => {
    expect(schema.properties?.['meter']).toMatchObject({ $ref: '#/definitions/d0' });
    expect(schema.definitions?.['d0']).toMatchObject({ required: ['serial'] });
  });

  it('has what conditions add, without what the server does', () => {
    const isYes = { properties: { metered: { const: 'Yes' } }, required: ['metered'] };
    const adds = { properties: { meter: { $ref: '#meter' }, ref: { type: 'string' } }, required: ['meter', 'ref'] };
    const conditional = { ...document, allOf: [{ if: isYes, then: adds, else: { required: ['site', 'id'] } }] };
    expect(formSchema(conditional as never, []).allOf).toEqual([
      {
        if: isYes,
        then: { properties: { meter: { $ref: '#/definitions/d0', description: '' } }, required: ['meter'] },
        else: { required: ['site'] },
      },
    ]);
  });

  it('has a text for a value of a list that is kept elsewhere, whose address is no definition', () => {
    const listed = { type: 'string', $ref: 'ipfs://list', description: 'Country' };
    const { properties } = formSchema({ properties: { country: listed } } as never, []);
    expect(properties).toEqual({ country: { type: 'string', title: 'Country' } });
  });

  it('has a field for places, which are one of several kinds of objects', () => {
    const place = { type: 'object', title: 'GeoJSON', oneOf: [{ properties: { type: { enum: ['Point'] } } }] };
    const withPlace = { properties: { at: { $ref: '#GeoJSON' } }, $defs: { '#GeoJSON': place } } as never;
    expect(formSchema(withPlace, []).definitions).toEqual({ d0: { title: 'GeoJSON' } });
    const ui = { '#/definitions/d0': { 'ui:field': 'place' } };
    expect(formUi(withPlace, 'Send', [])['ui:definitions']).toEqual(ui);
  });

  it('is checked without making code: each problem is at its field', () => {
    const { errors, errorSchema } = schemaValidator.validateFormData({ site: 1, meter: {} }, schema);
    expect(errors.map(({ property }) => property)).toContain('/site');
    expect(errorSchema).toMatchObject({
      site: { __errors: [expect.any(String)] },
      meter: { serial: { __errors: [expect.any(String)] } },
    });
    expect(schemaValidator.validateFormData({ site: 'Roof', meter: { serial: 1 } }, schema).errors).toEqual([]);
  });
});

it('what the server refuses stands at the field that it names', () => {
  const tree = errorTree([
    { path: '/document/site', message: 'is too long' },
    { path: '/document/meter/serial', message: 'must be a number' },
    { path: '', message: 'is not signed' },
  ]);
  expect(tree).toEqual({
    __errors: ['is not signed'],
    site: { __errors: ['is too long'] },
    meter: { serial: { __errors: ['must be a number'] } },
  });
});

it('what the server refuses of fields that are called like what all objects inherit stands there, and nowhere else', () => {
  const names = ['toString', 'constructor', '__proto__'];
  const details = names.flatMap((name) => [
    { path: `/document/${name}`, message: 'is wrong' },
    { path: `/document/${name}/inner`, message: 'is missing' },
  ]);
  const tree = errorTree(details) as Record<string, unknown>;
  expect(Object.keys(tree)).toEqual(names);
  for (const name of names)
    expect(Object.getOwnPropertyDescriptor(tree, name)?.value).toEqual({
      __errors: ['is wrong'],
      inner: { __errors: ['is missing'] },
    });
  expect('inner' in {}).toBe(false);
});

describe('the check of a form', () => {
  const asks = { if: { properties: { a: { const: 'Yes' } } }, then: { properties: { b: { type: 'number' } } } };

  it('takes a field that was emptied for one that is not there', () => {
    const values = { a: undefined, list: [{ b: undefined }, 1], more: { c: undefined } };
    expect(schemaValidator.isValid(asks.if as never, values, {})).toBe(true);
    const schema = { required: ['a'], properties: { list: {}, more: { required: ['c'] } } } as never;
    const { errors } = schemaValidator.validateFormData(values, schema);
    expect(errors.map(({ property }) => property)).toEqual(['/a', '/more/c']);
  });

  it('says once what a schema and its conditions ask of a field, and nothing of the conditions', () => {
    const schema = { properties: { b: { type: 'number' } }, allOf: [asks, asks] };
    const { errors } = schemaValidator.validateFormData({ a: 'Yes', b: 'x' }, schema as never);
    expect(errors.map(({ property, message }) => [property, message])).toEqual([
      ['/b', expect.stringMatching(/^This has the wrong type/)],
    ]);
  });
});
