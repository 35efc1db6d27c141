/** What an operator relies on: readiness, shutdown in order, timeouts, and refusals below the interface. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { BlockworkError, MemoryStore } from '@blockwork/core';
import { errorBody } from '@blockwork/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { holdTimer } from '../support/held-timer.js';
import { fetch } from './support/checked-fetch.js';
import { expectAnswer } from './support/expect-answer.js';
import { message, requestId } from './support/remote-request.js';
import { bearer, openFetchWorld, openWorld, owner, stranger } from './support/world.js';
import type { World } from './support/world.js';

const worlds: World[] = [];
const opened = async <One extends World>(one: Promise<One>): Promise<One> => {
  worlds.push(await one);
  return one;
};
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

const raw = async ({ url }: World, text: string): Promise<Socket> => {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setEncoding('utf8');
  await once(socket, 'connect');
  socket.write(text);
  return socket;
};

/** Everything that comes until the server ends the connection. */
async function ending(socket: Socket): Promise<{ status: number; head: string; body: unknown }> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body: body === '' ? null : JSON.parse(body) };
}

describe('what the parser refuses has the body of every other refusal', () => {
  it.each([
    ['no HTTP', 'GARBAGE\r\n\r\n', 400, 'REQUEST_MALFORMED'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'REQUEST_MALFORMED',
    ],
    ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'REQUEST_MALFORMED'],
    ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n', 400, 'REQUEST_MALFORMED'],
    [
      'two tokens',
      'GET /healthz HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nAUTHORIZATION: Bearer b\r\n\r\n',
      400,
      'REQUEST_MALFORMED',
    ],
    ['a target of another kind', 'GET a:b HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'REQUEST_MALFORMED'],
    ['a target that is no URL', 'GET http://[/healthz?x=1 HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'REQUEST_MALFORMED'],
    ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    [
      'another expectation',
      'POST / HTTP/1.1\r\nHost: x\r\nExpect: magic\r\nContent-Length: 1\r\n\r\n',
      417,
      'EXPECTATION_UNKNOWN',
    ],
  ])('%s', async (_, text, status, error) => {
    const world = await opened(openWorld());
    const answer = await ending(await raw(world, text));
    expect(answer.status).toBe(status);
    expect(errorBody.parse(answer.body)).toMatchObject({ code: status, error });
    expect(answer.head).toContain('Content-Type: application/json; charset=utf-8');
    expect(answer.head.toLowerCase()).toContain('connection: close');
  });

  it.each([
    ['headers', 'GET /healthz HTTP/1.1\r\nHost: x\r\n', { headersTimeout: 100 }],
    [
      'a body',
      `POST /api/v1/policies/import/file HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer(owner)}\r\nContent-Type: application/zip\r\nContent-Length: 9\r\n\r\nab`,
      { headersTimeout: 100, requestTimeout: 150 },
    ],
  ])('%s that never end get 408 at the time that was set', async (_, text, timeouts) => {
    const world = await opened(openWorld(timeouts));
    const answer = await ending(await raw(world, text));
    expect(answer).toMatchObject({ status: 408, body: { error: 'REQUEST_TIMEOUT' } });
  });
});

describe('readiness', () => {
  it('is 200 while the store takes changes, and tells of the link', async () => {
    for (const world of [await opened(openWorld()), await opened(openFetchWorld())]) {
      const answer = await expectAnswer('ready', await world.fetch(`${world.url}/readyz`), 200);
      expect(answer).toEqual({ status: 'ready', link: 'connected' });
      expect((await world.fetch(`${world.url}/readyz`, { method: 'POST' })).status).toBe(405);
    }
  });

  it('is 503 while the store takes none, with the reason in the log only', async () => {
    const store = new MemoryStore();
    const world = await opened(openWorld({}, { store }));
    store.commit = () => Promise.reject(new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: 'SECRET' } }));
    const response = await fetch(`${world.url}/readyz`);
    const body = await expectAnswer('ready', response, 503);
    expect(body).toMatchObject({ error: 'NOT_READY' });
    expect(JSON.stringify(body)).not.toContain('SECRET');
    const line = world.log.find(({ fields }) => fields['requestId'] === response.headers.get('x-request-id'));
    expect(String((line?.fields['error'] as Error).cause)).toContain('SECRET');
    expect((await fetch(`${world.url}/healthz`)).status).toBe(200);
  });

  it('fails first when the server closes: health and requests go on until the port is closed', async () => {
    const world = await opened(openWorld({ drainTime: 424_242 }));
    const drained = holdTimer(424_242);
    const closed = world.server.close();
    await expectAnswer('ready', await fetch(`${world.url}/readyz`), 503);
    expect((await fetch(`${world.url}/healthz`)).status).toBe(200);
    expect((await world.call('GET', '/policies')).status).toBe(200);
    drained();
    await closed;
    await expect(fetch(`${world.url}/healthz`)).rejects.toThrow();
  });
});

it('who waits for another instance is answered when the server closes, as it is', async () => {
  const world = await opened(openWorld({ closeTimeout: 60_000 }));
  await world.engine.program.requests.receive(message());
  const answer = world.call('GET', `/external-policies/requests/${requestId}?timeout=60000`);
  // The request has arrived when a later one on another connection is answered.
  await world.call('GET', '/policies');
  await world.server.close();
  const response = await answer;
  expect([response.status, await response.json()]).toMatchObject([200, { status: 'NEW' }]);
});

describe('bodies in memory', () => {
  it('are limited over all requests: beyond it 503, and it passes', async () => {
    const world = await opened(openWorld({ bodyLimit: 1000, policyFileLimit: 1000, bodiesLimit: 1500 }));
    const head = (length: number): string =>
      `POST /api/v1/policies/${world.policyId}/tag/echo/blocks HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer(owner)}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`;
    const holding = await raw(world, head(900));
    await once(holding, 'data');
    const path = `/policies/${world.policyId}/tag/echo/blocks`;
    const refused = await world.send('POST', path, { text: 'x'.repeat(800) });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await expectAnswer('sendToBlockByTag', refused, 503)).toMatchObject({ error: 'SERVER_BUSY' });
    expect((await world.send('POST', path, {})).status).toBe(200);
    holding.write(JSON.stringify({ text: 'x'.repeat(889) }));
    await once(holding, 'data');
    expect((await world.send('POST', path, { text: 'x'.repeat(800) })).status).toBe(200);
    holding.destroy();
  });

  it('of clients that go away no longer count', async () => {
    const world = await opened(openWorld({ bodyLimit: 1000, policyFileLimit: 1000, bodiesLimit: 1000 }));
    const path = `/policies/${world.policyId}/tag/echo/blocks`;
    for (let n = 0; n < 3; n += 1) {
      const socket = await raw(
        world,
        `POST /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer(owner)}\r\nContent-Type: application/json\r\nContent-Length: 900\r\nExpect: 100-continue\r\n\r\n`,
      );
      await once(socket, 'data');
      socket.destroy();
      await once(socket, 'close');
      await expect.poll(async () => (await world.send('POST', path, { text: 'x'.repeat(900) })).status).toBe(200);
    }
  });
});

describe('the log', () => {
  it('has a line for each request if it was asked for, without tokens, bodies and queries', async () => {
    for (const open of [openWorld, openFetchWorld]) {
      const world = await opened(open({ accessLog: true }));
      const response = await world.call('GET', `/policies/${world.policyId}/tag/echo/blocks?secret=SECRET`);
      await world.call('GET', '/nothing');
      const lines = world.log.filter((line) => line.message === 'A request was answered.');
      expect(lines.map((line) => line.level)).toEqual(['info', 'info']);
      expect(lines[0]?.fields).toMatchObject({
        requestId: response.headers.get('x-request-id'),
        method: 'GET',
        route: 'readBlockByTag',
        caller: owner.did,
        status: 200,
        ms: expect.any(Number),
        bytes: Number(response.headers.get('content-length')),
      });
      expect(lines[1]?.fields).toMatchObject({ route: null, status: 404, caller: null });
      expect(JSON.stringify(lines)).not.toContain('SECRET');
    }
  });

  it('tells at info who was refused and why', async () => {
    const world = await opened(openWorld());
    await world.call('GET', '/policies', { headers: { authorization: 'Bearer abc' } });
    await world.call('GET', `/policies/${world.policyId}/journal`, { headers: { authorization: bearer(stranger) } });
    const lines = world.log.filter((line) => line.message === 'A request was refused.');
    expect(lines.map(({ level, fields }) => [level, fields['status'], fields['reason']])).toEqual([
      ['info', 401, 'The token is malformed.'],
      ['info', 403, expect.stringContaining('POLICIES_POLICY_MANAGE')],
    ]);
  });
});

describe('ETags', () => {
  it('save a client what it has, until it changes', async () => {
    for (const open of [openWorld, openFetchWorld]) {
      const world = await opened(open({ etags: true }));
      const path = `/policies/${world.policyId}/tag/paging/blocks`;
      const first = await world.call('GET', path);
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]{43}"$/);
      expect(first.headers.get('cache-control')).toBe('private, no-cache');
      const again = await world.call('GET', path, { headers: { 'if-none-match': `"x", W/${etag}` } });
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
      await world.send('POST', path, { page: 1, itemsPerPage: 5 });
      const changed = await world.call('GET', path, { headers: { 'if-none-match': etag } });
      expect(changed.status).toBe(200);
      expect(changed.headers.get('etag')).not.toBe(etag);
    }
  });

  it('are not sent unless they were asked for', async () => {
    const world = await opened(openWorld());
    expect((await world.call('GET', '/policies')).headers.get('etag')).toBeNull();
  });
});

describe('pages of other origins', () => {
  const origin = 'https://app.example';

  it('may call if they were named', async () => {
    for (const open of [openWorld, openFetchWorld]) {
      const world = await opened(open({ cors: { origins: [origin] } }));
      const answer = await world.call('GET', '/policies', { headers: { origin } });
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(answer.headers.get('access-control-expose-headers')).toContain('X-Total-Count');
      // The name of a file that a page saves.
      expect(answer.headers.get('access-control-expose-headers')).toContain('Content-Disposition');
      expect(answer.headers.get('vary')).toBe('Origin');
      const headers = {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      };
      const response = await world.fetch(`${world.url}/api/v1/policies/p/groups`, { method: 'OPTIONS', headers });
      expect(response.status).toBe(204);
      expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST');
      // A page that is traced sends the context of its trace, with everything else that the interface reads.
      for (const name of ['Authorization', 'Idempotency-Key', 'Traceparent', 'Tracestate']) {
        expect(response.headers.get('access-control-allow-headers')).toContain(name);
      }
      const refused = await world.call('GET', '/policies/none', { headers: { origin } });
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([404, origin]);
      const path = `${world.url}/no/such/path`;
      const preflight = await world.fetch(path, { method: 'OPTIONS', headers });
      expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'POST']);
      expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization');
      const unknown = await world.fetch(path, { headers: { origin } });
      expect([unknown.status, unknown.headers.get('access-control-allow-origin')]).toEqual([404, origin]);
      for (const more of [{ origin: 'https://evil.example' }, { 'access-control-request-method': 'PO ST' }]) {
        const none = await world.fetch(path, { method: 'OPTIONS', headers: { ...headers, ...more } });
        expect([none.status, none.headers.get('access-control-allow-methods')]).toEqual([404, null]);
      }
      const other = await world.call('GET', '/policies', { headers: { origin: 'https://evil.example' } });
      expect(other.headers.get('access-control-allow-origin')).toBeNull();
      expect(other.headers.get('vary')).toBe('Origin');
    }
  });

  it('may all call with *, and none by default', async () => {
    const all = await opened(openWorld({ cors: { origins: '*' } }));
    expect(
      (await all.call('GET', '/policies', { headers: { origin } })).headers.get('access-control-allow-origin'),
    ).toBe('*');
    const none = await opened(openWorld());
    expect(
      (await none.call('GET', '/policies', { headers: { origin } })).headers.has('access-control-allow-origin'),
    ).toBe(false);
  });
});
