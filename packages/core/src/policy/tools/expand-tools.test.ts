import { expect, test } from 'vitest';
import { countingIds, link, written } from '../../../test/policy-fixtures.js';
import { referenceTo, tool, useOf } from '../../../test/tool-fixtures.js';
import { atOnce } from '../../loop-share.js';
import { toolKey, type BlockSource } from '../../records/index.js';
import { defaultPolicyFileLimits } from '../file/limits/limits.js';
import { normalizing } from '../file/normalize/normalize-config.js';
import { walkTree } from '../model/tree-walk.js';
import { expandTools } from './expand-tools.js';

const config = (block: unknown): BlockSource => atOnce(normalizing(block, countingIds(), defaultPolicyFileLimits, []));

const toolsOf = (tools: Record<string, unknown>) =>
  new Map(
    Object.entries(tools).map(([messageId, root]) => [toolKey(referenceTo(messageId)), { config: config(root) }]),
  );

const expanded = (root: BlockSource, tools: Record<string, unknown>, limits = { blocks: 100, depth: 10 }) =>
  expandTools(root, toolsOf(tools), limits);

const tagsOf = (root: BlockSource) => walkTree(root).map(({ block }) => block.tag);
const blockOf = (root: BlockSource, tag: string) => walkTree(root).find(({ block }) => block.tag === tag)?.block;

const policy = (...children: unknown[]) => config(written('box', 'root', {}, ...children));

test('a policy without tools is handed back as it is', () => {
  const root = policy(written('leaf', 'a'));
  expect(expanded(root, {})).toEqual({ config: root, findings: [] });
  expect(expanded(root, {}).config).toBe(root);
});

test('the blocks of a tool stand in the policy with the tag of the tool before their own', () => {
  const inner = tool('T', {}, written('box', 'first', {}, written('leaf', 'second'), written('leaf', '')));
  const root = policy(useOf('use', '1'), written('leaf', 'after'));
  const { config: result, findings } = expanded(root, { 1: inner });
  expect(findings).toEqual([]);
  expect(tagsOf(result)).toEqual(['root', 'use', 'use:first', 'use:second', '', 'after']);
});

test('everything that names a block of the tool names it by its new tag', () => {
  const columns = {
    fields: [{ bindGroup: 'a', bindBlock: 'b', bindBlocks: ['c', 'T'], title: 'a' }, 'stray'],
    title: 'a',
  };
  const first = written('leaf', 'first', {
    uiMetaData: columns,
    finalBlocks: ['x', 'y'],
    errorFallbackTag: 'z',
    events: [link('first', 'RunEvent', 'T', 'out'), link('first', 'RunEvent', '', '')],
  });
  const innerEvents = [link('T', 'in', 'first', 'RefreshEvent')];
  const { config: result } = expanded(policy(useOf('use', '1')), { 1: tool('T', { innerEvents }, first) });
  expect(blockOf(result, 'use:first')).toMatchObject({
    uiMetaData: {
      fields: [{ bindGroup: 'use:a', bindBlock: 'use:b', bindBlocks: ['use:c', 'use'], title: 'a' }, 'stray'],
      title: 'a',
    },
    finalBlocks: ['use:x', 'use:y'],
    errorFallbackTag: 'use:z',
    events: [
      { source: 'use:first', target: 'use', input: 'out' },
      { source: 'use:first', target: '' },
    ],
  });
  expect(blockOf(result, 'use')).toMatchObject({
    events: [{ source: 'use', output: 'in', target: 'use:first', input: 'RunEvent' }],
    innerEvents: [{ source: 'use', target: 'use:first', input: 'RefreshEvent' }],
  });
});

test('ports and variables come from the tool, values and own links from the policy', () => {
  const variables = [{ name: 'Who', type: 'Role' }];
  const use = useOf('use', '1', { Who: 'Farmer', events: [link('use', 'out', 'after', 'RunEvent')] });
  const inputEvents = [{ name: 'in' }, { name: 'more' }];
  const { config: result } = expanded(policy(use), { 1: tool('T', { variables, inputEvents }) });
  expect(blockOf(result, 'use')).toMatchObject({ variables, inputEvents, Who: 'Farmer', children: [] });
  expect(blockOf(result, 'use')?.events.map(({ target }) => target)).toEqual(['after', 'use:first']);
});

test('a tool within a tool has the prefix of both', () => {
  const outer = tool('O', {}, useOf('mid', '2'));
  const inner = tool('I', {}, written('leaf', 'first'));
  const { config: result } = expanded(policy(useOf('use', '1')), { 1: outer, 2: inner });
  expect(tagsOf(result)).toEqual(['root', 'use', 'use:mid', 'use:mid:first']);
});

test('ids are the same each time, and differ wherever the tool is used', () => {
  const root = policy(useOf('one', '1'), useOf('two', '1'));
  const tools = { 1: tool('T', {}, written('leaf', 'first')) };
  const ids = (result: BlockSource) => walkTree(result).map(({ block }) => block.id);
  const first = ids(expanded(root, tools).config);
  expect(ids(expanded(root, tools).config)).toEqual(first);
  expect(new Set(first).size).toBe(5);
  expect(first[2]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('a tool that is not here stays empty, and a finding says what does not happen', () => {
  const use = useOf('use', '1', { events: [link('use', 'out', 'after', 'RunEvent')] });
  const { config: result, findings } = expanded(policy(written('box', 'b', {}, use), written('leaf', 'after')), {});
  expect(blockOf(result, 'use')?.children).toEqual([]);
  expect(findings).toMatchObject([
    {
      severity: 'warning',
      code: 'TOOL_MISSING',
      message:
        'The tool of "use" is not here (message 1, hash hash of 1): what comes to it goes no further, to "after".',
      path: '/children/0/children/0',
      tag: 'use',
    },
  ]);
});

test('a tool that cannot be put in is left out: within itself, with a tag that is taken, beyond the limits', () => {
  const circular = tool('T', {}, useOf('again', '1'));
  expect(expanded(policy(useOf('use', '1')), { 1: circular }).findings).toMatchObject([
    {
      severity: 'error',
      code: 'TOOL_UNFIT',
      tag: 'use:again',
      message: expect.stringContaining('contains itself') as unknown,
    },
  ]);

  const one = tool('T', {}, written('leaf', 'first'));
  const { config, findings } = expanded(policy(useOf('use', '1'), written('leaf', 'use:first')), { 1: one });
  expect(findings).toMatchObject([{ code: 'TOOL_UNFIT', message: expect.stringContaining('"use:first"') as unknown }]);
  expect(tagsOf(config)).toEqual(['root', 'use', 'use:first']);

  const twice = policy(useOf('one', '1'), useOf('two', '1'));
  expect(expanded(twice, { 1: one }, { blocks: 4, depth: 3 }).findings).toMatchObject([{ tag: 'two' }]);
  expect(expanded(twice, { 1: one }, { blocks: 5, depth: 3 }).findings).toEqual([]);
  expect(expanded(twice, { 1: one }, { blocks: 5, depth: 2 }).findings).toHaveLength(2);
});

test('what the policy has written stays as it is', () => {
  const root = policy(useOf('use', '1'));
  const before = structuredClone(root);
  expanded(root, { 1: tool('T', {}, written('leaf', 'first')) });
  expect(root).toEqual(before);
});
