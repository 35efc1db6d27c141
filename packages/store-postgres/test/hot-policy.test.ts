import { createEngine, SeededKeys } from '@blockwork/core';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { openPostgresStore } from '../src/index.js';
import { Clients, ClusterNode, type Payment } from './support/cluster.js';
import { blocks, owner, policyNamed } from './support/cluster-policy.js';
import { temporaryFolders } from '../../../test/support/folders.js';
import { describeWithDatabase } from '../../../test/support/postgres/database.js';
import { buildClusterNode } from './support/processes.js';
import { isSoak, times } from '../../../test/support/repetitions.js';

const NODES = times(3, 8);
const SENDS = times(80, 160, 1600);
const CLIENTS = 32;
const newFolder = temporaryFolders();

await describeWithDatabase('Several nodes that write to one policy', (database) => {
  let program: string;
  beforeAll(async () => {
    program = await buildClusterNode(await newFolder());
  });

  /** Nodes that have the policy `id`, and the ends of its sends. */
  const start = async (id: string, count: number, settings: object = {}): Promise<ClusterNode[]> => {
    const store = await openPostgresStore({ address: database.address() });
    const engine = createEngine({ store, blocks, keys: new SeededKeys(Buffer.alloc(32, 7)) });
    await engine.importPolicy(owner, policyNamed(id));
    await engine.lifecycle.dryRun(owner, id);
    await engine.close();
    const node = (): ClusterNode => new ClusterNode(program, { address: database.address(), ...settings });
    const nodes = Array.from({ length: count }, node);
    onTestFinished(async () => {
      await Promise.all(nodes.map((each) => each.end()));
    });
    await Promise.all(nodes.map((each) => each.url));
    return nodes;
  };
  const payments = (policyId: string): Payment[] =>
    Array.from({ length: SENDS }, (_, n) => ({ policyId, n, key: `key-${String(n)}` }));
  const expectEachOnce = (clients: Clients): void => {
    const sends = [...clients.answers.values()].map((answer) => answer.sends);
    expect(sends.sort((x, y) => x - y)).toEqual(Array.from({ length: SENDS }, (_, at) => at + 1));
  };
  const timeout = 3_600_000;

  it('report no conflicts, and carry out each send once', { timeout }, async () => {
    const nodes = await start('p', NODES);
    const clients = new Clients(nodes, undefined, 120_000);
    const sum = async (name: 'units' | 'attempts'): Promise<number> =>
      (await Promise.all(nodes.map((node) => node.stats()))).reduce((total, stats) => total + stats[name], 0);
    const all = payments('p');
    // Lets the nodes discover each other first.
    await clients.send(all.slice(0, SENDS / 4), CLIENTS);
    const [units, attempts] = [await sum('units'), await sum('attempts')];
    await clients.send(all.slice(SENDS / 4), CLIENTS);
    expect([...clients.refusals]).toEqual([]);
    expectEachOnce(clients);
    // The number of conflicts depends on the speed of the machine.
    if (isSoak) expect(((await sum('attempts')) - attempts) / ((await sum('units')) - units)).toBeLessThan(1.5);
  });

  it('carry out each send once if a node is suspended, resumed and killed', { timeout }, async () => {
    // So long that only the node that is suspended loses its lock, however busy the machine is.
    const nodes = await start('q', isSoak ? NODES : 3, { leaseMs: 1000, lockIdleMs: 10_000 });
    const all = payments('q');
    const disturbed: Promise<void>[] = [];
    const clients = new Clients(nodes, (answered) => {
      if (answered === SENDS / 2) disturbed.push(disturb());
    });
    const busiest = async (): Promise<ClusterNode> => {
      const units = await Promise.all(nodes.map(async (node) => ({ node, ...(await node.stats()) })));
      return units.reduce((most, each) => (each.units > most.units ? each : most)).node;
    };
    const disturb = async (): Promise<void> => {
      const node = await busiest();
      const before = clients.answers.size;
      node.signal('SIGSTOP');
      // Until the others have taken over, or nothing is left to do.
      await vi.waitUntil(() => clients.answers.size > Math.min(before + CLIENTS, SENDS - CLIENTS / 2), {
        timeout,
        interval: 20,
      });
      node.signal('SIGCONT');
      await node.replace();
    };
    await clients.send(all, CLIENTS);
    await Promise.all(disturbed);
    expect(disturbed).toHaveLength(1);
    expect([...clients.refusals.keys()].filter((code) => code !== 'NO_ANSWER')).toEqual([]);
    expectEachOnce(clients);
  });
});
