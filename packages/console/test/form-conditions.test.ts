/** Which fields a form shows and demands, and what it sends, as the conditions of its schema say. */
import type { JsonObject } from '@blockwork/core';
import { createSchemaUtils, type RJSFSchema } from '@rjsf/utils';
import { describe, expect, it } from 'vitest';
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
} from '../../../test/support/written-schemas.js';
import { formParts } from '../app/page/form/form-parts.js';
import { formSchema } from '../app/page/form/form-schema.js';
import { formUi } from '../app/page/form/form-ui.js';
import { linksIn, withLinkedLists } from '../app/page/form/linked-lists.js';

type Values = Record<string, unknown>;

/** `shown`: the fields of the form at its top, demanded ones with a star. */
function formOf(document: JsonObject) {
  const parts = formParts(formSchema(document, []));
  const utils = createSchemaUtils<Values>(parts.validator, parts.outline);
  const shownBy = (schema: RJSFSchema, values: Values): string[] => {
    const { properties = {}, required = [] } = utils.retrieveSchema(schema, values);
    return Object.keys(properties).map((name) => (required.includes(name) ? `${name}*` : name));
  };
  return {
    sent: (values: Values) => parts.shown(values),
    shown: (values: Values) => shownBy(parts.outline, parts.shown(values)),
    shownIn: (name: string, values: Values) => {
      const { properties = {} } = utils.retrieveSchema(parts.outline, parts.shown(values));
      return shownBy(
        parts.schemaOf(utils.retrieveSchema(properties[name] as RJSFSchema)),
        (values[name] ?? {}) as Values,
      );
    },
    problems: (values: Values) =>
      parts.validator.validateFormData(values, parts.outline).errors.map(({ property }) => property),
  };
}

const b = demanded(text);
const yes = is('q', 'yes');

describe('a form shows a field of a condition', () => {
  it('only while the condition holds, and demands it if the branch does', () => {
    const form = formOf(object({ q: text, b: text }, { allOf: [when(yes, { b }, { b: false })] }));
    expect(form.shown({})).toEqual(['q']);
    expect(form.shown({ q: 'no' })).toEqual(['q']);
    expect(form.shown({ q: 'yes' })).toEqual(['q', 'b*']);
    expect(form.problems({ q: 'yes' })).toEqual(['/b']);
    expect(form.problems({ q: 'no' })).toEqual([]);
  });

  it('of the older form, also while nothing is answered', () => {
    const older = { if: { properties: { q: { const: 'yes' } } }, then: { properties: { b: text }, required: ['b'] } };
    const form = formOf(object({ q: text, b: text }, { allOf: [older] }));
    expect(form.shown({ q: 'no' })).toEqual(['q']);
    expect(form.shown({ q: 'yes' })).toEqual(['q', 'b*']);
    expect(form.shown({})).toEqual(['q', 'b*']);
  });

  it('of the other branch until the condition holds', () => {
    const c = demanded(text);
    const schema = object({ q: text, b: text, c: text }, { allOf: [when(yes, { b, c: false }, { c, b: false })] });
    expect(formOf(schema).shown({})).toEqual(['q', 'c*']);
    expect(formOf(schema).shown({ q: 'yes' })).toEqual(['q', 'b*']);
  });

  it('which one branch forbids and no other names, in the other branch', () => {
    const form = formOf(object({ q: text, b: text }, { allOf: [when(yes, { b: false })] }));
    expect([form.shown({}), form.shown({ q: 'yes' })]).toEqual([['q', 'b'], ['q']]);
  });

  it('whose question is not asked in no branch, and sends no answer of it', () => {
    const chain = [
      when(yes, { b: text }, { b: false }),
      when(is('b', 'deep'), { c: demanded(text), d: false }, { d: demanded(text), c: false }),
    ];
    const form = formOf(object({ q: text, b: text, c: text, d: text }, { allOf: chain }));
    expect(form.shown({ q: 'no' })).toEqual(['q']);
    expect(form.shown({ q: 'yes', b: 'o' })).toEqual(['q', 'b', 'd*']);
    expect(form.shown({ q: 'yes', b: 'deep' })).toEqual(['q', 'b', 'c*']);
    expect(form.sent({ q: 'no', b: 'deep', c: 'x' })).toEqual({ q: 'no' });
    expect(form.shown({ q: 'no', b: 'deep', c: 'x' })).toEqual(['q']);
  });

  it.each([
    ['all of several comparisons', { allOf: [is('p', '1'), is('q', '2')] }, { p: '1', q: '2' }, { p: '1' }],
    ['one of several comparisons', { anyOf: [is('p', '1'), is('q', '2')] }, { q: '2' }, { p: '0', q: '0' }],
    ['a number that is written as text', is('n', '5'), { n: 5 }, { n: 6 }],
    ['a truth value that is written as text', is('f', 'true'), { f: true }, { f: false }],
    ['a list that contains a value', within('l', { contains: { const: 'X' } }), { l: ['Y', 'X'] }, { l: ['Y'] }],
    ['a list of one value', within('l', { items: { const: 'X' }, minItems: 1 }), { l: ['X'] }, { l: ['X', 'Y'] }],
    ['a nested field', within('s', is('k', 'go')), { s: { k: 'go' } }, { s: { k: 'no' } }],
    ['what is no comparison', { not: is('p', '1') }, { p: '2' }, { p: '1' }],
  ])('after %s', (_, test, meeting, failing) => {
    const fields = { p: text, q: text, n: number, f: { type: 'boolean' }, l: list(text), s: nested('S'), b: text };
    const schema = object(fields, { allOf: [when(test, { b }, { b: false })], nested: { S: object({ k: text }) } });
    const form = formOf(schema);
    expect(form.shown(meeting)).toContain('b*');
    expect(form.shown(failing).join()).not.toContain('b');
  });

  it('that stands at the root of the schema, or within a branch', () => {
    const root = formOf({ ...object({ q: text, b: text }), ...when(yes, { b }, { b: false }) });
    expect([root.shown({}), root.shown({ q: 'yes' })]).toEqual([['q'], ['q', 'b*']]);
    const inner = { allOf: [when(is('p', '1'), { b }, { b: false })] };
    const form = formOf(object({ q: text, p: text, b: text }, { allOf: [{ if: yes, then: inner }] }));
    expect(form.shown({ p: '1' })).toEqual(['q', 'p']);
    expect(form.shown({ q: 'yes', p: '1' })).toEqual(['q', 'p', 'b*']);
  });

  it('of each entry of a list', () => {
    const entry = object({ k: text, b: text }, { allOf: [when(is('k', 'go'), { b }, { b: false })] });
    const form = formOf(object({ l: list(nested('S')) }, { nested: { S: entry } }));
    expect(form.problems({ l: [{ k: 'go' }, { k: 'no' }] })).toEqual(['/l/0/b']);
    expect(
      form.sent({
        l: [
          { k: 'no', b: 'x' },
          { k: 'go', b: 'x' },
        ],
      }),
    ).toEqual({ l: [{ k: 'no' }, { k: 'go', b: 'x' }] });
  });

  it('within another nested object', () => {
    const crossing = when(within('s', is('k', 'go')), { t: { required: ['m'] } }, { t: { properties: { m: false } } });
    const T = object({ m: commented(text, {}), n: text }, { required: ['m'] });
    const schema = object(
      { s: nested('S'), t: nested('T') },
      { allOf: [crossing], nested: { S: object({ k: text }), T } },
    );
    const form = formOf(schema);
    expect(form.shownIn('t', { s: { k: 'no' } })).toEqual(['n']);
    expect(form.shownIn('t', { s: { k: 'go' } })).toEqual(['n', 'm*']);
    expect(form.problems({ s: { k: 'no' }, t: { n: 'x' } })).toEqual([]);
    expect(form.problems({ s: { k: 'go' }, t: {} })).toEqual(['/t/m']);
    expect(form.sent({ s: { k: 'no' }, t: { n: 'x', m: 'y' } })).toEqual({ s: { k: 'no' }, t: { n: 'x' } });
  });

  it('with the bounds of the branch', () => {
    const bounds = when(is('q', 'hi'), { b: { minimum: 10 } }, { b: { maximum: 9 } });
    const form = formOf(object({ q: text, b: number }, { allOf: [bounds] }));
    expect(form.shown({})).toEqual(['q', 'b']);
    expect(form.problems({ q: 'hi', b: 1 })).toEqual(['/b']);
    expect(form.problems({ q: 'lo', b: 1 })).toEqual([]);
  });
});

describe('a form', () => {
  it('has linked lists of equal length, without buttons for the one that follows', () => {
    const comment = { arrayDependencies: [{ field: ['m'], on: ['l'], kind: 'array' }] };
    const document = object({ l: list(text), m: list(text) }, { comment }) as RJSFSchema;
    const links = linksIn(document);
    expect(withLinkedLists(links, { l: ['1', '2'], m: ['a'] })).toEqual({ l: ['1', '2'], m: ['a', undefined] });
    expect(withLinkedLists(links, { m: ['a'] })).toEqual({ m: [] });
    const values = { l: ['1'], m: ['a'] };
    expect(withLinkedLists(links, values)).toBe(values);
    expect(formUi(document, 'Send', [])).toMatchObject({ m: { 'ui:options': { addable: false, removable: false } } });
  });

  it('shows help texts, hides hidden fields and keeps their defaults, in the order of the editor', () => {
    const fields = {
      secret: commented({ ...number, default: 0 }, { hidden: true, orderPosition: 3 }),
      last: commented(text, { orderPosition: 2 }),
      help: commented({ type: 'null', description: 'Please read' }, { orderPosition: 1 }),
    };
    const document = object(fields, { required: ['secret', 'last'] }) as RJSFSchema;
    expect(formUi(document, 'Send', [])).toMatchObject({
      help: { 'ui:field': 'help' },
      secret: { 'ui:widget': 'hidden' },
      'ui:order': ['help', 'last', 'secret', '*'],
    });
    const parts = formParts(formSchema(document, []));
    expect(parts.outline.required).toEqual(['last']);
    expect(parts.fill({})).toEqual({ secret: 0 });
  });

  it('shows the fields of conditions where the schema has them', () => {
    const fields = { q: text, b: text, s: nested('S'), last: text };
    const S = object({ m: text, n: text });
    const crossing = when(yes, { b, s: { required: ['m'] } }, { b: false, s: { properties: { m: false } } });
    const ui = formUi(object(fields, { allOf: [crossing], nested: { S } }), 'Send', []);
    expect(ui['ui:order']).toEqual(['q', 'b', 's', 'last', '*']);
    expect(ui['ui:definitions']).toMatchObject({ '#/definitions/d1': { 'ui:order': ['m', 'n', '*'] } });
  });

  it.each([0, false, ''])('is filled in with a default of %j', (value) => {
    expect(formParts(formSchema(object({ a: { default: value } }) as RJSFSchema, [])).fill({})).toEqual({ a: value });
  });

  it.each([
    ['time', '12:30:00', '25:00:00'],
    ['date-time', '2024-01-02T03:04:05', '2024-02-30T00:00:00Z'],
  ])('accepts a %s without a zone', (format, valid, invalid) => {
    const form = formOf(object({ a: { ...text, format } }));
    expect(form.problems({ a: valid })).toEqual([]);
    expect(form.problems({ a: invalid })).toEqual(['/a']);
  });
});
