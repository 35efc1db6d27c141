import { expect, test } from 'vitest';
import { catalogOf, definition, facts, source } from '../../../test/policy-fixtures.js';
import { compilePolicy } from './compile.js';

const catalog = catalogOf(
  definition('box', { kind: 'container', children: 'any' }),
  definition('form', { kind: 'interface' }),
  definition('save', { kind: 'server' }),
);
const roles = { ...facts, roles: ['Farmer', 'Verifier'] };

/** A block of the type within a box, for these people. */
function unreachable(type: string, around: readonly string[], within: readonly string[]): string[] {
  const inner = source(type, 'inner', { permissions: [...within] });
  const root = source(
    'box',
    'root',
    { permissions: ['ANY_ROLE'] },
    source('box', 'outer', { permissions: [...around] }, inner),
  );
  return compilePolicy(root, roles, catalog)
    .findings.filter(({ code }) => code === 'BLOCK_UNREACHABLE')
    .map(({ message, severity, tag }) => `${severity} ${String(tag)}: ${message}`);
}

test('a form for one role inside a container for another is reported, with the container', () => {
  expect(unreachable('form', ['Verifier'], ['Farmer'])).toEqual([
    'warning inner: Nobody can reach "inner": it is for Farmer, but "outer" around it is for Verifier. Give both the same roles.',
  ]);
  expect(unreachable('form', ['Farmer', 'Verifier'], ['NO_ROLE'])).toHaveLength(1);
});

test.each([
  ['a role in common', 'form', ['Farmer', 'Verifier'], ['Farmer']],
  ['any role within', 'form', ['Verifier'], ['ANY_ROLE']],
  ['any role around', 'form', ['ANY_ROLE'], ['Farmer']],
  ['an owner who takes the role', 'form', ['OWNER'], ['Farmer']],
  ['a block that runs by events', 'save', ['Verifier'], ['Farmer']],
])('%s is reached', (_, type, around, within) => {
  expect(unreachable(type, around, within)).toEqual([]);
});
