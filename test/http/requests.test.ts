import { createEngine, MemoryLink, MemoryLinkHub, newInstanceKey } from '@blockwork/core';
import type { Caller, PolicyEngine } from '@blockwork/core';
import { createPolicyServer, signDevelopmentToken } from '@blockwork/http-koa';
import type { PolicyServer, RouterOptions } from '@blockwork/http-koa';
import { createSecretKey } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { fetch } from './support/checked-fetch.js';
import { expectAnswer } from './support/expect-answer.js';
import { trialBlocks } from './support/trial-blocks.js';
import { published } from './support/published.js';
import { blockIds, offeredPolicy } from './support/trial-policy.js';

const secret = createSecretKey(Buffer.alloc(32, 7));
const policyId = 'trial';
const hostOwner: Caller = { did: 'did:host:owner', role: 'STANDARD_REGISTRY' };
const homeOwner: Caller = { did: 'did:home:owner', role: 'STANDARD_REGISTRY' };
const ana: Caller = { did: 'did:home:ana', username: 'ana', role: 'USER' };
const bea: Caller = { did: 'did:home:bea', role: 'USER' };

interface Side {
  readonly engine: PolicyEngine;
  readonly server: PolicyServer;
  ask(method: string, path: string, caller: Caller, body?: unknown, key?: string): Promise<Response>;
}

let host: Side;
let home: Side;

/** `host` hosts the trial policy; `home`, where ana lives, has a view of it. */
async function start(options: Partial<RouterOptions> = {}): Promise<void> {
  const keys = { host: newInstanceKey(), home: newInstanceKey() };
  const hub = new MemoryLinkHub();
  const sideOf = async (name: 'host' | 'home', peer: 'host' | 'home'): Promise<Side> => {
    const engine = createEngine({
      link: new MemoryLink({ hub }),
      blocks: trialBlocks().blocks,
      instance: { id: name, key: keys[name].privateKey },
      peers: [{ id: peer, key: keys[peer].publicKey, identities: [`did:${peer}:*`] }],
    });
    const server = createPolicyServer(engine, { auth: { secret }, ...options });
    const { url } = await server.listen({ port: 0 });
    const ask: Side['ask'] = (method, path, caller, body, key) =>
      fetch(`${url}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${signDevelopmentToken(secret, caller)}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    return { engine, server, ask };
  };
  [host, home] = [await sideOf('host', 'home'), await sideOf('home', 'host')];
  await published(host.engine, hostOwner, { ...offeredPolicy, id: policyId });
  await host.engine.requests.offerPolicy(hostOwner, policyId, { to: 'home', view: true });
  await home.engine.requests.approveAsOffered(homeOwner, await openAt(home, homeOwner));
  // Until then, an answer of `home` is on its way.
  await vi.waitFor(
    async () => expect((await host.engine.requests.count(hostOwner)).statuses.COMPLETED).toBe(1),
    patiently,
  );
}

beforeEach(() => start());
afterEach(async () => {
  for (const { server, engine } of [home, host]) {
    await server.close();
    await engine.close();
  }
});

const requests = '/external-policies/requests';
const patiently = { timeout: 60_000, interval: 10 };

/** The id of the one request that is open there. */
const openAt = (side: Side, caller: Caller): Promise<string> =>
  vi.waitFor(async () => {
    const { items } = await side.engine.requests.list(caller, { status: 'NEW', direction: 'incoming' });
    if (items[0] === undefined) throw new Error('Nothing is open.');
    return items[0].messageId;
  }, patiently);
const sendData = async (): Promise<string> => {
  const response = await home.ask('POST', `/policies/${policyId}/tag/echo/blocks`, ana, { hello: 1 });
  return ((await expectAnswer('sendToBlockByTag', response, 202)) as { messageId: string }).messageId;
};
const json = async (response: Response): Promise<Record<string, unknown>> =>
  (await response.json()) as Record<string, unknown>;

describe('data for a block of a policy that is hosted elsewhere', () => {
  it('answers 202 with the conversation, which can be looked up', async () => {
    const messageId = await sendData();
    const body = await expectAnswer('getRequest', await home.ask('GET', `${requests}/${messageId}`, ana), 200);
    expect(body).toMatchObject({
      startMessageId: messageId,
      direction: 'outgoing',
      status: 'NEW',
      action: { tag: 'echo' },
    });
    expect(body).not.toHaveProperty('concerns');
  });

  it('answers 200 with the result when it comes in the time that the caller waits', async () => {
    const path = `/policies/${policyId}/blocks/${blockIds.echo}?timeout=60000`;
    const answer = home.ask('POST', path, ana, { hello: 1 });
    await host.engine.requests.approveAsOffered(hostOwner, await openAt(host, hostOwner));
    expect(await expectAnswer('sendToBlock', await answer, 200)).toMatchObject({ hello: 1 });
  });

  it('answers 409 when it was refused in that time, and says why', async () => {
    const answer = home.ask('POST', `/policies/${policyId}/tag/echo/blocks?timeout=60000`, ana, {});
    const response = await host.ask('PUT', `${requests}/${await openAt(host, hostOwner)}/reject`, hostOwner, {
      reason: 'no',
    });
    await expectAnswer('rejectRequest', response, 200);
    expect(await expectAnswer('sendToBlockByTag', await answer, 409)).toMatchObject({
      error: 'REQUEST_NOT_DONE',
      message: expect.stringMatching(/REJECTED: no\./) as string,
    });
  });

  it('answers 404 for a block that is not there, and 422 for a timeout that cannot be one', async () => {
    const nowhere = await home.ask('POST', `/policies/${policyId}/tag/nowhere/blocks`, ana, {});
    await expectAnswer('sendToBlockByTag', nowhere, 404);
    for (const timeout of ['x', '-1', '60001']) {
      const response = await home.ask('POST', `/policies/${policyId}/tag/echo/blocks?timeout=${timeout}`, ana, {});
      await expectAnswer('sendToBlockByTag', response, 422);
    }
  });
});

describe('a policy that is offered over HTTP', () => {
  const path = `/policies/${policyId}/offers`;

  it('is a request there, and the one here says what became of it', async () => {
    const other = 'other';
    await published(host.engine, hostOwner, { ...offeredPolicy, id: other, name: 'Other', policyTag: 'Other' });
    const response = await host.ask('POST', `/policies/${other}/offers`, hostOwner, { to: 'home' });
    const offered = (await expectAnswer('offerPolicy', response, 201)) as { messageId: string };
    expect(offered).toMatchObject({ direction: 'outgoing', type: 'import-policy', status: 'NEW', to: 'home' });
    expect(offered).not.toHaveProperty('action');
    const answer = host.ask('GET', `${requests}/${offered.messageId}?timeout=60000`, hostOwner);
    await home.engine.requests.approveAsOffered(homeOwner, await openAt(home, homeOwner));
    expect(await json(await answer)).toMatchObject({ status: 'COMPLETED' });
    expect(await home.engine.getPolicy(homeOwner, other)).toMatchObject({ name: 'Other', status: 'PUBLISH' });
    expect(await home.engine.program.requests.getHost(other)).toBeUndefined();
  });

  it('goes to whom it is for, and stays hosted here as a view', async () => {
    const other = 'other';
    await published(host.engine, hostOwner, { ...offeredPolicy, id: other, name: 'Other', policyTag: 'Other' });
    const recipient = 'did:home:keeper';
    const body = { to: 'home', recipient, view: true };
    await expectAnswer('offerPolicy', await host.ask('POST', `/policies/${other}/offers`, hostOwner, body), 201);
    const recipientFacts = { did: recipient, role: 'STANDARD_REGISTRY' };
    const messageId = await openAt(home, recipientFacts);
    const refused = await home.ask('GET', `${requests}/${messageId}`, homeOwner);
    await expectAnswer('getRequest', refused, 404);
    await home.engine.requests.approveAsOffered(recipientFacts, messageId);
    expect(await home.engine.program.requests.getHost(other)).toBe('host');
  });

  it('is offered once under one idempotency key', async () => {
    const offer = async (view: boolean, status: number): Promise<unknown> =>
      expectAnswer('offerPolicy', await host.ask('POST', path, hostOwner, { to: 'home', view }, 'key'), status);
    const first = await offer(true, 201);
    expect(await offer(true, 201)).toEqual(first);
    expect(await offer(false, 422)).toMatchObject({ error: 'IDEMPOTENCY_KEY_USED' });
    // Beside the one that the policy was taken over with.
    expect((await host.engine.requests.list(hostOwner, { direction: 'outgoing' })).total).toBe(2);
  });

  it('is refused while it is not published', async () => {
    await host.engine.importPolicy(hostOwner, { ...offeredPolicy, id: 'draft', name: 'Draft', policyTag: 'Draft' });
    const response = await host.ask('POST', '/policies/draft/offers', hostOwner, { to: 'home' });
    expect(await expectAnswer('offerPolicy', response, 409)).toMatchObject({ error: 'POLICY_STATUS' });
  });

  it('is refused to all but its owner', async () => {
    const operator = { did: 'did:host:operator', role: 'STANDARD_REGISTRY' };
    const body = await expectAnswer('offerPolicy', await host.ask('POST', path, operator, { to: 'home' }), 403);
    expect(body).toMatchObject({ error: 'POLICY_NOT_OWNED' });
    const powerless = { did: hostOwner.did, permissions: ['POLICIES_POLICY_MANAGE', 'POLICIES_POLICY_EXECUTE'] };
    const denied = await expectAnswer('offerPolicy', await host.ask('POST', path, powerless, { to: 'home' }), 403);
    expect(denied).toMatchObject({ error: 'PERMISSION_DENIED' });
    expect((await host.engine.requests.list(hostOwner, { direction: 'outgoing' })).total).toBe(1);
  });

  it.each([
    [{ to: 'nowhere' }, 'PEER_UNKNOWN'],
    [{}, 'INPUT_INVALID'],
    [{ to: 'home', view: 'yes' }, 'INPUT_INVALID'],
    [{ to: 'home', recipient: '' }, 'INPUT_INVALID'],
    [{ to: 'home', recipient: 'the registry' }, 'INPUT_INVALID'],
    [{ to: 'home', veiw: true }, 'INPUT_INVALID'],
    [{ to: 'x'.repeat(201) }, 'INPUT_INVALID'],
  ])('answers 422 to %j', async (body, error) => {
    expect(await expectAnswer('offerPolicy', await host.ask('POST', path, hostOwner, body), 422)).toMatchObject({
      error,
    });
  });
});

describe('looking after requests', () => {
  it('lists, counts and pages by every filter', async () => {
    for (let at = 0; at < 3; at += 1) await sendData();
    await vi.waitFor(async () => expect((await host.engine.requests.count(hostOwner)).statuses.NEW).toBe(3), patiently);
    const list = async (query: string): Promise<{ total: string | null; rows: unknown[] }> => {
      const response = await host.ask('GET', `${requests}?${query}`, hostOwner);
      const total = response.headers.get('x-total-count');
      return { total, rows: (await expectAnswer('listRequests', response, 200)) as unknown[] };
    };
    expect(await list('')).toMatchObject({ total: '4' });
    expect((await list('pageIndex=1&pageSize=3')).rows).toHaveLength(1);
    for (const query of [
      'status=NEW',
      'type=send-data',
      `policyId=${policyId}`,
      'status=COMPLETED',
      'type=sign',
      'direction=incoming',
    ]) {
      const { total, rows } = await list(query);
      const counts = await json(await host.ask('GET', `${requests}/count?${query}`, hostOwner));
      expect([total, counts['total']], query).toEqual([String(rows.length), rows.length]);
    }
    expect((await list('status=NEW')).rows[0]).not.toHaveProperty('action');
    await expectAnswer('countRequests', await host.ask('GET', `${requests}/count`, hostOwner), 200);
    await expectAnswer('listRequests', await host.ask('GET', `${requests}?status=OPEN`, hostOwner), 422);
  });

  it('shows users what is their own, and nothing of others', async () => {
    const messageId = await sendData();
    expect((await home.ask('GET', requests, ana)).headers.get('x-total-count')).toBe('1');
    expect((await home.ask('GET', requests, bea)).headers.get('x-total-count')).toBe('0');
    const [foreign, none] = await Promise.all(
      [messageId, '9.9'].map(async (id) => {
        const body = await expectAnswer('getRequest', await home.ask('GET', `${requests}/${id}`, bea), 404);
        return JSON.stringify(body)
          .replaceAll(id, '')
          .replace(/"requestId":"[^"]+"/, '');
      }),
    );
    expect(foreign).toBe(none);
    await expectAnswer('cancelRequest', await home.ask('PUT', `${requests}/${messageId}/cancel`, bea), 404);
    const auditor = { did: 'did:home:x', role: 'AUDITOR' };
    await expectAnswer('listRequests', await home.ask('GET', requests, auditor), 403);
    await expectAnswer('refusedMessages', await home.ask('GET', `${requests}/refused`, ana), 403);
  });

  it('waits for the end of a request for as long as it is told', async () => {
    const messageId = await sendData();
    const answer = home.ask('GET', `${requests}/${messageId}?timeout=60000`, ana);
    await host.engine.requests.reject(hostOwner, await openAt(host, hostOwner));
    expect(await json(await answer)).toMatchObject({ status: 'REJECTED' });
  });

  it('tells the operator of messages that were refused', async () => {
    const empty = await expectAnswer('refusedMessages', await host.ask('GET', `${requests}/refused`, hostOwner), 200);
    expect(empty).toMatchObject({ counts: { forged: 0 }, latest: [] });
    await host.engine.program.requests.peers.distrust('home');
    await sendData();
    await vi.waitFor(async () => {
      const report = await expectAnswer(
        'refusedMessages',
        await host.ask('GET', `${requests}/refused`, hostOwner),
        200,
      );
      expect(report).toMatchObject({ counts: { 'unknown-sender': 1 }, latest: [{ instance: 'home' }] });
    }, patiently);
  });
});

describe('taking back', () => {
  it('answers 200 when the other side agrees in the time that the caller waits, and 409 afterwards to an approval', async () => {
    const messageId = await sendData();
    const open = await openAt(host, hostOwner);
    const response = await home.ask('PUT', `${requests}/${messageId}/cancel?timeout=60000`, ana);
    expect(await expectAnswer('cancelRequest', response, 200)).toMatchObject({ status: 'CANCELED' });
    const approval = await host.ask(
      'PUT',
      `${requests}/${open}/approve`,
      hostOwner,
      await host.engine.getPolicy(hostOwner, policyId),
    );
    expect(await expectAnswer('approveRequest', approval, 409)).toMatchObject({
      message: expect.stringContaining('CANCELED') as string,
    });
  });

  it('answers 202 while the other side has not said anything, and 409 when it came too late', async () => {
    await host.engine.program.requests.peers.distrust('home');
    const unheard = await sendData();
    await expectAnswer('cancelRequest', await home.ask('PUT', `${requests}/${unheard}/cancel`, ana), 202);
    const done = await home.ask('PUT', `${requests}/${unheard}/cancel`, ana);
    expect(await expectAnswer('cancelRequest', done, 202)).toMatchObject({ cancelAsked: { by: ana.did } });
  });
});

describe('an approval without a body', () => {
  const approve = async (body?: unknown): Promise<Response> => {
    await sendData();
    return host.ask('PUT', `${requests}/${await openAt(host, hostOwner)}/approve`, hostOwner, body);
  };

  it('is refused, as the interface has it', async () => {
    await expectAnswer('approveRequest', await approve(), 415);
    await expectAnswer('approveRequest', await approve(null), 422);
  });

  it.each([undefined, null])('is taken where the server is told to (%s)', async (body) => {
    for (const { server, engine } of [home, host]) {
      await server.close();
      await engine.close();
    }
    await start({ approveWithoutBody: true });
    expect(await expectAnswer('approveRequest', await approve(body), 200)).toMatchObject({ id: policyId });
    const record = await host.engine.getPolicy(hostOwner, policyId);
    expect(await expectAnswer('approveRequest', await approve(record), 200)).toMatchObject({ id: policyId });
    await expectAnswer('approveRequest', await approve({ ...record, name: 3 }), 422);
  });
});

it('a server without a name says to its callers and to who runs it how it gets one', async () => {
  const engine = createEngine({ blocks: trialBlocks().blocks });
  await published(engine, hostOwner, { ...offeredPolicy, id: policyId });
  const server = createPolicyServer(engine, { auth: { secret } });
  onTestFinished(async () => {
    await server.close();
    await engine.close();
  });
  const { url } = await server.listen({ port: 0 });
  const response = await fetch(`${url}/api/v1/policies/${policyId}/offers`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${signDevelopmentToken(secret, hostOwner)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ to: 'home' }),
  });
  const { error, message } = (await expectAnswer('offerPolicy', response, 409)) as { error: string; message: string };
  expect(error).toBe('INSTANCE_MISSING');
  for (const setting of ['BLOCKWORK_INSTANCE', 'BLOCKWORK_NATS_URL', 'createEngine({ instance })'])
    expect(message).toContain(setting);
});
