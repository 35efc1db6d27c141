/** Answers whose form clients of the reference depend on. */
import { strToU8, zipSync } from 'fflate';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { plots } from './support/plots.js';
import { openSandboxWorld, type SandboxWorld } from './support/world.js';
import type { Got, Sent } from './support/http.js';

let world: SandboxWorld;
let token: string;
let member: string;

beforeEach(async () => {
  const account = (username: string, role: 'USER' | 'STANDARD_REGISTRY') => ({
    ...{ username, password: 'x', role, did: `did:example:${username}` },
  });
  world = await openSandboxWorld({ accounts: [account('registry', 'STANDARD_REGISTRY'), account('ann', 'USER')] });
  token = await tokenOf('registry');
  member = await tokenOf('ann');
});
afterEach(() => world.close());

const tokenOf = async (username: string): Promise<string> =>
  (await world.ask('POST', 'accounts/login', { json: { username, password: 'x' } })).body.accessToken as string;
const ask = (method: string, path: string, sent: Sent = {}): Promise<Got> =>
  world.ask(method, path, { token, ...sent });
const imported = async (bytes = plots[0]!.archive): Promise<string> => {
  const own = (await ask('POST', 'policies/import/file', { bytes })).body as { id: string }[];
  return own.at(-1)!.id;
};
const resultOf = async (pushed: Got): Promise<unknown> => {
  expect(pushed.status).toBe(202);
  return (await ask('GET', `tasks/${String(pushed.body.taskId)}`)).body.result as unknown;
};

it('tokens and schemas have the id of the database under its name', async () => {
  await imported();
  await ask('POST', 'schemas/0.0.1', { json: { name: 'Site' } });
  for (const path of ['tokens', 'schemas', 'schemas/list/all']) {
    const rows = (await ask('GET', path)).body as { _id: string; id: string }[];
    expect(rows.length, path).toBeGreaterThan(0);
    for (const row of rows) expect(row._id, path).toBe(row.id);
  }
  expect((await ask('GET', 'schemas/system/entity/USER')).body).toMatchObject({ _id: 'USER' });
});

it('the configuration of suggestions has items', async () => {
  expect(await ask('GET', 'suggestions/config')).toMatchObject({ status: 200, body: { items: [] } });
});

it('a preview creates nothing, so it is no 201', async () => {
  const preview = await ask('POST', 'policies/import/file/preview', { bytes: plots[0]!.archive });
  expect(preview).toMatchObject({ status: 200, body: { policy: { name: expect.any(String) } } });
  expect((await ask('GET', 'policies')).body).toEqual([]);
});

it('bodies that are refused by a route of the sandbox have a list of messages', async () => {
  const register = (json: object) => ask('POST', 'accounts/register', { json });
  expect(await register({ username: true })).toMatchObject({
    status: 422,
    body: {
      ...{ statusCode: 422, error: 'INPUT_INVALID' },
      message: [expect.stringMatching(/^username /), expect.stringMatching(/^password /)],
    },
  });
  const bytes = Buffer.from('[]');
  const list = await ask('POST', 'tags', { bytes, headers: { 'content-type': 'application/json' } });
  expect(list).toMatchObject({ status: 422, body: { message: [expect.stringContaining('object')] } });
  const broken = await ask('POST', 'policies/import/file', { bytes: new Uint8Array([1]) });
  expect(broken).toMatchObject({ status: 422, body: { message: expect.any(String) } });
});

it('a password that is repeated wrongly is refused', async () => {
  const account = { username: 'bob', password: 'x', role: 'USER' };
  const register = (password_confirmation: string) =>
    ask('POST', 'accounts/register', { json: { ...account, password_confirmation } });
  expect(await register('y')).toMatchObject({
    status: 422,
    body: { error: 'PASSWORDS_DIFFER', message: ['Passwords must match'] },
  });
  expect((await register('x')).status).toBe(201);
});

it('an empty choice of group means none', async () => {
  const id = await imported();
  await ask('PUT', `policies/${id}/publish`, { json: { policyVersion: '1.0.0' } });
  for (const sent of [{ json: {} }, { json: { uuid: null } }, { form: {} }])
    expect(await ask('POST', `policies/${id}/groups`, sent)).toMatchObject({ status: 200, body: false });
  expect((await ask('POST', `policies/${id}/groups`, { json: { uuid: 'x' } })).status).toBe(422);
});

it('a block that there is not is nothing to read, and refuses what is sent', async () => {
  const id = await imported();
  await ask('PUT', `policies/${id}/publish`, { json: { policyVersion: '1.0.0' } });
  for (const path of [`policies/${id}/blocks/00000000-0000-4000-8000-000000000000`, `policies/${id}/tag/none/blocks`]) {
    expect(await ask('GET', path), path).toMatchObject({ status: 200, text: '' });
    expect(await ask('POST', path, { json: {} }), path).toMatchObject({ status: 404, body: { statusCode: 404 } });
  }
  expect((await ask('GET', `policies/${id}/tag/none`)).status).toBe(404);
  expect((await ask('GET', 'policies/none/tag/none/blocks')).status).toBe(404);
});

it('artifacts of the own policies are listed', async () => {
  const config = { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'] };
  const file = zipSync({
    'policy.json': strToU8(JSON.stringify({ name: 'With files', policyTag: 'files', config })),
    'artifacts/metadata.json': strToU8(JSON.stringify([{ name: 'table', uuid: 'f1', extention: 'json' }])),
    'artifacts/f1': strToU8('{}'),
  });
  await imported();
  const policyId = await imported(file);
  const [artifact] = (await ask('GET', 'artifacts')).body;
  expect(artifact).toMatchObject({
    ...{ name: 'table', extention: 'json', type: 'JSON', policyId, owner: 'did:example:registry' },
  });
  expect(artifact._id).toBe(artifact.id);
  const artifacts = await ask('GET', `artifacts?policyId=${policyId}&type=undefined`);
  expect(artifacts).toMatchObject({ body: [artifact], headers: { 'x-total-count': '1' } });
  expect((await ask('GET', 'artifacts?policyId=other')).body).toEqual([]);
  expect((await world.ask('GET', 'artifacts', { token: member })).body).toEqual([]);
});

it('a draft is begun and deleted by its registry', async () => {
  const json = {
    name: 'New one',
    description: 'x',
    policyTag: 'new',
    id: 'mine',
    status: 'PUBLISH',
    owner: 'somebody',
  };
  const first = await ask('POST', 'policies', { json });
  expect(first).toMatchObject({
    status: 201,
    body: [{ name: 'New one', description: 'x', policyTag: 'new', status: 'DRAFT', owner: 'did:example:registry' }],
  });
  const id = await resultOf(await ask('POST', 'policies/push', { json: { name: 'Another' } }));
  expect((await ask('GET', 'policies')).body).toMatchObject([{ id, name: 'Another' }, { id: first.body[0].id }]);
  const { config } = (await ask('GET', `policies/${String(id)}`)).body;
  expect(config).toMatchObject({ blockType: 'interfaceContainerBlock', children: [] });

  expect(await ask('POST', 'policies', { json: {} })).toMatchObject({
    status: 422,
    body: { message: [expect.stringMatching(/^name /)] },
  });
  expect((await world.ask('POST', 'policies', { token: member, json })).status).toBe(403);
  const foreign = await world.ask('DELETE', `policies/push/${String(id)}`, { token: member });
  expect(await world.ask('GET', `tasks/${String(foreign.body.taskId)}`, { token: member })).toMatchObject({
    body: { error: { message: expect.any(String) } },
  });
  expect(await resultOf(await ask('DELETE', `policies/push/${String(id)}`))).toBe(true);
  expect((await ask('GET', 'policies')).body).toHaveLength(1);
});
