/** The session settings of connections. */
import type { Change } from '@blockwork/core/adapter';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openPostgresStore, type PostgresStore } from '../src/index.js';
import { describeWithDatabase } from '../../../test/support/postgres/database.js';

/** `null` if nothing is prepared. */
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

  /**
   * `synchronous_commit` of each pooled connection that `work` uses; the notifier's own connection is active at any
   * time.
   */
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

  it('that commit and read wait for the disk', async () => {
    const value = { id: 'receipt', request: '', tag: '', expires: 0, revision: 0 };
    const put = { op: 'put', kind: 'send-receipt', partition: 'p', value } as const;
    const commits = Array.from({ length: 8 }, (_, at) => ({ expect: { [`key-${String(at)}`]: 0 }, changes: [put] }));
    expect(await flushesOf(() => Promise.all(commits.map((commit) => store.commit(commit))))).toEqual(new Set(['on']));
    expect(await flushesOf(() => store.get('send-receipt', 'p', 'receipt'))).toEqual(new Set(['on']));
  });

  /** How often statements like `pattern` used a custom plan, and how often the generic one. */
  const plansOf = async (
    pattern: string,
    work: () => Promise<unknown>,
  ): Promise<{ custom: number; generic: number }> => {
    const query = vi.spyOn(Client.prototype, 'query');
    await work();
    const clients = new Set(query.mock.contexts as Client[]);
    vi.restoreAllMocks();
    const plans = `select sum(custom_plans)::integer as custom, sum(generic_plans)::integer as generic
      from pg_prepared_statements where statement like '${pattern}'`;
    const counted = await Promise.all([...clients].map((client) => client.query<PlansMade>(plans)));
    const sum = (read: (plansMade: PlansMade) => number | null): number =>
      counted.flatMap(({ rows }) => rows).reduce((total, row) => total + (read(row) ?? 0), 0);
    return { custom: sum(({ custom }) => custom), generic: sum(({ generic }) => generic) };
  };

  it('that commit plan their statements once, except those of a transaction that deletes', async () => {
    const put = (kind: 'document' | 'token', id: string): Change =>
      ({ op: 'put', kind, partition: 'p', value: { id } }) as unknown as Change;
    const commits = async (): Promise<void> => {
      for (let number = 0; number < 20; number += 1) {
        const changes = [put('document', `d${String(number)}`), put('token', 't')];
        await store.commit({ expect: { p: number }, changes });
      }
    };
    expect(await plansOf('with asked%', commits)).toEqual({ custom: 0, generic: 20 });
    const removals = async (): Promise<void> => {
      for (let number = 20; number < 30; number += 1) {
        const removed: Change = { op: 'delete', kind: 'document', partition: 'p', id: `d${String(number - 20)}` };
        await store.commit({ expect: { p: number }, changes: [removed, put('token', 't')] });
      }
    };
    expect(await plansOf('%delete from%', removals)).toEqual({ custom: 10, generic: 0 });
    expect(await plansOf('with asked%', () => store.commit({ expect: { p: 30 }, changes: [] }))).toEqual({
      ...{ custom: 0, generic: 31 },
    });
    expect(await store.count('document', 'p')).toBe(10);
  });

  // For the first five executions, the database uses custom plans, to compare their cost with that of the generic one.
  it.each([
    ['revision', 'select key, number%', (at: number) => store.revision(`key-${String(at)}`)],
    ['revisions', 'select key, number%', (at: number) => store.revisions([`key-${String(at)}`, 'a', 'b'])],
    ['record', 'select a.n, r.body%', (at: number) => store.get('token', 'p', `t${String(at)}`)],
    [
      'records',
      'select a.n, r.body%',
      (at: number) => Promise.all(['a', 'b', 'c'].map((id) => store.get('token', `p${String(at)}`, id))),
    ],
  ])('that read do not plan a query for a %s each time', async (_, pattern, ask) => {
    const questions = async (): Promise<void> => {
      for (let at = 0; at < 20; at += 1) await ask(at);
    };
    expect(await plansOf(pattern, questions)).toEqual({ custom: 5, generic: 15 });
    await database.query('analyze');
    expect(await plansOf(pattern, questions)).toEqual({ custom: 5, generic: 35 });
  });
});
