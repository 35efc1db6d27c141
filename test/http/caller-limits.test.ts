import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { expectAnswer } from './support/expect-answer.js';
import { bearer, openFetchWorld, openWorld, owner, stranger } from './support/world.js';
import type { World } from './support/world.js';

let world: World;
afterEach(() => world.close());

const opened = async <W extends World>(opening: Promise<W>): Promise<W> => {
  const opened = await opening;
  world = opened;
  return opened;
};
const list = (as = owner): Promise<Response> =>
  world.call('GET', '/policies', { headers: { authorization: bearer(as) } });

/** A body whose end is to come. */
function unfinished(): { body: ReadableStream<Uint8Array>; finish: () => void } {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const write = (text: string): void => void writer.write(Buffer.from(text));
  write('{');
  const finish = (): void => {
    write('}');
    void writer.close();
  };
  return { body: readable, finish };
}

describe.each([
  ['Koa', openWorld],
  ['a handler in memory', openFetchWorld],
])('with %s', (_, open) => {
  it('a caller over the rate gets 429 with the limit and when to come back, and others do not', async () => {
    let now = 0;
    const clock = { now: () => now };
    await opened(open({ callerRates: { requests: 1, burstSeconds: 3 }, clock }));
    for (let at = 0; at < 3; at += 1) await expectAnswer('listPolicies', await list(), 200);
    const refused = await list();
    expect(refused.headers.get('retry-after')).toBe('1');
    const body = await expectAnswer('listPolicies', refused, 429);
    expect(body).toMatchObject({
      error: 'RATE_LIMITED',
      message: expect.stringContaining('1 requests per second') as string,
    });
    await expectAnswer('listPolicies', await list(stranger), 200);
    now = 1000;
    await expectAnswer('listPolicies', await list(), 200);
    await expectAnswer('listPolicies', await list(), 429);
  });

  it('bodies that are received and sent count as bytes of their caller', async () => {
    let now = 0;
    const clock = { now: () => now };
    await opened(open({ callerRates: { bytes: 1_000, burstSeconds: 1 }, clock }));
    const echo = (): Promise<Response> =>
      world.send('POST', `/policies/${world.policyId}/tag/echo/blocks`, { text: 'x'.repeat(5_000) });
    await expectAnswer('sendToBlockByTag', await echo(), 200);
    const refused = await echo();
    // Both ways, less the first second that was saved up.
    expect(refused.headers.get('retry-after')).toBe('10');
    await expectAnswer('sendToBlockByTag', refused, 429);
    now = 11_000;
    await expectAnswer('sendToBlockByTag', await echo(), 200);
  });

  it('sends to a policy beyond the limit get 503 while others are under way, and reads do not', async () => {
    await opened(open({ sendsPerPolicy: 2 }));
    const path = `/policies/${world.policyId}/tag/echo/blocks`;
    const slow = [unfinished(), unfinished()];
    const headers = { 'content-type': 'application/json' };
    const first = slow.map(({ body }) => world.call('POST', path, { headers, body }));
    // Until both have arrived.
    let refused = await world.send('POST', path, {});
    while (refused.status === 200) refused = await world.send('POST', path, {});
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await expectAnswer('sendToBlockByTag', refused, 503)).toMatchObject({ error: 'POLICY_BUSY' });
    await expectAnswer('listPolicies', await list(), 200);
    for (const { finish } of slow) finish();
    for (const each of first) await expectAnswer('sendToBlockByTag', await each, 200);
    await expectAnswer('sendToBlockByTag', await world.send('POST', path, {}), 200);
  });

  it('data from outside that names its policy in the body counts among the sends to it', async () => {
    await opened(open({ sendsPerPolicy: 1 }));
    const path = `/policies/${world.policyId}/tag/echo/blocks`;
    const slow = unfinished();
    const first = world.call('POST', path, { headers: { 'content-type': 'application/json' }, body: slow.body });
    const submit = (policyTag: string): Promise<Response> =>
      world.send('POST', '/external', { owner: stranger.did, policyTag, document: {} });
    let refused = await submit('Trial');
    // Until the other one has arrived.
    while (refused.status !== 503) refused = await submit('Trial');
    expect(await expectAnswer('sendExternalData', refused, 503)).toMatchObject({ error: 'POLICY_BUSY' });
    await expectAnswer('sendExternalData', await submit('another'), 404);
    slow.finish();
    await expectAnswer('sendToBlockByTag', await first, 200);
    expect((await submit('Trial')).status).not.toBe(503);
  });

  it('an answer whose first document exceeds the limit of the engine gets 413', async () => {
    await opened(open({}, { limits: { pageBytes: 200 } }));
    const body = await expectAnswer(
      'readBlockByTag',
      await world.call('GET', `/policies/${world.policyId}/tag/grid/blocks`),
      413,
    );
    expect(body).toMatchObject({ error: 'PAGE_TOO_LARGE' });
  });
});

it('a connection more than the limit is told so and ends, and there is room once another has ended', async () => {
  const { url } = await opened(openWorld({ connections: 2, keepAliveTimeout: 60_000 }));
  const { port, hostname } = new URL(url);
  const ask = async (): Promise<{ socket: Socket; answer: string }> => {
    const socket = connect(Number(port), hostname);
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return { socket, answer: answer.toString() };
  };
  const first = await ask();
  const second = await ask();
  expect([first.answer, second.answer]).toEqual([
    expect.stringContaining('HTTP/1.1 200'),
    expect.stringContaining('HTTP/1.1 200'),
  ]);
  const third = await ask();
  expect(third.answer).toContain('HTTP/1.1 503');
  expect(third.answer).toContain('Retry-After: 1');
  expect(third.answer).toContain('TOO_MANY_CONNECTIONS');
  if (!third.socket.closed) await once(third.socket, 'close');
  first.socket.destroy();
  await expect.poll(async () => (await ask()).answer).toContain('HTTP/1.1 200');
  second.socket.destroy();
});
