/** The client, over every transport: the same tests against Koa, a handler in memory, and a handler behind Node. */
import { BlockworkApiError, createClient } from '@blockwork/client';
import type { Client, ClientOptions } from '@blockwork/client';
import type { Caller } from '@blockwork/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { policyArchive } from './support/policy-archive.js';
import { policiesInEveryStatus } from './support/policies-in-every-status.js';
import type { PoliciesInEveryStatus } from './support/policies-in-every-status.js';
import { message, record, requestId } from './support/remote-request.js';
import { blockIds, ODD_TAG, soundPolicy } from './support/trial-policy.js';
import { bearer, owner, stranger, transports } from './support/world.js';
import type { World } from './support/world.js';

const tokenOf = (caller: Caller): string => bearer(caller).slice('Bearer '.length);

describe.each(transports)('through %s', (_, open) => {
  let world: World;
  let policies: PoliciesInEveryStatus;
  let client: Client;
  const clientOf = (caller: Caller, options: Partial<ClientOptions> = {}): Client =>
    createClient({ url: world.url, token: () => tokenOf(caller), fetch: world.fetch, ...options });

  beforeAll(async () => {
    world = await open();
    policies = await policiesInEveryStatus(world.engine);
    await world.engine.program.requests.receive(message());
    client = clientOf(owner);
  });
  afterAll(() => world.close());

  it('reads and sends, by tag and by uuid', async () => {
    const policy = client.policy(world.policyId);
    const byTag = await policy.block('paging').send({ page: 1, itemsPerPage: 5 });
    expect(byTag).toEqual({});
    expect(await policy.block({ uuid: blockIds.paging }).read()).toEqual({ size: 23, itemsPerPage: 5, page: 1 });
    const page = await policy.block('grid').read<{ data: object[] }>({ page: 0, itemsPerPage: 3 });
    expect(page.data).toHaveLength(3);
    expect(await policy.block(ODD_TAG).read()).toMatchObject({ id: blockIds.odd });
    expect(await policy.block({ uuid: blockIds.echo }).send({ n: 1 }, { timeout: 60_000 })).toEqual({ n: 1 });
    expect(await policy.root()).toMatchObject({ id: blockIds.root });
  });

  it('explains why a block is not open, and why a grid shows a document', async () => {
    const policy = client.policy(world.policyId);
    const second = await policy.block('second_step').explain();
    expect(second).toMatchObject({ outcome: 'inactive', read: { isAllowed: false, code: 'BLOCK_NOT_ACTIVE' } });
    const verifiers = await policy.block({ uuid: blockIds.verifierOnly }).explain({ as: stranger.did });
    expect(verifiers.steps.at(-1)).toMatchObject({ cause: 'role' });
    const shown = await policy.block('grid').explainDocument('doc-3', { as: stranger.did });
    expect(shown).toMatchObject({ isShown: true, sources: [{ tag: 'source', outcome: 'selected' }] });
    const others = clientOf(stranger).policy(world.policyId).block('grid').explain({ as: owner.did });
    await expect(others).rejects.toMatchObject({ status: 404, error: 'POLICY_UNKNOWN' });
  });

  it('carries out what is sent twice under one idempotency key once', async () => {
    const own = await open();
    const { routes } = createClient({ url: own.url, token: () => tokenOf(stranger), fetch: own.fetch });
    const sent = { policyId: own.policyId, tag: 'choose_role', body: { role: 'Verifier' } };
    const send = (idempotencyKey: string, body = sent.body) =>
      routes.sendToBlockByTag({ ...sent, body, idempotencyKey });
    expect((await send('k')).data).toEqual((await send('k')).data);
    // A role is taken once.
    await expect(send('l')).rejects.toMatchObject({ status: 409, error: 'ROLE_TAKEN' });
    await expect(send('k', { role: 'Other' })).rejects.toMatchObject({ status: 422, error: 'IDEMPOTENCY_KEY_USED' });
    await expect(send('a b')).rejects.toMatchObject({ status: 422, error: 'INPUT_INVALID' });
    await own.close();
  });

  it('knows a policy, its tokens, groups and journal', async () => {
    const policy = client.policy(world.policyId);
    expect(await policy.get()).toMatchObject({ id: world.policyId, name: 'Trial' });
    expect(await policy.tokens()).toEqual([]);
    expect(await policy.groups()).toEqual([]);
    const causes: string[] = [];
    for await (const entry of policy.journal()) causes.push(entry.cause.type);
    expect(causes).toContain('send');
    for await (const { id, cause } of policy.journal({ did: stranger.did, from: 'newest' })) {
      expect(cause).toMatchObject({ did: stranger.did });
      expect(await policy.journalEntry(id)).toMatchObject({ id, cause });
    }
  });

  it('walks through all pages of a list, each item once', async () => {
    const own = await open();
    for (let n = 0; n < 204; n += 1) await own.engine.importPolicy(owner, { ...soundPolicy(`P${n}`), id: `p${n}` });
    const names: string[] = [];
    for await (const { name } of createClient({ url: own.url, token: tokenOf(owner), fetch: own.fetch }).policies()) {
      names.push(name);
    }
    expect(names).toEqual(['Trial', ...Array.from({ length: 204 }, (_, n) => `P${n}`)]);
    await own.close();
  });

  it('imports, publishes and approves', async () => {
    const { routes } = client;
    const imported = await routes.importPolicyFile({ body: policyArchive() });
    expect([imported.status, imported.data.policy.description]).toEqual([201, 'Every way to answer']);
    const published = await routes.publishPolicy({
      policyId: policies.unpublished,
      body: { policyVersion: '2.0.0' },
    });
    expect(published.data).toMatchObject({ isValid: true, policy: { version: '2.0.0' } });
    const approved = await routes.approveRequest({ messageId: requestId, body: record });
    expect(approved.data.id).toBe(record.id);
    const ids: string[] = [];
    for await (const { messageId } of client.requests({ status: 'COMPLETED' })) ids.push(messageId);
    expect(ids).toEqual([requestId]);
    expect((await routes.health()).data).toEqual({ status: 'ok' });
  });

  it('rejects with what the server says', async () => {
    const missing = await client
      .policy('none')
      .get({ requestId: 'trace-7' })
      .catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(BlockworkApiError);
    expect(missing).toMatchObject({ status: 404, error: 'POLICY_UNKNOWN', requestId: 'trace-7', details: [] });
    const invalid = await client.routes
      .switchGroup({ policyId: world.policyId, body: { uuid: 'x' } })
      .catch((error: unknown) => error);
    expect(invalid).toMatchObject({ status: 422, details: [{ path: '/uuid' }] });
    const forbidden = clientOf(stranger).policy(world.policyId).block('verifier_only').read();
    await expect(forbidden).rejects.toMatchObject({ status: 403, error: 'BLOCK_FORBIDDEN' });
    const anonymous = createClient({ url: world.url, fetch: world.fetch }).policy(world.policyId).get();
    await expect(anonymous).rejects.toMatchObject({ status: 401, error: 'UNAUTHENTICATED' });
  });

  it('can be told to stop waiting', async () => {
    const stop = new AbortController();
    const reading = client.policy(world.policyId).block('slow').read({}, { signal: stop.signal });
    await world.gate.reached();
    stop.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    world.gate.open();
  });
});

describe('a call that got no answer', () => {
  const answering = (...statuses: number[]) => {
    const calls: string[] = [];
    const keys: (string | null)[] = [];
    const fetch = (request: Request): Promise<Response> => {
      calls.push(request.method);
      keys.push(request.headers.get('idempotency-key'));
      const status = statuses.shift() ?? 200;
      if (status === 0) return Promise.reject(new TypeError('fetch failed'));
      const headers = { 'content-type': 'application/json', 'retry-after': '0' };
      const body = status === 200 ? [] : { code: status, message: 'not now', error: 'STORE_UNAVAILABLE' };
      return Promise.resolve(new Response(JSON.stringify(body), { status, headers }));
    };
    return { calls, keys, client: createClient({ url: 'http://x', fetch }) };
  };

  it('is repeated if it only reads', async () => {
    const { client, calls } = answering(503, 0, 200);
    expect(await client.policy('p').tokens()).toEqual([]);
    expect(calls).toEqual(['GET', 'GET', 'GET']);
  });

  it('is repeated no more than told, and then rejects', async () => {
    const { client, calls } = answering(503, 502, 504, 200);
    await expect(client.policy('p').tokens()).rejects.toMatchObject({ status: 504, retryAfter: 0 });
    expect(calls).toHaveLength(3);
  });

  it.each([
    ['7', 7000],
    ['Wed, 21 Oct 2026 07:28:05 GMT', 5000],
    ['Wed, 21 Oct 2026 07:27:55 GMT', 0],
    ['-7', undefined],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('tells when the server wants to be asked again, if that is Retry-After: %s', async (value, retryAfter) => {
    const headers = { date: 'Wed, 21 Oct 2026 07:28:00 GMT', ...(value !== undefined && { 'retry-after': value }) };
    const fetch = async (): Promise<Response> => new Response('{"message":"not now"}', { status: 503, headers });
    const reading = createClient({ url: 'http://x', retries: 0, fetch }).policy('p').get();
    await expect(reading).rejects.toMatchObject({ status: 503, retryAfter });
  });

  it('is not repeated if it changes something', async () => {
    for (const status of [0, 503]) {
      const { client, calls } = answering(status, 200);
      await expect(client.routes.discontinuePolicy({ policyId: 'p', body: {} })).rejects.toMatchObject({ status });
      expect(calls).toEqual(['PUT']);
    }
  });

  it('is repeated under one idempotency key if it sends data', async () => {
    const { client, calls, keys } = answering(0, 503, 200, 200);
    await client.policy('p').block('b').send({});
    await client.policy('p').block('b').send({}, { idempotencyKey: 'mine' });
    expect(calls).toEqual(['POST', 'POST', 'POST', 'POST']);
    expect(keys[0]).toMatch(/^[\da-f]{32}$/);
    expect(keys).toEqual([keys[0], keys[0], keys[0], 'mine']);
  });

  it('is not repeated if another attempt would fail as well', async () => {
    const { client, calls } = answering(404, 200);
    await expect(client.policy('p').tokens()).rejects.toMatchObject({ status: 404 });
    expect(calls).toHaveLength(1);
  });

  it('is repeated where the answer broke off, and then rejects', async () => {
    let calls = 0;
    const broken = (status: number): Client =>
      createClient({
        url: 'http://x',
        retries: 1,
        fetch: async () => {
          calls += 1;
          const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) });
          return new Response(body, { status });
        },
      });
    for (const status of [200, 400]) {
      await expect(broken(status).policy('p').get()).rejects.toMatchObject({
        ...{ status: 0, error: 'NO_ANSWER', message: 'The answer of http://x broke off.' },
        cause: expect.any(TypeError),
      });
    }
    expect(calls).toBe(4);
  });

  it('rejects with one error whatever came back', async () => {
    const html = (status: number): Client =>
      createClient({ url: 'http://x', retries: 0, fetch: async () => new Response('<html>', { status }) });
    await expect(html(502).policy('p').get()).rejects.toMatchObject({ status: 502, error: 'ANSWER_INVALID' });
    await expect(html(200).policy('p').get()).rejects.toMatchObject({ status: 200, error: 'ANSWER_INVALID' });
    const unreachable = createClient({ url: 'http://127.0.0.1:1', retries: 0 }).policy('p').get();
    await expect(unreachable).rejects.toMatchObject({ status: 0, error: 'NO_ANSWER', cause: expect.any(TypeError) });
  });
});

describe('a stream of events', () => {
  it('is opened again when the server asks for it, and not before', async () => {
    vi.useFakeTimers();
    const stop = new AbortController();
    try {
      const { client, calls } = busy(stop);
      const next = client.events({ signal: stop.signal }).next();
      await vi.advanceTimersByTimeAsync(6999);
      expect(calls).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(await next).toEqual({ done: true, value: undefined });
      expect(calls).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });

  /** A server that has no time for the first request, and ends the second one. */
  function busy(stop: AbortController): { client: Client; calls: string[] } {
    const calls: string[] = [];
    const fetch = async ({ url }: Request): Promise<Response> => {
      calls.push(url);
      if (calls.length > 1) stop.abort();
      return new Response('{"message":"not now"}', { status: 503, headers: { 'retry-after': '7' } });
    };
    return { calls, client: createClient({ url: 'http://x', fetch }) };
  }
});

describe('what cannot be sent', () => {
  const sent: string[] = [];
  const client = (options: Partial<ClientOptions> = {}): Client =>
    createClient({ url: 'http://x', fetch: async ({ url }) => (sent.push(url), new Response('[]')), ...options });
  const circle: Record<string, unknown> = {};
  circle['again'] = circle;

  it.each<[string, () => Promise<unknown>]>([
    ['The parameter policyId of getPolicy', () => client().policy('').get()],
    ['The parameter policyId of getPolicy', () => client().policy('..').get()],
    ['The parameter policyId of getPolicy', () => client().policy('\ud800').get()],
    [
      'The parameter policyId of getPolicy',
      () =>
        client()
          .policy(undefined as never)
          .get(),
    ],
    ['The parameter tag of sendToBlockByTag', () => client().policy('p').block('.').send({})],
    ['The body is not JSON', () => client().policy('p').block('t').send(circle)],
    ['The header Authorization', () => client({ token: 'SECRET\n1' }).policy('p').get()],
    ['The header Act-As', () => client({ actAs: '\u20ac' }).policy('p').get()],
    ['The header X-Request-Id', () => client().policy('p').get({ requestId: 'a\nb' })],
    ['The header Idempotency-Key', () => client().policy('p').block('t').send({}, { idempotencyKey: '\u20ac' })],
    ['The request cannot be made', () => client({ url: 'http://[' }).policy('p').get()],
    ['The request cannot be made', async () => client({ url: 'http://[' }).events().next()],
  ])('is refused at once, without showing secrets: %s', async (message, call) => {
    const refused = await call().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(BlockworkApiError);
    expect(refused).toMatchObject({ status: 0, error: 'INPUT_INVALID', message: expect.stringContaining(message) });
    expect(String(refused) + String((refused as Error).cause)).not.toContain('SECRET');
    expect(sent).toEqual([]);
  });

  it.each<[string, object]>([
    ['The option url of createClient', {}],
    ['The option url of createClient', { url: 'localhost:3000' }],
    ['The option url of createClient', { url: 'registry.example' }],
    ['The option url of createClient', { url: 'http://' }],
    ['The option url of createClient', { url: 'https://me:hunter2@registry.example' }],
    ['The option url of createClient', { url: 'http://hunter2@registry.example/path' }],
    ['The option retries of createClient', { url: '', retries: Number.NaN }],
    ['The option retries of createClient', { url: '', retries: -1 }],
  ])('makes no client: %s of %j', (message, options) => {
    expect(() => createClient(options as ClientOptions)).toThrow(
      expect.objectContaining({ error: 'INPUT_INVALID', message: expect.stringContaining(message) }),
    );
    expect(() => createClient(options as ClientOptions)).not.toThrow('hunter2');
  });

  it('relative addresses are those of the page', () => {
    expect(() => [client({ url: '' }), client({ url: '/registry' })]).not.toThrow();
  });
});
