import { expect, test } from 'vitest';
import { countingIds, policyJson, refusal, written } from '../../../test/policy-fixtures.js';
import { readPolicyJson } from './read-json.js';

const read = (value: unknown, limits = {}) => readPolicyJson(value, { ids: countingIds(), limits });
const invalid = (value: unknown) => refusal(() => read(value), 'POLICY_FILE_INVALID');
const ID = 'd3b1c9a4-5b7e-4c52-9a37-0c5f7d2e8b11';

test('ids stay, and dependencies keep naming what must be completed first', () => {
  const form = written('requestVcDocumentBlock', 'form', { id: ID, dependencies: ['roles'] });
  const { config, findings } = read(
    policyJson(written('interfaceContainerBlock', '', {}, written('policyRolesBlock', 'roles'), form)),
  );
  expect(config.children[1]).toMatchObject({ id: ID, dependencies: ['roles'], events: [] });
  expect(findings).toEqual([]);
});

test('schemas and tokens may lie beside the blocks', () => {
  const { schemas, tokens, about } = read({
    ...policyJson(),
    schemas: [{ iri: '#1', document: {} }, 5],
    tokens: [{ tokenId: '0.0.1', tokenName: 'T' }],
  });
  expect(schemas.map(({ id }) => id)).toEqual(['#1']);
  expect(tokens.map(({ id }) => id)).toEqual(['0.0.1']);
  expect(about.extra).toEqual({});
});

test('a policy without a codeVersion is taken as written for the newest', () => {
  const { about, config } = read({ name: 'x', config: written('interfaceDocumentsSource', 'old name') });
  expect(about.codeVersion).toBe('1.5.1');
  expect(config.blockType).toBe('interfaceDocumentsSource');
});

test('nothing of the value is kept, and nothing of it is changed', () => {
  const uiMetaData = { title: 'A' };
  const value = policyJson(written('interfaceContainerBlock', '', { uiMetaData }), { codeVersion: '1.0.0' });
  const before = structuredClone(value);
  const { config } = read(value);
  expect(value).toEqual(before);
  uiMetaData.title = 'B';
  expect(config.uiMetaData).toEqual({ title: 'A' });
});

test('a block that holds itself is refused, with the place', () => {
  const root = written('interfaceContainerBlock', 'root');
  root['children'] = [written('interfaceContainerBlock', 'inner', {}), root];
  expect(invalid({ config: root })).toContain('/config/children/1 contains itself');
});

test('an option that holds itself is refused, with the place', () => {
  const uiMetaData: Record<string, unknown> = {};
  uiMetaData['a/b'] = [uiMetaData];
  expect(invalid({ config: written('a', '', { uiMetaData }) })).toContain('/config/uiMetaData/a~1b/0 contains itself');
});

test('an object that many places share is copied for each, and refused when that grows too large', () => {
  const roles = ['Installer'];
  const shared = written('a', '', { permissions: roles }, written('b', 'x', { permissions: roles }));
  expect(read({ config: shared }).config.children[0]?.permissions).toEqual(['Installer']);
  // Nobody would live to see it copied.
  let explosive: unknown = 'x';
  for (let level = 0; level < 60; level++) explosive = [explosive, explosive];
  expect(
    refusal(
      () => read({ config: written('a', '', { explosive }) }, { entryBytes: 1_000_000 }),
      'POLICY_FILE_TOO_LARGE',
    ),
  ).toContain('weighs more than the limit of 1000000');
});

test('a block that stands in two places is two blocks', () => {
  const plain = written('b', '');
  expect(read({ config: written('a', '', {}, plain, plain) }).config.children).toHaveLength(2);
});

test('a tree 10,000 levels deep is refused', () => {
  let deep = written('interfaceContainerBlock', 'leaf');
  for (let level = 0; level < 10_000; level++) deep = written('interfaceContainerBlock', '', {}, deep);
  expect(refusal(() => read({ config: deep }), 'POLICY_FILE_TOO_LARGE')).toContain(
    'nests deeper than the limit of 256',
  );
});

test.each([
  ['a function', () => 1],
  ['a date', new Date(0)],
  ['a map', new Map()],
  ['NaN', NaN],
  ['a big integer', 1n],
  ['a hole in a list', [undefined]],
])('%s is no JSON, and is refused with the place', (_, option) => {
  expect(invalid({ config: written('a', '', { option }) })).toContain('/config/option');
});

test.each([
  [null, 'holds null'],
  [[], 'holds a list'],
  ['policy', 'holds "policy"'],
  [{}, 'has no config'],
  [{ config: null }, 'has no config'],
])('%j is no policy', (value, reason) => {
  expect(invalid(value)).toContain(reason);
});
