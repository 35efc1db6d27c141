import { expect, test } from 'vitest';
import { z } from 'zod';
import { catalogOf, definition, facts, source } from '../../../test/policy-fixtures.js';
import type { BlockSource } from '../../records/index.js';
import { compilePolicy } from './compile.js';

const catalog = catalogOf(
  definition('module', { kind: 'container' }),
  definition('form', {
    options: z.object({
      schema: z.string().trim(),
      topic: z.string().default(''),
      list: z.array(z.string()).default([]),
    }),
    references: (options) => {
      const { schema, topic, list } = options as { schema: string; topic: string; list: string[] };
      return [
        { to: 'schema', name: schema, path: '/schema' },
        { to: 'topic', name: topic, path: '/topic' },
        ...list.map((name, index) => ({ to: 'token', name, path: `/list/${String(index)}` }) as const),
      ];
    },
  }),
);

const variables = [
  { name: 'Form', type: 'Schema' },
  { name: 'Where', type: 'Topic' },
  { name: 'Coin', type: 'Token' },
  { name: 'Who', type: 'Role' },
  { name: 'Nothing', type: 'Schema' },
];
const values = { Form: '#1', Where: 'Project', Coin: '0.0.7', Who: 'Farmer' };

const compiled = (...children: BlockSource[]) => {
  const root = source('module', 'm', { variables, ...values }, ...children);
  return compilePolicy(root, { ...facts, roles: ['Farmer'] }, catalog);
};
const optionsOf = (block: BlockSource) => compiled(block).byTag.get('f')?.options;
const form = (more: Record<string, unknown>) => source('form', 'f', more);

test('a variable in a declared reference is what the module was given for it', () => {
  expect(optionsOf(form({ schema: ' Form ', topic: 'Where', list: ['Coin', 'other', 'Coin'] }))).toEqual({
    schema: '#1',
    topic: 'Project',
    list: ['0.0.7', 'other', '0.0.7'],
  });
});

test('a name of another type, and one that was given nothing, stand for themselves', () => {
  expect(optionsOf(form({ schema: 'Where', topic: 'Form', list: ['Who'] }))).toEqual({
    schema: 'Where',
    topic: 'Form',
    list: ['Who'],
  });
  expect(optionsOf(form({ schema: 'Nothing' }))).toMatchObject({ schema: 'Nothing' });
});

test('a role variable among permissions is no unknown role, and opens the block to the role', () => {
  const tree = compiled(source('form', 'f', { schema: '#2', permissions: ['Who', 'OWNER'] }));
  expect(tree.byTag.get('f')?.permissions).toEqual(['Farmer', 'OWNER']);
  expect(tree.findings.filter(({ code }) => code === 'PERMISSION_UNKNOWN')).toEqual([]);
});

test('the nearest module counts, and what it was given may be a variable of the one around it', () => {
  const inner = source(
    'module',
    'inner',
    { variables: [{ name: 'Shape', type: 'Schema' }], Shape: 'Form' },
    form({ schema: 'Shape', topic: 'Where' }),
  );
  expect(optionsOf(inner)).toMatchObject({ schema: '#1', topic: 'Where' });
});

test('outside of a module, and on the module itself, names are names', () => {
  const root = source('module', 'm', { variables, ...values, permissions: ['Who'] });
  const tree = compilePolicy(source('module', 'r', {}, root, form({ schema: 'Form' })), facts, catalog);
  expect(tree.byTag.get('f')?.options).toMatchObject({ schema: 'Form' });
  expect(tree.byTag.get('m')?.permissions).toEqual(['Who']);
});

test('the policy as written is not changed', () => {
  const block = form({ schema: 'Form', permissions: ['Who'] });
  const before = structuredClone(block);
  compiled(block);
  expect(block).toEqual(before);
});
