/** Live events over HTTP: the stream itself over every transport, and the client that goes on after a loss. */
import { createClient } from '@blockwork/client';
import type { Client, PolicyEvent } from '@blockwork/client';
import { createPolicyHandler } from '@blockwork/http-fetch';
import { createPolicyServer, signDevelopmentToken } from '@blockwork/http-koa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clockAt, NOW } from './auth/support.js';
import { bearer, openFetchWorld, openNodeWorld, openWorld, owner, rules, secret, stranger } from './support/world.js';
import type { World } from './support/world.js';

const open: World[] = [];
afterEach(async () => {
  for (const world of open.splice(0)) await world.close();
});

/** Reads the stream as it comes; `fetch` of the world waits for its end. */
const unchecked = (world: World, path: string, headers: Record<string, string> = {}, method = 'GET') =>
  globalThis.fetch(`${world.url}/api/v1${path}`, { method, headers: { authorization: bearer(owner), ...headers } });

/** Reads until the text so far satisfies the condition, or the stream ends. */
async function readUntil(response: Response, isEnough: (text: string) => boolean): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  const reader = response.body?.getReader();
  while (reader !== undefined && !isEnough(text)) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value as Uint8Array, { stream: true });
  }
  await reader?.cancel();
  return text;
}

/** A unit that changes something: a document, which the grid shows. */
const change = ({ engine, policyId }: Pick<World, 'engine' | 'policyId'>) =>
  engine.program.documents.add(policyId, [{ owner: owner.did, document: { credentialSubject: [{ id: 'secret' }] } }]);
const count = (text: string, type: string): number => text.split(`event: ${type}\n`).length - 1;

describe.each([
  ['Koa', openWorld],
  ['a handler behind Node', openNodeWorld],
])('through %s', (_, openOne) => {
  let world: World;
  beforeEach(async () => {
    world = await openOne({ eventHeartbeat: 20 });
    open.push(world);
  });

  it('a stream begins at once, tells each unit as it is committed, and stays alive', async () => {
    const response = await unchecked(world, `/policies/${world.policyId}/events`);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    await change(world);
    const text = await readUntil(response, (so) => count(so, 'unit') === 1 && so.includes('\n:\n'));
    expect(text).toMatch(/^retry: 1000\n\nid: \d{12}\nevent: open\ndata: \{.*\}\n\n/);
    expect(text).toMatch(/id: \d{12}\nevent: unit\ndata: \{"type":"unit",.*"tags":\["grid"\]/);
    expect(text).not.toContain('secret');
  });

  it('HEAD has the headers of a stream, and no stream', async () => {
    const response = await unchecked(world, `/policies/${world.policyId}/events`, {}, 'HEAD');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(await response.text()).toBe('');
  });

  it('goes on after the event that the header names, rather than the query', async () => {
    const first = await unchecked(world, `/policies/${world.policyId}/events`);
    const at = /id: (\d+)/.exec(await readUntil(first, (so) => so.includes('event: open')))?.[1] ?? '';
    await change(world);
    await change(world);
    const resumed = await unchecked(world, `/policies/${world.policyId}/events?after=999999999999`, {
      'last-event-id': at,
    });
    const text = await readUntil(resumed, (so) => count(so, 'unit') === 2);
    expect([count(text, 'unit'), count(text, 'gap')]).toEqual([2, 0]);
  });

  it('ends when its token does, and not at the next heartbeat only', async () => {
    const clock = clockAt(NOW);
    const own = await openOne({ eventHeartbeat: 3_600_000, auth: { secret, ...rules, clock } });
    open.push(own);
    const short = signDevelopmentToken(secret, owner, { ...rules, clock, lifetime: 1 });
    clock.time = NOW + 990;
    const response = await unchecked(own, `/policies/${own.policyId}/events`, { authorization: `Bearer ${short}` });
    expect(response.status).toBe(200);
    const text = await readUntil(response, (so) => {
      if (so.includes('event: open')) clock.time = NOW + 1000;
      return false;
    });
    expect(text).toContain('event: open');
  });

  it('several policies are one stream', async () => {
    const { policy } = await world.engine.importPolicy(owner, { name: 'Other', config: { blockType: 'x' } });
    const response = await unchecked(world, `/events?policy=${world.policyId}&policy=${policy.id}`);
    await change(world);
    const text = await readUntil(response, (so) => count(so, 'unit') === 1);
    expect(text).toContain(`"policyIds":["${world.policyId}","${policy.id}"]`);
    const missing = await unchecked(world, '/events?policy=none');
    expect(missing.status).toBe(404);
  });

  it('a client that goes away makes room', async () => {
    const own = await openOne({}, { limits: { eventSubscribers: 1 } });
    open.push(own);
    const first = await unchecked(own, `/policies/${own.policyId}/events`);
    const refused = await unchecked(own, `/policies/${own.policyId}/events`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    await first.body?.cancel();
    await expect
      .poll(async () => (await unchecked(own, `/policies/${own.policyId}/events?timeout=1`)).status)
      .toBe(200);
  });
});

it('a server that closes ends its streams, and waits for nothing', async () => {
  const day = 86_400_000;
  const world = await openWorld({ closeTimeout: day, keepAliveTimeout: day });
  open.push(world);
  const response = await unchecked(world, `/policies/${world.policyId}/events`);
  const closed = world.server.close();
  expect(await readUntil(response, () => false)).toContain('event: open');
  await closed;
});

describe('the client', () => {
  const clientOf = (world: World, caller = owner): Client =>
    createClient({ url: world.url, token: bearer(caller).slice('Bearer '.length), fetch: (request) => fetch(request) });

  async function take(events: AsyncGenerator<PolicyEvent, void>, many: number): Promise<PolicyEvent[]> {
    const firstEvents: PolicyEvent[] = [];
    for await (const event of events) if (firstEvents.push(event) === many) break;
    return firstEvents;
  }

  it('in memory gets what a handler tells', async () => {
    const world = await openFetchWorld();
    open.push(world);
    const handler = createPolicyHandler(world.engine, { auth: { secret, ...rules } });
    const client = createClient({ url: world.url, token: bearer(owner).slice(7), fetch: handler });
    const events = client.policy(world.policyId).events();
    expect((await events.next()).value).toMatchObject({ type: 'open', policyIds: [world.policyId] });
    await change(world);
    expect((await events.next()).value).toMatchObject({ type: 'unit', tags: ['grid'] });
    await events.return();
  });

  it('goes on by itself at another server of the engine, without losing or repeating a unit', async () => {
    const world = await openWorld();
    const { engine, policyId } = world;
    open.push(world);
    let { url } = world;
    const client = createClient({
      url: 'http://either',
      token: bearer(owner).slice(7),
      fetch: (request) => fetch(new Request(request.url.replace('http://either', url), request)),
    });
    const connection: string[] = [];
    const events = client.events({ policies: [policyId], onConnection: (state) => connection.push(state) });
    expect((await events.next()).value).toMatchObject({ type: 'open' });
    await change(world);
    const before = (await events.next()).value;
    await world.server.close();
    for (let n = 0; n < 3; n += 1) await change({ engine, policyId });
    const other = createPolicyServer(engine, { auth: { secret, ...rules } });
    ({ url } = await other.listen({ port: 0 }));
    const after = await take(events, 3);
    await other.close();
    const revisions = [before, ...after].map((event) => (event?.type === 'unit' ? event.revision : event));
    const [first] = revisions as [number];
    expect(revisions).toEqual([first, first + 1, first + 2, first + 3]);
    expect([connection[0], connection.at(-1)]).toEqual(['open', 'open']);
    expect(connection.slice(1, -1).every((state) => state === 'lost')).toBe(true);
    expect(connection).toContain('lost');
  });

  it('ends with its signal, and rejects where it would be refused again', async () => {
    const world = await openWorld();
    open.push(world);
    const stop = new AbortController();
    const events = clientOf(world).policy(world.policyId).events({ signal: stop.signal });
    await events.next();
    const next = events.next();
    stop.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    await expect(clientOf(world).policy('none').events().next()).rejects.toMatchObject({ error: 'POLICY_UNKNOWN' });
    const nobody = clientOf(world, { ...stranger, role: 'AUDITOR' });
    await expect(nobody.events().next()).rejects.toMatchObject({ status: 403 });
  });
});
