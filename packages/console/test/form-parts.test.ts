/** Forms of nested schemas: what the form library sees of them, and what is filled in and checked without it. */
import { createSchemaUtils, type RJSFSchema } from '@rjsf/utils';
import { describe, expect, it } from 'vitest';
import { formParts } from '../app/page/form/form-parts.js';
import { schemaValidator } from '../app/page/form/form-validator.js';

type Values = Record<string, unknown>;

const object = (properties: RJSFSchema['properties'], more: RJSFSchema = {}): RJSFSchema => ({
  type: 'object',
  properties,
  ...more,
});
const part = (key: string): RJSFSchema => ({ $ref: `#/definitions/${key}`, title: key, description: '' });
const text: RJSFSchema = { type: 'string' };

/** Schemas within each other, each of which a condition names again: `depth` of them, and then one with a field `x`. */
function nested(depth: number): RJSFSchema {
  const level = (at: number): RJSFSchema => {
    const next = { next: part(`d${String(at + 1)}`) };
    const condition = {
      if: { properties: { choice: { const: 'Yes' } } },
      then: { properties: next, required: ['next'] },
    };
    return object({ choice: text, ...next }, { required: ['choice'], allOf: [condition] });
  };
  const definitions = Object.fromEntries(
    Array.from({ length: depth - 1 }, (_, at) => [`d${String(at + 1)}`, level(at + 1)]),
  );
  return { ...level(0), definitions: { ...definitions, [`d${String(depth)}`]: object({ x: { type: 'number' } }) } };
}

describe('the parts of a form', () => {
  it('are only names for the form library, in conditions as well', () => {
    const { outline, validator } = formParts(nested(3));
    const utils = createSchemaUtils<Values>(validator, outline);
    const { next } = utils.retrieveSchema(outline, {}).properties ?? {};
    expect(next).toMatchObject({ title: 'd1' });
    expect(next).not.toHaveProperty('properties');
    expect(Object.values(outline.definitions ?? {})).toEqual([{}, {}, {}].map(() => ({ title: undefined })));
  });

  it('are the nested schema, with what the field says of it', () => {
    const site = object({ name: text }, { title: 'Site', required: ['name'] });
    const { schemaOf } = formParts({ ...object({ at: part('site') }), definitions: { site } });
    const field = { ...part('site'), title: 'Where', required: ['city'], properties: { city: text } };
    expect(schemaOf(field)).toEqual({
      ...{ type: 'object', title: 'Where', description: '', required: ['name', 'city'] },
      properties: { name: text, city: text },
    });
    expect(schemaOf(text)).toEqual(text);
  });

  it('are closed in long forms, but for small ones, and in no others', () => {
    const fields = (count: number): RJSFSchema =>
      object(Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${String(at)}`, text])));
    const form = (count: number): RJSFSchema => ({
      ...object({ large: part('large'), small: part('small') }),
      definitions: { large: fields(count - 5), small: fields(5) },
    });
    const long = formParts(form(150));
    expect([long.isFolded(part('large')), long.isFolded(part('small')), long.isFolded(text)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(formParts(form(149)).isFolded(part('large'))).toBe(false);
  });

  it('are closed where a schema is within itself, which has no end', () => {
    const person = object({ name: text, parent: part('person') });
    const { isFolded, fill } = formParts({ ...object({ who: part('person') }), definitions: { person } });
    expect(isFolded(part('person'))).toBe(true);
    expect(fill({ who: { parent: {} } })).toEqual({ who: { parent: {} } });
  });
});

describe('a form fills in', () => {
  const site = object(
    {
      name: text,
      isOpen: { type: 'boolean' },
      unit: { ...text, default: 'kWh' },
      meters: { type: 'array', items: part('meter') },
    },
    { required: ['name', 'isOpen', 'meters'] },
  );
  const meter = object(
    { kind: { enum: ['A', 'B'], default: 'A' }, no: text, tags: { type: 'array', items: text } },
    { allOf: [{ if: { properties: { no: { const: '1' } } }, then: { required: ['tags'] } }] },
  );
  const whole = {
    ...object({ site: part('site'), other: part('site') }),
    required: ['site'],
    definitions: { site, meter },
  };
  const { fill } = formParts(whole);
  const inSite = { isOpen: false, unit: 'kWh', meters: [] };

  it('defaults, required lists and yes or no at every level', () => {
    expect(fill({})).toEqual({ site: inSite, other: inSite });
  });

  it('what is missing, and replaces nothing', () => {
    const values = {
      site: { name: 'Hill', isOpen: true, unit: undefined, meters: [{ no: '7' }] },
      other: inSite,
      more: 1,
    };
    const filled = fill(values);
    expect(filled).toEqual({ ...values, site: { ...values.site, meters: [{ no: '7', kind: 'A' }] } });
    expect(filled['site']).toHaveProperty('unit', undefined);
    expect(fill(filled)).toBe(filled);
  });

  it('of an item that was just added, what its conditions say as well', () => {
    const values = { site: { ...inSite, meters: [undefined, { no: '2' }] }, other: inSite };
    const { meters } = fill(values)['site'] as { readonly meters: unknown[] };
    expect(meters).toEqual([
      { kind: 'A', tags: [] },
      { kind: 'A', no: '2' },
    ]);
  });

  it('the default in place of what is no choice any more', () => {
    const { meters } = fill({ site: { meters: [{ kind: 'C' }] } })['site'] as { readonly meters: unknown[] };
    expect(meters).toEqual([{ kind: 'A' }]);
  });
});

describe('a check of a form', () => {
  /** How often the innermost value is looked at. */
  const looksAt = (depth: number): number => {
    let looks = 0;
    let values: Values = {
      get x() {
        looks += 1;
        return 'no number';
      },
    };
    for (let at = 0; at < depth; at += 1) values = { choice: 'Yes', next: values };
    const { validator, outline } = formParts(nested(depth));
    const { errors } = validator.validateFormData(values, outline);
    expect(errors.map(({ property }) => property)).toEqual([`${'/next'.repeat(depth)}/x`]);
    return looks;
  };

  it('looks at each value as often, however deep it is', () => {
    expect(looksAt(14)).toBe(looksAt(2));
  });

  it('finds in parts what it finds in the schema as a whole', () => {
    const schema = nested(4);
    const { validator, outline } = formParts(schema);
    const errorsOf = (values: Values): unknown => validator.validateFormData(values, outline).errorSchema;
    for (const values of [{}, { choice: 'No' }, { choice: 'Yes', next: { choice: 'Yes', next: {} } }])
      expect(errorsOf(values)).toEqual(schemaValidator.validateFormData(values, schema).errorSchema);
    expect(errorsOf({ choice: 'Yes' })).toEqual({ next: { __errors: ['This field is required.'] } });
  });
});
