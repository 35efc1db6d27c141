/** Odd bytes on the wire: whatever a client sends, the server answers or closes that connection, and serves others. */
import { createEngine, silentLogger } from '@blockwork/core';
import { createPolicyServer } from '@blockwork/http-koa';
import { createSandbox } from '@blockwork/sandbox';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { expect, it } from 'vitest';

const REQUESTS = 2_000;
/** Connections open at once. */
const TOGETHER = 50;

const method = fc.constantFrom('GET', 'POST', 'PUT', 'OPTIONS', 'HEAD', 'TRACE', 'CONNECT', 'get', 'BREW', '');
const oddTarget = fc.constantFrom(
  '//[',
  '/ws/',
  '//',
  '*',
  '',
  'http://[',
  'http://',
  '/%',
  '/%00',
  '///ws//',
  '/ws/?token=%',
  '\\',
  '/\\[',
  '[::',
  ':0',
);
const target = fc.oneof(oddTarget, fc.webUrl(), fc.webPath(), fc.string({ unit: 'binary', maxLength: 40 }));
const name = fc.oneof(
  fc.constantFrom(
    'Host',
    'Upgrade',
    'Connection',
    'Origin',
    'Content-Length',
    'Transfer-Encoding',
    'Expect',
    'Authorization',
    'Sec-WebSocket-Key',
    'Sec-WebSocket-Version',
    'Content-Type',
  ),
  fc.string({ maxLength: 10 }),
);
const value = fc.oneof(
  fc.constantFrom(
    'websocket',
    'Upgrade',
    'h2c',
    '[',
    'http://[',
    'null',
    '-1',
    '1e9',
    'chunked',
    '100-continue',
    'localhost',
    'Bearer x',
    'application/json',
    '13',
    'AAAAAAAAAAAAAAAAAAAAAA==',
  ),
  fc.string({ maxLength: 20 }),
);
const upgrade =
  'Host: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
const packet = fc
  .record({
    method,
    target,
    version: fc.constantFrom('HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', ''),
    isUpgrade: fc.boolean(),
    headers: fc.array(fc.tuple(name, value), { maxLength: 5 }),
    body: fc.string({ maxLength: 30 }),
  })
  .map((each) => {
    const headers = each.headers.map(([key, text]) => `${key}: ${text}\r\n`).join('');
    const line = `${each.method} ${each.target} ${each.version}\r\n`;
    return Buffer.from(`${line}${each.isUpgrade ? upgrade : ''}${headers}\r\n${each.body}`, 'latin1');
  });

/** Sends the bytes and resolves when the server has closed the connection, or has answered. */
const exchange = (port: number, bytes: Buffer): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.on('data', () => socket.destroy());
    // A connection that is reset was refused.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve());
  });

it.each(['plain', 'sandbox'])('a %s server outlives 2,000 odd requests and requests to upgrade', async (kind) => {
  const secret = randomBytes(32);
  const engine = createEngine({ logger: silentLogger });
  const more = kind === 'sandbox' ? { sandbox: createSandbox({ secret }) } : {};
  const server = createPolicyServer(engine, { auth: { secret }, logger: silentLogger, ...more });
  const { url } = await server.listen({ port: 0 });
  const port = Number(new URL(url).port);
  const escaped: unknown[] = [];
  const note = (error: unknown): void => void escaped.push(error);
  process.on('uncaughtExceptionMonitor', note);
  try {
    const packets = fc.sample(packet, { numRuns: REQUESTS, seed: 1 });
    await exchange(port, Buffer.from(`GET //[ HTTP/1.1\r\n${upgrade}\r\n`));
    for (let at = 0; at < packets.length; at += TOGETHER)
      await Promise.all(packets.slice(at, at + TOGETHER).map((bytes) => exchange(port, bytes)));
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(escaped).toEqual([]);
  } finally {
    process.off('uncaughtExceptionMonitor', note);
    await server.close();
    await engine.close();
  }
});
