/** The websocket of the sandbox. */
import { request } from 'node:http';
import { SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPage, type Page } from './support/page.js';
import { plots } from './support/plots.js';
import { openSandboxWorld, type SandboxWorld } from './support/world.js';

const account = (username: string, role: 'USER' | 'STANDARD_REGISTRY') => ({
  ...{ username, password: 'x', role, did: `did:example:${username}` },
});

let world: SandboxWorld;
let policyId: string;
let owner: string;
const pages: Page[] = [];

beforeEach(async () => {
  world = await openSandboxWorld({
    accounts: [account('registry', 'STANDARD_REGISTRY'), account('ann', 'USER')],
    limits: { sockets: 2 },
  });
  owner = await tokenOf('registry');
  const imported = await world.ask('POST', 'policies/import/file', { token: owner, bytes: plots[0]!.archive });
  policyId = imported.body[0].id;
  await world.ask('PUT', `policies/${policyId}/dry-run`, { token: owner, json: {} });
});
afterEach(async () => {
  for (const page of pages.splice(0)) page.close();
  await world.close();
});

const tokenOf = async (username: string): Promise<string> =>
  (await world.ask('POST', 'accounts/login', { json: { username, password: 'x' } })).body.accessToken as string;
const open = async (token?: string): Promise<Page> => {
  const page = await openPage(world.url, token === undefined ? '' : `?token=${token}`);
  pages.push(page);
  return page;
};
const choose = (token: string, role: string) =>
  world.ask('POST', `policies/${policyId}/tag/choose_role/blocks`, { token, json: { role } });

it('answers pings and asks for the status, also without a login', async () => {
  const page = await open();
  page.send('ping');
  await page.next('pong');
  page.send({ type: 'GET_STATUS', data: null });
  expect(await page.next('GET_STATUS')).toMatchObject({ GUARDIAN_SERVICE: ['READY'], WORKER: ['READY'] });
});

it('tells the page of what others did in a policy that it has read, the root and every block', async () => {
  const page = await open(owner);
  await world.ask('GET', `policies/${policyId}/blocks`, { token: owner });
  const ann = await tokenOf('ann');
  expect((await choose(ann, 'Producer')).status).toBe(200);
  const { config } = (await world.ask('GET', `policies/${policyId}`, { token: owner })).body;
  const ids = (await page.next('update-event')) as string[];
  expect(ids[0]).toBe(config.id);
  expect(ids).toEqual(expect.arrayContaining([config.children[0].id]));
});

it('tells the sender of a refusal, with the type of the block', async () => {
  const page = await open(owner);
  const refused = await choose(owner, 'Nobody');
  expect(await page.next('error-event')).toEqual({ blockType: 'policyRolesBlock', message: refused.body.message });
});

it('says nothing to others, to pages without a login, and to those that have logged out', async () => {
  const page = await open(await tokenOf('ann'));
  page.send({ type: 'SET_ACCESS_TOKEN', data: null });
  page.send('ping');
  await page.next('pong');
  await choose(owner, 'Nobody');
  page.send({ type: 'SET_ACCESS_TOKEN', data: owner });
  page.send('ping');
  await page.next('pong');
  await world.ask('POST', `policies/${policyId}/tag/report/blocks`, { token: owner, json: {} });
  expect(await page.next('error-event')).toMatchObject({ blockType: 'requestVcDocumentBlock' });
});

it('a message that is none ends the connection', async () => {
  const page = await open();
  page.send('hello');
  expect(await page.closed).toBe(1007);
});

it('connections are limited in number: strangers make room, members keep theirs', async () => {
  const stranger = await open();
  await open(owner);
  await open(await tokenOf('ann'));
  expect(await stranger.closed).toBe(1006);
  expect(await upgradeAt('/ws/')).toBe(503);
  expect(await upgradeAt('/other')).toBe(404);
});

it('the first of too many connections of one account ends', async () => {
  await world.close();
  world = await openSandboxWorld({
    accounts: [account('registry', 'STANDARD_REGISTRY'), account('ann', 'USER')],
    limits: { socketsPerAccount: 1 },
  });
  const ann = await open(await tokenOf('ann'));
  const first = await open(await tokenOf('registry'));
  await open(await tokenOf('registry'));
  expect(await first.closed).toBe(1006);
  ann.send('ping');
  await ann.next('pong');
});

describe('time', () => {
  const clock = new SimulatedClock(Date.now());
  const timers = new SimulatedTimers(clock);
  beforeEach(async () => {
    await world.close();
    world = await openSandboxWorld({
      accounts: [account('registry', 'STANDARD_REGISTRY'), account('ann', 'USER'), account('ben', 'USER')],
      accessLifetime: 30,
      clock,
      timers,
    });
    owner = await tokenOf('registry');
  });

  it('ends a connection that has no valid token for 5 s, and none that has', async () => {
    const page = await open(owner);
    const stranger = await open();
    const liar = await open('a.b.c');
    timers.advance(5_000);
    expect([await stranger.closed, await liar.closed]).toEqual([1008, 1008]);
    page.send('ping');
    await page.next('pong');
    timers.advance(30_000);
    expect(await page.closed).toBe(1008);
  });

  it('does not end what a page follows when its token is renewed, before or just after it expires', async () => {
    const imported = await world.ask('POST', 'policies/import/file', { token: owner, bytes: plots[0]!.archive });
    policyId = imported.body[0].id;
    await world.ask('PUT', `policies/${policyId}/dry-run`, { token: owner, json: {} });
    const page = await open(owner);
    await world.ask('GET', `policies/${policyId}/blocks`, { token: owner });
    for (const [ms, member] of [
      [29_000, 'ann'],
      [31_000, 'ben'],
    ] as const) {
      timers.advance(ms);
      page.send({ type: 'SET_ACCESS_TOKEN', data: (owner = await tokenOf('registry')) });
      page.send('ping');
      await page.next('pong');
      page.forget();
      await choose(await tokenOf(member), 'Producer');
      await page.next('update-event');
    }
  });
});

describe('a page of another site', () => {
  const at = (headers: Record<string, string>) =>
    Promise.all([
      upgradeAt('/ws/', headers),
      world
        .ask('POST', 'accounts/login', { json: { username: 'ann', password: 'x' }, headers })
        .then((got) => got.status),
      world.ask('GET', 'policies', { token: owner, headers }).then((got) => got.status),
    ]);

  it.each<[string, Record<string, string>]>([
    ['by a name that leads to this machine', { host: 'evil.example:3000' }],
    ['by its origin', { origin: 'https://evil.example' }],
    ['by the origin of a sandboxed frame', { origin: 'null' }],
  ])('is refused: %s', async (_, headers) => {
    expect(await at(headers)).toEqual([403, 403, 403]);
  });

  it.each(['http://localhost:4200', 'http://127.0.0.1:3000', 'http://[::1]:80'])(
    'is none if it is of this machine, as %s',
    async (origin) => {
      expect(await at({ origin })).toEqual([101, 200, 200]);
    },
  );

  it('cannot register by a body that needs no permission to be sent', async () => {
    const bytes = Buffer.from(JSON.stringify({ username: 'eve', password: 'x', role: 'STANDARD_REGISTRY' }));
    const headers = { 'content-type': 'text/plain' };
    expect(await world.ask('POST', 'accounts/register', { bytes, headers })).toMatchObject({ status: 415 });
    expect((await world.ask('POST', 'accounts/login', { json: { username: 'eve', password: 'x' } })).status).toBe(401);
  });
});

it('a server that closes ends them', async () => {
  const page = await open(owner);
  await world.close();
  expect(await page.closed).toBe(1006);
  world = await openSandboxWorld({}, []);
});

/** The status of a request to upgrade that is refused. */
const upgradeAt = (path: string, more: Record<string, string> = {}): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = {
      ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
      ...more,
    };
    const upgrade = request(world.url + path, { headers }, ({ statusCode }) => resolve(statusCode));
    upgrade.on('error', reject);
    upgrade.on('upgrade', (_, socket) => {
      socket.destroy();
      resolve(101);
    });
    upgrade.end();
  });
