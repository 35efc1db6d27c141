/** Whose policies, schemas and tokens each kind of account is shown. */
import { signDevelopmentToken } from '@blockwork/http-koa';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPage } from './support/page.js';
import { plots } from './support/plots.js';
import { openSandboxWorld, type SandboxWorld } from './support/world.js';

const registry = (username: string) =>
  ({ username, password: 'x', role: 'STANDARD_REGISTRY', did: `did:example:${username}` }) as const;
const user = (username: string, parent?: string) =>
  ({ username, password: 'x', role: 'USER', did: `did:example:${username}`, ...(parent && { parent }) }) as const;

let world: SandboxWorld;
/** The ids of the policies by registry and status. */
let ids: Record<string, string>;

beforeEach(async () => {
  world = await openSandboxWorld({
    accounts: [
      registry('north'),
      registry('south'),
      user('nora', 'did:example:north'),
      user('bob'),
      { username: 'newcomer', password: 'x', role: 'USER' },
      { username: 'auditor', password: 'x', role: 'AUDITOR' },
    ],
  });
  ids = {};
  for (const owner of ['north', 'south']) {
    const caller = { did: `did:example:${owner}`, role: 'STANDARD_REGISTRY' };
    for (const status of ['DRAFT', 'DRY-RUN', 'PUBLISH', 'DISCONTINUED']) {
      const { policy } = await world.engine.importPolicy(caller, plots[0]!.archive);
      ids[`${owner} ${status}`] = policy.id;
      if (status === 'DRY-RUN') await world.engine.lifecycle.dryRun(caller, policy.id);
      if (status === 'PUBLISH' || status === 'DISCONTINUED')
        await world.engine.lifecycle.publish(caller, policy.id, '1.0.0');
      if (status === 'DISCONTINUED') await world.engine.lifecycle.discontinue(caller, policy.id);
    }
  }
});
afterEach(() => world.close());

const tokenOf = async (username: string): Promise<string> =>
  (await world.ask('POST', 'accounts/login', { json: { username, password: 'x' } })).body.accessToken as string;
const get = async (username: string, path: string) => world.ask('GET', path, { token: await tokenOf(username) });
const named = (id: string): string | undefined => Object.keys(ids).find((name) => ids[name] === id);

const own = (owner: string) => [`${owner} DISCONTINUED`, `${owner} PUBLISH`, `${owner} DRY-RUN`, `${owner} DRAFT`];
const published = (owner: string) => own(owner).slice(0, 2);
const scopes: readonly (readonly [string, readonly string[]])[] = [
  ['north', own('north')],
  ['south', own('south')],
  ['nora', published('north')],
  ['bob', [...published('south'), ...published('north')]],
  ['auditor', [...published('south'), ...published('north')]],
  ['newcomer', []],
];

it.each(scopes)('%s lists the policies, tokens and schemas of %j', async (username, names) => {
  const { body: policies, headers } = await get(username, 'policies');
  expect((policies as { id: string }[]).map(({ id }) => named(id))).toEqual(names);
  expect(headers['x-total-count']).toBe(String(names.length));
  const { body: tokens } = await get(username, 'tokens');
  expect((tokens as { policyId: string }[]).map(({ policyId }) => named(policyId))).toEqual(names);
  const { body: schemas } = await get(username, 'schemas');
  expect(schemas.length > 0).toBe(names.length > 0);
  const owners = names.map((name) => `did:example:${name.split(' ')[0] ?? ''}`);
  expect(new Set((schemas as { owner: string }[]).map(({ owner }) => owner))).toEqual(new Set(owners));
});

it.each(['nora', 'bob', 'south', 'auditor'])('%s reads nothing of a draft or a trial of north', async (username) => {
  for (const status of ['DRAFT', 'DRY-RUN']) {
    const id = String(ids[`north ${status}`]);
    for (const path of [`policies/${id}`, `policies/${id}/tokens`, `policies/${id}/findings`]) {
      expect(await get(username, path), path).toMatchObject({ status: 404, body: { error: 'POLICY_UNKNOWN' } });
    }
    expect((await get(username, `schemas?policyId=${id}`)).body).toEqual([]);
    expect((await get(username, `tokens?policyId=${id}`)).body).toEqual([]);
  }
});

it('an auditor reads published policies without a profile, and may change none', async () => {
  const id = String(ids['north PUBLISH']);
  expect(await get('auditor', `policies/${id}`)).toMatchObject({ status: 200, body: { id, userRole: 'No role' } });
  expect((await get('auditor', `policies/${id}/documents`)).status).toBe(200);
  expect((await get('auditor', 'accounts/session')).body).toMatchObject({ role: 'AUDITOR', did: null });
  expect((await get('auditor', 'profiles/auditor')).body).toMatchObject({ did: null, confirmed: false });
  const token = await tokenOf('auditor');
  expect((await world.ask('POST', 'policies/import/file', { token, bytes: plots[0]!.archive })).status).toBe(403);
  expect((await world.ask('POST', `policies/${id}/tag/choose_role/blocks`, { token, json: {} })).status).toBe(403);
});

it('whoever chooses a registry sees what each has published', async () => {
  for (const username of ['newcomer', 'nora', 'north']) {
    const { body } = await get(username, 'accounts/standard-registries/aggregated');
    const shown = (body as { username: string; policies: { id: string }[] }[]).map(({ username: name, policies }) => [
      name,
      policies.map(({ id }) => named(id)),
    ]);
    expect(shown).toEqual([
      ['north', published('north')],
      ['south', published('south')],
    ]);
  }
});

it('a token signed elsewhere lists what the engine shows its caller', async () => {
  const caller = { did: 'did:example:elsewhere', role: 'STANDARD_REGISTRY' };
  const { policy } = await world.engine.importPolicy(caller, plots[0]!.archive);
  const token = signDevelopmentToken(world.secret, caller);
  const { body } = await world.ask('GET', 'policies', { token });
  const [first, ...others] = (body as { id: string }[]).map(({ id }) => id);
  expect(first).toBe(policy.id);
  expect(others.map(named)).toEqual([...published('south'), ...published('north')]);
});

it('somebody refused in a trial of which they are no part is told so, and the page stays open', async () => {
  const token = await tokenOf('bob');
  const page = await openPage(world.url, `?token=${token}`);
  const path = `policies/${String(ids['north DRY-RUN'])}/tag/report/blocks`;
  expect((await world.ask('POST', path, { token, json: {} })).status).toBe(403);
  expect(await page.next('error-event')).toMatchObject({ message: expect.any(String) });
  page.close();
});
