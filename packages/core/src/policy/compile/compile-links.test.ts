import { expect, test } from 'vitest';
import { z } from 'zod';
import { catalogOf, definition, facts, link, source } from '../../../test/policy-fixtures.js';
import type { BlockSource } from '../../records/index.js';
import type { BlockCatalog } from '../model/policy-model.js';
import { compilePolicy } from './compile.js';

const catalog = catalogOf(
  definition('box', { kind: 'container' }),
  definition('step', { kind: 'container', inputs: ['ReleaseEvent'] }),
  definition('leaf', { inputs: ['TimerEvent'], outputs: ['Confirm'] }),
  definition('buttons', {
    options: z.object({ tags: z.array(z.string()) }),
    outputs: (options) => (options as { tags: string[] }).tags,
  }),
);

/** Every link as "source output -> input target (actor)", in firing order for each block and output. */
function linksOf(root: BlockSource, types: BlockCatalog = catalog) {
  const { blocks, findings } = compilePolicy(root, facts, types);
  const links = blocks.flatMap((block) =>
    [...block.links].flatMap(([output, list]) => {
      expect(list.every((each) => each.output === output)).toBe(true);
      return list.map(({ input, target, actor }) => `${block.tag} ${output} -> ${input} ${target.tag} (${actor})`);
    }),
  );
  return { links, findings, codes: findings.map(({ code }) => code) };
}

test('a run goes on to the next block of the same parent, unless the block stops it', () => {
  const root = source(
    'leaf',
    'r',
    {},
    source('leaf', 'a'),
    source('leaf', 'b', { stopPropagation: true }),
    source('leaf', 'c'),
  );
  expect(linksOf(root).links).toEqual(['a RunEvent -> RunEvent b (initiator)']);
});

test('a container hears of every child, and a step of what was finished in it', () => {
  const root = source('box', 'r', {}, source('step', 's', {}, source('leaf', 'a')));
  expect(linksOf(root).links).toEqual([
    's RefreshEvent -> RefreshEvent r (initiator)',
    'a RefreshEvent -> RefreshEvent s (initiator)',
    'a ReleaseEvent -> ReleaseEvent s (initiator)',
  ]);
});

test('a module has the links of its innerEvents too, and one that is written in both places is no repetition', () => {
  const inner = link('m', 'RefreshEvent', 'a', 'RefreshEvent');
  const events = [inner, link('m', 'RefreshEvent', 'b', 'RefreshEvent')];
  const innerEvents = [
    { ...inner, actor: '' as const },
    link('m', 'RunEvent', 'a', 'RunEvent'),
    link('m', 'RunEvent', 'x', 'RunEvent'),
  ];
  const root = source(
    'box',
    'm',
    { events, innerEvents },
    source('leaf', 'a'),
    source('leaf', 'b', { stopPropagation: true }),
  );
  const { links, findings } = linksOf(root);
  expect(links.filter((each) => each.startsWith('m '))).toEqual([
    'm RefreshEvent -> RefreshEvent a (initiator)',
    'm RefreshEvent -> RefreshEvent b (initiator)',
    'm RunEvent -> RunEvent a (initiator)',
  ]);
  expect(findings).toMatchObject([{ code: 'LINK_DANGLING', path: '/innerEvents/2' }]);
});

test('links fire in the order of the blocks they are written on; what is not written comes before what is', () => {
  const root = source(
    'box',
    'r',
    { events: [link('a', 'RunEvent', 'c', 'RunEvent')] },
    source('leaf', 'a', {
      events: [
        link('a', 'RunEvent', 'd', 'RunEvent', { actor: 'owner' }),
        link('b', 'RefreshEvent', 'd', 'RefreshEvent'),
      ],
    }),
    source('leaf', 'b', { stopPropagation: true, events: [link('a', 'RunEvent', 'd', 'RunEvent', { actor: null })] }),
    source('leaf', 'c', { stopPropagation: true }),
    source('leaf', 'd'),
  );
  expect(linksOf(root).links.filter((each) => /^[ab] /.test(each))).toEqual([
    'a RunEvent -> RunEvent c (initiator)',
    'a RunEvent -> RunEvent b (initiator)',
    'a RunEvent -> RunEvent d (owner)',
    'a RunEvent -> RunEvent d (initiator)',
    'a RefreshEvent -> RefreshEvent r (initiator)',
    'b RefreshEvent -> RefreshEvent d (initiator)',
    'b RefreshEvent -> RefreshEvent r (initiator)',
  ]);
});

test('a link of one child to its parent leaves those of its siblings alone', () => {
  const root = source(
    'box',
    'r',
    {},
    source('leaf', 'a', { stopPropagation: true, events: [link('a', 'RefreshEvent', 'b', 'RefreshEvent')] }),
    source('leaf', 'b'),
  );
  expect(linksOf(root).links).toEqual([
    'a RefreshEvent -> RefreshEvent r (initiator)',
    'a RefreshEvent -> RefreshEvent b (initiator)',
    'b RefreshEvent -> RefreshEvent r (initiator)',
  ]);
});

test('links that do the same are kept once, also when one of them is not written', () => {
  const twice = [link('a', 'Confirm', 'b', 'RunEvent'), link('a', 'Confirm', 'b', 'RunEvent', { actor: null })];
  const root = source(
    'leaf',
    'r',
    {},
    source('leaf', 'a', { events: [...twice, link('a', 'RunEvent', 'b', 'RunEvent')] }),
    source('leaf', 'b'),
  );
  const { links, findings } = linksOf(root);
  expect(links).toEqual(['a RunEvent -> RunEvent b (initiator)', 'a Confirm -> RunEvent b (initiator)']);
  expect(findings.map(({ code, path }) => [code, path])).toEqual([
    ['LINK_REPEATED', '/children/0/events/1'],
    ['LINK_REPEATED', '/children/0/events/2'],
  ]);
});

test('disabled links are left out without a word', () => {
  const events = [
    link('a', 'Confirm', 'a', 'RunEvent', { disabled: true }),
    link('gone', '', '', '', { disabled: true }),
  ];
  expect(linksOf(source('leaf', 'a', { events }))).toMatchObject({ links: [], findings: [] });
});

test('links that lead nowhere are warned of; a blank end does not mean the root', () => {
  const events = [
    link('a', 'Confirm', '', 'RunEvent'),
    link('', 'Confirm', 'a', 'RunEvent'),
    link('a', 'Confirm', 'gone', 'RunEvent'),
    link('a', '', 'a', 'RunEvent'),
    link('a', 'Confirm', 'a', ''),
  ];
  const { links, findings } = linksOf(source('box', '', {}, source('leaf', 'a', { events })));
  expect(links).toHaveLength(1);
  expect(findings).toMatchObject(
    events.map((_, index) => ({ code: 'LINK_DANGLING', severity: 'warning', path: `/children/0/events/${index}` })),
  );
});

test('links to an input that is not there, or from an output that is not, are warned of', () => {
  const events = [
    link('a', 'Button_0', 'a', 'RunEvent'),
    link('a', 'Confirm', 'a', 'PopEvent'),
    link('a', 'Confirm', 'a', 'TimerEvent'),
  ];
  const { links, codes } = linksOf(source('leaf', 'a', { events }));
  expect(links).toEqual(['a Confirm -> TimerEvent a (initiator)']);
  expect(codes).toEqual(['LINK_NEVER_FIRES', 'LINK_NEVER_FIRES']);
});

test('options add outputs: tags of buttons and conditions', () => {
  const events = [
    link('b', 'Approve', 'b', 'RunEvent'),
    link('b', 'Reject', 'b', 'RunEvent'),
    link('b', 'ErrorEvent', 'b', 'RunEvent'),
  ];
  const { links, codes } = linksOf(source('buttons', 'b', { tags: ['Approve'], events }));
  expect(links).toEqual(['b Approve -> RunEvent b (initiator)', 'b ErrorEvent -> RunEvent b (initiator)']);
  expect(codes).toEqual(['LINK_NEVER_FIRES']);
});

test('a block whose options are not valid keeps its links', () => {
  const events = [link('b', 'Approve', 'b', 'RunEvent')];
  expect(linksOf(source('buttons', 'b', { events }))).toMatchObject({
    links: ['b Approve -> RunEvent b (initiator)'],
    codes: ['OPTIONS_INVALID'],
  });
});

test('a block of unknown type may give anything, and takes what any block is known to take', () => {
  const events = [link('x', 'Button_0', 'x', 'AdditionalMintEvent'), link('x', 'Button_0', 'x', 'InventedEvent')];
  const { links, codes } = linksOf(source('mystery', 'x', { events }));
  expect(links).toEqual(['x Button_0 -> AdditionalMintEvent x (initiator)']);
  expect(codes).toEqual(['BLOCK_TYPE_UNKNOWN', 'LINK_NEVER_FIRES']);
});
