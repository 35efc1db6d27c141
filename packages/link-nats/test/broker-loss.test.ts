import type { Json, Link } from '@blockwork/core';
import type { LinkMessage } from '@blockwork/core/adapter';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { cp, rm } from 'node:fs/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../../scripts/packages/free-port.mjs';
import { startServer } from '../../../test/support/nats-server.js';
import { openNatsLink } from '../src/index.js';
import { idAt, momentOf } from '../src/message-numbers.js';
import { forwarder } from './support/forwarder.js';

const server = await startServer();
const patiently = { timeout: 60_000, interval: 20 };
const hasNone = server === null ? ' (skipped: nats-server is not installed)' : '';
afterAll(() => server?.end());

let streams = 0;

/** A link on a stream of its own, with the messages it delivers and the losses it reports. */
async function world(stream = `loss-${String((streams += 1))}`) {
  const open = (): Promise<Link> =>
    openNatsLink({ servers: server?.address ?? '', stream, publishMs: 2000, checkMs: 200 });
  const link = await open();
  const messages: LinkMessage[] = [];
  const losses: string[] = [];
  link.onLoss((reason) => void losses.push(reason));
  const receive = (message: LinkMessage): Promise<void> => Promise.resolve(void messages.push(message));
  const subscription = await link.subscribe('t', receive, 'start');
  const publish = async (body: Json, on = link): Promise<string> => {
    let id = '';
    await vi.waitFor(async () => (id = await on.publish('t', body, JSON.stringify(body))), patiently);
    return id;
  };
  const received = (body: Json): Promise<void> =>
    vi.waitFor(() => expect(messages.map((message) => message.body)).toContain(body), patiently);
  return { stream, link, open, messages, losses, subscription, publish, received };
}

function expectIncreasing(messages: readonly LinkMessage[]): void {
  const moments = messages.map(({ messageId }) => momentOf(messageId));
  for (const [at, moment] of moments.entries()) expect(moment).toBeGreaterThan(moments[at - 1] ?? 0n);
}

describe.skipIf(server === null)(`a link at a loss of its broker's data${hasNone}`, () => {
  it('delivers later messages and reports that messages may be lost, if the broker is wiped', async () => {
    const { link, messages, losses, publish, received } = await world();
    for (const body of ['a', 'b', 'c']) await publish(body);
    await received('c');
    await server?.restart((folder) => rm(folder, { recursive: true }));
    await publish('d');
    await received('d');
    expect(losses).toEqual(['the stream was made again']);
    expect(link.status()).toEqual({ isConnected: true, setAside: 0, losses: 1 });
    expectIncreasing(messages);
    await link.close();
  });

  it('reads the stream from its start under new ids, if the broker is restored to an older state', async () => {
    const { stream, link, messages, losses, publish, received, open } = await world();
    await publish('a');
    const old = `/tmp/blockwork-old-${stream}-${String(process.pid)}`;
    await server?.restart((folder) => cp(folder, old, { recursive: true }));
    for (const body of ['b', 'c', 'd']) await publish(body);
    await received('d');
    const position = messages.at(-1)?.messageId ?? '';
    await server?.restart(async (folder) => {
      await rm(folder, { recursive: true });
      await cp(old, folder, { recursive: true });
    });
    await rm(old, { recursive: true });
    await publish('e');
    await received('e');
    expect(losses).toEqual(['the stream went back to an older state']);
    expect(messages.map(({ body }) => body)).toEqual(['a', 'b', 'c', 'd', 'a', 'e']);
    expectIncreasing(messages);

    // An instance that was not connected meanwhile assigns the same ids.
    const other = await open();
    const reported: string[] = [];
    other.onLoss((reason) => void reported.push(reason));
    const later: Json[] = [];
    await other.subscribe('t', ({ body }) => Promise.resolve(void later.push(body)), { after: position });
    await vi.waitFor(() => expect(later).toEqual(['a', 'e']), patiently);
    expect(reported).toEqual(['the stream is newer than what was received before']);
    await other.close();
    await link.close();
  });

  it('skips no later message, if the stream ends before the position of a subscriber', async () => {
    const { stream, link, publish } = await world();
    await publish('a');
    const position = await publish('b');
    await link.close();
    // The id of a message that the broker has lost.
    const ahead = idAt(momentOf(position) + 500n);
    const link2 = await openNatsLink({ servers: server?.address ?? '', stream });
    const losses: string[] = [];
    link2.onLoss((reason) => void losses.push(reason));
    const bodies: Json[] = [];
    await link2.subscribe('t', ({ body }) => Promise.resolve(void bodies.push(body)), { after: ahead });
    await link2.publish('t', 'c', 'c');
    await vi.waitFor(() => expect(bodies).toEqual(['a', 'b', 'c']), patiently);
    expect(losses).toEqual(['the stream ends before what was received']);
    await link2.close();
  });

  it('detects by itself that its stream was deleted while the connection stays up', async () => {
    const { stream, link, losses, publish, received } = await world();
    for (const body of ['a', 'b']) await publish(body);
    await received('b');
    const connection = await connect({ servers: server?.address ?? '' });
    await (await jetstreamManager(connection)).streams.delete(stream);
    await connection.close();
    await publish('c');
    await received('c');
    expect(losses).toEqual(['the stream was made again']);
    await link.close();
  });
});

describe.skipIf(server === null)(`a link whose broker is down when it opens${hasNone}`, () => {
  it('opens at once, gives the reason why it cannot be used, and connects later', async () => {
    const port = await freePort();
    const link = await openNatsLink({ servers: `127.0.0.1:${String(port)}`, stream: 'down' });
    expect(link.status()).toMatchObject({ isConnected: false, reason: expect.stringMatching(/refused/i) });
    await expect(link.publish('t', 1, '1')).rejects.toMatchObject({ code: 'LINK_UNAVAILABLE', retryable: true });
    await expect(link.subscribe('t', () => Promise.resolve())).rejects.toMatchObject({ code: 'LINK_UNAVAILABLE' });
    // Simulates the start of the server by forwarding its address to the running one.
    const forwarding = await forwarder(port, server?.address ?? '');
    await vi.waitFor(async () => expect(await link.publish('t', 1, '1')).toMatch(/^\d+\.\d{9}$/), patiently);
    expect(link.status()).toEqual({ isConnected: true, setAside: 0, losses: 0 });
    await link.close();
    await forwarding.close();
  });

  it('can be closed while it waits for the server', async () => {
    const link = await openNatsLink({ servers: '127.0.0.1:1' });
    await link.close();
    await expect(link.publish('t', 1, '1')).rejects.toMatchObject({ code: 'LINK_CLOSED' });
  });
});

describe.skipIf(server === null)(`a new stream${hasNone}`, () => {
  it('has the retention set in the options', async () => {
    const options = {
      servers: server?.address ?? '',
      stream: 'kept',
      keepMs: 3_600_000,
      keepBytes: 1_000_000,
      replicas: 1,
    };
    await (await openNatsLink(options)).close();
    const connection = await connect({ servers: options.servers });
    const { config } = await (await jetstreamManager(connection)).streams.info('kept');
    expect(config).toMatchObject({ max_age: 3_600_000_000_000, max_bytes: 1_000_000, num_replicas: 1 });
    await connection.close();
  });

  it('that the server refuses is reported with the reason', async () => {
    const link = await openNatsLink({ servers: server?.address ?? '', stream: 'replicated', replicas: 3 });
    expect(link.status()).toMatchObject({ isConnected: false, reason: expect.stringMatching(/replicas/) });
    await link.close();
  });
});
