/** The server over a folder of policies, with callers of an identity provider, and with secrets from a folder. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { start, type RunningServer } from '../src/serve/server.js';
import { readSettings } from '../src/serve/settings.js';
import { run } from './support/run.js';

const issuer = 'https://idp.example.org';
const audience = 'https://policies.example.org';
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

let folder: string;
let server: RunningServer | undefined;
let service: Server;
let requests: (string | undefined)[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockwork-provider-'));
  await mkdir(join(folder, 'policies'));
  requests = [];
  service = createServer((request, response) => {
    requests.push(request.headers.authorization);
    response.end('{"type":"Price","price":12.5}');
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  service.closeAllConnections();
  service.close();
  await rm(folder, { recursive: true });
});

function token(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const head = { alg: 'ES256', kid: 'one' };
  const body = { iss: issuer, aud: audience, exp: Math.floor(Date.now() / 1000) + 60, ...claims };
  const signed = `${part(head)}.${part(body)}`;
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

async function startBehindProvider(variables: Record<string, string> = {}): Promise<RunningServer> {
  const file = join(folder, 'jwks.json');
  await writeFile(file, JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one' }] }));
  const settings = readSettings({
    BLOCKWORK_DATA: join(folder, 'data'),
    BLOCKWORK_PORT: '0',
    BLOCKWORK_LOG: 'silent',
    BLOCKWORK_POLICIES: join(folder, 'policies'),
    BLOCKWORK_JWKS: file,
    BLOCKWORK_JWT_ISSUER: issuer,
    BLOCKWORK_JWT_AUDIENCE: audience,
    BLOCKWORK_SUBJECT: 'did:web:example.org:users:{sub}',
    BLOCKWORK_ROLE_CLAIM: 'groups',
    BLOCKWORK_ROLES: 'registry=STANDARD_REGISTRY,*=USER',
    BLOCKWORK_OWNER: 'did:web:example.org:users:registry%40example.org',
    ...variables,
  });
  server = await start(settings, () => undefined);
  return server;
}

async function call(path: string, claims: object, body?: object): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${server?.url ?? ''}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token(claims)}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const registry = { sub: 'registry@example.org', groups: ['registry'] };

test('its callers get in with DIDs and roles made of their claims, and there is no secret of its own', async () => {
  const config = { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['OWNER'] };
  await writeFile(
    join(folder, 'policies', 'one.policy.json'),
    JSON.stringify({ name: 'One', description: '', config }),
  );
  await startBehindProvider();
  expect(await call('/policies', registry)).toMatchObject({ status: 200, body: [{ id: 'one' }] });
  expect(await call('/policies/one/blocks', registry)).toMatchObject({ status: 200 });
  expect(await call('/policies/one/blocks', { sub: 'ana' })).toMatchObject({ status: 403 });
  expect(await call('/policies/one/journal', { sub: 'ana' })).toMatchObject({ status: 403 });
  expect(await call('/policies', { sub: 'ana', aud: 'https://elsewhere.example.org' })).toMatchObject({ status: 401 });
  await expect(readFile(join(folder, 'data', 'jwt-secret'))).rejects.toThrow('ENOENT');
});

test('the console is told where people sign in, and without a client nothing', async () => {
  const settings = async (): Promise<unknown> => (await fetch(`${server?.url ?? ''}/console/settings.json`)).json();
  await startBehindProvider({ BLOCKWORK_CONSOLE_CLIENT: 'console', BLOCKWORK_CONSOLE_RESOURCE: audience });
  const provider = { issuer, clientId: 'console', scopes: ['openid', 'profile'], resource: audience };
  expect(await settings()).toEqual({ prefix: '/api/v1', provider });
  await server?.close();
  await startBehindProvider();
  expect(await settings()).toEqual({ prefix: '/api/v1' });
});

test('its tokens come from the provider alone', async () => {
  const env = {
    BLOCKWORK_JWKS: 'https://idp.example.org/jwks',
    BLOCKWORK_JWT_ISSUER: issuer,
    BLOCKWORK_JWT_AUDIENCE: audience,
  };
  const refused = await run(['token', '--as', 'owner'], { env: { ...env, BLOCKWORK_DATA: join(folder, 'data') } });
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('identity provider') });
});

test('secrets of policies are files of a folder, and only the allowed addresses get them', async () => {
  const { port } = service.address() as AddressInfo;
  const base = `http://127.0.0.1:${String(port)}/v1`;
  const ask = (tag: string, url: string) => [
    {
      blockType: 'buttonBlock',
      tag: `ask_${tag}`,
      permissions: ['OWNER'],
      uiMetaData: { buttons: [{ tag: 'Ask', name: 'Ask', type: 'selector', field: '', value: '', filters: [] }] },
      events: [{ source: `ask_${tag}`, target: tag, output: 'Ask', input: 'RunEvent', actor: '', disabled: false }],
    },
    {
      blockType: 'httpRequestBlock',
      tag,
      permissions: ['OWNER'],
      url,
      headers: [{ name: 'Authorization', value: 'Bearer {{secret:PRICES}}' }],
    },
  ];
  const config = {
    blockType: 'interfaceContainerBlock',
    tag: 'root',
    permissions: ['OWNER'],
    children: [...ask('prices', `${base}/price`), ...ask('others', `http://127.0.0.1:${String(port)}/v2`)],
  };
  await writeFile(
    join(folder, 'policies', 'one.policy.json'),
    JSON.stringify({ name: 'One', description: '', config }),
  );
  await mkdir(join(folder, 'secrets'));
  await writeFile(join(folder, 'secrets', 'PRICES'), 'of the folder\n');
  await startBehindProvider({ BLOCKWORK_SECRETS: join(folder, 'secrets'), BLOCKWORK_HTTP_ALLOW: base });

  const press = (tag: string) => call(`/policies/one/tag/ask_${tag}/blocks`, registry, { tag: 'Ask', document: null });
  expect(await press('prices')).toMatchObject({ status: 200 });
  expect(requests).toEqual(['Bearer of the folder']);
  expect((await press('others')).status).not.toBe(200);
  expect(requests).toHaveLength(1);
});
