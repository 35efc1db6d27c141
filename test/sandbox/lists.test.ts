/** Tags, schemas and tokens, as clients of the reference list them. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { plots } from './support/plots.js';
import { openSandboxWorld, type SandboxWorld } from './support/world.js';

const account = (username: string, role: 'USER' | 'STANDARD_REGISTRY') => ({
  ...{ username, password: 'x', role, did: `did:example:${username}` },
});

let world: SandboxWorld;
let policyId: string;
let owner: string;
let member: string;

beforeEach(async () => {
  world = await openSandboxWorld({
    accounts: [account('registry', 'STANDARD_REGISTRY'), account('ann', 'USER')],
    limits: { tags: 3, schemas: 2, schemaBytes: 3000 },
  });
  owner = await tokenOf('registry');
  member = await tokenOf('ann');
  const imported = await world.ask('POST', 'policies/import/file', { token: owner, bytes: plots[0]!.archive });
  policyId = imported.body[0].id;
});
afterEach(() => world.close());

const tokenOf = async (username: string): Promise<string> =>
  (await world.ask('POST', 'accounts/login', { json: { username, password: 'x' } })).body.accessToken as string;
const tag = (name: string, target = policyId, entity = 'Policy') =>
  world.ask('POST', 'tags', { token: owner, json: { name, description: 'x', entity, target } });

it('tags are found by what they are on, and removed by whoever put them there', async () => {
  const { body: first } = await tag('first');
  expect(first).toMatchObject({
    name: 'first',
    owner: 'did:example:registry',
    localTarget: policyId,
    target: null,
    status: 'Draft',
  });
  const search = (targets: string[]) =>
    world.ask('POST', 'tags/search', { token: member, json: { entity: 'Policy', targets } });
  expect((await search([policyId, 'other', '__proto__'])).body).toEqual({
    [policyId]: { entity: 'Policy', refreshDate: expect.any(String), target: policyId, tags: [first] },
  });
  const synchronized = await world.ask('POST', 'tags/synchronization', {
    token: member,
    json: { entity: 'Policy', target: policyId },
  });
  expect(synchronized.body.tags).toEqual([first]);
  expect((await world.ask('DELETE', `tags/${String(first.uuid)}`, { token: member })).body).toBe(false);
  expect((await world.ask('DELETE', `tags/${String(first.uuid)}`, { token: owner })).body).toBe(true);
  expect((await search([policyId])).body).toEqual({});
});

it('a tag needs a name and something that there is, and there is room for so many', async () => {
  expect(await tag('x', 'nothing')).toMatchObject({ status: 404, body: { error: 'TARGET_UNKNOWN' } });
  expect((await tag('', policyId)).status).toBe(422);
  expect((await tag('x', policyId, 'Cat')).status).toBe(422);
  for (const name of ['a', 'b', 'c']) expect((await tag(name, 'any', 'Token')).status).toBe(201);
  expect(await tag('d')).toMatchObject({ status: 507, body: { error: 'SANDBOX_FULL' } });
});

it('schemas of a policy are found by its topic or its id, with their content as text', async () => {
  const { topicId } = (await world.ask('GET', `policies/${policyId}`, { token: owner })).body;
  const byTopic = await world.ask('GET', `schemas/${String(topicId)}?category=POLICY`, { token: owner });
  const byId = await world.ask('GET', `schemas?policyId=${policyId}`, { token: owner });
  expect(byTopic.body).toEqual(byId.body);
  expect(byTopic.headers['x-total-count']).toBe(String(byTopic.body.length));
  const [schema] = byTopic.body;
  expect(JSON.parse(schema.document as string)).toMatchObject({ $defs: {}, properties: {} });
  expect((await world.ask('GET', `schemas/type/${String(schema.iri).slice(1)}`, { token: owner })).body).toEqual(
    schema,
  );
  expect((await world.ask('GET', 'schemas/type/none', { token: owner })).body).toBeNull();
  expect((await world.ask('GET', 'schemas/0.0.1', { token: owner })).body).toEqual([]);
});

it('answers to a change list the own policies in the order of creation', async () => {
  const second = await world.ask('POST', 'policies/import/file', { token: owner, bytes: plots[0]!.archive });
  const [, { id }] = second.body;
  expect(second.body).toMatchObject([{ id: policyId }, { id }]);
  const put = (change: string, json: object = {}) =>
    world.ask('PUT', `policies/${policyId}/${change}`, { token: owner, json });
  for (const [change, json] of [['dry-run'], ['draft'], ['publish', { policyVersion: '1.0.0' }]] as const)
    expect((await put(change, json)).body.policies).toMatchObject([{ id: policyId }, { id }]);
  expect((await put('discontinue')).body).toMatchObject([{ id: policyId, status: 'DISCONTINUED' }, { id }]);
  expect((await world.ask('GET', 'policies', { token: owner })).body).toMatchObject([{ id }, { id: policyId }]);
});

it('policies are listed newest first, a hundred at most, however many there are', async () => {
  const names = Array.from({ length: 101 }, (_, n) => `Policy ${String(n).padStart(3, '0')}`);
  const config = { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'] };
  const caller = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };
  for (const name of names) await world.engine.importPolicy(caller, { name, config });
  const { body, headers } = await world.ask('GET', 'policies', { token: owner });
  const listed = (body as { name: string }[]).map(({ name }) => name);
  expect(listed).toEqual(names.slice(1).reverse());
  expect(headers['x-total-count']).toBe('102');
});

it('a policy that cannot be tried says so, block by block', async () => {
  const broken = { blockType: 'requestVcDocumentBlock', tag: 'form', permissions: ['OWNER'], schema: '#none' };
  const config = { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'], children: [broken] };
  const caller = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };
  const { policy } = await world.engine.importPolicy(caller, { name: 'Broken', config });
  const tried = await world.ask('PUT', `policies/${policy.id}/dry-run`, { token: owner, json: {} });
  expect(tried).toMatchObject({
    status: 200,
    body: {
      isValid: false,
      policies: [{ id: policyId }, { id: policy.id, status: 'DRAFT' }],
      errors: { errors: [], blocks: [{ name: 'form', isValid: false, errors: [expect.stringContaining('#none')] }] },
    },
  });
  const pushed = await world.ask('PUT', `policies/push/${policy.id}/publish`, {
    token: owner,
    json: { policyVersion: '1.0.0' },
  });
  const task = await world.ask('GET', `tasks/${String(pushed.body.taskId)}`, { token: owner });
  expect(task.body.result).toMatchObject({ isValid: false, errors: { blocks: [{ name: 'form' }] } });
});

it('a file is imported as the next version of the policy that has the topic', async () => {
  const { topicId, uuid, name } = (await world.ask('GET', `policies/${policyId}`, { token: owner })).body;
  const path = (topic: unknown): string => `policies/import/file?versionOfTopicId=${String(topic)}`;
  const ask = (topic: unknown, bytes = plots[0]!.archive) => world.ask('POST', path(topic), { token: owner, bytes });
  expect(await ask(topicId)).toMatchObject({ status: 409, body: { error: 'POLICY_STATUS' } });
  await world.ask('PUT', `policies/${policyId}/publish`, { token: owner, json: { policyVersion: '1.0.0' } });
  expect(await ask('0.0.1')).toMatchObject({ status: 404, body: { error: 'TOPIC_UNKNOWN' } });
  expect((await ask(topicId, new Uint8Array([1, 2, 3]))).status).toBe(422);
  const { status, body } = await ask(topicId);
  expect(status).toBe(201);
  expect(body).toMatchObject([
    { id: policyId, status: 'PUBLISH' },
    { uuid, name, status: 'DRAFT', version: '1.0.1', previousVersion: '1.0.0' },
  ]);
});

it('schemas that clients make are theirs: created last in the list, changed, published', async () => {
  const make = (json: object) => world.ask('POST', 'schemas/0.0.7', { token: owner, json });
  const schema = (await make({ name: 'Site', entity: 'VC', document: '{"properties":{"a":{"type":"string"}}}' }))
    .body[0];
  expect(schema).toMatchObject({ name: 'Site', status: 'DRAFT', topicId: '0.0.7', creator: 'did:example:registry' });
  const renamed = { ...schema, name: 'Field' };
  expect((await world.ask('PUT', 'schemas', { token: owner, json: renamed })).body).toMatchObject([{ name: 'Field' }]);
  const publish = { json: { version: '1.0.0' } };
  const path = `schemas/${String(schema.id)}/publish`;
  expect(await world.ask('PUT', path, { ...publish, token: member })).toMatchObject({ status: 404 });
  const published = (await world.ask('PUT', path, { ...publish, token: owner })).body[0];
  expect(published).toMatchObject({ status: 'PUBLISHED', version: '1.0.0', iri: `#${String(schema.uuid)}&1.0.0` });
  expect((await make({ name: 'x'.repeat(400), description: 'y'.repeat(3000) })).status).toBe(507);
  expect((await make({ document: '{broken' })).status).toBe(422);
});

it('tokens have an admin as soon as the policy runs, and tell users what they hold', async () => {
  const tokens = async (token: string, query = ''): Promise<{ tokenId: string; adminId: string | null }[]> =>
    (await world.ask('GET', `tokens${query}`, { token })).body as { tokenId: string; adminId: string | null }[];
  expect(await tokens(owner)).toMatchObject([{ adminId: null, draftToken: true, policyId, decimals: '2' }]);
  expect(await tokens(member)).toEqual([]);
  await world.ask('PUT', `policies/${policyId}/dry-run`, { token: owner, json: {} });
  for (const query of ['', `?policyId=${policyId}&status=All`, `?policy=${policyId}`, '?policyId=undefined']) {
    expect(await tokens(owner, query)).toMatchObject([{ adminId: expect.stringMatching(/^0\.0\.\d+$/) }]);
  }
  expect(await tokens(owner, '?policyId=other')).toEqual([]);
  expect(await tokens(member)).toEqual([]);
  await world.ask('PUT', `policies/${policyId}/publish`, { token: owner, json: { policyVersion: '1.0.0' } });
  expect(await tokens(member)).toMatchObject([{ associated: false, balance: '0.00', frozen: false, kyc: false }]);
});
