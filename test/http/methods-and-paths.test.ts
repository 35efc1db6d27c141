import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetch } from './support/checked-fetch.js';
import { blockIds, ODD_TAG } from './support/trial-policy.js';
import { bearer, openWorld, owner } from './support/world.js';
import type { World } from './support/world.js';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const path = (rest: string): string => `/policies/${world.policyId}${rest}`;

describe('methods', () => {
  it('HEAD answers as GET does, without the body', async () => {
    const get = await world.call('GET', path('/tag/grid/blocks'));
    const head = await world.call('HEAD', path('/tag/grid/blocks'));
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    expect(await head.text()).toBe('');
    expect((await world.call('HEAD', path('/tag/nowhere/blocks'))).status).toBe(404);
    expect((await world.call('HEAD', path('/tokens'), { headers: { authorization: 'Bearer x' } })).status).toBe(401);
  });

  it.each([
    ['DELETE', '/policies', 'GET, HEAD, POST'],
    ['PUT', '/policies/p/blocks/x', 'GET, HEAD, POST'],
    ['POST', '/policies/p/tokens', 'GET, HEAD'],
    ['GET', '/policies/import/file', 'POST, PUT'],
    ['POST', '/external-policies/requests/1.2/approve', 'PUT'],
    ['PATCH', '/policies/p/tag/t/blocks', 'GET, HEAD, POST'],
  ])('%s on %s is refused with 405, naming what is possible', async (method, target, allow) => {
    const response = await world.call(method, target);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allow);
    expect(await response.json()).toMatchObject({ code: 405, error: 'METHOD_NOT_ALLOWED' });
  });

  it('OPTIONS says what is possible, without a token', async () => {
    const response = await fetch(`${world.url}/api/v1/policies/p/groups`, { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST');
  });
});

describe('paths', () => {
  it('each answer names the policy of its path, as it stands there, and no other', async () => {
    const named = async (target: string): Promise<string | null> =>
      (await world.call('GET', target)).headers.get('blockwork-policy');
    expect(await named(path('/tag/grid/blocks'))).toBe(world.policyId);
    expect(await named(path('/tag/nowhere/blocks'))).toBe(world.policyId);
    expect(await named('/policies/no%0Asuch/tokens')).toBe('no%0Asuch');
    expect(await named('/policies')).toBeNull();
  });

  it.each([
    '/',
    '/api/v1',
    '/api/v1/',
    '/api/v2/policies',
    '/policies',
    '/API/V1/policies',
    '/api/v1/nothing',
    '//api/v1/policies',
  ])('nothing is at %s: 404 in JSON', async (target) => {
    const response = await fetch(world.url + target);
    expect(response.status).toBe(404);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.json()).toMatchObject({ code: 404, error: 'ROUTE_UNKNOWN' });
  });

  it.each(['/policies/', '/policies/?pageSize=1'])('a slash at the end is tolerated: %s', async (target) => {
    expect((await world.call('GET', target)).status).toBe(200);
  });

  it('a slash at the end is tolerated after a parameter as well', async () => {
    expect((await world.call('GET', path(`/blocks/${blockIds.echo}/`))).status).toBe(200);
    expect((await world.send('POST', path('/tag/echo/blocks/'), { a: 1 })).status).toBe(200);
  });

  it('a tag may hold spaces, brackets, slashes, percent signs and letters of any script', async () => {
    const tag = encodeURIComponent(ODD_TAG);
    expect(await (await world.call('GET', path(`/tag/${tag}`))).json()).toEqual({ id: blockIds.odd });
    expect(await (await world.call('GET', path(`/tag/${tag}/blocks`))).json()).toMatchObject({ id: blockIds.odd });
  });

  it.each(['%zz', '%', '%E0%A4', 'a%2', '%C3'])('a broken percent-escape is refused with 400: %s', async (broken) => {
    for (const target of [`/policies/${broken}/tokens`, path(`/tag/${broken}/blocks`)]) {
      const response = await world.call('GET', target);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: 'PATH_MALFORMED' });
    }
  });
});

describe('what is tolerated', () => {
  it('a GET with a body, as some clients send it', async () => {
    // fetch refuses to send one.
    const status = await new Promise((resolve, reject) => {
      const headers = { authorization: bearer(owner), 'content-type': 'application/json', 'content-length': 15 };
      const sent = request(`${world.url}/api/v1/policies`, { method: 'GET', headers });
      sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
      sent.end('{"left":"over"}');
    });
    expect(status).toBe(200);
  });

  it('unknown query keys, keys given twice, and names of prototype members', async () => {
    const response = await world.call('GET', path('/tag/echo/blocks?a=1&a=2&__proto__=x&constructor=y&z=%C3%BC+b'));
    const { query } = (await response.json()) as { query: object };
    expect(Object.entries(query)).toEqual([
      ['a', '2'],
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['z', 'ü b'],
    ]);
  });

  it('names of prototype members in a body, unless they would change a prototype', async () => {
    const echo = async (body: string): Promise<[number, string]> => {
      const headers = { 'content-type': 'application/json; charset=utf-8' };
      const response = await world.call('POST', path('/tag/echo/blocks'), { headers, body });
      return [response.status, await response.text()];
    };
    const harmless = '{"constructor":"a","hasOwnProperty":{"toString":1}}';
    expect(await echo(harmless)).toEqual([200, harmless]);
    expect(await echo('{"a":{"__proto__":{"polluted":1}}}')).toEqual([400, expect.stringContaining('BODY_MALFORMED')]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('the id of a request', () => {
  it('is the one that the client chose, where that is harmless', async () => {
    const response = await world.call('GET', '/policies/nowhere', { headers: { 'x-request-id': 'trace-1' } });
    expect(response.headers.get('x-request-id')).toBe('trace-1');
    expect(await response.json()).toMatchObject({ requestId: 'trace-1' });
  });

  it('is made here otherwise, and each time another', async () => {
    const headers = { 'x-request-id': 'a b' };
    const ids = await Promise.all(
      [1, 2].map(async () => (await world.call('GET', '/policies', { headers })).headers.get('x-request-id')),
    );
    expect(ids[0]).toMatch(/^[\da-f-]{36}$/);
    expect(ids[0]).not.toBe(ids[1]);
  });
});
