import type { Consumer, ConsumerMessages, JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { natsServer, removeStream } from '../../../test/support/nats-server.js';
import { Broker } from '../src/broker.js';
import { openNatsLink } from '../src/index.js';
import { NatsLink } from '../src/open-nats-link.js';
import { resolveOptions } from '../src/options.js';
import { openSession } from '../src/session.js';

const server = await natsServer();
const address = 'missing' in server ? '' : server.address;

/** `created` runs after the server has created a consumer, and before the link learns of it. */
function withHook(manager: JetStreamManager, created: (messages: ConsumerMessages) => void): JetStreamManager {
  const client = manager.jetstream();
  const get: JetStreamClient['consumers']['get'] = async (...args) => {
    const consumer = await client.consumers.get(...args);
    const consume: Consumer['consume'] = async (options) => {
      const messages = await consumer.consume(options);
      created(messages);
      return messages;
    };
    return Object.create(consumer, { consume: { value: consume } }) as Consumer;
  };
  const hooked = Object.create(client, { consumers: { value: { get } } }) as JetStreamClient;
  return Object.create(manager, {
    jetstream: { value: () => hooked },
    streams: { value: manager.streams },
  }) as JetStreamManager;
}

async function hookedLink(created: (messages: ConsumerMessages, link: NatsLink) => void): Promise<NatsLink> {
  const options = resolveOptions({ servers: address, stream: `closing-${randomUUID()}` });
  const broker = new Broker(options, async () => {
    const session = await openSession(options);
    const manager = withHook(session.manager, (messages) => created(messages, link));
    void session.connection.closed().then(() => removeStream(address, options.stream));
    return { ...session, manager, client: manager.jetstream() };
  });
  await broker.start();
  const link = new NatsLink(broker, options);
  return link;
}

describe.skipIf('missing' in server)('closing a link', () => {
  it('while a subscription starts, stops that subscription', async () => {
    let closing: Promise<void> | undefined;
    const link = await hookedLink((_, one) => {
      closing = one.close();
    });
    await expect(link.subscribe('t', () => Promise.resolve())).rejects.toMatchObject({ code: 'LINK_CLOSED' });
    await closing;
  });

  it('while a consumer is recreated, stops the new one', async () => {
    let closing: Promise<void> | undefined;
    let consumers = 0;
    const recreated = new Promise<void>((resolve) => {
      void hookedLink((messages, link) => {
        consumers += 1;
        if (consumers === 1) messages.stop();
        else {
          closing = link.close();
          resolve();
        }
      }).then((link) => link.subscribe('t', () => Promise.resolve()));
    });
    await recreated;
    await closing;
    expect(consumers).toBe(2);
  });

  it('can be done twice, and makes its methods throw LINK_CLOSED', async () => {
    const stream = `closing-${randomUUID()}`;
    const link = await openNatsLink({ servers: address, stream });
    await Promise.all([link.close(), link.close()]);
    await link.close();
    await expect(link.publish('t', 1, 'one')).rejects.toMatchObject({ code: 'LINK_CLOSED' });
    await expect(link.subscribe('t', () => Promise.resolve())).rejects.toMatchObject({ code: 'LINK_CLOSED' });
    await removeStream(address, stream);
  });
});
