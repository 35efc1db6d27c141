import { MemoryLink, MemoryLinkHub } from '@blockwork/core';
import type { LinkMessage } from '@blockwork/core/adapter';
import { INSTANCE } from '@blockwork/core/records';
import { describe, expect, it, vi } from 'vitest';
import { simulatedWorld, turn } from '../../../test/background.js';
import { Connection } from './connection.js';

const TOPIC = 'instance/south';

/** Connections of `south` to one hub, each like that of another process on the same store. */
function world() {
  const around = simulatedWorld();
  const { clock, timers, store } = around;
  const hub = new MemoryLinkHub({ clock });
  const received: unknown[] = [];
  const publish = (n: number): string => hub.publish(TOPIC, n, String(n));
  const open = ({ failures = 0, receive }: { failures?: number; receive?: () => Promise<void> } = {}) => {
    const link = new MemoryLink({ hub, timers });
    const subscribe = link.subscribe.bind(link);
    let attempts = 0;
    link.subscribe = (...args) =>
      (attempts += 1) <= failures ? Promise.reject(new Error('the link is down')) : subscribe(...args);
    const receiver = {
      receive: async ({ body }: LinkMessage) => {
        await receive?.();
        received.push(body);
      },
    };
    const connection = new Connection({ ...around, link, receiver, instance: 'south' });
    connection.start();
    return connection;
  };
  const position = async () => (await store.get('link-position', INSTANCE, TOPIC))?.after;
  const arrived = (count: number) => vi.waitFor(() => expect(received).toHaveLength(count), { interval: 1 });
  return { ...around, hub, received, publish, open, position, arrived };
}

describe('the connection to the link', () => {
  it('receives what was sent before its first start, and what comes later', async () => {
    const { open, publish, received, arrived } = world();
    publish(1);
    const connection = open();
    await arrived(1);
    publish(2);
    await arrived(2);
    expect(received).toEqual([1, 2]);
    await connection.stop();
  });

  it('retries with exponential backoff until it is connected', async () => {
    const { open, publish, received, arrived, toNextWakeUp } = world();
    publish(1);
    const connection = open({ failures: 3 });
    await connection.idle();
    expect([await toNextWakeUp(connection), await toNextWakeUp(connection)]).toEqual([200, 400]);
    expect(received).toEqual([]);
    expect(await toNextWakeUp(connection)).toBe(800);
    await arrived(1);
    await connection.stop();
  });

  it('retries as well where the store fails', async () => {
    const { open, store, publish, arrived, toNextWakeUp } = world();
    store.isDown = true;
    const connection = open();
    await connection.idle();
    store.isDown = false;
    publish(1);
    expect(await toNextWakeUp(connection)).toBe(200);
    await arrived(1);
    await connection.stop();
  });

  it('saves its position a second after a message, once for all that came in between', async () => {
    const { open, publish, position, timers, arrived } = world();
    const connection = open();
    publish(1);
    await arrived(1);
    timers.advance(999);
    await turn();
    expect(await position()).toBeUndefined();
    const second = publish(2);
    await arrived(2);
    await turn();
    timers.advance(1);
    await vi.waitFor(async () => expect(await position()).toBe(second), { interval: 1 });
    expect(timers.pending).toEqual([]);
    await connection.stop();
  });

  it('saves its position again where the store failed', async () => {
    const { open, publish, position, store, timers, arrived } = world();
    const connection = open();
    const first = publish(1);
    await arrived(1);
    await turn();
    store.isDown = true;
    timers.advance(1000);
    await turn();
    store.isDown = false;
    timers.advance(200);
    await vi.waitFor(async () => expect(await position()).toBe(first), { interval: 1 });
    await connection.stop();
  });

  it('saves its position when it is stopped, and the next one continues there', async () => {
    const { open, publish, position, received, arrived } = world();
    const connection = open();
    publish(1);
    const second = publish(2);
    await arrived(2);
    await connection.stop();
    expect(await position()).toBe(second);
    publish(3);
    const next = open();
    await arrived(3);
    await turn();
    expect(received).toEqual([1, 2, 3]);
    await next.stop();
  });

  it('waits when it is stopped for the message that is being received', async () => {
    let release = (): void => undefined;
    const { open, publish, received } = world();
    const connection = open({ receive: () => new Promise((resolve) => (release = resolve)) });
    publish(1);
    await turn();
    let hasStopped = false;
    const stopped = connection.stop().then(() => (hasStopped = true));
    await turn();
    expect(hasStopped).toBe(false);
    release();
    await stopped;
    expect(received).toEqual([1]);
  });

  it('does not connect any more once it is stopped', async () => {
    const { open, timers } = world();
    const connection = open({ failures: 1 });
    await connection.idle();
    await connection.stop();
    expect(timers.pending).toEqual([]);
  });
});
