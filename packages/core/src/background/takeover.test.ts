/** Background work of several nodes over one store: each part is done by one of them, and what a node leaves is taken over. */
import { MemoryLedger } from '../memory/memory-ledger.js';
import { MemoryLink } from '../memory/link/memory-link.js';
import { MemoryLinkHub } from '../memory/link/memory-link-hub.js';
import type { LedgerEffect } from '../records/ledger.js';
import { INSTANCE, type Timer } from '@blockwork/core/records';
import { describe, expect, it } from 'vitest';
import { turn } from '../../test/background.js';
import { LEASE_MS, SimulatedCluster, type ClusterNode } from '../../test/cluster-nodes.js';
import { CREDIT, ALICE, storeWithTokens, TestBook } from '../../test/ledger-book.js';
import { Inspections } from '../telemetry/inspections.js';
import { LedgerOutbox } from './ledger-outbox.js';
import { MessageOutbox } from './message-outbox.js';
import { TimerQueue } from './timer-queue.js';

const publicationOf = () => Promise.reject(new Error('There are no files here.'));

const inspections = new Inspections({});

/** Something that does not end before it is let go on; so does a process that was stopped. */
function gate() {
  const openers: (() => void)[] = [];
  let isOpen = true;
  return {
    pass: () => (isOpen ? Promise.resolve() : new Promise<void>((resolve) => openers.push(resolve))),
    close: () => (isOpen = false),
    open: () => {
      isOpen = true;
      for (const resolve of openers.splice(0)) resolve();
    },
    get isHoldingUp() {
      return openers.length > 0;
    },
  };
}

describe('timers of several nodes', () => {
  function world() {
    const cluster = new SimulatedCluster();
    const noted: string[] = [];
    const nodeOf = (name: string) => {
      const node = cluster.join(name);
      const workGate = gate();
      const carryOut = async ({ id }: Timer): Promise<void> => {
        await workGate.pass();
        const present = await node.store.get('timer', INSTANCE, id);
        if (present === undefined) return;
        noted.push(`${name} ${id}`);
        await node.store.commit({ expect: {}, changes: [{ op: 'delete', kind: 'timer', partition: INSTANCE, id }] });
      };
      const handler = { carryOut, giveUp: () => Promise.resolve() };
      const queue = new TimerQueue({
        ...node,
        handlers: { tick: handler, retry: handler, discontinue: handler, restore: handler },
      });
      node.leases.start();
      queue.start();
      return { ...node, held: workGate, queue };
    };
    const put = async (id: string, policyId: string, due: number): Promise<void> => {
      const value = { id, type: 'tick', policyId, due, tag: id } as const;
      await cluster.memory.store.commit({
        expect: {},
        changes: [{ op: 'put', kind: 'timer', partition: INSTANCE, value }],
      });
    };
    return { clock: cluster.clock, cluster, noted, put, a: nodeOf('a'), b: nodeOf('b') };
  }

  it('are carried out once each, in order within a policy', async () => {
    const { cluster, clock, noted, put } = world();
    const now = clock.now();
    for (let n = 0; n < 30; n += 1) await put(`t${String(10 + n)}`, `p${String(n % 3)}`, now + 3000 + n * 10);
    await cluster.pass(6000);
    const timers = noted.map((each) => each.slice(2));
    expect([...timers].sort()).toEqual(Array.from({ length: 30 }, (_, n) => `t${String(10 + n)}`));
    for (const policy of [0, 1, 2]) {
      const ofPolicy = timers.filter((id) => Number(id.slice(1)) % 3 === (10 + policy) % 3);
      expect(ofPolicy).toEqual([...ofPolicy].sort());
    }
  });

  it('are taken over from a node that dies in the middle, and not from one that is slow', async () => {
    const { cluster, clock, noted, put, a, b } = world();
    b.held.close();
    a.held.close();
    await put('x', 'p', clock.now());
    await cluster.pass(3 * LEASE_MS);
    expect(noted).toEqual([]);
    const [slow, other] = a.held.isHoldingUp ? [a, b] : [b, a];
    expect(other.held.isHoldingUp).toBe(false);
    slow.store.kill();
    other.held.open();
    await cluster.pass(LEASE_MS + 2000);
    expect(noted).toHaveLength(1);
  });
});

describe('effects of several nodes', () => {
  async function world() {
    const cluster = new SimulatedCluster();
    await storeWithTokens('p', cluster.memory.store);
    const ledger = new MemoryLedger();
    const nodeOf = (name: string) => {
      const node = cluster.join(name);
      const workGate = gate();
      const slow = {
        check: () => Promise.resolve(),
        settle: async (effect: LedgerEffect) => {
          await workGate.pass();
          await ledger.settle(effect);
        },
        close: () => Promise.resolve(),
      };
      const outbox = new LedgerOutbox({ ...node, ledger: slow, inspections, publicationOf });
      node.leases.start();
      outbox.start();
      return { ...node, held: workGate, outbox };
    };
    const mint = (units: bigint) =>
      new TestBook(cluster.memory.store, { policyId: 'p', externalLedger: ledger }).unit((to) =>
        to.mint(CREDIT, ALICE, units),
      );
    const pendingCount = () => cluster.memory.store.count('settlement', INSTANCE);
    const units = () => ledger.settled.map((effect) => effect.units);
    return { cluster, ledger, mint, pendingCount, units, a: nodeOf('a'), b: nodeOf('b') };
  }

  it('are settled in order, once, whichever nodes look at them', async () => {
    const { cluster, mint, pendingCount, units } = await world();
    for (let n = 1n; n <= 5n; n += 1n) await mint(n);
    await cluster.pass(3000);
    expect([units(), await pendingCount()]).toEqual([['1', '2', '3', '4', '5'], 0]);
  });

  it('are not tried by another node before their pause has passed', async () => {
    const { cluster, ledger, mint, units } = await world();
    ledger.failNext('before', 3);
    await mint(1n);
    // Looks every 2 seconds, on two nodes; pauses of 1, 2 and 4 seconds.
    await cluster.pass(2000);
    await cluster.pass(3000);
    expect(units()).toEqual([]);
    await cluster.pass(8000);
    expect(units()).toEqual(['1']);
  });

  it('go on where a node was stopped; when that one continues, it undoes and repeats nothing', async () => {
    const { cluster, mint, pendingCount, units, ledger, a, b } = await world();
    a.held.close();
    b.held.close();
    for (let n = 1n; n <= 3n; n += 1n) await mint(n);
    await cluster.pass(3000);
    const [stopped, other] = a.held.isHoldingUp ? [a, b] : [b, a];
    // A stopped process does not renew its registration.
    const { coordination } = stopped.store;
    const renew = coordination.renew.bind(coordination);
    coordination.renew = () => new Promise(() => undefined);
    other.held.open();
    await cluster.pass(2 * LEASE_MS);
    expect([units(), await pendingCount()]).toEqual([['1', '2', '3'], 0]);
    coordination.renew = renew;
    stopped.held.open();
    await cluster.pass(2000);
    await mint(4n);
    await cluster.pass(4000);
    expect([units(), await pendingCount()]).toEqual([['1', '2', '3', '4'], 0]);
    expect(ledger.supply(CREDIT)).toBe(10n);
  });
});

describe('messages of several nodes', () => {
  function world() {
    const cluster = new SimulatedCluster();
    const hub = new MemoryLinkHub({ clock: cluster.clock });
    const attempts: string[] = [];
    const nodeOf = (name: string) => {
      const node: ClusterNode = cluster.join(name);
      const workGate = gate();
      const link = new MemoryLink({ hub, timers: cluster.timers });
      const publish = link.publish.bind(link);
      link.publish = async (topic, body, id) => {
        attempts.push(id);
        await workGate.pass();
        return publish(topic, body, id);
      };
      const outbox = new MessageOutbox({ ...node, link, inspections });
      node.leases.start();
      outbox.start();
      return { ...node, held: workGate, outbox };
    };
    const put = async (...ids: string[]): Promise<void> => {
      const changes = ids.map((id) => {
        const value = { id, topic: 'instance/south', message: { says: id }, createdAt: '' };
        return { op: 'put', kind: 'outbox', partition: INSTANCE, value } as const;
      });
      await cluster.memory.store.commit({ expect: {}, changes });
    };
    const storedCount = () => cluster.memory.store.count('outbox', INSTANCE);
    return { cluster, attempts, put, storedCount, a: nodeOf('a'), b: nodeOf('b') };
  }
  const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `m${String(at)}`);

  it('are sent once each, by whichever node is first', async () => {
    const { cluster, attempts, put, storedCount, a, b } = world();
    await put(...names(250));
    a.outbox.wake();
    b.outbox.wake();
    await cluster.pass(4000);
    expect([...attempts].sort()).toEqual(names(250).sort());
    expect(await storedCount()).toBe(0);
  });

  it('are sent by another node when one dies before it has removed them', async () => {
    const { cluster, attempts, put, storedCount, a, b } = world();
    a.held.close();
    b.held.close();
    await put('m');
    await cluster.pass(3000);
    expect(attempts).toEqual(['m']);
    const [dead, other] = a.held.isHoldingUp ? [a, b] : [b, a];
    dead.store.kill();
    other.held.open();
    await cluster.pass(2 * LEASE_MS);
    expect([attempts, await storedCount()]).toEqual([['m', 'm'], 0]);
    await turn();
  });
});
