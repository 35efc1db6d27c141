/** The console as a server serves it: its files and nothing else, under a strict policy. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, type Caller } from '@blockwork/core';
import { createPolicyServer, signDevelopmentToken, type PolicyServer } from '@blockwork/http-koa';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const secret = new Uint8Array(32).fill(1);
const engine = createEngine();
let folder: string;
let server: PolicyServer;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockwork-console-'));
  const app = join(folder, 'app');
  await mkdir(join(app, 'assets'), { recursive: true });
  await writeFile(join(app, 'index.html'), '<!doctype html><title>Console</title>');
  await writeFile(join(app, 'assets', 'main-1a2b.js'), 'export {};');
  await writeFile(join(app, 'notes.txt'), 'of no type that is served');
  await writeFile(join(folder, 'private.js'), 'outside');
  server = createPolicyServer(engine, { auth: { secret }, console: { assets: app }, prefix: '/policies/v1' });
  ({ url } = await server.listen({ port: 0 }));
});

afterAll(async () => {
  await server.close();
  await engine.close();
  await rm(folder, { recursive: true });
});

describe('Signing in by a code', () => {
  const code = 'the-code-of-this-test';
  let codes: string[];
  let at: string;
  let own: PolicyServer;

  beforeEach(async () => {
    codes = [code];
    const signIn = (code: string) =>
      codes.splice(codes.indexOf(code), codes.includes(code) ? 1 : 0).length > 0 ? ['one', 'two'] : null;
    own = createPolicyServer(engine, { auth: { secret }, console: { assets: join(folder, 'app'), signIn } });
    ({ url: at } = await own.listen({ port: 0 }));
  });
  afterEach(() => own.close());

  /** With the headers of a page of this server, but for those given. */
  const post = (
    body: unknown,
    headers: Record<string, string> = {},
    method = 'POST',
  ): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const all = { 'content-type': 'application/json', origin: at, ...headers };
      const sent = request(`${at}/console/sign-in`, { method, headers: all }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      });
      sent.on('error', reject).end(typeof body === 'string' ? body : JSON.stringify(body));
    });

  it('gives tokens once', async () => {
    const first = await post({ code });
    expect([first.status, JSON.parse(first.text)]).toEqual([200, { tokens: ['one', 'two'] }]);
    expect(await post({ code })).toMatchObject({
      status: 403,
      text: expect.stringContaining('SIGN_IN_REFUSED') as string,
    });
  });

  it('refuses a wrong code, and the right one still works', async () => {
    expect((await post({ code: 'another' })).status).toBe(403);
    expect((await post({ code })).status).toBe(200);
  });

  it.each([
    ['a page of another origin', { origin: 'http://evil.example' }],
    ['a page of another port', { origin: 'http://127.0.0.1:1' }],
    ['no page at all', { origin: '' }],
    ['a name that only points here', { host: 'evil.example', origin: 'http://evil.example' }],
    [
      'a name that only begins like a loopback one',
      { host: '127.0.0.1.evil.example', origin: 'http://127.0.0.1.evil.example' },
    ],
    ['an address of the network', { host: '192.168.0.7', origin: 'http://192.168.0.7' }],
  ])('refuses %s, and does not spend the code', async (_, headers) => {
    expect((await post({ code }, headers)).status).toBe(403);
    expect(codes).toEqual([code]);
  });

  it.each([
    ['a form', 'code=x', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['a text', JSON.stringify({ code }), { 'content-type': 'text/plain' }, 415],
    ['half a body', '{"code":', {}, 400],
    ['another member', { code, more: 1 }, {}, 422],
    ['no text', { code: [code] }, {}, 422],
    ['a long body', { code: 'x'.repeat(2_000) }, {}, 413],
  ])('refuses %s', async (_, body, headers, status) => {
    expect((await post(body, headers)).status).toBe(status);
    expect(codes).toEqual([code]);
  });

  it('takes five attempts at once, and then makes them wait', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 8; n += 1) statuses.push((await post({ code: 'guess' })).status);
    expect(statuses.slice(0, 5)).toEqual([403, 403, 403, 403, 403]);
    expect(statuses).toContain(429);
    expect(codes).toEqual([code]);
  });

  it('is asked for by POST alone, and is not there unless the program wants it', async () => {
    expect((await post('', {}, 'GET')).status).toBe(405);
    expect((await post('', {}, 'OPTIONS')).status).toBe(405);
    const refused = await fetch(`${url}/console/sign-in`, { method: 'POST', headers: { origin: url }, body: '{}' });
    expect(refused.status).toBe(405);
  });
});

describe('The console', () => {
  it('is served to anyone, and is told where the interface is', async () => {
    const page = await fetch(`${url}/console/`);
    expect(await page.text()).toContain('<title>Console</title>');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await (await fetch(`${url}/console/settings.json`)).json()).toEqual({ prefix: '/policies/v1' });
  });

  it('is found without the slash as well, below any path', async () => {
    const answer = await fetch(`${url}/console`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([308, 'console/']);
  });

  it('is what the root of the server leads to, for readers only', async () => {
    const answer = await fetch(`${url}/?from=a-bookmark`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'console/']);
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
  });

  it('allows no inline code, no evaluation and no other host', async () => {
    const policy = (await fetch(`${url}/console/`)).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toContain('http');
  });

  it('may ask the provider at which people sign in, and is told of it without a secret', async () => {
    const provider = { issuer: 'https://idp.example.org/realms/main', clientId: 'console' };
    const own = createPolicyServer(engine, { auth: { secret }, console: { assets: join(folder, 'app'), provider } });
    const { url: at } = await own.listen({ port: 0 });
    const page = await fetch(`${at}/console/`);
    const directive = /connect-src ([^;]*)/.exec(page.headers.get('content-security-policy') ?? '');
    expect(directive?.[1]).toBe("'self' https://idp.example.org");
    expect(await (await fetch(`${at}/console/settings.json`)).json()).toEqual({
      prefix: '/api/v1',
      provider: { ...provider, scopes: ['openid', 'profile'] },
    });
    await own.close();
  });

  it.each([
    ['issuer', { issuer: 'http://idp.example.org' }],
    ['issuer', { issuer: 'https://idp.example.org/?realm=main' }],
    ['issuer', { issuer: 'https://somebody@idp.example.org' }],
    ['issuer', { issuer: 'https://idp.example.org; script-src *' }],
    ['clientId', { clientId: '' }],
    ['scopes', { scopes: ['profile'] }],
    ['scopes', { scopes: ['openid profile'] }],
    ['resource', { resource: 'policies' }],
  ])('takes no provider whose %s cannot be used: %j', (member, set) => {
    const provider = { issuer: 'https://idp.example.org', clientId: 'console', ...set };
    const console = { assets: join(folder, 'app'), provider };
    expect(() => createPolicyServer(engine, { auth: { secret }, console })).toThrow(`console.provider.${member}`);
  });

  it('tells who a token names, by the rules of the server, and only to whoever has it', async () => {
    const { did, username } = { did: 'did:example:ana', username: 'ana' };
    const ask = async (headers: Record<string, string>): Promise<Response> =>
      fetch(`${url}/console/caller`, { headers });
    const token = signDevelopmentToken(secret, { did, username, role: 'USER' });
    const answer = await ask({ Authorization: `Bearer ${token}` });
    expect([answer.status, answer.headers.get('cache-control'), await answer.json()]).toEqual([
      200,
      'no-store',
      { did, username, role: 'USER' },
    ]);
    expect((await ask({})).status).toBe(401);
    const holder: Caller & { readonly jti: string } = { did, role: 'USER', jti: 'lost' };
    const revoked = signDevelopmentToken(secret, holder);
    const operator = { did: 'did:example:operator', role: 'OPERATOR' };
    await engine.revokedTokens.add(operator, { tokenId: 'lost', expiresAt: Date.now() + 3_600_000 });
    expect((await ask({ Authorization: `Bearer ${revoked}` })).status).toBe(401);
  });

  it('lets browsers keep files whose name is their hash, and nothing else', async () => {
    const caching = async (path: string): Promise<string | null> =>
      (await fetch(`${url}/console/${path}`)).headers.get('cache-control');
    expect(await caching('assets/main-1a2b.js')).toContain('immutable');
    expect(await caching('')).toBe('no-cache');
  });

  it.each([
    '/console/../private.js',
    '/console/%2e%2e/private.js',
    '/console/..%2fprivate.js',
    '/console/notes.txt',
    '/console/none.js',
  ])('has no file at %s', async (path) => {
    const answer = await fetch(url + path);
    expect(answer.status).toBe(404);
  });

  it('only answers reads', async () => {
    expect((await fetch(`${url}/console/`, { method: 'POST' })).status).toBe(405);
  });

  it('is not there unless it is asked for, and not from a folder without a page', async () => {
    const without = createPolicyServer(engine, { auth: { secret } });
    const other = await without.listen({ port: 0 });
    expect((await fetch(`${other.url}/console/`)).status).toBe(404);
    expect((await fetch(other.url)).status).toBe(404);
    await without.close();
    expect(() => createPolicyServer(engine, { auth: { secret }, console: { assets: folder } })).toThrow(
      'console.assets',
    );
  });
});
