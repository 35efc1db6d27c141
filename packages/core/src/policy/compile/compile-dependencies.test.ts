import { expect, test } from 'vitest';
import { catalogOf, definition, facts, source } from '../../../test/policy-fixtures.js';
import type { BlockSource } from '../../records/index.js';
import { compilePolicy } from './compile.js';

const catalog = catalogOf(definition('leaf', { kind: 'container' }));
const leaf = (tag: string, dependencies: string[] = [], ...children: BlockSource[]) =>
  source('leaf', tag, { dependencies }, ...children);
const compile = (...children: BlockSource[]) => compilePolicy(leaf('root', [], ...children), facts, catalog);

test('dependencies are resolved, each once, and the tree knows what is depended on', () => {
  const tree = compile(leaf('a'), leaf('b', ['a', 'a']), leaf('c', ['a', 'b']));
  expect(tree.byTag.get('b')?.dependencies).toEqual([tree.byTag.get('a')]);
  expect(tree.byTag.get('c')?.dependencies.map(({ tag }) => tag)).toEqual(['a', 'b']);
  expect([...tree.dependedOn].map(({ tag }) => tag)).toEqual(['a', 'b']);
  expect(tree.findings).toEqual([]);
});

test('a name that no block has is a finding, and is not waited for', () => {
  const tree = compile(leaf('a'), leaf('b', ['gone', 'a']));
  expect(tree.findings).toMatchObject([
    { severity: 'warning', code: 'DEPENDENCY_UNKNOWN', path: '/children/1/dependencies/0' },
  ]);
  expect(tree.byTag.get('b')?.dependencies).toHaveLength(1);
});

test.each([
  ['that waits for itself', [leaf('a', ['a'])], '"a", "a"'],
  ['that wait for one another', [leaf('a', ['b']), leaf('b', ['c']), leaf('c', ['a'])], '"a", "b", "c", "a"'],
  ['that waits for one inside itself', [leaf('a', ['inner'], leaf('inner'))], '"a", "inner", "a"'],
])('blocks %s never open, which is one error', (_, children, description) => {
  const { findings } = compile(...children);
  expect(findings).toMatchObject([
    { severity: 'error', code: 'DEPENDENCY_CIRCULAR', path: '/children/0/dependencies' },
  ]);
  expect(findings[0]?.message).toContain(`wait for one another and never open: ${description}.`);
});

test('a block may wait for one that stands around or beside it, by several ways', () => {
  expect(compile(leaf('a'), leaf('b', ['a'], leaf('c', ['b', 'a'])), leaf('d', ['b', 'c', 'a'])).findings).toEqual([]);
});

test('thousands of blocks that wait in one circle are compiled, with one error each at most', () => {
  // A search along every way among them would never end.
  const tags = Array.from({ length: 5000 }, (_, index) => `b${index}`);
  const { findings } = compile(...tags.map((tag, index) => leaf(tag, [tags[(index + 1) % tags.length] ?? '', 'b0'])));
  expect(findings.length).toBeGreaterThan(0);
  expect(findings.length).toBeLessThanOrEqual(5000);
});
