/** `blockwork mcp` as programs use it: a process, its streams, and the official client. */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { temporaryFolders } from '../../../test/support/folders.js';
import { toolClient, type ToolClient } from './support/mcp-client.js';
import { publishedProgram } from './support/published-program.js';
import { run } from './support/run.js';

const newFolder = temporaryFolders();
let program = '';
const open: ToolClient[] = [];

beforeAll(async () => {
  ({ program } = await publishedProgram(await newFolder()));
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((tools) => tools.close()));
});

async function toolsOf(folder: string): Promise<ToolClient> {
  const tools = await toolClient(program, ['--folder', folder]);
  open.push(tools);
  return tools;
}

const report = { site: 'Roof', kilowattHours: 12 };

it('a program makes a policy from a template, breaks it, mends it by the findings, tries it as its people, and tells what it changed', async () => {
  const folder = await newFolder();
  const { call, client } = await toolsOf(folder);
  const types = await call('list_block_types', { search: 'information' });
  expect(types['items']).toContainEqual(expect.objectContaining({ type: 'informationBlock' }));
  expect(await call('describe_block_type', { type: 'buttonBlock' })).toHaveProperty('options.properties');

  const { policy } = await call('create_policy', { name: 'Roofs & fields', template: 'registry' });
  expect(policy).toBe('roofs-fields.policy.json');
  const file = join(folder, String(policy));
  const created = await readFile(file, 'utf8');

  const help = { blockType: 'infomationBlock', tag: 'help', permissions: ['ANY_ROLE'] };
  const operations = [{ op: 'addBlock', parent: 'root', block: help, index: 1 }];
  const suggestions = [{ kind: 'value', at: '/children/1/blockType', value: 'informationBlock' }];
  const { findings, edit } = await call('edit_policy', { policy, operations });
  expect(findings).toMatchObject({ errors: 1, items: [{ code: 'BLOCK_TYPE_UNKNOWN', tag: 'help', suggestions }] });
  expect(await call('start_trial', { policy })).toMatchObject({ isRunning: false, findings: { errors: 1 } });

  const mended = [{ op: 'setOption', block: 'help', path: '/blockType', value: 'informationBlock' }];
  expect(await call('check_policy', { policy, operations: mended })).toMatchObject({ errors: 0 });
  expect(await call('edit_policy', { policy, operations: mended })).toMatchObject({ findings: { errors: 0 } });
  expect(JSON.parse(await readFile(file, 'utf8'))).toHaveProperty('config.children.1', {
    ...help,
    blockType: 'informationBlock',
  });

  expect(await call('start_trial', { policy })).toEqual({ isRunning: true, people: ['owner'] });
  for (const [name, role] of [
    ['Ann', 'Producer'],
    ['Vera', 'Verifier'],
  ]) {
    await call('add_person', { policy, name });
    await call('send_to_block', { policy, as: name, block: 'choose_role', data: { role } });
  }
  await call('send_to_block', { policy, as: 'Ann', block: 'report', data: { document: report, ref: null } });
  const tree = await call('read_policy', { policy });
  const [, grid] = /#(\w+) interfaceDocumentsSourceBlock \[Verifier\]/.exec(JSON.stringify(tree)) ?? [];
  expect(JSON.stringify(await call('read_block', { policy, as: 'Vera', block: grid }))).toContain('Roof');
  expect(await call('explain_block', { policy, as: 'Ann', block: grid })).toMatchObject({
    outcome: 'forbidden',
  });

  const { items } = await call('compare_policies', { policy });
  expect(items).toContainEqual({ area: 'block', name: 'help', change: 'new informationBlock in "root"' });
  expect(await call('explore_policy', { policy, steps: 50 })).toMatchObject({ hasDefects: false });

  await call('end_trial', { policy });
  await call('undo_edit', { policy });
  await call('undo_edit', { policy, edit });
  expect(await readFile(file, 'utf8')).toBe(created);
  expect(client.getServerVersion()).toMatchObject({ name: 'blockwork' });
});

it('what is not allowed is refused with a code and what to do instead, and nothing outside of the folder is read or written', async () => {
  const outside = await newFolder();
  const folder = join(outside, 'policies');
  await mkdir(folder);
  const secret = join(outside, 'secret.policy.json');
  await writeFile(secret, '{"name": "Secret", "config": {"blockType": "interfaceContainerBlock"}}');
  await symlink(secret, join(folder, 'link.policy.json'));
  await symlink(outside, join(folder, 'up'));
  await writeFile(join(folder, 'broken.policy.json'), '{"name": ');
  await writeFile(join(folder, 'notes.txt'), 'Notes');
  const { call, answer, client } = await toolsOf(folder);
  expect(await call('list_policies')).toMatchObject({ items: [{ policy: 'broken.policy.json' }], total: 1 });

  const operations = [{ op: 'setText', name: 'description', value: 'Mine' }];
  for (const policy of [
    '../secret.policy.json',
    'link.policy.json',
    'up/secret.policy.json',
    secret,
    'a/../../secret.policy.json',
    '..\\secret.policy.json',
    'link.policy.json\0',
    'notes.txt',
  ]) {
    for (const [tool, input] of [
      ['read_policy', {}],
      ['edit_policy', { operations }],
      ['compare_policies', { before: policy }],
      ['explore_policy', {}],
    ] as const) {
      const { isError, value } = await answer(tool, { policy, ...input });
      expect({ isError, error: value['error'] }, `${tool} of ${policy}`).toEqual({
        isError: true,
        error: 'FILE_OUTSIDE',
      });
    }
  }
  expect(await readFile(secret, 'utf8')).toContain('"Secret"');

  expect(await answer('read_policy', { policy: 'none.policy.json' })).toMatchObject({
    value: { error: 'FILE_UNKNOWN' },
  });
  expect(await answer('read_policy', { policy: 'broken.policy.json' })).toMatchObject({
    isError: true,
    value: { error: 'POLICY_FILE_INVALID', message: expect.stringContaining('is not valid JSON') },
  });
  expect(await answer('edit_policy', { policy: 'a', operations: [{ op: 'explode' }] })).toMatchObject({
    value: { error: 'INPUT_INVALID', details: [{ path: '/operations/0/op' }] },
  });
  expect(await answer('create_policy', { name: '../../up' })).toMatchObject({ value: { policy: 'up.policy.json' } });
  await expect(client.callTool({ name: 'publish_policy', arguments: { policy: 'up.policy.json' } })).rejects.toThrow(
    /publish_policy/,
  );
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('publish_policy');
});

it('no answer is larger than its limit: what is too large is cut, or told by its parts', async () => {
  const folder = await newFolder();
  const page = (at: number): object => ({
    blockType: 'informationBlock',
    tag: `page_${String(at)}`,
    permissions: ['ANY_ROLE'],
    uiMetaData: { title: 'T'.repeat(80) },
  });
  const children = Array.from({ length: 1_000 }, (_, at) => page(at));
  const config = { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'], children };
  await writeFile(join(folder, 'large.policy.json'), JSON.stringify({ name: 'Large', config }));
  const { answer } = await toolsOf(folder);
  const policy = 'large.policy.json';
  const outline = await answer('read_policy', { policy });
  expect(outline.value).toMatchObject({ blocks: { total: 1_001, nextOffset: expect.any(Number) } });
  const whole = await answer('read_policy', { policy, at: '/config' });
  expect(whole.value).toMatchObject({ error: 'ANSWER_TOO_LARGE', message: expect.stringContaining('"at"') });
  const one = await answer('read_policy', { policy, at: '#page_999' });
  expect(one.value).toMatchObject({ value: { tag: 'page_999' } });
  const broken = children.map((_, at) => ({
    op: 'setOption',
    block: `page_${String(at)}`,
    path: '/blockType',
    value: 'infoBlock',
  }));
  const edited = await answer('edit_policy', { policy, operations: broken });
  expect(edited.value).toMatchObject({ findings: { total: 1_000, nextOffset: expect.any(Number) } });
  for (const { bytes } of [outline, whole, one, edited]) expect(bytes).toBeLessThanOrEqual(64 * 1024);
});

it('pages about block types, the JSON Schema and the documentation are resources', async () => {
  const { client } = await toolsOf(await newFolder());
  const uris = (await client.listResources()).resources.map(({ uri }) => uri);
  for (const uri of [
    'blockwork://blocks/mintDocumentBlock',
    'blockwork://docs/trials.md',
    'blockwork://docs/policy.schema.json',
  ]) {
    expect(uris).toContain(uri);
    const [content] = (await client.readResource({ uri })).contents;
    expect((content as { readonly text: string }).text.length).toBeGreaterThan(100);
  }
});

it('it wants one place to work in, a token for a server, and publishes only there', async () => {
  const folder = await newFolder();
  for (const [argv, message] of [
    [[], '--folder'],
    [['--folder', folder, '--server', 'http://localhost'], '--folder'],
    [['--folder', folder, '--allow-publish'], '--allow-publish needs --server'],
    [['--server', 'http://localhost'], 'BLOCKWORK_TOKEN'],
  ] as const) {
    expect(await run(['mcp', ...argv])).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  }
  expect(await run(['mcp', '--folder', join(folder, 'none')])).toMatchObject({ code: 3 });
});
