import { expect, test } from 'vitest';
import { countingIds, refusal, written } from '../../../../test/policy-fixtures.js';
import { atOnce } from '../../../loop-share.js';
import type { Finding } from '../../model/policy-model.js';
import { defaultPolicyFileLimits } from '../limits/limits.js';
import { normalizing } from './normalize-config.js';

const ID = 'd3b1c9a4-5b7e-4c52-9a37-0c5f7d2e8b11';

function normalize(raw: unknown, limits = {}) {
  const findings: Finding[] = [];
  const block = atOnce(normalizing(raw, countingIds(), { ...defaultPolicyFileLimits, ...limits }, findings));
  return { block, findings, paths: findings.map(({ path }) => path) };
}

test('what an author left out is completed without a word', () => {
  const { block, findings } = normalize({ blockType: 'buttonBlock' });
  expect(block).toEqual({
    id: '00000000-0000-4000-8000-000000000001',
    blockType: 'buttonBlock',
    tag: '',
    permissions: [],
    defaultActive: false,
    uiMetaData: {},
    events: [],
    children: [],
    dependencies: [],
  });
  expect(findings).toEqual([]);
});

test('options of a block, and members that nobody knows, are kept as they are', () => {
  const own = { schema: '#1', followUser: true, stray: { deep: [1] }, stopPropagation: true, onErrorAction: 'retry' };
  expect(normalize(written('a', 'x', own)).block).toMatchObject(own);
});

test('tags stay to the letter', () => {
  expect(normalize(written('a', 'save_ issue (minting) ')).block.tag).toBe('save_ issue (minting) ');
});

test('nested options are the own members of the block', () => {
  const { block, findings } = normalize(
    written('a', 'x', { schema: 'old', options: { schema: 'new', uiMetaData: { title: 'T' } } }),
  );
  expect(block).toMatchObject({ schema: 'new', uiMetaData: { title: 'T' } });
  expect(block).not.toHaveProperty('options');
  expect(findings).toEqual([]);
});

test('nested options cannot change what a block is, and a finding says so', () => {
  const { block, paths } = normalize(written('a', 'x', { options: { tag: 'y', blockType: 'b', children: [1] } }));
  expect(block).toMatchObject({ blockType: 'a', tag: 'x', children: [] });
  expect(paths).toEqual(['/options/blockType', '/options/tag', '/options/children']);
});

test('options that are a list are an option by that name', () => {
  const options = [{ name: 'status', value: 'Approved' }];
  expect(normalize(written('sendToGuardianBlock', 'x', { options })).block['options']).toEqual(options);
});

test('members of the wrong type are understood where they can be', () => {
  const { block } = normalize(
    written('a', 'x', {
      permissions: 'OWNER',
      defaultActive: 'TRUE',
      stopPropagation: 'false',
      events: [{ source: 'x', actor: 'Owner', disabled: 'true', note: 'kept' }],
    }),
  );
  expect(block).toMatchObject({ permissions: ['OWNER'], defaultActive: true, stopPropagation: false });
  expect(block.events).toEqual([
    { source: 'x', target: '', output: '', input: '', actor: 'owner', disabled: true, note: 'kept' },
  ]);
});

test('each member that cannot be understood is a finding with its path, block and tag', () => {
  const child = written('b', 'child', {
    id: 'no uuid',
    permissions: ['A', 7],
    defaultActive: 'maybe',
    uiMetaData: 'x',
    events: [null, { actor: 'nobody' }],
    dependencies: {},
  });
  const { findings, paths, block } = normalize(written('a', '', {}, child));
  expect(paths).toEqual(
    ['id', 'permissions/1', 'defaultActive', 'uiMetaData', 'events/0', 'events/1/actor', 'dependencies'].map(
      (member) => `/children/0/${member}`,
    ),
  );
  const { id } = block.children[0] ?? { id: '' };
  for (const finding of findings)
    expect(finding).toMatchObject({ code: 'RECORD_FIELD_INVALID', block: id, tag: 'child' });
});

test('an id that two blocks share stays with the first of them', () => {
  const { block, findings } = normalize(written('a', '', { id: ID }, written('b', 'x', { id: ID })));
  expect(block.id).toBe(ID);
  expect(block.children[0]?.id).toBe('00000000-0000-4000-8000-000000000001');
  expect(findings).toMatchObject([{ path: '/children/0/id', block: block.children[0]?.id }]);
});

test.each([
  ['something else than a block', written('a', '', {}, 'text'), '/config/children/0'],
  ['a missing block', written('a', '', {}, null), '/config/children/0'],
  [
    'children that are no list',
    written('a', '', {}, { ...written('b', ''), children: 'x' }),
    '/config/children/0/children',
  ],
  ['a missing blockType', written('a', '', {}, written('b', ''), { tag: 'x' }), '/config/children/1'],
  ['a blockType that is no text', written('a', '', {}, { blockType: 5 }), '/config/children/0'],
])('%s is refused with the place', (_, raw, pointer) => {
  const message = refusal(() => normalize(raw), 'POLICY_FILE_INVALID');
  expect(message).toContain(pointer);
});

test.each([
  [{ blocktype: 'b', tag: 'x' }, '("x") has no blockType. Rename "blocktype" to "blockType"'],
  [{ tag: 'x' }, '("x") has no blockType. Name one'],
  [{ blockType: ['b'], tag: 'x' }, '("x") has no blockType. Name one'],
  ['b', 'there is "b" instead of a block'],
])('a child that is no block is refused with what to write: %j', (child, advice) => {
  expect(refusal(() => normalize({ ...written('a', ''), children: [child] }), 'POLICY_FILE_INVALID')).toContain(advice);
});

test('blocks keep their order', () => {
  const raw = written('a', '', {}, written('b', '1', {}, written('b', '2'), written('b', '3')), written('b', '4'));
  const { block } = normalize(raw);
  expect(block.children.map(({ tag }) => tag)).toEqual(['1', '4']);
  expect(block.children[0]?.children.map(({ tag }) => tag)).toEqual(['2', '3']);
});

test('more blocks, or more levels of them, than the limit are refused', () => {
  const raw = written('a', '', {}, written('b', '', {}, written('c', '')));
  expect(refusal(() => normalize(raw, { blocks: 2 }), 'POLICY_FILE_TOO_LARGE')).toContain('the limit of 2');
  expect(refusal(() => normalize(raw, { depth: 2 }), 'POLICY_FILE_TOO_LARGE')).toContain('the limit of 2 levels');
  expect(normalize(raw, { blocks: 3, depth: 3 }).block.children).toHaveLength(1);
});

test('a misspelt member of a link is a finding that says which one was meant', () => {
  const link = { source: 'a', traget: 'b', output: 'RunEvent', input: 'RunEvent', note: 'kept' };
  const { findings } = normalize({ blockType: 'a', events: [link] });
  expect(findings.map(({ message }) => message).join()).toContain('did you mean "target"?');
  expect(findings).toHaveLength(1);
});
