/** The interface behind an OpenID provider: its tokens, its keys as they change, and what happens while it is away. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createPolicyHandler, type HandlerOptions } from '@blockwork/http-fetch';
import type { TokenOptions } from '@blockwork/http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkedFetch } from '../support/checked-fetch.js';
import { openFetchWorld, type World } from '../support/world.js';
import { audience, signingKey, startProvider, type IdentityProvider } from './identity-provider.js';
import { clockAt } from './support.js';

const [first, second, foreign] = [signingKey('first'), signingKey('second'), signingKey('foreign')];
const minutes = 60_000;

let provider: IdentityProvider;
let world: World;
let clock: ReturnType<typeof clockAt>;
let warnings: { message: string; fields: unknown }[];
let handler: ReturnType<typeof createPolicyHandler>;

beforeAll(async () => {
  provider = await startProvider(first);
  world = await openFetchWorld({}, { drafts: 'shared' });
});
afterAll(async () => {
  await world.close();
  await provider.stop();
});

beforeEach(() => {
  warnings = [];
  clock = clockAt(Date.now());
  open();
});
afterEach(() => {
  provider.answerKeysWith(null);
  provider.rotate(first);
});

function open(auth: Partial<TokenOptions> = {}, options: Partial<HandlerOptions> = {}): void {
  const warn = (message: string, fields?: unknown): void => void warnings.push({ message, fields });
  const logger = { debug: () => undefined, info: () => undefined, warn, error: warn };
  const { issuer, jwksUrl } = provider;
  handler = createPolicyHandler(world.engine, {
    auth: {
      issuer,
      audience,
      keySet: { url: jwksUrl },
      subject: 'did:web:example.org:users:{sub}',
      roles: {
        claim: '/realm_access/roles',
        values: [
          { value: 'registry-admins', role: 'STANDARD_REGISTRY' },
          { value: 'members', role: 'USER' },
        ],
      },
      clock,
      ...auth,
    },
    logger,
    ...options,
  });
}

interface Answer {
  readonly status: number;
  readonly error?: string;
  readonly message?: string;
  readonly retryAfter: string | null;
}

async function ask(token: string, path = '/policies'): Promise<Answer> {
  const call = checkedFetch((url, init) => handler(new Request(url, init)));
  const response = await call(`http://localhost/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
  const body = (await response.json()) as { error?: string; message?: string };
  return { ...body, status: response.status, retryAfter: response.headers.get('retry-after') };
}

describe('a caller of an identity provider', () => {
  it('has the DID that the template makes of their sub, and the role of their claim', async () => {
    const id = 'auth0|5f7c8ec7c33c6c004bbafe82';
    expect(await ask(await provider.token())).toMatchObject({ status: 200 });
    expect(await ask(await provider.token({ id }))).toMatchObject({ status: 200 });
    expect(await ask(await provider.token({ id }), '/external-policies/requests/refused')).toMatchObject({
      status: 403,
    });
    expect(await ask(await provider.token({ id: 'stranger' }))).toMatchObject({ status: 403 });

    const body = JSON.stringify({ role: 'Verifier' });
    const headers = { authorization: `Bearer ${await provider.token({ id })}`, 'content-type': 'application/json' };
    const path = `/policies/${world.policyId}/tag/choose_role/blocks`;
    const sent = await handler(new Request(`http://localhost/api/v1${path}`, { method: 'POST', headers, body }));
    expect(sent.status).toBe(200);
    const did = 'did:web:example.org:users:auth0%7C5f7c8ec7c33c6c004bbafe82';
    expect(await world.engine.getPolicy({ did, role: 'USER' }, world.policyId)).toMatchObject({ userRole: 'Verifier' });
  });

  it('is refused without a template, because the sub is no DID', async () => {
    const { issuer, jwksUrl } = provider;
    handler = createPolicyHandler(world.engine, { auth: { issuer, audience, keySet: { url: jwksUrl }, clock } });
    const { status, message } = await ask(await provider.token());
    expect(status).toBe(401);
    expect(message).toContain('must be a DID');
  });

  it('is refused with a token for another audience, of another issuer, or past its time', async () => {
    const other = await provider.token({ resource: 'https://elsewhere.example.org' });
    expect(await ask(other)).toMatchObject({ status: 401, message: 'The token is meant for another audience.' });
    const token = await provider.token();
    clock.time += 11 * minutes;
    expect(await ask(token)).toMatchObject({ status: 401, message: 'The token has expired.' });
    open({ issuer: 'https://issuer.example.org' });
    expect(await ask(await provider.token())).toMatchObject({ status: 401 });
  });
});

it('a token that an operator revokes is refused from then on, though it was verified before', async () => {
  const [token, other] = [await provider.token(), await provider.token()];
  expect(await ask(token)).toMatchObject({ status: 200 });
  const { jti, exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >;
  const revoked = await world.send('POST', '/identities/revoked-tokens', { jti, exp, reason: 'a lost notebook' });
  expect(revoked.status).toBe(201);
  expect(await revoked.json()).toMatchObject({ tokenId: jti, revokedBy: 'did:example:owner' });
  expect(await ask(token)).toMatchObject({ status: 401, message: 'The token was revoked.' });
  expect(await ask(other)).toMatchObject({ status: 200 });
  const listed = await world.call('GET', '/identities/revoked-tokens');
  expect(listed.headers.get('x-total-count')).toBe('1');
  const stranger = await provider.token({ id: 'auth0|5f7c8ec7c33c6c004bbafe82' });
  expect(await ask(stranger, '/identities/revoked-tokens')).toMatchObject({ status: 403 });
});

it('a stream of events ends when its token is revoked', async () => {
  open({}, { eventHeartbeat: 20 });
  const token = await provider.token();
  const { jti, exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >;
  const url = `http://localhost/api/v1/policies/${world.policyId}/events`;
  const stream = await handler(new Request(url, { headers: { authorization: `Bearer ${token}` } }));
  expect(stream.status).toBe(200);
  const ended = stream.text().catch(() => 'cut');
  await world.send('POST', '/identities/revoked-tokens', { jti, exp });
  await ended;
});

describe('keys of an identity provider', () => {
  it('are loaded once for many tokens, by one request at a time', async () => {
    const tokens = await Promise.all(['registry', 'stranger', 'registry'].map((id) => provider.token({ id })));
    const before = provider.asked();
    const answers = await Promise.all([...tokens, ...tokens].map((token) => ask(token)));
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 200, 200, 403, 200]);
    expect(provider.asked()).toBe(before + 1);
  });

  it('are loaded again when a token names another one, and old keys end with that', async () => {
    const old = await provider.token();
    expect(await ask(old)).toMatchObject({ status: 200 });
    provider.rotate(second);
    const fresh = await provider.token();
    expect(await ask(fresh)).toMatchObject({
      status: 401,
      message: 'The key that signed the token is unknown.',
    });
    clock.time += 30_000;
    expect(await ask(fresh)).toMatchObject({ status: 200 });
    expect(await ask(old)).toMatchObject({ status: 401 });
  });

  it('are asked for once in a while only, however many unknown ones are named', async () => {
    await ask(await provider.token());
    provider.rotate(foreign);
    const stray = await provider.token();
    provider.rotate(first);
    clock.time += 30_000;
    const before = provider.asked();
    for (let count = 0; count < 5; count += 1) expect(await ask(stray)).toMatchObject({ status: 401 });
    expect(provider.asked()).toBe(before + 1);
  });

  it('are not asked for because the signature of a known one is wrong', async () => {
    const token = await provider.token();
    expect(await ask(token)).toMatchObject({ status: 200 });
    clock.time += 30_000;
    const before = provider.asked();
    const forged = `${token.slice(0, -8)}${token.endsWith('AAAAAAAA') ? 'BBBBBBBB' : 'AAAAAAAA'}`;
    expect(await ask(forged)).toMatchObject({ status: 401, message: 'The signature of the token is not valid.' });
    expect(provider.asked()).toBe(before);
  });

  it('that were withdrawn are not used once they are old', async () => {
    const old = await provider.token({ seconds: 7200 });
    expect(await ask(old)).toMatchObject({ status: 200 });
    provider.rotate(second);
    clock.time += 10 * minutes;
    await ask(old);
    await expect.poll(() => ask(old)).toMatchObject({ status: 401 });
  });
});

describe('while an identity provider is down', () => {
  it('nobody gets in who was not in before, is told when to come back, and gets in then', async () => {
    const token = await provider.token();
    await provider.stop();
    const refused = await ask(token);
    expect(refused).toMatchObject({ status: 503, error: 'IDENTITY_PROVIDER_UNAVAILABLE', retryAfter: '30' });
    expect(JSON.stringify(refused)).not.toContain('127.0.0.1');
    expect(await ask('')).toMatchObject({ status: 401 });
    await provider.restart();
    expect(await ask(token)).toMatchObject({ status: 503 });
    clock.time += 30_000;
    expect(await ask(token)).toMatchObject({ status: 200 });
    expect(warnings[0]?.message).toBe('The keys of the identity provider cannot be loaded.');
  });

  it('tokens of known keys are good for another hour, and a token of an unknown key is not judged', async () => {
    const [token, later] = [await provider.token({ seconds: 7200 }), await provider.token({ seconds: 7200 })];
    expect(await ask(token)).toMatchObject({ status: 200 });
    provider.rotate(second);
    const unknown = await provider.token({ seconds: 7200 });
    await provider.stop();
    clock.time += 69 * minutes;
    expect(await ask(token)).toMatchObject({ status: 200 });
    expect(await ask(later)).toMatchObject({ status: 200 });
    await expect.poll(() => ask(unknown)).toMatchObject({ status: 503 });
    clock.time += minutes;
    expect(await ask(token)).toMatchObject({ status: 503 });
    await provider.restart();
  });

  it.each<[string, Parameters<IdentityProvider['answerKeysWith']>[0]]>([
    ['a failure', { status: 500, body: '' }],
    ['a redirection', { status: 302, body: '', location: '/elsewhere' }],
    ['no JSON', { status: 200, body: '<html>' }],
    ['no key set', { status: 200, body: '{"keys":5}' }],
    ['a set without a usable key', { status: 200, body: '{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB"}]}' }],
    ['more than the limit', { status: 200, body: `{"keys":[],"pad":"${'x'.repeat(300_000)}"}` }],
    ['too many keys', { status: 200, body: JSON.stringify({ keys: Array.from({ length: 101 }, () => ({})) }) }],
  ])('%s in place of keys is the same', async (_, answer) => {
    provider.answerKeysWith(answer);
    expect(await ask(await provider.token())).toMatchObject({ status: 503, error: 'IDENTITY_PROVIDER_UNAVAILABLE' });
  });

  it('one that never ends its answer is given up', async () => {
    const silent = createServer((_, res) => void res.writeHead(200).write('{'));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : 0;
    open({ keySet: { url: `http://127.0.0.1:${String(port)}/`, timeoutMs: 50 } });
    expect(await ask(await provider.token())).toMatchObject({ status: 503 });
    silent.closeAllConnections();
    silent.close();
  });
});

it('keys can be in a file, which is read again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'blockwork-keys-'));
  const file = join(folder, 'jwks.json');
  const published = async (): Promise<string> => (await fetch(provider.jwksUrl)).text();
  open({ keySet: { url: pathToFileURL(file).href } });
  const old = await provider.token();
  expect(await ask(old)).toMatchObject({ status: 503 });
  await writeFile(file, await published());
  clock.time += 30_000;
  expect(await ask(old)).toMatchObject({ status: 200 });
  provider.rotate(second);
  await writeFile(file, await published());
  clock.time += 30_000;
  expect(await ask(await provider.token())).toMatchObject({ status: 200 });
  expect(await ask(old)).toMatchObject({ status: 401 });
  await rm(folder, { recursive: true });
});

it.each(['https://idp.example.org/jwks', 'http://[::1]:8080/jwks', 'file:///etc/jwks.json'])(
  'keys may come from %s',
  (url) => {
    expect(() => open({ keySet: { url } })).not.toThrow();
  },
);

it.each([
  ['http://idp.example.org/jwks'],
  ['http://127.0.0.1.example.org/jwks'],
  ['ftp://127.0.0.1/jwks'],
  ['https://name:password@idp.example.org/jwks'],
  ['/etc/jwks.json'],
])('keys from %s are refused at the start', (url) => {
  expect(() => open({ keySet: { url } })).toThrow('auth.keySet.url');
});
