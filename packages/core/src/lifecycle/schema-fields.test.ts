import { expect, it } from 'vitest';
import type { JsonObject } from '../records/index.js';
import { contentOf } from './schema-fields.js';

const faultsAt = (document: JsonObject): string[] =>
  contentOf(document).faults.map(({ text }) => text.slice(0, text.indexOf(' ')));

it('fields are found at any depth, in every keyword that holds schemas', () => {
  const document = {
    properties: { a: { properties: { b: { type: 'string' } } } },
    items: [{ properties: { c: {} } }],
    additionalItems: { properties: { d: {} } },
    anyOf: [{ not: { properties: { e: {} } } }],
    $defs: { named: { properties: { f: {} } } },
    // Not keywords that hold schemas.
    enum: [{ properties: { x: {} } }],
    const: { properties: { y: {} } },
  };
  expect([...contentOf(document).fields].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

it('a type that does not exist is told of with its place', () => {
  const document = {
    type: ['object', 'obj'],
    properties: { 'a/b': { items: { oneOf: [{ type: 'string' }, { type: 'strng' }] } }, type: { type: null } },
  };
  expect(faultsAt(document).sort()).toEqual(['/properties/a~1b/items/oneOf/1/type', '/properties/type/type', '/type']);
  const misspelt = contentOf(document).faults.find(({ text }) => text.includes('"strng", which is none of'));
  expect(misspelt?.text).toContain('(did you mean "string"?)');
  expect(misspelt?.suggestions).toEqual([
    { kind: 'value', at: '/properties/a~1b/items/oneOf/1/type', value: 'string' },
  ]);
});

it('a document that nests deeply costs no more for each level', () => {
  let document: JsonObject = { properties: { deepest: { type: 'string' } } };
  for (let level = 0; level < 100_000; level += 1) document = { not: document };
  expect([...contentOf(document).fields]).toEqual(['deepest']);
});

it.each([
  ['(', 'is no regular expression'],
  ['[a-', 'is no regular expression'],
  ['^(?=.*\\d).+$', 'looks ahead or behind'],
  ['(?<!a)b', 'looks ahead or behind'],
  ['(a)\\1', 'refers back to a group'],
  ['a{1001}', 'repeats more than 1,000 times'],
])('the pattern %s is told of with its place and its reason', (pattern, reason) => {
  const [fault] = contentOf({ properties: { code: { type: 'string', pattern } } }).faults.map(({ text }) => text);
  expect(fault).toContain(`/properties/code/pattern ${JSON.stringify(pattern)} ${reason}`);
});

it.each([
  '^\\d+$',
  '[(?=]',
  '\\(?=a',
  '\\\\1',
  '[\\]\\1]',
  '^[\\u0400-\\u04FF]+$',
  '\\u{10000}',
  'a{1000}',
  '(?:a|b)(?<name>c)',
])('the pattern %s is none', (pattern) => {
  expect(contentOf({ properties: { code: { pattern } } }).faults).toEqual([]);
});

it.each(['a b', 'a.b', 'a:b', '__proto__', 'constructor'])('the key %j is told of with its place', (key) => {
  const properties: unknown = JSON.parse(`{"group": {"properties": {"${key}": {}}}}`);
  const [fault] = contentOf({ properties } as JsonObject).faults.map(({ text }) => text);
  expect(fault).toMatch(`/properties/group/properties/${key} has `);
});

const text = { type: 'string' };
const shows = (q: string) => ({
  if: { properties: { [q]: { const: '1' } }, required: [q] },
  then: { properties: { b: text } },
  else: { properties: { b: false } },
});

it.each<[string, JsonObject, string]>([
  ['of a later draft', { prefixItems: [{}] }, '/properties/a/prefixItems is not in draft-07'],
  ['of a pattern', { pattern: '^\\d+\\-\\d+$' }, '/properties/a/pattern "^\\\\d+\\\\-\\\\d+$" escapes'],
  [
    'of a help text',
    { properties: { h: { type: 'null' } }, required: ['h'] },
    '/properties/a/properties/h is a help text',
  ],
  ['of a field', { allOf: [shows('p'), shows('q')] }, '/properties/a/allOf has 2 conditions that show "b"'],
])('a remark %s says what it leads to', (_, a, remark) => {
  const { faults, remarks } = contentOf({ properties: { a } });
  expect(faults).toEqual([]);
  expect(remarks.map(({ text }) => text)).toEqual([expect.stringContaining(remark)]);
});

it('conditions that show a field without forbidding it are no remark', () => {
  const { else: _, ...second } = shows('q');
  expect(contentOf({ allOf: [shows('p'), second], properties: { b: { type: 'null' } } }).remarks).toEqual([]);
});

it.each([
  ['a required field that is not there', { properties: { site: {} }, required: ['sites'] }, '/required/0 is "sites"'],
  ['one of a field', { properties: { a: { properties: {}, required: ['b'] } } }, '/properties/a/required/0 is "b"'],
  [
    'a choice of another type',
    { properties: { a: { type: 'number', enum: [1, '2'] } } },
    '/properties/a/enum/1 is "2"',
  ],
  ['a name of the engine', { properties: { id: { type: 'string' } } }, '/properties/id has a name'],
])('%s is a remark', (_, document, clause) => {
  const { remarks, faults } = contentOf(document);
  expect(remarks.map(({ text }) => text)).toEqual([expect.stringContaining(clause)]);
  expect(faults).toEqual([]);
});

it.each([
  ['a field of a condition', { properties: {}, required: ['a'], allOf: [{ if: {}, then: { properties: { a: {} } } }] }],
  [
    'what a condition requires of the schema around it',
    { properties: { a: {} }, then: { properties: {}, required: ['a'] } },
  ],
  ['a read-only name of the engine', { properties: { id: { type: 'string', readOnly: true } } }],
  ['a nested name of the engine', { properties: { place: { properties: { type: { type: 'string' } } } } }],
  ['a null among choices of any type', { properties: { a: { enum: [1, 'two', null] } } }],
])('%s is no remark', (_, document) => {
  expect(contentOf(document).remarks).toEqual([]);
});

it.each([
  ['a choice of another type', { type: 'number', enum: ['7'] }, { kind: 'value', value: 7 }],
  ['a choice that is no number at all', { type: 'number', enum: ['seven'] }, { kind: 'removal' }],
  [
    'a required field that is misspelt',
    { properties: { site: {} }, required: ['siet'] },
    { kind: 'value', value: 'site' },
  ],
  [
    'a required field that is there twice, once misspelt',
    { properties: { site: {} }, required: ['site', 'siet'] },
    { kind: 'removal' },
  ],
  ['a keyword of a later JSON Schema', { type: 'array', minContains: 1 }, { kind: 'removal' }],
])('%s has a suggestion at its place', (_name, field, suggestion) => {
  const [remark] = contentOf({ properties: { a: field } }).remarks;
  expect(remark?.suggestions).toEqual([{ ...suggestion, at: remark?.text.split(' ')[0] }]);
});
