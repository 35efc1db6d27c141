/** The calls of an SDK in PHP: forms, tasks that are polled, blocks by tag, and a dry run as virtual users, all with the registry's token. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Got, Sent } from './support/http.js';
import { play, type Player } from './support/play.js';
import { plots } from './support/plots.js';
import { openSandboxWorld, type SandboxWorld } from './support/world.js';

const messageId = '1669653893.123456789';
const fireblocks = { useFireblocksSigning: false, fireblocksConfig: { fireBlocksVaultId: '' } };
let world: SandboxWorld;
afterEach(() => world.close());

/** Keeps the body of its last POST and sends it again with each GET; signs its requests for another server. */
class Sdk {
  token: string | undefined;
  #last: unknown;

  async call(method: string, path: string, sent: Sent = {}): Promise<Got> {
    if (sent.json !== undefined) this.#last = sent.json;
    const json = method === 'GET' ? this.#last : sent.json;
    const headers = { 'x-date': 'now', 'x-signature': 'abc', 'x-content-sha256': 'abc' };
    const got = await world.ask(method, path, {
      ...{ ...sent, headers, token: this.token },
      ...(json !== undefined && { json }),
    });
    // A bare text or number as JSON makes it throw.
    if (got.text !== '' && !/^[{["]|^(true|false|null)$/.test(got.text)) throw new Error(`${path}: ${got.text}`);
    expect(typeof got.body).not.toBe('string');
    return got;
  }

  async logIn(username: string): Promise<Got> {
    this.token = undefined;
    const { body } = await this.call('POST', 'accounts/login', { json: { username, password: 'test' } });
    const { body: access } = await this.call('POST', 'accounts/access-token', {
      json: { refreshToken: body.refreshToken },
    });
    this.token = access.accessToken as string;
    return this.call('GET', 'accounts/session');
  }

  /** Ends on `result`, throws on `error`. */
  async poll(pushed: Got): Promise<unknown> {
    expect(pushed).toMatchObject({ status: 202, body: { taskId: expect.any(String), action: expect.any(String) } });
    expect(pushed.body).toMatchObject({ expectation: expect.any(Number), userId: expect.any(String) });
    const { body } = await this.call('GET', `tasks/${String(pushed.body.taskId)}`);
    if (body.error !== undefined) throw new Error(String(body.error.message));
    expect(Array.isArray(body.statuses)).toBe(true);
    expect(body.result).toBeDefined();
    return body.result as unknown;
  }
}

async function signedUp(username: string, role: string, parent?: string): Promise<{ sdk: Sdk; did: string }> {
  const sdk = new Sdk();
  await sdk.call('POST', 'accounts/register', {
    json: { username, password: 'test', password_confirmation: 'test', role },
  });
  await sdk.logIn(username);
  const { id, key } = (await sdk.poll(await sdk.call('GET', 'demo/push/random-key'))) as { id: string; key: string };
  const kind =
    parent === undefined
      ? { vcDocument: { geography: 'x', law: 'x', tags: 'x' }, didDocument: null, didKeys: null }
      : { parent };
  const json = { hederaAccountId: id, hederaAccountKey: key, ...kind, ...fireblocks };
  const did = await sdk.poll(await sdk.call('PUT', `profiles/push/${username}`, { json }));
  const { body: session } = await sdk.logIn(username);
  expect(session).toMatchObject({ username, did, parent: parent ?? null, hederaAccountId: id });
  return { sdk, did: did as string };
}

describe.each(plots)('the SDK plays $name', (plot) => {
  beforeEach(async () => {
    world = await openSandboxWorld({ messages: new Map([[messageId, plot.archive]]) });
  });

  it('as virtual users of a dry run, to the minted token and its trust chain', async () => {
    const { sdk, did } = await signedUp('registry', 'STANDARD_REGISTRY');
    await signedUp('somebody', 'USER', did);
    const imported = await sdk.poll(await sdk.call('POST', 'policies/push/import/message', { json: { messageId } }));
    const { policyId: id } = imported as { policyId: string };
    const policy = (await sdk.call('GET', `policies/${id}/`)).body as { config: Walked; topicId: string };
    expect(policy).toMatchObject({
      id,
      status: 'DRAFT',
      topicId: expect.any(String),
      policyRoles: expect.any(Array),
    });
    expectWalkable(policy.config);

    const tag = await sdk.call('POST', 'tags/', {
      form: { name: 'sdk', description: 'x', entity: 'Policy', target: id },
    });
    expect(tag).toMatchObject({ status: 201, body: { name: 'sdk', localTarget: id } });
    const { body: schemas } = await sdk.call('GET', `schemas/${policy.topicId}?category=POLICY`);
    expectSpecifications(schemas as Listed[]);
    const [token] = (await sdk.call('GET', `tokens?policyId=${id}&status=All`)).body;
    expect(token).toMatchObject({ tokenId: expect.any(String), adminId: null });

    expect(await sdk.call('PUT', `policies/${id}/dry-run`, { form: {} })).toMatchObject({
      status: 200,
      body: { isValid: true, errors: {} },
    });
    await sdk.call('POST', `policies/${id}/dry-run/restart`, { form: {} });
    const users = new Map([['owner', did]]);
    const actAs = async (as: string): Promise<void> => {
      if (!users.has(as)) {
        const { body: all } = await sdk.call('POST', `policies/${id}/dry-run/user`, { form: {} });
        users.set(as, (all as { did: string }[]).at(-1)!.did);
      }
      await sdk.call('POST', `policies/${id}/dry-run/login`, { json: { did: users.get(as) } });
    };
    const path = (block: string): string => `policies/${id}/tag/${encodeURIComponent(block)}/blocks`;
    const php: Player = {
      read: async (as, block) => {
        await actAs(as);
        return (await sdk.call('GET', path(block))).body as unknown;
      },
      send: async (as, block, json) => {
        await actAs(as);
        const sent = await sdk.call('POST', path(block), { json });
        expect(sent.status, `${as} ${block}: ${sent.text}`).toBe(200);
        if (block === 'choose_role') {
          const { userRole } = (await sdk.call('GET', `policies/${id}`)).body;
          expect(userRole).toBe((json as { role: string }).role);
        }
        return sent.body as unknown;
      },
    };
    await play(plot, php);

    const grid = (await php.read('owner', plot.grid)) as { data: { hash: string; option: { status?: string } }[] };
    await php.send('owner', plot.report, { filterValue: grid.data[0]?.hash });
    const chain = await php.read('owner', plot.report);
    expect(chain).toMatchObject({ data: { vpDocument: { hash: grid.data[0]?.hash }, documents: expect.any(Array) } });
    expect(JSON.stringify(chain)).toContain(`"amount":"${plot.minted}"`);

    expect((await sdk.call('PUT', `policies/${id}/draft`, { form: {} })).body).toMatchObject({
      policies: [{ status: 'DRAFT' }],
    });
    const published = await sdk.call('PUT', `policies/push/${id}/publish`, { form: { policyVersion: '1.0.0' } });
    expect(await sdk.poll(published)).toMatchObject({ policyId: id, isValid: true });
    expect((await sdk.call('GET', `tokens?policyId=${id}&status=All`)).body[0].adminId).toMatch(/^0\.0\.\d+$/);
  });
});

interface Walked {
  readonly tag: string;
  readonly blockType: string;
  readonly children: readonly Walked[];
}

interface Listed {
  readonly iri: string;
  readonly document: string;
  readonly context: string;
}

/** Walks every block without a guard. */
function expectWalkable({ tag, blockType, children }: Walked): void {
  expect([typeof tag, typeof blockType, Array.isArray(children)]).toEqual(['string', 'string', true]);
  for (const child of children) expectWalkable(child);
}

/** Takes the document apart, without a guard for `$defs` and `readOnly`. */
function expectSpecifications(schemas: readonly Listed[]): void {
  expect(schemas.length).toBeGreaterThan(0);
  for (const { iri, document, context } of schemas) {
    expect(iri).toMatch(/^#/);
    expect(typeof context).toBe('string');
    const { $defs, properties } = JSON.parse(document) as { $defs: object; properties: Record<string, object> };
    expect($defs).toBeTypeOf('object');
    for (const property of Object.values(properties)) expect(property).toHaveProperty('readOnly');
  }
}
