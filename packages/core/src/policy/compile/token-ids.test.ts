import { expect, test } from 'vitest';
import { source } from '../../../test/policy-fixtures.js';
import { tokenIds } from './token-ids.js';

const mint = (tokenId: unknown, ...children: ReturnType<typeof source>[]) =>
  source('mintDocumentBlock', '', { tokenId }, ...children);

test('ids come in the order of the tree, parents first, each once, and empty ones not at all', () => {
  const tree = source(
    'interfaceContainerBlock',
    '',
    {},
    mint('2', mint('1'), mint('')),
    mint('3'),
    mint('2'),
    mint(7),
    mint(null),
  );
  expect(tokenIds(tree)).toEqual(['2', '1', '3']);
});

test('a policy that names no token has none', () => {
  expect(tokenIds(source('interfaceContainerBlock', ''))).toEqual([]);
});

test('a module names tokens through its variables, and so do the blocks inside it', () => {
  const variables = [
    { type: 'Token', name: 'first', value: 'by value' },
    { type: 'Token', name: 'second' },
    { type: 'Token', name: 'unset' },
    { type: 'Schema', name: 'third', value: '#1' },
    'stray',
  ];
  const tree = source(
    'module',
    '',
    { variables, tokenId: 'not this', second: 'by name', third: 'nor this' },
    mint('inside'),
  );
  expect(tokenIds(tree)).toEqual(['by value', 'by name', 'inside']);
});

test('the blocks inside a tool belong to the tool', () => {
  const tool = source(
    'tool',
    '',
    { variables: [{ type: 'Token', value: 'of the tool' }] },
    mint('inside', mint('deeper')),
  );
  expect(tokenIds(source('interfaceContainerBlock', '', {}, tool, mint('after')))).toEqual(['of the tool', 'after']);
});
