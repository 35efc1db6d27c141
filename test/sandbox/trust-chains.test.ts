/** Trust chains of what was minted, as auditors read them. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { play } from './support/play.js';
import { plots } from './support/plots.js';
import { openRegistryWorld, type RegistryWorld } from './support/registry-world.js';

let world: RegistryWorld;
beforeEach(async () => {
  world = await openRegistryWorld();
});
afterEach(() => world.close());

it('auditors list the presentations of published policies, and follow each back to its documents', async () => {
  const plot = plots[0]!;
  const imported = await world.as('registry', 'POST', 'policies/import/file', { bytes: plot.archive });
  const id = String(imported.body[0].id);
  const path = `policies/${id}`;
  expect((await world.as('auditor', 'GET', 'trust-chains')).body).toEqual([]);
  await world.call('PUT', `${path}/publish`, { policyVersion: '1.0.0' });
  const sessions = new Map<string, string>();
  const tokenOf = async (as: string): Promise<string> => {
    const username = as === 'owner' ? 'registry' : as;
    if (!sessions.has(as)) {
      const json = { username, password: 'x', role: 'USER' };
      await world.ask('POST', 'accounts/register', { json });
      const login = async (): Promise<string> =>
        (await world.ask('POST', 'accounts/login', { json })).body.accessToken as string;
      const key = { hederaAccountId: `0.0.${String(9000 + sessions.size)}`, hederaAccountKey: 'x' };
      await world.ask('PUT', `profiles/${username}`, { token: await login(), json: key });
      sessions.set(as, await login());
    }
    return String(sessions.get(as));
  };
  await play(plot, {
    read: async (as, tag) =>
      (await world.ask('GET', `${path}/tag/${tag}/blocks`, { token: await tokenOf(as) })).body as unknown,
    send: async (as, tag, json) => {
      const sent = await world.ask('POST', `${path}/tag/${tag}/blocks`, { token: await tokenOf(as), json });
      expect(sent.status, `${as} ${tag}: ${sent.text}`).toBe(200);
      return sent.body as unknown;
    },
  });

  const listed = await world.as('auditor', 'GET', 'trust-chains?pageIndex=0&pageSize=10');
  expect(listed).toMatchObject({ status: 200, headers: { 'x-total-count': '1' } });
  const [presentation] = listed.body;
  expect(presentation).toMatchObject({ policyId: id, hash: expect.any(String), document: { type: expect.anything() } });
  const chain = (await world.as('auditor', 'GET', `trust-chains/${String(presentation.hash)}`)).body;
  expect(chain.chain[0]).toMatchObject({ type: 'VP', id: presentation.id });
  expect(chain.chain.length).toBeGreaterThan(1);
  expect(chain.userMap).toContainEqual({ did: 'did:example:registry', username: 'registry' });
  expect((await world.as('auditor', 'GET', 'trust-chains/none')).status).toBe(404);
  for (const who of ['ann', 'registry', 'other'] as const)
    expect((await world.as(who, 'GET', 'trust-chains')).status, who).toBe(403);
});
