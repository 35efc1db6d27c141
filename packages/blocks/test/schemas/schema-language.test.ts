/** What documents the schemas of the reference's newest editor accept and refuse, case by case. */
import type { JsonObject } from '@blockwork/core/block';
import { describe, expect, it } from 'vitest';
import { failuresOf } from '../../src/schemas/validators.js';
import {
  commented,
  demanded,
  is,
  list,
  nested,
  number,
  object,
  text,
  when,
  within,
} from '../../../../test/support/written-schemas.js';

interface Case {
  readonly name: string;
  readonly schema: JsonObject;
  readonly valid: readonly unknown[];
  readonly invalid: readonly unknown[];
}

/** A schema of one field, and values of that field. */
const ofField = (
  name: string,
  field: JsonObject,
  { valid = [], invalid = [] }: { readonly valid?: readonly unknown[]; readonly invalid?: readonly unknown[] },
): Case => ({
  name,
  schema: object({ a: field }),
  valid: valid.map((a) => ({ a })),
  invalid: invalid.map((a) => ({ a })),
});

const choice = (...values: string[]): JsonObject => ({ type: 'string', enum: values });
const place = (customType: string, on?: string): JsonObject =>
  commented(text, { customType, ...(on !== undefined && { dependency: { on, kind: 'geo' } }) });
const b = demanded(text);
const yes = is('q', 'yes');
const older = {
  if: { properties: { q: { const: 'yes' } } },
  then: { properties: { b: text }, required: ['b'] },
};
const chain = [
  when(yes, { b: text }, { b: false }),
  when(is('b', 'deep'), { c: demanded(text), d: false }, { d: demanded(text), c: false }),
];
const crossing = when(within('s', is('k', 'go')), { t: { required: ['m'] } }, { t: { properties: { m: false } } });
const perEntry = object({ k: text, b: text }, { allOf: [when(is('k', 'go'), { b }, { b: false })] });

const fields: readonly Case[] = [
  { ...ofField('a choice', choice('A', 'B'), { valid: ['A'], invalid: ['a', ''] }), valid: [{ a: 'A' }, {}] },
  {
    name: 'several choices, required',
    schema: object({ a: list(choice('A', 'B')) }, { required: ['a'] }),
    valid: [{ a: ['A', 'B'] }, { a: [] }],
    invalid: [{ a: ['C'] }, { a: 'A' }, {}],
  },
  ofField('a number with a unit', commented(number, { unit: 'kg', unitSystem: 'postfix' }), {
    valid: [1.5],
    invalid: ['1.5 kg'],
  }),
  ofField('a choice with a unit', commented(choice('1', '2'), { unit: 'MW', unitSystem: 'postfix' }), {
    valid: ['1'],
    invalid: [1],
  }),
  {
    name: 'a required list of objects',
    schema: object(
      { l: list(nested('S')) },
      { required: ['l'], nested: { S: object({ a: text }, { required: ['a'] }) } },
    ),
    valid: [{ l: [{ a: '1' }] }, { l: [] }],
    invalid: [{ l: [{}] }, {}, { l: { a: '1' } }],
  },
  {
    name: 'an optional object with a required field',
    schema: object({ s: nested('S') }, { nested: { S: object({ a: text }, { required: ['a'] }) } }),
    valid: [{}],
    invalid: [{ s: {} }, { s: null }],
  },
  {
    name: 'an object whose fields of the server are required',
    schema: object(
      { s: nested('S') },
      { nested: { S: object({ policyId: { ...text, readOnly: true }, a: text }, { required: ['policyId', 'a'] }) } },
    ),
    valid: [{ s: { a: '1' } }],
    invalid: [{ s: {} }],
  },
  ofField(
    'a multiple, in decimals',
    { type: 'number', multipleOf: 0.01 },
    {
      valid: [0.1, 0.07, 1.15, 19.99, 1e21, -0.3],
      invalid: [0.075, 1e-12, 19.999],
    },
  ),
  ofField('bounds', { type: 'number', minimum: 0, exclusiveMaximum: 100 }, { valid: [0], invalid: [100, -0.1] }),
  ofField(
    'a pattern with code points',
    { ...text, pattern: '^[\\u0400-\\u04FF]+$' },
    {
      valid: ['Привет'],
      invalid: ['Hi'],
    },
  ),
  ofField(
    'a pattern that only forms of the reference accept',
    { ...text, pattern: '^\\d+\\-\\d+$' },
    {
      valid: ['1-2'],
      invalid: ['12'],
    },
  ),
  ofField(
    'a pattern that is not anchored',
    { ...text, pattern: '\\d{5}(-\\d{4})?' },
    {
      valid: ['x12345x'],
      invalid: ['1234'],
    },
  ),
  ofField(
    'an image',
    { ...text, pattern: '^ipfs:\\/\\/.+' },
    {
      valid: ['ipfs://bafy'],
      invalid: ['https://ipfs.io/ipfs/bafy'],
    },
  ),
  ofField(
    'a time, whose zone is optional',
    { ...text, format: 'time' },
    {
      valid: ['12:30:00', '12:30:00Z', '12:30:00.5', '12:30:00+02:00'],
      invalid: ['12:30', '25:00:00'],
    },
  ),
  ofField(
    'a date and time, whose zone is optional',
    { ...text, format: 'date-time' },
    {
      valid: ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05', '2024-01-02T03:04:05.000Z'],
      invalid: ['2024-02-30T00:00:00Z', '2024-02-30T00:00:00', '2024-01-02'],
    },
  ),
  {
    ...ofField('a date', { ...text, format: 'date' }, { invalid: ['', '2023-02-29', '2024-1-2'] }),
    valid: [{ a: '2024-02-29' }, {}],
  },
  ofField('a duration', { ...text, format: 'duration' }, { valid: ['P1Y1D', 'P2W'], invalid: ['1 day', 'P1.5D'] }),
  ofField('a URL', { ...text, format: 'url' }, { valid: ['https://example.com'], invalid: ['http://localhost:3000'] }),
  ofField('an email address', { ...text, format: 'email' }, { valid: ['a@b.co'], invalid: ['a@b'] }),
  { ...ofField('a help text', { type: 'null' }, { invalid: [''] }), valid: [{}, { a: null }] },
  {
    name: 'a help text that is required',
    schema: object({ h: { type: 'null' } }, { required: ['h'] }),
    valid: [{ h: null }],
    invalid: [{}],
  },
  { ...ofField('a hidden field', commented({ ...number, default: 1 }, { hidden: true }), {}), valid: [{}, { a: 1 }] },
  {
    name: 'a field that calculates itself, whose value is taken as it is sent',
    schema: object({ x: number, a: commented(number, { autocalculate: true, expression: 'x*2' }) }),
    valid: [{ x: 2, a: 4 }, { x: 2, a: 99 }, {}],
    invalid: [{ x: 2, a: 't' }],
  },
  ofField('choices in a file elsewhere', { ...text, $ref: 'ipfs://bafy' }, { valid: ['anything'], invalid: [5] }),
  ofField('an account', commented({ ...text, pattern: '^\\d+\\.\\d+\\.\\d+$' }, { customType: 'hederaAccount' }), {
    valid: ['0.0.123'],
    invalid: ['0.0.x'],
  }),
  { name: 'an unknown member', schema: object({ a: text }), valid: [{ a: 'x' }], invalid: [{ a: 'x', zz: 1 }] },
  ofField('unknown keywords', { ...text, 'x-note': 'kept', templateFieldId: 'f1' }, { valid: ['x'], invalid: [1] }),
  ofField(
    'keywords of later drafts',
    { type: 'array', prefixItems: [text], unevaluatedProperties: false },
    {
      valid: [[1]],
      invalid: ['x'],
    },
  ),
  ofField('an integer', { type: 'integer' }, { valid: [2, 2.0], invalid: [2.5, '2'] }),
  {
    name: 'places that depend on each other',
    schema: object({
      continent: place('continent'),
      country: place('country', 'continent'),
      state: place('state', 'country'),
    }),
    valid: [
      { country: 'US', state: 'US-CA' },
      { continent: 'NA', country: 'US', state: 'US-CA' },
      { continent: 'NA', state: 'US-CA' },
      { continent: 'EU', country: 'TR' },
      {},
      { country: '' },
    ],
    invalid: [
      { country: 'FR', state: 'US-CA' },
      { country: 'XX' },
      { continent: 'XX' },
      { state: 'California' },
      { state: 'XX-CA' },
      { continent: 'EU', country: 'US' },
      { continent: 'EU', state: 'US-CA' },
    ],
  },
  {
    name: 'a place within an entry of a list',
    schema: object({ l: list(nested('S')) }, { nested: { S: object({ country: place('country') }) } }),
    valid: [{ l: [{ country: 'UA' }] }],
    invalid: [{ l: [{ country: 'UA' }, { country: 'ZZ' }] }],
  },
  ...([0, false, ''] as const).map((value) =>
    ofField(`a default of ${JSON.stringify(value)}`, { default: value }, { valid: [value] }),
  ),
];

const conditions: readonly Case[] = [
  {
    name: 'the older form, which an unanswered question meets',
    schema: object({ q: text, b: text }, { allOf: [older] }),
    valid: [{ q: 'no' }, { q: 'yes', b: 'x' }],
    invalid: [{ q: 'yes' }, {}],
  },
  {
    name: 'a field that one branch demands and the other forbids',
    schema: object({ q: text, b: text }, { allOf: [when(yes, { b }, { b: false })] }),
    valid: [{ q: 'no' }, {}, { q: 'yes', b: 'x' }],
    invalid: [{ q: 'yes' }, { q: 'no', b: 'x' }, { b: 'x' }, { q: 'yes', b: '' }],
  },
  {
    name: 'a field demanded in each branch',
    schema: object(
      { q: text, b: text, c: text },
      { allOf: [when(yes, { b, c: false }, { c: demanded(text), b: false })] },
    ),
    valid: [{ q: 'no', c: 'x' }, { c: 'x' }],
    invalid: [{ q: 'no' }, {}, { q: 'no', b: 'x', c: 'x' }],
  },
  {
    name: 'a chain, of which nothing is asked where its first question is not',
    schema: object({ q: text, b: text, c: text, d: text }, { allOf: chain }),
    valid: [{ q: 'no' }, { q: 'yes', b: 'o', d: 'x' }, { q: 'yes', b: 'deep', c: 'x' }],
    invalid: [
      { q: 'yes', b: 'o' },
      { q: 'no', d: 'x' },
      { q: 'no', b: 'deep' },
      { q: 'yes', b: 'deep', d: 'x' },
    ],
  },
  {
    name: 'several comparisons that must all hold',
    schema: object(
      { p: text, q: text, b: text },
      { allOf: [when({ allOf: [is('p', '1'), is('q', '2')] }, { b }, { b: false })] },
    ),
    valid: [{ p: '1' }, { p: '1', q: '2', b: 'x' }],
    invalid: [
      { p: '1', q: '2' },
      { p: '1', b: 'x' },
    ],
  },
  {
    name: 'several comparisons of which one must hold',
    schema: object(
      { p: text, q: text, b: text },
      { allOf: [when({ anyOf: [is('p', '1'), is('q', '2')] }, { b }, { b: false })] },
    ),
    valid: [
      { p: '0', q: '0' },
      { q: '2', b: 'x' },
    ],
    invalid: [{ p: '1' }, { p: '0', b: 'x' }],
  },
  {
    name: 'a constant of a number that is written as text',
    schema: object({ n: number, b: text }, { allOf: [when(is('n', '5'), { b }, { b: false })] }),
    valid: [{ n: 5, b: 'x' }, { n: 6 }],
    invalid: [{ n: 5 }, { n: 6, b: 'x' }],
  },
  {
    name: 'a constant of a truth value that is written as text',
    schema: object({ n: { type: 'boolean' }, b: text }, { allOf: [when(is('n', 'true'), { b: text }, { b: false })] }),
    valid: [{ n: true, b: 'x' }, { n: true }],
    invalid: [{ n: false, b: 'x' }],
  },
  {
    name: 'a list that contains a value',
    schema: object(
      { a: list(text), b: text },
      { allOf: [when(within('a', { contains: { const: 'X' } }), { b }, { b: false })] },
    ),
    valid: [{ a: [] }, { a: ['Y', 'X'], b: 'x' }],
    invalid: [{ a: ['Y', 'X'] }, { a: ['Y'], b: 'x' }],
  },
  {
    name: 'a list whose entries are all one value',
    schema: object(
      { a: list(text), b: text },
      { allOf: [when(within('a', { items: { const: 'X' }, minItems: 1 }), { b }, { b: false })] },
    ),
    valid: [{ a: [] }, { a: ['X', 'X'], b: '1' }],
    invalid: [{ a: ['X', 'Y'], b: '1' }, { a: ['X'] }],
  },
  {
    name: 'a field of a nested object',
    schema: object(
      { s: nested('S'), b: text },
      { allOf: [when(within('s', is('k', 'go')), { b }, { b: false })], nested: { S: object({ k: text }) } },
    ),
    valid: [{}, { s: { k: 'no' } }, { s: { k: 'go' }, b: 'x' }],
    invalid: [{ s: { k: 'go' } }, { s: { k: 'no' }, b: 'x' }],
  },
  {
    name: 'a required field within another nested object',
    schema: object(
      { s: nested('S'), t: nested('T') },
      { allOf: [crossing], nested: { S: object({ k: text }), T: object({ m: text, n: text }, { required: ['m'] }) } },
    ),
    valid: [
      { s: { k: 'no' }, t: { n: 'x' } },
      { s: { k: 'go' }, t: { m: 'x' } },
    ],
    invalid: [
      { s: { k: 'go' }, t: {} },
      { s: { k: 'no' }, t: { m: 'x' } },
    ],
  },
  {
    name: 'a condition of each entry of a list',
    schema: object({ l: list(nested('S')) }, { nested: { S: perEntry } }),
    valid: [{ l: [{ k: 'go', b: '1' }, { k: 'no' }] }],
    invalid: [{ l: [{ k: 'go' }] }, { l: [{ k: 'no', b: '1' }] }],
  },
  {
    name: 'lists that are linked',
    schema: object(
      { l: list(text), m: list(text) },
      { comment: { arrayDependencies: [{ field: ['m'], on: ['l'], kind: 'array' }] } },
    ),
    valid: [{ l: ['1'], m: ['a'] }, {}, { l: [], m: [] }],
    invalid: [{ l: ['1', '2'], m: ['a'] }, { l: ['1'] }],
  },
  {
    name: 'bounds that depend on the branch',
    schema: object(
      { q: text, b: number },
      { allOf: [when(is('q', 'hi'), { b: { type: 'number', minimum: 10 } }, { b: { type: 'number', maximum: 9 } })] },
    ),
    valid: [{ q: 'hi', b: 10 }, { b: 1 }],
    invalid: [
      { q: 'hi', b: 1 },
      { q: 'lo', b: 10 },
    ],
  },
  {
    name: 'a constant with a blank at its end',
    schema: object({ q: text, b: text }, { allOf: [when(is('q', 'yes '), { b }, { b: false })] }),
    valid: [{ q: 'yes ', b: 'x' }, { q: 'yes' }],
    invalid: [{ q: 'yes', b: 'x' }, { q: 'yes ' }],
  },
  {
    name: 'two conditions that reveal and forbid the same field',
    schema: object(
      { p: text, q: text, b: text },
      { allOf: [when(is('p', '1'), { b }, { b: false }), when(is('q', '1'), { b }, { b: false })] },
    ),
    valid: [
      { p: '1', q: '1', b: 'x' },
      { p: '0', q: '0' },
    ],
    invalid: [
      { p: '1', q: '0' },
      { p: '1', q: '0', b: 'x' },
    ],
  },
  {
    name: 'a condition at the root of the schema',
    schema: { ...object({ q: text, b: text }), ...when(yes, { b }, { b: false }) },
    valid: [{ q: 'no' }, { q: 'yes', b: 'x' }],
    invalid: [{ q: 'yes' }, { q: 'no', b: 'x' }],
  },
  {
    name: 'a condition within a branch',
    schema: object(
      { q: text, p: text, b: text },
      { allOf: [{ if: yes, then: { allOf: [when(is('p', '1'), { b }, { b: false })] } }] },
    ),
    valid: [{ q: 'no' }, { q: 'yes', p: '1', b: 'x' }, { q: 'yes' }],
    invalid: [
      { q: 'yes', p: '1' },
      { q: 'yes', p: '0', b: 'x' },
    ],
  },
];

describe.each([...fields, ...conditions])('$name', ({ schema, valid, invalid }) => {
  const failures = (document: unknown) => failuresOf(schema, document as JsonObject, '');

  it.each(valid.map((each) => [JSON.stringify(each), each]))('accepts %s', (_, document) => {
    expect(failures(document)).toEqual([]);
  });

  it.each(invalid.map((each) => [JSON.stringify(each), each]))('refuses %s', (_, document) => {
    expect(failures(document)).not.toEqual([]);
  });
});

describe('a refusal', () => {
  const failures = (schema: JsonObject, document: JsonObject) => failuresOf(schema, document, '/document');
  const schema = object({ q: text, b: text, c: text, d: text }, { allOf: chain });

  it('says which condition a field that may not be there would need', () => {
    expect(failures(schema, { q: 'no', b: 'x' })).toContainEqual({
      path: '/document/b',
      message: 'is not allowed unless q is "yes"',
    });
  });

  it('names the field that a branch demands', () => {
    expect(failures(schema, { q: 'yes', b: 'o' })).toEqual([{ path: '/document/d', message: 'is required' }]);
  });

  it('says that the question before a field is not asked', () => {
    expect(failures(schema, { q: 'no', d: 'x' })).toEqual([
      { path: '/document/d', message: 'is not allowed: the question that reveals it is not asked' },
    ]);
  });

  it('says in which place another one must be', () => {
    const schema = object({ country: place('country'), state: place('state', 'country') });
    expect(failures(schema, { country: 'FR', state: 'US-CA' })).toEqual([
      { path: '/document/state', message: 'is not in the country FR, which country names' },
    ]);
    expect(failures(schema, { country: 'XX' })).toEqual([
      { path: '/document/country', message: 'must be the code of a country' },
    ]);
  });

  it('names the list that another one follows, and both lengths', () => {
    const linked = object(
      { s: object({ l: list(text) }), 'm/n': list(text) },
      { comment: { arrayDependencies: [{ field: ['m/n'], on: ['s', 'l'], kind: 'array' }] } },
    );
    expect(failures(linked, { s: { l: ['1', '2'] }, 'm/n': ['a'] })).toEqual([
      { path: '/document/m~1n', message: 'must have as many entries as s.l, 2, but has 1' },
    ]);
  });
});
