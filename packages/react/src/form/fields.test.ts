import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentOf, type FieldKind, fieldsOf, type FormSchema, namesIn, textIn } from './fields.js';

const sent = (properties: NonNullable<FormSchema['properties']>, typed: Record<string, string>): unknown =>
  documentOf(fieldsOf({ properties }), typed);

const sentNumber = (text: string, type: FieldKind = 'number'): unknown =>
  (sent({ amount: { type } }, { amount: text }) as { amount: unknown }).amount;

describe('a number that is typed into a form', () => {
  it('is sent as it was typed', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.nat(5), (digits, places) => {
        const text = (digits / 10 ** places).toFixed(places);
        expect(sentNumber(text)).toBe(Number(text));
      }),
    );
  });

  it.each(['null', 'true', '1e999', '[1]', '"1"', 'twelve', '1,5', '9007199254740993', '0.123456789012345678'])(
    'stays a text for the server to refuse where sending would make something else of it: %s',
    (text) => {
      expect([sentNumber(text), sentNumber(text, 'integer')]).toEqual([text, text]);
    },
  );
});

it('fields of JSON stay a text where a number in them would become another', () => {
  expect(sent({ any: {} }, { any: '{ "amount": 12.50 }' })).toEqual({ any: { amount: 12.5 } });
  expect(sent({ any: {} }, { any: '[9007199254740993]' })).toEqual({ any: '[9007199254740993]' });
});

it('a choice is sent as the schema has it, be it a number or a text', () => {
  const properties = { grade: { enum: [1, 2, 'three'] } };

  expect(fieldsOf({ properties })[0]?.choices).toEqual(['1', '2', 'three']);
  expect(sent(properties, { grade: '2' })).toEqual({ grade: 2 });
  expect(sent(properties, { grade: 'three' })).toEqual({ grade: 'three' });
});

it('a name with a dot is one name', () => {
  expect(sent({ 'a.b': { type: 'string' } }, { 'a.b': 'x' })).toEqual({ 'a.b': 'x' });
});

it('fields that are called like what all objects inherit are fields like others', () => {
  const properties = {
    toString: { properties: { valueOf: { type: 'string' } } },
    hasOwnProperty: { type: 'string' },
    other: { $ref: 'toString', type: 'string' },
  };
  const typed = { 'toString.valueOf': 'a', other: 'b' };
  const expected: Record<string, unknown> = { toString: { valueOf: 'a' }, other: 'b' };
  expect(fieldsOf({ properties }).map(({ path }) => path)).toEqual(['toString.valueOf', 'hasOwnProperty', 'other']);
  const document = sent(properties, typed) as Record<string, unknown>;
  expect(document).toEqual(expected);
  expect(Object.keys(document)).toEqual(Object.keys(expected));
  expect(Object.hasOwn(Reflect.get({}, 'toString') as object, 'valueOf')).toBe(false);
});

describe('a form that begins with values', () => {
  const fields = fieldsOf({
    properties: {
      site: { properties: { name: { type: 'string' }, area: { type: 'number' } } },
      grade: { enum: [1, 2] },
      tags: { type: 'array' },
    },
  });
  const initial = { site: { name: 'Hill', area: 0.30000000000000004 }, grade: 2, tags: ['a'], secret: 'kept' };

  it('shows them, and sends what nobody changed as it was, also where no field shows it', () => {
    expect(fields.map((field) => textIn(initial, field))).toEqual(['Hill', '0.30000000000000004', '2', '["a"]']);
    expect(documentOf(fields, {}, initial)).toEqual(initial);
    expect(documentOf(fields, { 'site.name': 'Roof' }, initial)).toEqual({
      ...initial,
      site: { ...initial.site, name: 'Roof' },
    });
    expect(initial.site.name).toBe('Hill');
  });

  it('sends nothing for a field that is emptied, or was always empty', () => {
    const sent = documentOf(fields, { grade: '', 'site.name': '' }, { grade: 2 });
    expect(JSON.stringify(sent)).toBe('{}');
  });
});

it('the pointer of a problem leads to its field, whatever the name', () => {
  expect(namesIn('/document/site/a~1b~0c')).toEqual(['site', 'a/b~c']);
  expect(namesIn('/site')).toEqual(['site']);
  expect(namesIn('')).toEqual([]);
});

it('no schema has a form write into what all objects share', () => {
  const hostile = JSON.parse(
    '{"__proto__": {"properties": {"polluted": {"type": "string"}}}, "constructor": {"properties": {"polluted": {"type": "string"}}}}',
  ) as NonNullable<FormSchema['properties']>;

  expect(fieldsOf({ properties: hostile })).toEqual([]);
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
});
