import { createEngine, SeededKeys } from '@blockwork/core';
import { INSTANCE } from '@blockwork/core/records';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openPostgresStore, type PostgresStore } from '../src/index.js';
import { Clients, ClusterNode, RemoteLedger, type Payment } from './support/cluster.js';
import { blocks, owner, policyNamed } from './support/cluster-policy.js';
import { temporaryFolders } from '../../../test/support/folders.js';
import { describeWithDatabase, tallyDifferences } from '../../../test/support/postgres/database.js';
import { buildClusterNode } from './support/processes.js';
import { Proxy, rarelyHostile } from '../../../test/support/postgres/proxy.js';
import { journalLogProblems } from '../../../test/support/journal-log.js';
import { isSoak, times } from '../../../test/support/repetitions.js';

const POLICIES = isSoak ? 20 : 4;
const SENDS = times(160, 320, 5000);
const CLIENTS = isSoak ? 32 : 12;
/** A fault to inject after a number of acknowledged sends. */
const EACH = isSoak ? 100 : 32;
const NODES = times(3, 4);
const LEASE_MS = 1500;
const seed = 20_261_122;
const newFolder = temporaryFolders();

await describeWithDatabase('A cluster whose nodes die, stop and lose the database', (database) => {
  const publish = async (store: PostgresStore, policyIds: readonly string[], ledger: RemoteLedger): Promise<void> => {
    const settle = async (effect: { readonly id: string; readonly policyId: string }): Promise<void> => {
      const { id, policyId } = effect;
      await fetch(ledger.url, { method: 'POST', body: JSON.stringify({ id, policyId }) });
    };
    const engine = createEngine({
      store,
      blocks,
      keys: new SeededKeys(Buffer.alloc(32, 7)),
      ledger: { check: () => Promise.resolve(), settle, close: () => Promise.resolve() },
    });
    for (const id of policyIds) {
      await engine.importPolicy(owner, policyNamed(id));
      expect(await engine.lifecycle.publish(owner, id, '1.0.0')).toMatchObject({ isValid: true });
    }
    await engine.close();
  };
  const openStore = (): Promise<PostgresStore> => openPostgresStore({ address: database.address() });

  it(
    `carries out every acknowledged send once, with exact balances, each timer and effect once (seed ${seed})`,
    { timeout: 3_600_000 },
    async () => {
      const ledger = await RemoteLedger.open();
      const policyIds = Array.from({ length: POLICIES }, (_, n) => `p${String(n)}`);
      await publish(await openStore(), policyIds, ledger);

      const proxy = await Proxy.open(database.address(), rarelyHostile(seed));
      const program = await buildClusterNode(await newFolder());
      const address = database.address({ host: proxy.host });
      const nodes = Array.from(
        { length: NODES },
        () => new ClusterNode(program, { address, ledger: ledger.url, leaseMs: LEASE_MS }),
      );
      const store = await openStore();
      onTestFinished(async () => {
        await Promise.all(nodes.map((node) => node.end()));
        await store.close();
        await proxy.close();
        await ledger.close();
      });
      await Promise.all(nodes.map((node) => node.url));

      const done: Record<string, number> = {};
      let stopped: ClusterNode | undefined;
      /** Resumes the stopped node once it has lost its leases. */
      const resume = async (): Promise<void> => {
        const node = stopped;
        if (node === undefined) return;
        stopped = undefined;
        await vi.waitFor(
          async () => {
            const [row] = await database.query<{ alive: string }>(
              'select count(*) as alive from blockwork.node where alive_until > clock_timestamp()',
            );
            expect(Number(row?.alive)).toBeLessThan(NODES);
          },
          { timeout: 60_000 },
        );
        node.signal('SIGCONT');
      };
      const disturbances: Record<string, (node: ClusterNode) => Promise<void>> = {
        kill: (node) => node.replace(),
        stop: (node) => {
          node.signal('SIGSTOP');
          stopped = node;
          return Promise.resolve();
        },
        terminate: async () => {
          await database.query(
            'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
          );
        },
        away: async () => {
          proxy.isAway = true;
          const before = refused();
          await vi.waitFor(() => expect(refused()).toBeGreaterThanOrEqual(before + CLIENTS), { timeout: 60_000 });
          proxy.isAway = false;
        },
      };
      const refused = (): number => [...clients.refusals.values()].reduce((sum, times) => sum + times, 0);
      const names = Object.keys(disturbances);
      let disturbing = Promise.resolve();
      let turn = 0;
      const disturb = async (): Promise<void> => {
        const name = names[turn % names.length] ?? '';
        const node = nodes[turn % NODES];
        turn += 1;
        await resume();
        if (node !== undefined) await disturbances[name]?.(node);
        done[name] = (done[name] ?? 0) + 1;
      };
      const clients = new Clients(nodes, (acknowledged) => {
        if (acknowledged % EACH === 0) disturbing = disturbing.then(disturb);
      });

      const payments: Payment[] = Array.from({ length: SENDS }, (_, n) => ({
        policyId: policyIds[n % POLICIES] ?? '',
        n,
        key: `key-${String(n)}`,
      }));
      await clients.send(payments, CLIENTS);
      await disturbing;
      await resume();
      expect(clients.answers.size).toBe(SENDS);
      for (const name of names) expect(done[name]).toBeGreaterThan(0);
      expect(proxy.cuts).toBeGreaterThan(0);
      // Clients receive no other errors, whatever happens.
      expect(['NO_ANSWER', 'STORE_UNAVAILABLE', 'COMMIT_UNKNOWN']).toEqual(
        expect.arrayContaining([...clients.refusals.keys()]),
      );

      // Any node still returns the answer of each send.
      for (const payment of payments.filter((_, at) => at % 10 === 0)) {
        expect(await clients.untilAnswered(payment)).toEqual(clients.answers.get(payment));
      }
      await vi.waitFor(async () => expect(await store.count('settlement', INSTANCE)).toBe(0), {
        timeout: 120_000,
        interval: 200,
      });
      await Promise.all(nodes.map((node) => node.end()));

      for (const policyId of policyIds) {
        const mine = payments.filter((payment) => payment.policyId === policyId);
        const journal = await store.find('journal', policyId);
        const paid = await store.find('document', policyId, { where: { path: 'type', op: 'eq', value: 'payment' } });
        expect(paid.map(({ document }) => document['n']).sort(byNumber)).toEqual(mine.map(({ n }) => n));
        expect(journal.filter(({ cause }) => cause.type === 'send')).toHaveLength(mine.length);
        // Each send was answered with the balance after it.
        const answers = mine.map((payment) => clients.answers.get(payment));
        expect(answers.map((answer) => answer?.sends).sort(byNumber)).toEqual(mine.map((_, at) => at + 1));
        const last = answers.find((answer) => answer?.sends === mine.length);
        expect(last?.sum).toBe(mine.reduce((sum, { n }) => sum + n, 0));
        const dues = journal.flatMap(({ cause }) => (cause.type === 'tick' ? cause.due : []));
        expect(dues).toEqual([...new Set(dues)]);
        const ticks = await store.count('document', policyId, { path: 'type', op: 'eq', value: 'tick' });
        expect(ticks).toBe(dues.length);
        const effects = await store.find('ledger-effect', policyId);
        expect(ledger.effects.get(policyId)).toEqual(effects.map(({ id }) => id));
        expect(effects.length).toBeGreaterThanOrEqual(mine.length);
        expect(await journalLogProblems(store, policyId)).toEqual([]);
      }
      expect(await tallyDifferences(database)).toEqual([]);
    },
  );
});

const byNumber = (a: unknown, b: unknown): number => Number(a) - Number(b);
