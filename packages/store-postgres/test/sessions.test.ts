/** What connections are told when they are made: only what is not missed after a crash goes without waiting for the disk. */
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { openPostgresStore, type PostgresStore } from '../src/index.js';
import { describeWithDatabase } from '../../../test/support/postgres/database.js';
import { Proxy } from '../../../test/support/postgres/proxy.js';

/** `null` where nothing is prepared. */
interface PlansMade {
  readonly custom: number | null;
  readonly generic: number | null;
}

await describeWithDatabase('Connections', (database) => {
  let store: PostgresStore;
  beforeEach(async () => {
    store = await openPostgresStore({ address: database.address() });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await store.close();
  });

  /** `synchronous_commit` of each connection that `work` has used: of the pools, since the doorbell's is made and asked at any time. */
  const flushesOf = async (work: () => Promise<unknown>): Promise<Set<string | undefined>> => {
    const query = vi.spyOn(Client.prototype, 'query');
    await work();
    const pooled = query.mock.calls.map(([statement]: unknown[]) => typeof statement !== 'string');
    const clients = new Set((query.mock.contexts as Client[]).filter((_, at) => pooled[at]));
    vi.restoreAllMocks();
    const shown = [...clients].map((client) => client.query<{ is: string }>(`select ${setting} as is`));
    return new Set((await Promise.all(shown)).map(({ rows }) => rows[0]?.is));
  };
  const setting = `current_setting('synchronous_commit')`;

  it('that commit and read wait for the disk, after letters were sent as well', async () => {
    await store.coordination.letters.send([{ id: '1', to: 'a', text: 'x' }]);
    expect(await store.coordination.letters.take('a')).toEqual(['x']);
    const value = { id: 'receipt', request: '', tag: '', expires: 0, revision: 0 };
    const put = { op: 'put', kind: 'send-receipt', partition: 'p', value } as const;
    const commits = Array.from({ length: 8 }, (_, at) => ({ expect: { [`key-${String(at)}`]: 0 }, changes: [put] }));
    expect(await flushesOf(() => Promise.all(commits.map((commit) => store.commit(commit))))).toEqual(new Set(['on']));
    expect(await flushesOf(() => store.get('send-receipt', 'p', 'receipt'))).toEqual(new Set(['on']));
  });

  it('that carry letters do without settings that the server does not know', async () => {
    const unknown = (bytes: Buffer): Buffer =>
      Buffer.from(bytes.toString('latin1').replaceAll('enable_bitmapscan', 'enable_unknownxyz'), 'latin1');
    const proxy = await Proxy.open(database.address(), { fate: () => 'pass', rewrite: unknown });
    onTestFinished(() => proxy.close());
    const address = new URL(database.address());
    address.host = proxy.host;
    const behind = await openPostgresStore({ address: address.href });
    onTestFinished(() => behind.close());
    const { letters } = behind.coordination;
    await letters.send([{ id: '1', to: 'a', text: 'x' }]);
    expect(await letters.take('a')).toEqual(['x']);
  });

  it('that carry letters plan each of their statements once', async () => {
    const { letters } = store.coordination;
    const query = vi.spyOn(Client.prototype, 'query');
    for (let n = 0; n < 20; n += 1) {
      await letters.send([{ id: String(n), to: 'a', text: 'x' }]);
      expect(await letters.take('a')).toEqual(['x']);
    }
    const clients = new Set(query.mock.contexts as Client[]);
    vi.restoreAllMocks();
    const plans = `select sum(custom_plans)::integer as custom, sum(generic_plans)::integer as generic
      from pg_prepared_statements where statement like 'with%.letter%'`;
    const counted = await Promise.all([...clients].map((client) => client.query<PlansMade>(plans)));
    const sum = (read: (plansMade: PlansMade) => number | null): number =>
      counted.flatMap(({ rows }) => rows).reduce((total, row) => total + (read(row) ?? 0), 0);
    expect([sum(({ custom }) => custom), sum(({ generic }) => generic)]).toEqual([0, 40]);
  });

  it('that carry letters do not', async () => {
    expect(await flushesOf(() => store.coordination.letters.send([{ id: '1', to: 'a', text: 'x' }]))).toEqual(
      new Set(['off']),
    );
  });
});
