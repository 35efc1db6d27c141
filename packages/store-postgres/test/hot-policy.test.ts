import { createEngine, SeededKeys } from '@blockwork/core';
import { expect, it, onTestFinished } from 'vitest';
import { openPostgresStore } from '../src/index.js';
import { Clients, ClusterNode } from './support/cluster.js';
import { blocks, owner, policyNamed } from './support/cluster-policy.js';
import { describeWithDatabase } from '../../../test/support/postgres/database.js';
import { buildProgram } from './support/processes.js';

const NODES = 8;
const isSoak = process.env['BLOCKWORK_SOAK'] !== undefined;
const SENDS = isSoak ? 1600 : 160;
const CLIENTS = 32;

await describeWithDatabase('Eight nodes that write to one policy', (database) => {
  it('tell nobody of a conflict, and carry out each send once', { timeout: isSoak ? 3_600_000 : 240_000 }, async () => {
    const store = await openPostgresStore({ address: database.address() });
    const engine = createEngine({ store, blocks, keys: new SeededKeys(Buffer.alloc(32, 7)) });
    await engine.importPolicy(owner, policyNamed('p'));
    await engine.lifecycle.dryRun(owner, 'p');
    await engine.close();
    const program = await buildProgram('cluster-node');
    const nodes = Array.from({ length: NODES }, () => new ClusterNode(program, { address: database.address() }));
    onTestFinished(async () => {
      await Promise.all(nodes.map((node) => node.end()));
    });
    await Promise.all(nodes.map((node) => node.url));
    const clients = new Clients(nodes, undefined, 120_000);
    const payments = Array.from({ length: SENDS }, (_, n) => ({ policyId: 'p', n, key: `key-${String(n)}` }));
    const sum = async (name: 'units' | 'attempts'): Promise<number> =>
      (await Promise.all(nodes.map((node) => node.stats()))).reduce((total, stats) => total + stats[name], 0);
    // Until then the nodes do not know of each other.
    await clients.send(payments.slice(0, SENDS / 4), CLIENTS);
    const [units, attempts] = [await sum('units'), await sum('attempts')];
    await clients.send(payments.slice(SENDS / 4), CLIENTS);
    expect([...clients.refusals]).toEqual([]);
    expect([...clients.answers.values()].map(({ sends }) => sends).sort((a, b) => a - b)).toEqual(
      payments.map((_, at) => at + 1),
    );
    // How often nodes meet depends on the speed of the machine.
    if (isSoak) expect(((await sum('attempts')) - attempts) / ((await sum('units')) - units)).toBeLessThan(1.5);
  });
});
