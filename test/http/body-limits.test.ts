import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAnswer } from './support/expect-answer.js';
import { bearer, openWorld, owner, transports } from './support/world.js';
import type { Payload, World } from './support/world.js';

/** A body of unknown length, which is sent in chunks. */
const stream = (bytes: number): ReadableStream<Uint8Array> => {
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      const size = Math.min(left, 100);
      if (size === 0) {
        controller.close();
        return;
      }
      left -= size;
      controller.enqueue(new Uint8Array(size).fill(32));
    },
  });
};

const ofLength = (bytes: number): string => JSON.stringify({ text: 'x'.repeat(bytes - 11) });

describe.each(transports)('with %s', (_, open) => {
  let world: World;
  beforeAll(async () => {
    world = await open({ bodyLimit: 1000, policyFileLimit: 2000 });
  });
  afterAll(() => world.close());

  const post = (body: Payload, headers: Record<string, string> = {}): Promise<Response> =>
    world.call('POST', `/policies/${world.policyId}/tag/echo/blocks`, {
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  const upload = (body: Payload, headers: Record<string, string> = {}): Promise<Response> =>
    world.call('POST', '/policies/import/file', { headers: { 'content-type': 'application/zip', ...headers }, body });

  it('a body may be as long as the limit, and not a byte longer', async () => {
    expect((await post(ofLength(1000))).status).toBe(200);
    await expectAnswer('sendToBlockByTag', await post(ofLength(1001)), 413);
    expect((await upload('x'.repeat(2000))).status).toBe(422);
    await expectAnswer('importPolicyFile', await upload('x'.repeat(2001)), 413);
  });

  it('the limit holds for bodies of unknown length', async () => {
    await expectAnswer('sendToBlockByTag', await post(stream(100_000)), 413);
    await expectAnswer('importPolicyFile', await upload(stream(100_000)), 413);
  });

  it('the connection can be used again after a body that was too long', async () => {
    for (let n = 0; n < 20; n += 1) {
      await expectAnswer('importPolicyFile', await upload(stream(10_000)), 413);
      expect((await post('{}')).status).toBe(200);
    }
  });

  it.each([
    [
      '{"a":1',
      "The body cannot be read: it is not JSON (Expected ',' or '}' after property value in JSON at position 6",
    ],
    ['{"a":b}', "The body cannot be read: it is not JSON (Unexpected token 'b'"],
    ['{"a":{"__proto__":1}}', 'The body cannot be read: it has a member that would change a prototype.'],
  ])('what is wrong with %s is said, and where', async (body, message) => {
    const refused = await expectAnswer('sendToBlockByTag', await post(body), 400);
    expect((refused as { message: string }).message).toContain(message);
  });

  it('a body of another type is refused with the type that it has, and the one that is needed', async () => {
    const refusal = async (type: string | undefined): Promise<unknown> => {
      const headers = type === undefined ? {} : { 'content-type': type };
      const path = `/policies/${world.policyId}/tag/echo/blocks`;
      const answer = await world.call('POST', path, { headers, body: new TextEncoder().encode('{}') });
      return expectAnswer('sendToBlockByTag', answer, 415);
    };
    expect(await refusal('Text/Plain; charset=utf-8')).toMatchObject({
      message: 'The body must be application/json; its Content-Type is text/plain.',
    });
    expect(await refusal(undefined)).toMatchObject({
      message: 'The body must be application/json; the request has no Content-Type.',
    });
  });

  it('the limit counts what a compressed body unpacks to', async () => {
    const headers = { 'content-encoding': 'gzip' };
    expect(await (await post(gzipSync('{"a":1}'), headers)).json()).toEqual({ a: 1 });
    await expectAnswer('sendToBlockByTag', await post(gzipSync(ofLength(100_000)), headers), 413);
  });

  it('a compressed body that is broken is malformed, and one of an unknown kind unsupported', async () => {
    for (const encoding of ['gzip', 'deflate', 'br']) {
      await expectAnswer('sendToBlockByTag', await post('{}', { 'content-encoding': encoding }), 400);
    }
    await expectAnswer('sendToBlockByTag', await post('{}', { 'content-encoding': 'rot13' }), 415);
    await expectAnswer('importPolicyFile', await upload('PK', { 'content-encoding': 'gzip' }), 415);
  });
});

it.each(['application/json', 'application/zip'])(
  'a client that goes away in the middle of %s is no failure of ours',
  async (type) => {
    const own = await openWorld();
    const { port, hostname } = new URL(own.url);
    const path = type === 'application/zip' ? '/policies/import/file' : `/policies/${own.policyId}/tag/echo/blocks`;
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(
      `POST /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer(owner)}\r\n` +
        `Content-Type: ${type}\r\nContent-Length: 500\r\nExpect: 100-continue\r\n\r\n`,
    );
    await once(socket, 'data');
    socket.write('{"a":');
    await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    expect((await own.call('GET', `/policies/${own.policyId}`)).status).toBe(200);
    // Resolves once the connection is gone; what the server does about that follows at once.
    await own.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(own.log.filter(({ level }) => level !== 'debug')).toEqual([]);
  },
);
