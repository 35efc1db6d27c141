import { MemoryLink } from '../../memory/link/memory-link.js';
import { MemoryLinkHub } from '../../memory/link/memory-link-hub.js';
import type { LinkMessage } from '@blockwork/core/adapter';
import { INSTANCE } from '@blockwork/core/records';
import { describe, expect, it, vi } from 'vitest';
import { simulatedWorld, turn } from '../../../test/background.js';
import { LEASE_MS, SimulatedCluster } from '../../../test/cluster-nodes.js';
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
  const arrived = (count: number) =>
    vi.waitFor(() => expect(received).toHaveLength(count), { timeout: 60_000, interval: 1 });
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
    await vi.waitFor(async () => expect(await position()).toBe(second), { timeout: 60_000, interval: 1 });
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
    await vi.waitFor(async () => expect(await position()).toBe(first), { timeout: 60_000, interval: 1 });
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

describe('the connections of several nodes of one instance', () => {
  function clustered() {
    const cluster = new SimulatedCluster();
    const hub = new MemoryLinkHub({ clock: cluster.clock });
    const received: string[] = [];
    const nodeOf = (name: string) => {
      const node = cluster.join(name);
      const receive = ({ body }: LinkMessage): Promise<void> => {
        received.push(`${name} ${JSON.stringify(body)}`);
        return Promise.resolve();
      };
      const link = new MemoryLink({ hub, timers: cluster.timers });
      const connection = new Connection({ ...node, link, receiver: { receive }, instance: 'south' });
      node.leases.start();
      connection.start();
      return { ...node, name, connection };
    };
    const publish = (n: number): string => hub.publish(TOPIC, n, String(n));
    const position = async () => (await cluster.memory.store.get('link-position', INSTANCE, TOPIC))?.after;
    return { cluster, received, publish, position, nodes: [nodeOf('a'), nodeOf('b')] as const };
  }
  type Node = ReturnType<typeof clustered>['nodes'][number];
  /** Has commits wait in `held`, until the returned function is called. */
  const hold = (store: Node['store'], releases: (() => void)[]) => {
    const commit = store.commit.bind(store);
    store.commit = async (changeSet) => {
      await new Promise<void>((go) => releases.push(go));
      return commit(changeSet);
    };
    return () => (store.commit = commit);
  };
  const splitBy = (received: readonly string[], [a, b]: readonly [Node, Node]): [Node, Node] =>
    received[0]?.startsWith('a') ? [a, b] : [b, a];

  it('receive each message once, and another node goes on when the one that receives is closed', async () => {
    const { cluster, received, publish, position, nodes } = clustered();
    publish(1);
    await cluster.pass(3000);
    const [first, second] = splitBy(received, nodes);
    const last = publish(2);
    await cluster.pass(3000);
    expect([received, await position()]).toEqual([[`${first.name} 1`, `${first.name} 2`], last]);
    await first.connection.stop();
    publish(3);
    await cluster.pass(3000);
    expect(received.slice(2)).toEqual([`${second.name} 3`]);
  });

  it('never move the position backwards, also where a node that was stopped continues', async () => {
    const { cluster, received, publish, position, nodes } = clustered();
    const { store: memoryStore } = cluster.memory;
    const commit = memoryStore.commit.bind(memoryStore);
    const positions: (string | undefined)[] = [];
    memoryStore.commit = async (changeSet) => {
      await commit(changeSet);
      positions.push(await position());
    };
    /** Commits of a position that were called for, as if their process had been stopped at that moment. */
    const releases: (() => void)[] = [];
    const letGo = new Map(nodes.map(({ name, store }) => [name, hold(store, releases)]));
    publish(1);
    await cluster.pass(3000);
    const [stopped, other] = splitBy(received, nodes);
    expect(releases).toHaveLength(1);
    letGo.get(other.name)?.();
    const { coordination } = stopped.store;
    const renew = coordination.renew.bind(coordination);
    coordination.renew = () => new Promise(() => undefined);
    const last = publish(2);
    await cluster.pass(2 * LEASE_MS);
    expect(received).toContain(`${other.name} 2`);
    expect(await position()).toBe(last);

    coordination.renew = renew;
    for (const go of releases.splice(0)) go();
    letGo.get(stopped.name)?.();
    await cluster.pass(500);
    expect(await position()).toBe(last);
    await cluster.pass(LEASE_MS);
    const newest = publish(3);
    await cluster.pass(3000);
    expect(received.filter((each) => each.endsWith(' 3'))).toEqual([`${other.name} 3`]);
    expect(await position()).toBe(newest);
    expect(positions).toEqual([...positions].sort());
  });
});
