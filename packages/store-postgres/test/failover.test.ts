import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { serverPrograms, type ServerPrograms } from '../../../test/support/postgres/postgres-server.js';
import { ReplicatedServers, type ReplicationOptions } from '../../../test/support/postgres/replicated-servers.js';
import { someOf } from '../../../test/support/repetitions.js';
import { paid, Payments, send, startNode, startPolicy, type Node } from './support/accounts.js';
import { owner } from './support/cluster-policy.js';

const FAILOVERS = process.env['BLOCKWORK_SOAK'] === undefined ? 1 : 20;

const installed = await serverPrograms();

/** One pair of servers for each kind of replication: to make one takes longer than most tests with it. */
const pairs = new Map<boolean, Promise<ReplicatedServers>>();

function pairOf(programs: ServerPrograms, { isSynchronous = false }: ReplicationOptions): Promise<ReplicatedServers> {
  const pair = pairs.get(isSynchronous) ?? ReplicatedServers.start(programs, { isSynchronous });
  pairs.set(isSynchronous, pair);
  return pair;
}

afterAll(async () => {
  for (const pair of pairs.values()) await (await pair).end();
});

/** Declares tests that need a primary with a standby, or says that they are skipped and why. They leave the standby following. */
function describeWithServers(
  name: string,
  options: ReplicationOptions,
  declare: (servers: () => ReplicatedServers) => void,
): void {
  describe(name, () => {
    if ('missing' in installed) {
      it.skip(`(skipped: ${installed.missing})`, () => undefined);
      return;
    }
    let servers: ReplicatedServers | undefined;
    beforeAll(async () => {
      servers = await pairOf(installed, options);
    });
    declare(() => {
      if (servers === undefined) throw new Error('The servers have not been started.');
      return servers;
    });
  });
}

async function start(address: string): Promise<Node> {
  const node = await startNode(address);
  onTestFinished(() => node.engine.close());
  return node;
}

describeWithServers('A failover to a standby that lacks commits', {}, (started) => {
  it('leaves nothing on top of the lost commits, though the new ones reach the same revision', async () => {
    const servers = started();
    const [first, second] = [await start(servers.address), await start(servers.address)];
    await startPolicy(first, 'p');
    await send(first, 'p', 1);
    await servers.caughtUp();
    servers.isReplicating = false;
    for (const n of [100, 100, 100]) await send(first, 'p', n);
    await servers.failOver();
    for (const n of [10, 10, 10]) await send(second, 'p', n);
    expect(await send(first, 'p', 10)).toEqual({ sum: 41, sends: 5 });
    expect(await paid(second, 'p')).toEqual({ sum: 41, sends: 5 });
    expect(await send(second, 'p', 10)).toEqual({ sum: 51, sends: 6 });
    const changes = first.seen.filter(({ type }) => type === 'history.changed');
    expect(changes).toEqual([{ type: 'history.changed', reason: expect.stringContaining('timeline') as string }]);
    await servers.rejoin();
  });
});

describeWithServers('An address with several hosts', {}, (started) => {
  it('leads to the primary, wherever it stands among them, and to the other one after a failover', async () => {
    const servers = started();
    const [primary = '', standby = ''] = servers.hosts;
    const nodes = [
      await start(`postgres://postgres@${primary},${standby}/postgres?target_session_attrs=read-write`),
      await start(`postgres://postgres@${standby},${primary}/postgres`),
    ];
    const [first, second] = nodes as [Node, Node];
    await startPolicy(first, 'q');
    await send(first, 'q', 1);
    expect(await send(second, 'q', 1)).toEqual({ sum: 2, sends: 2 });
    await servers.caughtUp();
    await servers.failOver();
    await send(first, 'q', 1);
    expect(await send(second, 'q', 1)).toEqual({ sum: 4, sends: 4 });
    await servers.rejoin();
  });
});

describeWithServers('A standby that has every acknowledged commit', { isSynchronous: true }, (started) => {
  /** Resolves with the process ids of the backends whose commit waits for the standby. */
  const waitingCommits = async (): Promise<number[]> => {
    for (;;) {
      const text = `select pid from pg_stat_activity where wait_event = 'SyncRep'`;
      const rows = await started().query<{ pid: number }>(text);
      if (rows.length > 0) return rows.map(({ pid }) => pid);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  /** What a send is answered while the standby receives nothing and `disturb` does something to the waiting commit. */
  const disturbed = async (node: Node, key: string, disturb: (pid: number) => Promise<unknown>): Promise<string> => {
    const servers = started();
    servers.isReplicating = false;
    const sending = send(node, 'p', 1000, key).then(
      () => 'acknowledged',
      (error: unknown) => String(error),
    );
    for (const pid of await waitingCommits()) await disturb(pid);
    // The node finds out what has become of the commit, and waits again.
    const settled = await Promise.race([sending, waitingCommits().then(() => 'waiting')]);
    await servers.failOver();
    expect(await sending).toBe('acknowledged');
    return settled;
  };

  for (const [name, disturb] of Object.entries({
    'whose connection was ended': (pid: number) => started().query(`select pg_terminate_backend(${pid})`),
    'whose wait was cancelled': (pid: number) => started().query(`select pg_cancel_backend(${pid})`),
    'whose server was restarted': () => started().restart('immediate'),
  })) {
    it(`keeps a commit ${name} while it waited for the standby`, async () => {
      const servers = started();
      const node = await start(servers.address);
      if ((await node.engine.listPolicies(owner)).total === 0) await startPolicy(node, 'p');
      const before = await paid(node, 'p');
      expect(await disturbed(node, name.replaceAll(' ', '-'), disturb)).toBe('waiting');
      expect(await paid(node, 'p')).toEqual({ sum: before.sum + 1000, sends: before.sends + 1 });
      expect(await send(node, 'p', 1)).toEqual({ sum: before.sum + 1001, sends: before.sends + 2 });
      await servers.rejoin();
    });
  }
});

for (const isSynchronous of someOf([false, true], 2)) {
  describeWithServers(
    `Nodes with ${isSynchronous ? 'synchronous' : 'asynchronous'} replication`,
    { isSynchronous },
    (started) => {
      it(`agree after each of ${FAILOVERS} failovers`, { timeout: 3_600_000 }, async () => {
        const servers = started();
        const first = await start(servers.address);
        const nodes = [first, await start(servers.address), await start(servers.address)];
        const policyIds = ['p0', 'p1'];
        for (const id of policyIds) await startPolicy(first, id, { ticks: true });
        const payments = new Payments(nodes, policyIds);
        await servers.caughtUp();
        for (let failover = 1; failover <= FAILOVERS; failover += 1) {
          payments.start();
          await payments.acknowledged(10);
          // An administrator who lets commits go ahead of the standby chooses to lose them.
          if (!isSynchronous) servers.isReplicating = false;
          await payments.acknowledged(isSynchronous ? 1 : 10);
          await servers.failOver();
          await payments.acknowledged(10);
          await servers.rejoin();
          await payments.stop();
          await payments.check({ isComplete: isSynchronous });
          await servers.caughtUp();
        }
        // What is gone with its history is known to be gone.
        if (!isSynchronous) expect([...payments.refusals]).not.toContain('COMMIT_UNKNOWN');
        for (const { seen: inspections } of nodes)
          expect(inspections.filter(({ type }) => type === 'history.changed')).toHaveLength(FAILOVERS);
      });
    },
  );
}

// Last: no standby follows a primary that has gone back to a backup.
describeWithServers('A backup that takes the place of the data', {}, (started) => {
  for (const how of someOf(['recovered', 'as it is'] as const, 2)) {
    it(`leaves nothing on top of the lost commits (${how})`, async () => {
      const servers = started();
      const [first, second] = [await start(servers.address), await start(servers.address)];
      const policyId = `restored-${how.replaceAll(' ', '-')}`;
      await startPolicy(first, policyId);
      await send(first, policyId, 1);
      const restore = await servers.backup();
      for (const n of [100, 100, 100]) await send(first, policyId, n);
      await restore(how);
      for (const n of [10, 10, 10]) await send(second, policyId, n);
      expect(await send(first, policyId, 10)).toEqual({ sum: 41, sends: 5 });
      expect(await paid(second, policyId)).toEqual({ sum: 41, sends: 5 });
    });
  }

  it('leaves nothing on top of what a dump has replaced while the server ran', async () => {
    const servers = started();
    const [first, second] = [await start(servers.address), await start(servers.address)];
    await startPolicy(first, 'dumped');
    await send(first, 'dumped', 1);
    const restore = await servers.dump();
    for (const n of [100, 100, 100]) await send(first, 'dumped', n);
    await restore();
    for (const n of [10, 10, 10]) await send(second, 'dumped', n);
    expect(await send(first, 'dumped', 10)).toEqual({ sum: 41, sends: 5 });
    expect(await paid(second, 'dumped')).toEqual({ sum: 41, sends: 5 });
  });

  it('is told once, as is a server that recovers from a crash', async () => {
    const servers = started();
    const node = await start(servers.address);
    await startPolicy(node, 'crashed');
    await send(node, 'crashed', 1);
    await servers.restart('immediate');
    expect(await send(node, 'crashed', 10)).toEqual({ sum: 11, sends: 2 });
    expect(await send(node, 'crashed', 10)).toEqual({ sum: 21, sends: 3 });
    expect(node.seen.filter(({ type }) => type === 'history.changed')).toHaveLength(1);
  });
});
