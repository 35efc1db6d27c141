import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { Json, Link } from '@blockwork/core';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { natsServer, removeStream } from '../../../test/support/nats-server.js';
import { openNatsLink } from '../src/index.js';
import { subjectOf } from '../src/open-nats-link.js';

const server = await natsServer();
const address = 'missing' in server ? '' : server.address;
const patiently = { timeout: 60_000, interval: 5 };
/** More than are delivered concurrently. */
const poisoned = 70;
const deep = '['.repeat(10_000) + ']'.repeat(10_000);

let stream = '';
afterEach(async () => {
  for (const name of [stream, `${stream}-dead-letters`]) await removeStream(address, name).catch(() => undefined);
});

async function open(): Promise<Link> {
  return openNatsLink({ servers: address, stream, retryMs: [1, 20], messageBytes: 100_000 });
}

/** Publishes to the subject of a topic without the link, as any client of the broker can. */
async function write(topic: string, ...texts: string[]): Promise<void> {
  const connection = await connect({ servers: address });
  const client = (await jetstreamManager(connection)).jetstream();
  for (const text of texts) await client.publish(subjectOf(stream, topic), text);
  await connection.close();
}

interface DeadLetter {
  readonly text: string;
  readonly headers: Record<string, string>;
}

/** The content of the dead-letter stream. */
async function deadLetters(): Promise<DeadLetter[]> {
  const connection = await connect({ servers: address });
  const manager = await jetstreamManager(connection);
  const { state } = await manager.streams.info(`${stream}-dead-letters`);
  const received: DeadLetter[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const message = await manager.streams.getMessage(`${stream}-dead-letters`, { seq });
    if (message === null) continue;
    const headers = Object.fromEntries([...message.header].map(([name, [value = '']]) => [name, value]));
    received.push({ text: message.string(), headers });
  }
  await connection.close();
  return received;
}

describe.skipIf('missing' in server)('a message that cannot be read', () => {
  it('does not hold up later messages, even after a restart, and is set aside for the operator', async () => {
    stream = `poisoned-${randomUUID()}`;
    const first = await open();
    await write('t', ...Array.from({ length: poisoned }, () => deep));
    const received: Json[] = [];
    const subscription = await first.subscribe('t', ({ body }) => Promise.resolve(void received.push(body)), 'start');
    await first.publish('t', 'valid', '1');
    await vi.waitFor(() => expect(received).toEqual(['valid']), patiently);
    await vi.waitFor(() => expect(first.status().setAside).toBe(poisoned), patiently);
    await vi.waitFor(() => expect(subscription.settled).not.toBeNull(), patiently);
    await first.close();

    const entries = await deadLetters();
    expect(entries).toHaveLength(poisoned);
    expect(new Set(entries.map(({ headers }) => headers['Blockwork-Sequence'])).size).toBe(poisoned);
    expect(new Set(entries.map(({ text }) => text))).toEqual(new Set([deep]));
    expect(entries[0]?.headers).toMatchObject({
      'Blockwork-Reason': 'it nests deeper than 200 levels',
      'Blockwork-Subject': subjectOf(stream, 't'),
      'Blockwork-Bytes': '20000',
    });

    const second = await open();
    const again: Json[] = [];
    await second.subscribe('t', ({ body }) => Promise.resolve(void again.push(body)), 'start');
    await second.publish('t', 'later', '2');
    await vi.waitFor(() => expect(again).toEqual(['valid', 'later']), patiently);
    await second.close();
  });

  it.each([
    ['is not JSON', 'no JSON', /^it is not JSON/],
    ['has too many bytes', 'x'.repeat(100_001), /^it has more than 100000 bytes/],
    ['nests too deep in text that looks closed', `{"a":"]]]\\"]]]","b":${deep}}`, /^it nests deeper/],
  ])('is set aside with the reason if it %s', async (_, text, reason) => {
    stream = `poisoned-${randomUUID()}`;
    const link = await open();
    await write('t', text, '"end"');
    const received: Json[] = [];
    await link.subscribe('t', ({ body }) => Promise.resolve(void received.push(body)), 'start');
    await vi.waitFor(() => expect(received).toEqual(['end']), patiently);
    await vi.waitFor(() => expect(link.status().setAside).toBe(1), patiently);
    await link.close();
    expect((await deadLetters()).map(({ headers }) => headers['Blockwork-Reason'])).toEqual([
      expect.stringMatching(reason),
    ]);
  });

  it('is not published if it is too deep, too large for the link, or too large for the server', async () => {
    stream = `poisoned-${randomUUID()}`;
    const link = await open();
    const refused = (body: Json): Promise<unknown> => expect(link.publish('t', body, randomUUID())).rejects.toThrow();
    let nested: Json = [];
    for (let depth = 0; depth < 300; depth += 1) nested = [nested];
    await expect(link.publish('t', nested, '1')).rejects.toMatchObject({ code: 'MESSAGE_TOO_LARGE' });
    await refused('x'.repeat(100_000));
    await link.close();
    const wide = await openNatsLink({ servers: address, stream, messageBytes: 100_000_000 });
    await expect(wide.publish('t', 'x'.repeat(2_000_000), '3')).rejects.toMatchObject({
      code: 'MESSAGE_TOO_LARGE',
      message: expect.stringMatching(/it has 2000002 bytes, and the link takes \d+/),
    });
    await wide.close();
  });
});
