/** `blockwork mcp` on a server: the drafts of whoever the token names, and nothing more. */
import { createEngine, silentLogger, type Caller, type PolicyEngine } from '@blockwork/core';
import { standardBlocks } from '@blockwork/blocks';
import { createPolicyServer, signDevelopmentToken } from '@blockwork/http-koa';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { temporaryFolders } from '../../../test/support/folders.js';
import { toolClient, type ToolClient } from './support/mcp-client.js';
import { publishedProgram } from './support/published-program.js';

const newFolder = temporaryFolders();
const secret = Buffer.alloc(32, 7);
const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const other: Caller = { did: 'did:example:other', role: 'STANDARD_REGISTRY' };
let program = '';
let engine: PolicyEngine;
let url = '';
const closes: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  ({ program } = await publishedProgram(await newFolder()));
});

beforeEach(async () => {
  engine = createEngine({ blocks: standardBlocks(), logger: silentLogger });
  const server = createPolicyServer(engine, { auth: { secret }, logger: silentLogger });
  ({ url } = await server.listen({ host: '127.0.0.1', port: 0 }));
  closes.push(
    () => engine.close(),
    () => server.close(),
  );
});

afterEach(async () => {
  for (const close of closes.splice(0).reverse()) await close();
});

async function tools(...options: string[]): Promise<ToolClient> {
  const token = signDevelopmentToken(secret, owner);
  const client = await toolClient(program, ['--server', url, ...options], { BLOCKWORK_TOKEN: token });
  closes.push(() => client.close());
  return client;
}

const operations = [{ op: 'setText', name: 'description', value: 'Changed' }];

it('drafts are made, edited, tried and compared, as in a folder', async () => {
  const { call } = await tools();
  const { policy } = await call('create_policy', { name: 'Board' });
  const notice = { blockType: 'informationBlock', tag: 'notice', permissions: ['ANY_ROLE'] };
  await call('edit_policy', { policy, operations: [{ op: 'addBlock', parent: 'page', block: notice }] });
  expect((await call('compare_policies', { policy }))['items']).toContainEqual({
    area: 'block',
    name: 'notice',
    change: 'new informationBlock in "page"',
  });
  expect(await call('start_trial', { policy })).toMatchObject({ isRunning: true });
  await call('add_person', { policy, name: 'Ann' });
  expect(await call('read_block', { policy, as: 'Ann', block: 'notice' })).toMatchObject({
    blockType: 'informationBlock',
  });
  expect(await call('list_policies')).toMatchObject({ items: [{ policy, status: 'DRY-RUN' }] });
  await call('end_trial', { policy });
  expect((await engine.editing.history(owner, String(policy))).total).toBe(1);
});

it("a policy that is published, or somebody else's, is not edited, and nothing is published", async () => {
  const file = {
    name: 'Theirs',
    config: { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['OWNER'] },
  };
  const theirs = (await engine.importPolicy(other, file)).policy.id;
  const published = (await engine.importPolicy(owner, { ...file, name: 'Published' })).policy.id;
  await engine.lifecycle.publish(owner, published, '1.0.0');
  const { answer, client } = await tools();
  expect(await answer('edit_policy', { policy: published, operations })).toMatchObject({
    isError: true,
    value: { error: 'POLICY_STATUS' },
  });
  expect((await answer('edit_policy', { policy: theirs, operations })).isError).toBe(true);
  expect((await answer('read_policy', { policy: theirs })).isError).toBe(true);
  const { tools: offered } = await client.listTools();
  expect(offered.map(({ name }) => name)).not.toContain('publish_policy');
  await expect(
    client.callTool({ name: 'publish_policy', arguments: { policy: published, version: '2.0.0' } }),
  ).rejects.toThrow();
});

it('with its flag, a policy is published, unless it has errors', async () => {
  const { call } = await tools('--allow-publish');
  const { policy } = await call('create_policy', { name: 'Board' });
  const broken = { blockType: 'noticeBlock', tag: 'notice' };
  const { edit } = await call('edit_policy', {
    policy,
    operations: [{ op: 'addBlock', parent: 'page', block: broken }],
  });
  expect(await call('publish_policy', { policy, version: '1.0.0' })).toMatchObject({ isPublished: false });
  await call('undo_edit', { policy, edit });
  expect(await call('publish_policy', { policy, version: '1.0.0' })).toMatchObject({
    isPublished: true,
    status: 'PUBLISH',
  });
});

it('two programs that change the same are told so', async () => {
  const [one, two] = [await tools(), await tools()];
  const { policy } = await one.call('create_policy', { name: 'Board' });
  const { revision } = await two.call('read_policy', { policy });
  await one.call('edit_policy', { policy, operations });
  expect(await two.answer('edit_policy', { policy, operations, revision })).toMatchObject({
    value: { error: 'EDIT_CONFLICT' },
  });
});

it('the token is in no answer and in no error', async () => {
  const token = signDevelopmentToken(secret, { did: 'did:example:nobody', role: 'USER' });
  const client = await toolClient(program, ['--server', url], { BLOCKWORK_TOKEN: token });
  closes.push(() => client.close());
  const refused = await client.answer('create_policy', { name: 'Mine' });
  expect(refused).toMatchObject({ isError: true, value: { error: 'PERMISSION_DENIED' } });
  expect(JSON.stringify(refused) + client.errors()).not.toContain(token.slice(0, 20));
});
