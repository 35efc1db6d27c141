import { expect, test } from 'vitest';
import { catalogOf, definition, facts, link, source } from '../../../test/policy-fixtures.js';
import type { BlockSource } from '../../records/index.js';
import { compilePolicy } from './compile.js';

const ports = { ports: () => ['in', 'out'], outputs: () => ['in', 'out'] };
const catalog = catalogOf(
  definition('box', { kind: 'container' }),
  definition('pass', { passesOn: true }),
  definition('wait', {}),
  definition('module', { kind: 'container', ...ports }),
);

const cyclesOf = (...children: BlockSource[]) =>
  compilePolicy(source('box', 'root', {}, ...children), facts, catalog).findings.filter(
    ({ code }) => code === 'LINK_CIRCULAR',
  );

const last = (tag: string, to: string, type = 'pass') =>
  source(type, tag, { stopPropagation: true, events: [link(tag, 'RunEvent', to, 'RunEvent')] });

test('blocks that pass a run on in a circle are an error that names them all', () => {
  expect(cyclesOf(source('pass', 'a'), source('pass', 'b'), last('c', 'a'))).toMatchObject([
    {
      severity: 'error',
      tag: 'a',
      path: '/children/0/events',
      message: expect.stringContaining('A run through "a", "b", "c", "a" never ends') as string,
    },
  ]);
});

test('a block that runs itself is a circle', () => {
  expect(cyclesOf(last('a', 'a'))).toHaveLength(1);
});

test('a circle through the ports of a module is found', () => {
  const inner = last('inner', 'm');
  inner.events = [link('inner', 'RunEvent', 'm', 'out')];
  const events = [link('m', 'in', 'inner', 'RunEvent'), link('m', 'out', 'm', 'in')];
  expect(cyclesOf(source('module', 'm', { events, stopPropagation: true }, inner))).toHaveLength(1);
});

test.each([
  ['a block among them waits', [source('pass', 'a'), source('wait', 'b'), last('c', 'a')]],
  [
    'a link of it is disabled',
    [
      source('pass', 'a'),
      { ...last('b', 'a'), events: [{ ...link('b', 'RunEvent', 'a', 'RunEvent'), disabled: true }] },
    ],
  ],
  [
    'it only refreshes',
    [source('pass', 'a'), { ...last('b', 'a'), events: [link('b', 'RefreshEvent', 'a', 'RefreshEvent')] }],
  ],
  [
    'two ways meet again',
    [
      source('pass', 'a', { events: [link('a', 'RunEvent', 'c', 'RunEvent')] }),
      source('pass', 'b'),
      source('pass', 'c'),
    ],
  ],
])('there is none where %s', (_, children) => {
  expect(cyclesOf(...children)).toEqual([]);
});

test('a chain of 20,000 blocks is searched', () => {
  const children = Array.from({ length: 20_000 }, (_, index) => source('pass', `b${String(index)}`));
  expect(cyclesOf(...children)).toEqual([]);
});
