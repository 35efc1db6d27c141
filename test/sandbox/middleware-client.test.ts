/** The calls of a middleware written for an older Guardian: import and publish, then blocks by id. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { play, type Player } from './support/play.js';
import { plots } from './support/plots.js';
import { openSandboxWorld, type SandboxWorld } from './support/world.js';

let world: SandboxWorld;
beforeEach(async () => {
  world = await openSandboxWorld();
});
afterEach(() => world.close());

const key = { hederaAccountId: '0.0.4711', hederaAccountKey: '302e…' };

/** Registers, sets a profile, and logs in again to see the DID. Only `accessToken` is read. */
async function signUp(username: string, role: string): Promise<string> {
  const password = 'test';
  const account = { username, password, password_confirmation: password, role };
  expect((await world.ask('POST', 'accounts/register', { json: account })).status).toBe(201);
  const first = (await world.ask('POST', 'accounts/login', { json: { username, password } })).body;
  expect(first).toMatchObject({ username, role, did: null, accessToken: expect.any(String) });
  const profile = await world.ask('PUT', `profiles/${username}`, { token: first.accessToken, json: key });
  expect(profile).toMatchObject({ status: 204, text: '' });
  const second = (await world.ask('POST', 'accounts/login', { json: { username, password } })).body;
  expect(second.did).toMatch(/^did:/);
  const session = await world.ask('GET', 'accounts/session', { token: second.accessToken });
  expect(session.body).toMatchObject({ username, did: second.did, role });
  return second.accessToken as string;
}

describe.each(plots)('the middleware plays $name', (plot) => {
  it('from the first login to the minted token and its trust chain', async () => {
    const tokens = new Map([['owner', await signUp('registry', 'STANDARD_REGISTRY')]]);
    const token = async (as: string): Promise<string> => {
      const token = tokens.get(as) ?? (await signUp(as, 'USER'));
      tokens.set(as, token);
      return token;
    };
    const registry = await token('owner');
    const imported = await world.ask('POST', 'policies/import/file', { token: registry, bytes: plot.archive });
    expect(imported).toMatchObject({ status: 201, body: [{ status: 'DRAFT' }] });
    const [{ id }] = (await world.ask('GET', 'policies', { token: registry })).body;
    const published = await world.ask('PUT', `policies/${id}/publish`, {
      token: registry,
      json: { policyVersion: '1.0.0' },
    });
    expect(published).toMatchObject({ status: 200, body: { isValid: true, policies: [{ id, status: 'PUBLISH' }] } });

    const blockId = async (as: string, tag: string): Promise<string> =>
      (await world.ask('GET', `policies/${id}/tag/${encodeURIComponent(tag)}`, { token: await token(as) })).body
        .id as string;
    const middleware: Player = {
      read: async (as, tag) => {
        const { body } = await world.ask('GET', `policies/${id}/blocks/${await blockId(as, tag)}`, {
          token: await token(as),
        });
        return body as unknown;
      },
      send: async (as, tag, body) => {
        const block = await blockId(as, tag);
        const sent = await world.ask('POST', `policies/${id}/blocks/${block}`, { token: await token(as), json: body });
        expect(sent.status, `${as} ${tag}: ${sent.text}`).toBe(200);
        return sent.body as unknown;
      },
    };
    await play(plot, middleware);

    const grid = (await middleware.read('owner', plot.grid)) as { data: { hash: string }[] };
    await middleware.send('owner', plot.report, { filterValue: grid.data[0]?.hash });
    const chain = await middleware.read('owner', plot.report);
    expect(chain).toMatchObject({ data: { vpDocument: { hash: grid.data[0]?.hash }, mintDocument: {} } });
    expect(JSON.stringify(chain)).toContain(`"amount":"${plot.minted}"`);
  });
});
