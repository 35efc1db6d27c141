/** Conditions of the reference's newest editor, as front ends read them with a form. */
import type { JsonObject } from '@blockwork/core/block';
import { describe, expect, it } from 'vitest';
import { formSchema } from '../../src/schemas/form-schema.js';
import {
  demanded,
  is,
  list,
  nested,
  number,
  object,
  recordOf,
  text,
  when,
  within,
} from '../../../../test/support/written-schemas.js';

const b = demanded(text);
const named = (name: string) => expect.objectContaining({ name }) as unknown;
const conditionsOf = (document: JsonObject): JsonObject[] => formSchema(recordOf(document)).conditions as JsonObject[];
const testOf = (document: JsonObject) => conditionsOf(document)[0]?.ifCondition;

describe('the conditions of a form', () => {
  it('are fields of branches, demanded ones as required, without those that are forbidden', () => {
    const schema = object(
      { q: text, b: text, c: text },
      { allOf: [when(is('q', 'yes'), { b, c: false }, { c: text, b: false })] },
    );
    expect(conditionsOf(schema)).toEqual([
      {
        ifCondition: { field: expect.objectContaining({ name: 'q', type: 'string' }) as unknown, fieldValue: 'yes' },
        thenFields: [expect.objectContaining({ name: 'b', required: true })],
        elseFields: [expect.objectContaining({ name: 'c', required: false })],
      },
    ]);
  });

  it.each([
    ['allOf', 'AND'],
    ['anyOf', 'OR'],
  ])('combine comparisons of %s with %s', (word, operator) => {
    const test = { [word]: [is('p', '1'), is('q', '2')] };
    expect(testOf(object({ p: text, q: text, b: text }, { allOf: [when(test, { b })] }))).toEqual({
      [operator]: [
        { field: named('p'), fieldValue: '1' },
        { field: named('q'), fieldValue: '2' },
      ],
    });
  });

  it('take two properties for two comparisons, and a list of one for one', () => {
    const both = { properties: { p: { const: '1' }, q: { const: '2' } }, required: ['p', 'q'] };
    const fields = { p: text, q: text, b: text };
    expect(testOf(object(fields, { allOf: [when(both, { b })] }))).toMatchObject({ AND: [{}, {}] });
    expect(testOf(object(fields, { allOf: [when({ anyOf: [is('p', '1')] }, { b })] }))).toEqual({
      field: named('p'),
      fieldValue: '1',
    });
  });

  it('have the path of a field within a nested object, and the type of the field', () => {
    const schema = object(
      { s: nested('S'), b: text },
      { allOf: [when(within('s', is('n', '5')), { b })], nested: { S: object({ n: number }) } },
    );
    expect(testOf(schema)).toEqual({ field: named('n'), fieldValue: 5, fieldPath: ['s', 'n'] });
  });

  it('say how a list is compared', () => {
    const compared = (part: JsonObject) =>
      testOf(object({ a: list(text), b: text }, { allOf: [when(within('a', part), { b })] }));
    expect(compared({ contains: { const: 'X' } })).toEqual({
      field: named('a'),
      fieldValue: 'X',
      comparator: 'contains',
    });
    expect(compared({ items: { const: 'X' }, minItems: 1 })).toEqual({ field: named('a'), fieldValue: 'X' });
  });

  it('name what they demand within another nested object', () => {
    const crossing = when(is('q', 'yes'), { t: { required: ['m'] } }, { t: { properties: { m: false } } });
    const schema = object({ q: text, t: nested('T') }, { allOf: [crossing], nested: { T: object({ m: text }) } });
    expect(conditionsOf(schema)).toMatchObject([
      { thenFields: [], elseFields: [], thenTargets: [{ fieldPath: ['t', 'm'] }] },
    ]);
  });

  it('are those of the root of a schema, and of branches too', () => {
    const inner = { allOf: [when(is('p', '1'), { b })] };
    const schema = { ...object({ q: text, p: text, b: text }), if: is('q', 'yes'), then: inner };
    expect(conditionsOf(schema)).toMatchObject([
      { ifCondition: { fieldValue: 'yes' }, thenFields: [] },
      { ifCondition: { AND: [{ fieldValue: 'yes' }, { fieldValue: '1' }] }, thenFields: [{ name: 'b' }] },
    ]);
  });

  it('leave out what is no comparison of fields, which is enforced only', () => {
    const fields = { q: text, n: number, s: nested('S'), b: text };
    const tests = [
      { not: is('q', 'yes') },
      within('n', { minimum: 5 }),
      is('gone', 'x'),
      is('s', {}),
      { anyOf: [is('q', '1'), { not: {} }] },
    ];
    const allOf = tests.map((test) => when(test, { b }));
    expect(conditionsOf(object(fields, { allOf, nested: { S: object({ k: text }) } }))).toEqual([]);
  });

  it('stand within the field of the nested object that has them', () => {
    const entry = object({ k: text, b: text }, { allOf: [when(is('k', 'go'), { b }, { b: false })] });
    const { fields } = formSchema(recordOf(object({ l: list(nested('S')) }, { nested: { S: entry } })));
    expect(fields).toMatchObject([{ name: 'l', isArray: true, conditions: [{ ifCondition: { fieldValue: 'go' } }] }]);
  });

  it.each([0, false, ''])('leave a default of %j to its field', (value) => {
    expect(formSchema(recordOf(object({ a: { default: value } }))).fields).toMatchObject([
      { name: 'a', default: value },
    ]);
  });
});
