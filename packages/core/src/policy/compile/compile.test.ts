import { expect, test } from 'vitest';
import { z } from 'zod';
import { catalogOf, definition, facts, refusal, source } from '../../../test/policy-fixtures.js';
import { compilePolicy } from './compile.js';
import type { PolicyTree } from '../model/policy-model.js';

const step = definition('step', { kind: 'container', inputs: ['ReleaseEvent'] });
const leaf = definition('leaf');
const catalog = catalogOf(step, leaf);

const node = (tree: PolicyTree, tag: string) => {
  const block = tree.byTag.get(tag);
  if (block === undefined) throw new Error(`no block "${tag}"`);
  return block;
};
const codes = (tree: PolicyTree) => tree.findings.map(({ code }) => code);

test('the tree knows every block by uuid, by tag, and in order', () => {
  const root = source(
    'step',
    '',
    { defaultActive: false },
    source('leaf', 'a', {}, source('leaf', 'b')),
    source('leaf', 'c', { defaultActive: false }),
  );
  const tree = compilePolicy(root, facts, catalog);
  expect(tree.blocks.map(({ tag }) => tag)).toEqual([root.id, 'a', 'b', 'c']);
  expect(tree.blocks.map(({ path }) => path)).toEqual(['', '/children/0', '/children/0/children/0', '/children/1']);
  expect(tree.blocks.map(({ index }) => index)).toEqual([0, 0, 0, 1]);
  expect(tree.blocks.map(({ defaultActive }) => defaultActive)).toEqual([true, true, true, false]);
  expect([...tree.byTag.keys()]).toEqual(['a', 'b', 'c']);
  expect([...tree.byUuid.values()]).toEqual(tree.blocks);
  expect(tree.root).toMatchObject({ named: false, parent: null, source: root });
  expect(node(tree, 'b').parent).toBe(node(tree, 'a'));
  expect(node(tree, 'a').children).toEqual([node(tree, 'b')]);
  expect(tree.findings).toEqual([]);
});

test('topics with the names of those for checkpoints and versions are refused', () => {
  const topics = [{ name: 'blockwork/checkpoints' }, { name: 'Reports' }, { name: 'blockwork/policy' }] as never;
  const message = expect.stringContaining('Rename it') as unknown;
  expect(compilePolicy(source('step', ''), { ...facts, topics }, catalog).findings).toMatchObject([
    { severity: 'error', pointer: '/policyTopics/0/name', message },
    { severity: 'error', pointer: '/policyTopics/2/name', message },
  ]);
});

test('a compiled policy cannot be changed', () => {
  const tree = compilePolicy(source('step', '', {}, source('leaf', 'a')), facts, catalog);
  expect(() => Object.assign(tree, { root: null })).toThrow(TypeError);
  expect(() => Object.assign(tree.root, { options: 1 })).toThrow(TypeError);
  expect(() => (tree.root.children as unknown[]).push(1)).toThrow(TypeError);
});

test('a block of unknown type is a finding with its place, and the rest is compiled', () => {
  const tree = compilePolicy(source('step', '', {}, source('mystery', 'm'), source('leaf', 'a')), facts, catalog);
  expect(tree.findings).toMatchObject([
    { severity: 'error', code: 'BLOCK_TYPE_UNKNOWN', path: '/children/0', tag: 'm' },
  ]);
  expect(node(tree, 'm')).toMatchObject({ definition: null, options: null, optionsError: '' });
});

test('options are validated and completed by the block type, which sees only what is its own', () => {
  const options = z.strictObject({ size: z.number().default(3), uiMetaData: z.object({}) });
  const typed = definition('typed', { options });
  const tree = compilePolicy(
    source('typed', 't', { onErrorAction: 'retry', errorTimeout: '5', stopPropagation: true }),
    facts,
    catalogOf(typed),
  );
  expect(tree.root.options).toEqual({ size: 3, uiMetaData: {} });
});

test('options that are not valid are findings with the path of each member', () => {
  const options = z.object({ list: z.array(z.object({ 'a/b': z.string() })), size: z.number() });
  const tree = compilePolicy(
    source('typed', 't', { list: [{}], size: 'x' }),
    facts,
    catalogOf(definition('typed', { options })),
  );
  expect(tree.findings.map(({ code, path }) => [code, path])).toEqual([
    ['OPTIONS_INVALID', '/list/0/a~1b'],
    ['OPTIONS_INVALID', '/size'],
  ]);
  expect(tree.root.options).toBeNull();
  expect(tree.root.optionsError).toMatch(/^list\.0\.a\/b is missing, .+; size is "x", .+/);
});

test('permissions that are no role of the policy are errors', () => {
  const permissions = ['Installer', 'OWNER', 'NO_ROLE', 'ANY_ROLE', 'Admin'];
  const tree = compilePolicy(source('leaf', 'a', { permissions }), facts, catalog);
  expect(tree.findings).toMatchObject([{ severity: 'error', code: 'PERMISSION_UNKNOWN', path: '/permissions/4' }]);
});

test('findings may be very many', () => {
  const permissions = Array.from({ length: 200_000 }, (_, index) => `role ${index}`);
  expect(compilePolicy(source('leaf', 'a', { permissions }), facts, catalog).findings).toHaveLength(200_000);
});

test('a block without a tag is warned of, unless it is the root', () => {
  const tree = compilePolicy(source('step', '', {}, source('leaf', '')), facts, catalog);
  expect(tree.findings).toMatchObject([{ code: 'TAG_MISSING', path: '/children/0' }]);
  expect(tree.blocks[1]).toMatchObject({ named: false, tag: tree.blocks[1]?.uuid });
});

test('a child that means nothing to its parent is a warning, a block that cannot work where it is an error', () => {
  const grid = definition('grid', { kind: 'interface', children: ['source', 'paging'] });
  const addon = definition('addon', { kind: 'paging', children: 'none', parents: ['grid'] });
  const tree = compilePolicy(
    source(
      'step',
      '',
      {},
      source('addon', 'lost'),
      source('grid', 'g', {}, source('addon', 'at home'), source('leaf', 'linked'), source('history', 'odd')),
    ),
    facts,
    catalogOf(step, leaf, grid, addon, definition('history', { kind: 'history' })),
  );
  expect(tree.findings.map(({ severity, code, tag }) => [severity, code, tag])).toEqual([
    ['error', 'BLOCK_MISPLACED', 'lost'],
    ['warning', 'BLOCK_MISPLACED', 'odd'],
  ]);
});

test.each([
  [{}, { action: 'no-action' }, 0],
  [{ onErrorAction: 'debug' }, { action: 'no-action' }, 0],
  [{ onErrorAction: 'retry', errorTimeout: '250' }, { action: 'retry', timeoutMs: 250 }, 0],
  [{ onErrorAction: 'retry', errorTimeout: 'soon' }, { action: 'retry', timeoutMs: 0 }, 1],
  [{ onErrorAction: 'goto-step', errorFallbackStep: '2' }, { action: 'goto-step', step: 2 }, 0],
  [{ onErrorAction: 'goto-step', errorFallbackStep: -1 }, { action: 'no-action' }, 1],
  [{ onErrorAction: 'goto-tag', errorFallbackTag: 'b' }, { action: 'goto-tag', tag: 'b' }, 0],
  [{ onErrorAction: 'goto-tag', errorFallbackTag: 'elsewhere' }, { action: 'goto-tag', tag: 'elsewhere' }, 1],
  [{ onErrorAction: 'goto-tag' }, { action: 'no-action' }, 1],
  [{ onErrorAction: 'panic' }, { action: 'no-action' }, 1],
])('%j means %j on an error', (rest, expected, findings) => {
  const tree = compilePolicy(source('step', '', {}, source('leaf', 'a', rest), source('leaf', 'b')), facts, catalog);
  expect(node(tree, 'a').onError).toEqual(expected);
  expect(tree.findings).toHaveLength(findings);
});

test('groups and navigation that name what is not there are warned of', () => {
  const groups = [{ name: 'G', creator: 'Boss', members: ['Installer', 'Boss'] }];
  const navigation = [
    { role: 'Installer', steps: [{ block: 'a' }, { block: 'gone' }] },
    { role: 'Nobody', steps: [] },
    { role: 'OWNER' },
  ];
  const tree = compilePolicy(source('leaf', 'a'), { ...facts, groups, navigation }, catalog);
  expect(codes(tree)).toEqual(['ROLE_UNKNOWN', 'REFERENCE_UNKNOWN', 'ROLE_UNKNOWN']);
});

test('a block type may find more, once the whole tree is there', () => {
  const picky = definition('picky', {
    check: (block, _, policy) => [
      { severity: 'warning', code: 'REFERENCE_UNKNOWN', message: `${policy.blocks.length} blocks`, path: block.path },
    ],
  });
  const tree = compilePolicy(
    source('step', '', {}, source('picky', 'p'), source('leaf', 'a')),
    facts,
    catalogOf(step, leaf, picky),
  );
  expect(tree.findings).toMatchObject([{ message: '3 blocks', path: '/children/0' }]);
});

test('code of a block type that throws is told apart from a faulty policy', () => {
  const broken = definition('broken', {
    check: () => {
      throw new TypeError('bug');
    },
  });
  const compile = () => compilePolicy(source('broken', 'b'), facts, catalogOf(broken));
  expect(refusal(compile, 'INTERNAL')).toBeDefined();
  expect(compile).toThrow('(`check` of the block type "broken" threw "bug" at block "b")');
});

test('findings that are no list are told as a fault of the block type', () => {
  const broken = definition('broken', { check: () => 5 as unknown as [] });
  const compile = () => compilePolicy(source('broken', 'b'), facts, catalogOf(broken));
  expect(compile).toThrow('`check` of the block type "broken"');
});

test('a tag that is used twice is an error with both places, and hides no other', () => {
  const twins = source('step', '', {}, source('leaf', 'a'), source('leaf', 'a'), source('unheardOf', 'b'));
  const tree = compilePolicy(twins, facts, catalog);
  expect(tree.findings).toMatchObject([
    {
      severity: 'error',
      code: 'TAG_REPEATED',
      tag: 'a',
      path: '/children/1/tag',
      message: 'The tag "a" is used twice, by the blocks at /children/0 and /children/1. Rename one of them.',
    },
    { code: 'BLOCK_TYPE_UNKNOWN', tag: 'b' },
  ]);
  expect(tree.byTag.get('a')?.path).toBe('/children/0');
});

test('two blocks with one id cannot be compiled', () => {
  const policy = { ...facts, policyId: 'p1' };
  const [first] = source('step', '', {}, source('leaf', 'a')).children;
  const sameId = source(
    'step',
    '',
    {},
    source('leaf', 'x', { id: first?.id ?? '' }),
    source('leaf', 'y', { id: first?.id ?? '' }),
  );
  expect(refusal(() => compilePolicy(sameId, policy, catalog), 'POLICY_INVALID')).toContain('Policy "p1"');
});

test('a block that people use is lost without permissions; a block that events run is not', () => {
  const shown = definition('shown', { kind: 'interface' });
  const box = definition('box', { kind: 'container' });
  const none = { permissions: [] };
  const tree = compilePolicy(
    source(
      'box',
      'root',
      {},
      source('shown', 'form', none),
      source('leaf', 'save', none),
      source('box', 'part', none, source('shown', 'inner', none)),
      source('box', 'server part', none, source('leaf', 'store', none)),
    ),
    facts,
    catalogOf(shown, box, leaf),
  );
  expect(tree.findings).toMatchObject([
    { severity: 'error', code: 'PERMISSION_MISSING', tag: 'form', path: '/children/0/permissions' },
    { code: 'PERMISSION_MISSING', tag: 'part' },
  ]);
});

test('a role that is close to one of the policy is a hint', () => {
  const tree = compilePolicy(source('leaf', 'a', { permissions: ['Instaler'] }), facts, catalog);
  expect(tree.findings[0]?.message).toContain('(did you mean "Installer"?)');
});

test('an option of the wrong type is an error that says what was expected', () => {
  const options = z.object({
    on: z.union([z.boolean(), z.enum(['yes', 'no'])]),
    size: z.number(),
    pick: z.enum(['a', 'b']),
    gone: z.array(z.string()),
  });
  const cannot = 'The options of "t" (typed) cannot be used:';
  const tree = compilePolicy(
    source('typed', 't', { on: 7, size: '7', pick: 'c' }),
    facts,
    catalogOf(definition('typed', { options })),
  );
  expect(tree.findings.map(({ message, path }) => [path, message])).toEqual([
    ['/on', `${cannot} on is 7, expected true or false or one of "yes", "no".`],
    ['/size', `${cannot} size is "7", expected a number.`],
    ['/pick', `${cannot} pick is "c", expected one of "a", "b" (did you mean "a"?).`],
    ['/gone', `${cannot} gone is missing, expected a list.`],
  ]);
});

test('a misspelt block type has its hint, however many policies the engine has compiled before', () => {
  const types = Array.from({ length: 150 }, (_, index) => definition(`type${String(index)}`));
  const many = catalogOf(...types);
  const children = Array.from({ length: 2_000 }, (_, index) => source('typo', `t${String(index)}`));
  compilePolicy(source('type0', 'root', {}, ...children), facts, many);
  expect(compilePolicy(source('tipe7', 'a'), facts, many).findings[0]?.message).toContain('(did you mean "type7"?)');
});
