import { createSecretKey } from 'node:crypto';
import { createEngine } from '@blockwork/core';
import { describe, expect, it } from 'vitest';
import { FetchRequest } from '../src/fetch-request.js';
import { createPolicyHandler, signDevelopmentToken } from '../src/index.js';

const secret = createSecretKey(Buffer.alloc(32, 7));

describe('the path and the query of a request', () => {
  it.each([
    ['http://x', '/', ''],
    ['http://x/', '/', ''],
    ['http://x?a=1', '/', 'a=1'],
    ['http://x:80/a/b%20c?d=e&f=%3F', '/a/b%20c', 'd=e&f=%3F'],
    ['http://x/a#b?c', '/a', ''],
    ['http://x/a?b?c#d', '/a', 'b?c'],
    ['http://user:pass@x/a?b://c/d', '/a', 'b://c/d'],
    ['http://[::1]:8080/a', '/a', ''],
    ['https://x//a/', '//a/', ''],
  ])('of %s', (url, path, query) => {
    const request = new FetchRequest(new Request(url.replace('user:pass@', '')));
    expect([request.path, request.query]).toEqual([path, query]);
    expect(new URL(url)).toMatchObject({ pathname: path, search: query === '' ? '' : `?${query}` });
  });
});

describe('a handler', () => {
  const engine = createEngine();
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    createPolicyHandler(engine, { auth: { secret } })(new Request(`http://localhost${path}`, init));

  it('answers its routes, the health check and everything else', async () => {
    const token = signDevelopmentToken(secret, { did: 'did:example:ana', role: 'USER' });
    const list = await ask('/api/v1/policies', { headers: { authorization: `Bearer ${token}` } });
    expect([list.status, await list.json()]).toEqual([200, []]);
    const health = await ask('/healthz', { method: 'HEAD' });
    expect([health.status, await health.text()]).toEqual([200, '']);
    expect((await ask('/nothing')).status).toBe(404);
  });

  it('identifies callers as the program does', async () => {
    const own = createPolicyHandler(engine, {
      authenticate: (request) => Promise.resolve({ did: request.headers.get('x-user') ?? '', role: 'USER' }),
    });
    const headers = { 'x-user': 'did:example:ana' };
    expect((await own(new Request('http://localhost/api/v1/policies', { headers }))).status).toBe(200);
  });

  it.each<[string, object]>([
    ['auth', {}],
    ['perfix', { auth: { secret }, perfix: '' }],
    ['closeTimeout', { auth: { secret }, closeTimeout: 5 }],
  ])('refuses the option %s in %j', (option, options) => {
    expect(() => createPolicyHandler(engine, options)).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID', facts: expect.objectContaining({ option }) }),
    );
  });
});
