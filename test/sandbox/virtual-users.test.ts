/** Virtual users of a dry run. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { plots } from './support/plots.js';
import { openSandboxWorld, type SandboxWorld } from './support/world.js';

const account = (username: string, did: string, role: 'USER' | 'STANDARD_REGISTRY') => ({
  username,
  password: 'x',
  did,
  role,
});

let world: SandboxWorld;
let policyId: string;
let owner: string;
let member: string;

beforeEach(async () => {
  world = await openSandboxWorld({
    accounts: [
      account('registry', 'did:example:registry', 'STANDARD_REGISTRY'),
      account('other', 'did:example:other', 'STANDARD_REGISTRY'),
      account('ann', 'did:example:ann', 'USER'),
    ],
    limits: { virtualUsers: 3 },
  });
  owner = await tokenOf('registry');
  member = await tokenOf('ann');
  const imported = await world.ask('POST', 'policies/import/file', { token: owner, bytes: plots[0]!.archive });
  policyId = imported.body[0].id;
  await world.ask('PUT', `policies/${policyId}/dry-run`, { token: owner, form: {} });
});
afterEach(() => world.close());

const tokenOf = async (username: string): Promise<string> =>
  (await world.ask('POST', 'accounts/login', { json: { username, password: 'x' } })).body.accessToken as string;
const trial = (method: string, path: string, json?: unknown, token = owner) =>
  world.ask(method, `policies/${policyId}/dry-run/${path}`, { token, ...(json !== undefined && { json }) });
const role = async (token = owner): Promise<unknown> =>
  (await world.ask('GET', `policies/${policyId}`, { token })).body.userRole;
const take = (token = owner) =>
  world.ask('POST', `policies/${policyId}/tag/choose_role/blocks`, { token, json: { role: 'Producer' } });

it('the owner is the first, and acts as whoever is logged in', async () => {
  const administrator = { did: 'did:example:registry', username: 'Administrator', active: true };
  expect((await trial('GET', 'users')).body).toMatchObject([administrator]);
  const added = await trial('POST', 'user', {});
  expect(added).toMatchObject({ status: 201, body: [administrator, { username: 'Virtual User 1', active: false }] });
  const { did } = added.body[1];
  expect(added.body[1].hederaAccountId).toMatch(/^0\.0\.\d+$/);

  expect(await role()).toBe('Administrator');
  const users = (await trial('POST', 'login', { did })).body as { active: boolean }[];
  expect(users.map(({ active }) => active)).toEqual([false, true]);
  expect(await role()).toBe('No role');
  expect((await take()).body).toBe(true);
  expect(await role()).toBe('Producer');
  const [listed] = (await world.ask('GET', 'policies', { token: owner })).body;
  expect(listed).toMatchObject({ id: policyId, userRole: 'Producer', userRoles: ['Producer'] });

  await trial('POST', 'login', { did: 'did:example:registry' });
  expect(await role()).toBe('Administrator');
});

it('everybody else acts as themselves', async () => {
  const { did } = (await trial('POST', 'user', {})).body[1];
  await trial('POST', 'login', { did });
  await take(member);
  expect([await role(member), await role()]).toEqual(['Producer', 'No role']);
});

it('a restart clears what was done, keeps the users, and makes the owner active', async () => {
  const { did } = (await trial('POST', 'user', {})).body[1];
  await trial('POST', 'login', { did });
  await take();
  expect((await trial('POST', 'restart', {})).body).toMatchObject({ policies: [{ id: policyId, status: 'DRY-RUN' }] });
  expect((await trial('GET', 'users')).body).toMatchObject([{ active: true }, { did, active: false }]);
  await trial('POST', 'login', { did });
  expect(await role()).toBe('No role');
});

it('a trial that ends takes its users along, however it ends', async () => {
  const { did } = (await trial('POST', 'user', {})).body[1];
  await trial('POST', 'login', { did });
  await world.engine.lifecycle.publish({ did: 'did:example:registry', role: 'STANDARD_REGISTRY' }, policyId, '1.0.0');
  expect(await role()).toBe('Administrator');
  expect((await world.ask('GET', `policies/${policyId}/tag/all_reports/blocks`, { token: owner })).body.data).toEqual(
    [],
  );
  expect(await trial('GET', 'users')).toMatchObject({ status: 403, body: { error: 'NOT_A_TRIAL' } });
});

it('only the owner has virtual users, of policies that there are', async () => {
  for (const path of ['user', 'login', 'restart']) {
    expect((await trial('POST', path, { did: 'x' }, member)).status).toBe(404);
    expect((await trial('POST', path, { did: 'x' }, await tokenOf('other'))).status).toBe(404);
  }
  expect((await trial('GET', 'users', undefined, member)).status).toBe(404);
  await take(member);
  expect((await trial('GET', 'users', undefined, member)).status).toBe(403);
  expect((await world.ask('GET', 'policies/none/dry-run/users', { token: owner })).status).toBe(404);
  expect(await trial('POST', 'login', { did: 'did:example:ann' })).toMatchObject({
    status: 404,
    body: { error: 'VIRTUAL_USER_UNKNOWN' },
  });
  expect((await trial('POST', 'login', {})).status).toBe(422);
});

it('they are limited in number, also when many are added at once', async () => {
  const added = await Promise.all([1, 2, 3, 4].map(() => trial('POST', 'user', {})));
  expect(added.map(({ status }) => status).sort()).toEqual([201, 201, 507, 507]);
  const names = ((await trial('GET', 'users')).body as { did: string }[]).map(({ did }) => did);
  expect(new Set(names).size).toBe(3);
});

it('a closed block is nothing to read, and refuses what is sent', async () => {
  const path = `policies/${policyId}/tag/report/blocks`;
  expect(await world.ask('GET', path, { token: member })).toMatchObject({ status: 200, text: '' });
  const refused = await world.ask('POST', path, { token: member, json: {} });
  expect(refused).toMatchObject({ status: 403, body: { statusCode: 403, error: 'BLOCK_FORBIDDEN' } });
});

it('a block has its parents, the root last', async () => {
  await take(member);
  const id = async (tag: string): Promise<string> =>
    (await world.ask('GET', `policies/${policyId}/tag/${tag}`, { token: member })).body.id as string;
  const path = [await id('all_reports'), await id('registry'), await id('root')];
  const parents = (uuid: string) => world.ask('GET', `policies/${policyId}/blocks/${uuid}/parents`, { token: member });
  expect((await parents(path[0]!)).body).toEqual(path);
  expect(await parents('00000000-0000-4000-8000-000000000000')).toMatchObject({ status: 404 });
});
