import { connect } from 'node:net';
import { once } from 'node:events';
import { createPolicyServer } from '@blockwork/http-koa';
import { createSandbox } from '@blockwork/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fetch } from './support/checked-fetch.js';
import { expectAnswer } from './support/expect-answer.js';
import { openWorld, secret } from './support/world.js';
import type { ServedWorld } from './support/world.js';

let world: ServedWorld;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const slow = (): Promise<Response> => world.call('GET', `/policies/${world.policyId}/tag/slow/blocks`);

describe('health', () => {
  it('is 200 without a token while the server serves', async () => {
    expect(await expectAnswer('health', await fetch(`${world.url}/healthz`), 200)).toEqual({ status: 'ok' });
    expect((await fetch(`${world.url}/healthz`, { method: 'HEAD' })).status).toBe(200);
  });

  it('is 503 once the engine is closed, and so is everything else', async () => {
    await world.engine.close();
    expect(await expectAnswer('health', await fetch(`${world.url}/healthz`), 503)).toMatchObject({
      error: 'ENGINE_CLOSED',
    });
    await expectAnswer('listPolicies', await world.call('GET', '/policies'), 503);
  });
});

describe('closing', () => {
  it('answers what is under way, and takes nothing new', async () => {
    const underWay = slow();
    await world.gate.reached();
    const closed = world.server.close();
    await expect(fetch(`${world.url}/healthz`)).rejects.toThrow();
    world.gate.open();
    const response = await underWay;
    expect(response.status).toBe(200);
    expect(response.headers.get('connection')).toBe('close');
    expect(await response.json()).toEqual({ slow: true });
    await closed;
  });

  it('does not wait for idle connections', async () => {
    const day = 86_400_000;
    const timeouts = { closeTimeout: day, keepAliveTimeout: day, headersTimeout: day, requestTimeout: day };
    const patient = createPolicyServer(world.engine, { auth: { secret }, ...timeouts });
    const { url } = await patient.listen({ port: 0 });
    const idle = connect(Number(new URL(url).port), '127.0.0.1');
    await once(idle, 'connect');
    const used = connect(Number(new URL(url).port), '127.0.0.1');
    used.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(used, 'data');
    await patient.close();
    idle.destroy();
    used.destroy();
  });

  it('cuts what does not end in time', async () => {
    await world.server.close();
    const impatient = createPolicyServer(world.engine, { auth: { secret }, closeTimeout: 50 });
    const { url } = await impatient.listen({ port: 0 });
    const hanging = connect(Number(new URL(url).port), '127.0.0.1');
    hanging.on('error', () => undefined);
    hanging.write('POST /api/v1/policies/import/file HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab');
    await once(hanging, 'data');
    await impatient.close();
    expect(hanging.closed || (await once(hanging, 'close'))).toBeTruthy();
  });

  it.each([
    [
      'was refused another protocol',
      'GET /elsewhere HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
    ],
    ['sent what is no request', 'NONSENSE\r\n\r\n'],
  ])('does not wait for a client that %s and keeps its side of the connection open', async (_, bytes) => {
    await world.server.close();
    const layer = createSandbox({ secret });
    const served = createPolicyServer(world.engine, { auth: { secret }, closeTimeout: 50, sandbox: layer });
    const { url } = await served.listen({ port: 0 });
    const lingering = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
    lingering.on('error', () => undefined);
    lingering.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await once(lingering, 'data');
    lingering.write(bytes);
    await once(lingering, 'data');
    await served.close();
    lingering.destroy();
  });

  it('can be asked for twice, and before the server ever listened', async () => {
    await Promise.all([world.server.close(), world.server.close()]);
    await world.server.close();
    const never = createPolicyServer(world.engine, { auth: { secret } });
    await never.close();
    await expect(never.listen({ port: 0 })).rejects.toMatchObject({ code: 'SERVER_CLOSING' });
  });
});

describe('listening', () => {
  it('on a port that is taken fails with the reason', async () => {
    const second = createPolicyServer(world.engine, { auth: { secret } });
    await expect(second.listen({ port: Number(new URL(world.url).port) })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await second.close();
  });
});

describe('many at once', () => {
  it('each get their own answer', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const response = await world.send('POST', `/policies/${world.policyId}/tag/echo/blocks`, { n });
        return ((await response.json()) as { n: number }).n;
      }),
    );
    expect(answers).toEqual(Array.from({ length: 200 }, (_, n) => n));
  });

  it('reads do not wait for a slow one', async () => {
    const underWay = slow();
    await world.gate.reached();
    expect((await world.call('GET', `/policies/${world.policyId}/tag/grid/blocks`)).status).toBe(200);
    world.gate.open();
    expect((await underWay).status).toBe(200);
  });
});
