/** Telemetry over HTTP: metrics for those who may read them, and the trace of a request on its way into the engine. */
import { request as httpRequest } from 'node:http';
import { once } from 'node:events';
import { channels, createEngine, silentLogger, type HttpOperation } from '@blockwork/core';
import { createPolicyServer, serveMetrics } from '@blockwork/http-koa';
import { afterEach, describe, expect, it } from 'vitest';
import { bearer, openFetchWorld, openWorld, owner, registrant, secret, type World } from './support/world.js';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
const opened = async <One extends World>(one: Promise<One>): Promise<One> => {
  const world = await one;
  open.push(() => world.close());
  return world;
};

const token = 'a-token-for-the-metrics';
const scrape = (url: string, authorization?: string) =>
  globalThis.fetch(`${url}/metrics`, { headers: authorization === undefined ? {} : { authorization } });

/** The value of a line; NaN where there is none. */
const valueOf = (text: string, series: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1),
  );

describe('/metrics', () => {
  it('is not there unless it is asked for', async () => {
    const { url } = await opened(openWorld());
    expect((await scrape(url, `Bearer ${token}`)).status).toBe(404);
    expect(Object.values(channels).some(({ isHeard }) => isHeard)).toBe(false);
  });

  it('is for those who have its token, which opens nothing else', async () => {
    const { url } = await opened(openWorld({ metrics: { token } }));
    for (const wrong of [undefined, 'Bearer wrong-token-of-metrics', bearer(owner), `Basic ${token}`]) {
      const refused = await scrape(url, wrong);
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer /);
      expect(await refused.text()).not.toContain('blockwork_');
    }
    expect((await scrape(url, `Bearer ${token}`)).status).toBe(200);
    const elsewhere = await globalThis.fetch(`${url}/api/v1/policies`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(elsewhere.status).toBe(401);
    const posted = await globalThis.fetch(`${url}/metrics`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('counts what was done, in families that begin with their type', async () => {
    const world = await opened(openWorld({ metrics: { token } }));
    const { policyId } = world;
    await world.call('GET', `/policies/${policyId}/tag/grid/blocks`);
    await world.call('GET', `/policies/${policyId}/tag/grid/blocks`);
    await world.send('POST', `/policies/${policyId}/tag/choose_role/blocks`, { role: 'Nobody' }, registrant);
    const answer = await scrape(world.url, `Bearer ${token}`);
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = await answer.text();
    const cachedReads = (is: boolean): string =>
      `blockwork_read_duration_seconds_count{blockwork_block_type="interfaceDocumentsSourceBlock",blockwork_read_kept="${is}"}`;
    expect([valueOf(text, cachedReads(false)), valueOf(text, cachedReads(true))]).toEqual([1, 1]);
    const route = '/api/v1/policies/{policyId}/tag/{tag}/blocks';
    const served = `http_server_request_duration_seconds_count{http_request_method="GET",http_route="${route}",http_response_status_code="200"}`;
    expect(valueOf(text, served)).toBe(2);
    expect(text).toMatch(/^blockwork_refusals_total\{blockwork_operation="send",error_type="\w+"\} 1$/m);
    expect(valueOf(text, 'blockwork_requests_open')).toBe(0);
    expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    expect(valueOf(text, 'nodejs_eventloop_delay_max_seconds')).toBeGreaterThanOrEqual(0);
    expect(text).not.toContain(policyId);
    expect(text).not.toMatch(/did:|choose_role/);
    expectExposition(text);
  });

  it('is there in the fetch handler, too, and says so when the engine is closed', async () => {
    const world = await opened(openFetchWorld({ metrics: { token } }));
    const ask = () => world.fetch(`${world.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    expect(await (await ask()).text()).toContain('blockwork_link_connected 1\n');
    expect(channels.read.isHeard).toBe(true);
    await world.engine.close();
    expect(channels.read.isHeard).toBe(false);
    expect((await ask()).status).toBe(503);
  });

  it('has no short token, and none with spaces', async () => {
    const { engine } = await opened(openWorld());
    for (const wrong of ['short', 'a token with spaces in it']) {
      expect(() => createPolicyServer(engine, { auth: { secret }, metrics: { token: wrong } })).toThrow(
        'metrics.token',
      );
    }
  });

  it('can have a port of its own, where nothing else is', async () => {
    const engine = createEngine();
    const logger = silentLogger;
    const metrics = await serveMetrics(engine, { port: 0, logger });
    open.push(
      () => metrics.close(),
      () => engine.close(),
    );
    expect(metrics.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    const answer = await scrape(metrics.url);
    expect(answer.status).toBe(200);
    expectExposition(await answer.text());
    expect((await globalThis.fetch(`${metrics.url}/healthz`)).status).toBe(404);
    const posted = await globalThis.fetch(`${metrics.url}/metrics`, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    await expect(serveMetrics(engine, { port: Number(new URL(metrics.url).port) })).rejects.toThrow('EADDRINUSE');
    await engine.close();
    expect((await scrape(metrics.url)).status).toBe(503);
    await metrics.close();
    await metrics.close();
    expect(channels.read.isHeard).toBe(false);
  });
});

/** Every line is a comment or a sample, every sample belongs to the family announced last, and each family comes once. */
function expectExposition(text: string): void {
  expect(text.endsWith('\n')).toBe(true);
  const families = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name]) => name);
  expect(new Set(families).size).toBe(families.length);
  let family = '';
  for (const line of text.trimEnd().split('\n')) {
    const type = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line);
    if (type !== null) family = type[1] ?? '';
    else if (!line.startsWith('# HELP ')) {
      expect(line).toMatch(/^[a-z_]+(\{([a-z_]+="[^"]*",?)+\})? [\d.e+-]+$/);
      expect(line.startsWith(family)).toBe(true);
    }
  }
}

describe('traceparent', () => {
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const valid = `00-${trace}-b7ad6b7169203331-01`;
  const worlds = { Koa: openWorld, fetch: openFetchWorld } as const;

  it.each(['Koa', 'fetch'] as const)('is taken from a request and kept with what it causes (%s)', async (kind) => {
    const world = await opened<World>(worlds[kind]());
    const { engine, policyId } = world;
    const send = (traceparent: string) =>
      world.call('POST', `/policies/${policyId}/tag/choose_role/blocks`, {
        headers: {
          authorization: bearer({ did: `did:example:${traceparent.slice(0, 4)}`, role: 'USER' }),
          'content-type': 'application/json',
          traceparent,
        },
        body: '{"role":"Verifier"}',
      });
    expect((await send(valid)).status).toBe(200);
    expect((await send('zz-not-a-trace')).status).toBe(200);
    const { items } = await engine.journal.list(owner, policyId, { from: 'newest', limit: 2 });
    expect(items.map((entry) => entry.traceparent)).toEqual([undefined, valid]);
    const shown = (await (await world.call('GET', `/policies/${policyId}/journal`)).json()) as {
      traceparent?: string;
    }[];
    expect(shown.some(({ traceparent }) => traceparent === valid)).toBe(true);
  });

  it('goes through the request of whoever listens into the read', async () => {
    const world = await opened(openWorld());
    const { engine, policyId, url } = world;
    const mine = `00-${trace}-00000000000000aa-01`;
    const operations: HttpOperation[] = [];
    const reads: (string | undefined)[] = [];
    const { telemetrySource } = engine.program;
    open.push(
      channels.http.subscribe({
        start: (operation) => {
          if (operation.source === telemetrySource) operation.traceparent = mine;
        },
        end: (operation) => void operations.push({ ...operation }),
      }),
      channels.read.subscribe({ end: ({ traceparent }) => void reads.push(traceparent) }),
    );
    const path = `/policies/${policyId}/tag/grid/blocks`;
    await world.call('GET', path, {
      headers: { authorization: bearer(owner), traceparent: valid, 'x-request-id': 'r-1' },
    });
    await world.call('GET', path, { headers: { authorization: 'Bearer nothing' } });
    expect(reads).toEqual([mine]);
    const route = '/api/v1/policies/{policyId}/tag/{tag}/blocks';
    expect(operations).toMatchObject([
      { method: 'GET', route, requestId: 'r-1', status: 200, outcome: 'done' },
      { method: 'GET', route, status: 401 },
    ]);
    // Two headers are none.
    const twice = httpRequest(`${url}/api/v1${path}`, {
      headers: { authorization: bearer(owner), traceparent: [valid, valid] },
    });
    twice.end();
    const [answer] = (await once(twice, 'response')) as [NodeJS.ReadableStream];
    answer.resume();
    expect(operations).toHaveLength(3);
  });
});
