/** Rows of the embedding program and units of work, committed together. */
import type { JsonAnswer } from '@blockwork/core';
import { Client, type PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { describeWithDatabase } from '../../../test/support/postgres/database.js';
import { Proxy, type Fate } from '../../../test/support/postgres/proxy.js';
import { hostWork, type HostWorkOnClient, type PostgresStoreOptions } from '../src/index.js';
import { paid, startNode, startPolicy, type Node } from './support/accounts.js';
import { owner } from './support/cluster-policy.js';

const POLICY = 'p';

await describeWithDatabase('Host work', (database) => {
  let node: Node;
  const others: Node[] = [];
  const open = async ({ host, ...options }: Partial<PostgresStoreOptions> & { host?: string } = {}): Promise<Node> => {
    const other = await startNode(database.address(host === undefined ? {} : { host }), options);
    others.push(other);
    return other;
  };
  beforeAll(async () => {
    node = await startNode(database.address());
    await startPolicy(node, POLICY);
    await database.query('create table bill (id integer primary key)');
    await database.query('create table line (bill integer references bill deferrable initially deferred)');
  });
  afterAll(async () => {
    await Promise.all([node, ...others].map(({ engine }) => engine.close()));
  });

  /** Payments are told apart by their amounts, and bills are numbered by them. */
  let n = 0;
  beforeEach(() => {
    n += 1;
  });
  const pay = (
    work: HostWorkOnClient,
    { of = node, key }: { of?: Node; key?: string } = {},
  ): Promise<JsonAnswer | null> => {
    const options = { commitWith: hostWork(work), ...(key !== undefined && { idempotencyKey: key }) };
    return of.engine.sendToBlock(owner, POLICY, { tag: 'account' }, { n }, options);
  };
  const addBill = async (client: PoolClient): Promise<void> => {
    await client.query('insert into bill (id) values ($1)', [n]);
  };
  /** How many bills and payments there are of this test. */
  const both = async (): Promise<readonly [bills: number, payments: number]> => {
    const bills = await database.query('select id from bill where id = $1', [n]);
    const where = { path: 'type', op: 'eq', value: 'payment' } as const;
    const payments = await node.store.find('document', POLICY, { where });
    return [bills.length, payments.filter(({ document }) => document['n'] === n).length];
  };

  it('is committed together with the unit, and is told the answer', async () => {
    let reported: unknown;
    const answer = await pay(async (client, answer) => {
      reported = answer;
      await addBill(client);
      expect(await both()).toEqual([0, 0]);
    });
    expect(await both()).toEqual([1, 1]);
    expect([reported, answer]).toEqual([await paid(node, POLICY), await paid(node, POLICY)]);
  });

  it('is rolled back with the unit if it fails, and the send rejects with its own error', async () => {
    const error = new Error('no credit');
    const failing = pay(async (client) => {
      await addBill(client);
      throw error;
    });
    await expect(failing).rejects.toBe(error);
    expect(await both()).toEqual([0, 0]);
    await pay(addBill);
    expect(await both()).toEqual([1, 1]);
  });

  it('does not begin if a block fails', async () => {
    const work = vi.fn(addBill);
    const send = node.engine.sendToBlock(owner, POLICY, { tag: 'account' }, {}, { commitWith: hostWork(work) });
    await expect(send).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    expect(work).not.toHaveBeenCalled();
  });

  it('makes no other send fail that was waiting with it', async () => {
    const amounts = [1001, 1002, 1003];
    const send = (amount: number) => node.engine.sendToBlock(owner, POLICY, { tag: 'account' }, { n: amount });
    const before = await paid(node, POLICY);
    const all = await Promise.allSettled([
      ...amounts.map(send),
      pay(() => Promise.reject(new Error('no credit'))),
      ...amounts.map(send),
    ]);
    expect(all.map(({ status }) => status)).toEqual([
      ...amounts.map(() => 'fulfilled'),
      'rejected',
      ...amounts.map(() => 'fulfilled'),
    ]);
    expect(await paid(node, POLICY)).toEqual({ sum: before.sum + 6012, sends: before.sends + 6 });
  });

  it('reports the statement that failed, even if the function went on without it', async () => {
    const swallowing = pay(async (client) => {
      await addBill(client);
      await client.query('insert into bill (id) values ($1)', [n]).catch(() => undefined);
    });
    await expect(swallowing).rejects.toMatchObject({ code: '23505', table: 'bill' });
    expect(await both()).toEqual([0, 0]);
  });

  it('reports a constraint that was deferred until the commit', async () => {
    const dangling = pay(async (client) => {
      await addBill(client);
      await client.query('insert into line (bill) values (-1)');
    });
    await expect(dangling).rejects.toMatchObject({ code: '23503', table: 'line' });
    expect(await both()).toEqual([0, 0]);
  });

  it('may roll back to a savepoint', async () => {
    await pay(async (client) => {
      await addBill(client);
      await client.query('savepoint s');
      await expect(client.query('insert into bill (id) values ($1)', [n])).rejects.toMatchObject({ code: '23505' });
      await client.query('/* not all */ rollback to savepoint s');
    });
    expect(await both()).toEqual([1, 1]);
  });

  it.each([
    'commit',
    'begin',
    '/* /* */ */ ; end -- done',
    'ROLLBACK WORK',
    "prepare transaction 'x'",
    'start transaction',
  ])('cannot end its transaction: %s', async (statement) => {
    const ending = pay(async (client) => {
      await addBill(client);
      await client.query(statement);
    });
    await expect(ending).rejects.toMatchObject({ code: 'HOST_STATEMENT_REFUSED' });
    expect(await both()).toEqual([0, 0]);
  });

  it('cannot hide the end of its transaction behind a semicolon', async () => {
    const ending = pay(async (client) => {
      await addBill(client);
      await client.query('select 1; commit');
    });
    await expect(ending).rejects.toMatchObject({ code: '42601' });
    expect(await both()).toEqual([0, 0]);
  });

  it('is noticed to have ended its transaction behind the back of its client', async () => {
    const ending = pay(async (client) => {
      await addBill(client);
      await Reflect.apply(Reflect.get(Client.prototype, 'query') as (text: string) => Promise<unknown>, client, [
        'commit',
      ]);
    });
    await expect(ending).rejects.toMatchObject({
      code: 'HOST_STATEMENT_REFUSED',
      message: expect.stringContaining('was ended'),
    });
    expect((await both())[1]).toBe(0);
  });

  it.each([
    ['set transaction read only', 'read only'],
    ['set role pg_read_all_data', 'its role'],
    ['set local role pg_read_all_data', 'its role'],
    ['set session authorization pg_read_all_data', 'its role'],
  ])('cannot leave a transaction in which the send cannot be written: %s', async (statement, reason) => {
    const other = await open({ lockConnections: 1 });
    const setting = pay(
      async (client) => {
        await addBill(client);
        await client.query(statement);
      },
      { of: other },
    );
    await expect(setting).rejects.toMatchObject({
      code: 'HOST_STATEMENT_REFUSED',
      message: expect.stringContaining(reason),
    });
    expect(await both()).toEqual([0, 0]);
    await pay(addBill, { of: other });
    expect(await both()).toEqual([1, 1]);
  });

  it('may act in another role, if it changes it back', async () => {
    await pay(async (client) => {
      await addBill(client);
      await client.query('set role pg_read_all_data');
      await client.query('reset role');
    });
    expect(await both()).toEqual([1, 1]);
  });

  it('cannot make the commit less durable than others', async () => {
    await database.query(`create function note_level() returns trigger language plpgsql as $$ begin
 insert into level values (current_setting('synchronous_commit')); return null; end $$`);
    await database.query('create table level (name text)');
    await database.query(`create constraint trigger at_commit after insert on bill deferrable initially deferred
 for each row execute function note_level()`);
    await pay(async (client) => {
      await addBill(client);
      await client.query('set synchronous_commit to off');
    });
    const levels = await database.query('select name from level');
    await database.query('drop trigger at_commit on bill');
    expect(levels).toEqual([{ name: 'on' }]);
  });

  it('cannot reach the connection behind its client', async () => {
    await pay(async (client) => {
      await addBill(client);
      expect(Reflect.get(client, 'connection')).toBeUndefined();
    });
    expect(await both()).toEqual([1, 1]);
  });

  it('cannot use its client after it has ended, nor for what is not a statement', async () => {
    let clientOfWork: PoolClient | undefined;
    await pay(async (client) => {
      clientOfWork = client;
      await addBill(client);
      client.release();
      expect(() => client.connect()).toThrow('"connect" is not for');
      await expect(client.query({ submit: () => undefined } as never)).rejects.toThrow('no cursors');
      await expect((client.query as (...all: unknown[]) => Promise<unknown>)('select 1', () => 1)).rejects.toThrow(
        'callbacks',
      );
    });
    await expect(clientOfWork?.query('select 1')).rejects.toMatchObject({ code: 'HOST_STATEMENT_REFUSED' });
    expect(await both()).toEqual([1, 1]);
  });

  it('runs again after a serialization failure, a deadlock, or the loss of its connection', async () => {
    const failures = ['40001', '40P01', 'lost'];
    const work = vi.fn<HostWorkOnClient>(async (client) => {
      await addBill(client);
      const failure = failures.shift();
      if (failure === 'lost') await client.query('select pg_terminate_backend(pg_backend_pid())');
      if (failure === undefined) return;
      const raise = client.query(`do $$ begin raise exception using errcode = '${failure}'; end $$`);
      // Query builders wrap the errors of the driver.
      await raise.catch((cause: unknown) => Promise.reject(new Error('wrapped', { cause })));
    });
    await pay(work);
    expect(work).toHaveBeenCalledTimes(4);
    expect(await both()).toEqual([1, 1]);
  });

  it('does not run for a repetition of a completed send', async () => {
    const work = vi.fn(addBill);
    const answer = await pay(work, { key: 'once' });
    expect(await pay(work, { key: 'once' })).toEqual(answer);
    expect(work).toHaveBeenCalledTimes(1);
    expect(await both()).toEqual([1, 1]);
  });

  it.each([
    ['cut before', 2],
    ['cut after', 1],
  ] as const)('is committed once if the answer to the commit is lost: %s', async (fate, runs) => {
    let fates: Fate[] = [];
    const next = (bytes: Buffer): Fate => (bytes.includes('"payment"') ? (fates.shift() ?? 'pass') : 'pass');
    const proxy = await Proxy.open(database.address(), { fate: next });
    const other = await open({ host: proxy.host });
    const work = vi.fn<HostWorkOnClient>(async (client) => {
      await addBill(client);
      if (work.mock.calls.length === 1) fates = [fate];
    });
    await pay(work, { of: other });
    expect([await both(), work.mock.calls.length]).toEqual([[1, 1], runs]);
    await other.engine.close();
    await proxy.close();
  });

  it('is ended when it takes too long, with everything that it has written', async () => {
    const hasty = await open({ hostWorkMs: 50 });
    const endless = pay(
      async (client) => {
        await addBill(client);
        await client.query('select pg_sleep(60)');
      },
      { of: hasty },
    );
    await expect(endless).rejects.toMatchObject({ code: 'HOST_WORK_TOO_LONG', message: expect.stringContaining('50') });
    expect(await both()).toEqual([0, 0]);
    await pay(addBill, { of: hasty });
    expect(await both()).toEqual([1, 1]);
  });

  it.each(['copy bill from stdin', 'copy bill to stdout'])(
    'is refused "%s", for whose data its client has no way, and the next send goes through',
    async (statement) => {
      const other = await open({ lockConnections: 1 });
      const copying = pay(
        async (client) => {
          await client.query(statement);
        },
        { of: other },
      );
      await expect(copying).rejects.toMatchObject({ code: 'HOST_STATEMENT_REFUSED' });
      await pay(addBill, { of: other });
      expect(await both()).toEqual([1, 1]);
    },
  );

  it('leaves nothing behind in the session', async () => {
    const single = await open({ lockConnections: 1 });
    const settings = `select current_setting('search_path') as path, current_setting('enable_seqscan') as scans, current_user as name,
 (select count(*)::int from pg_class where relname = 'scratch') as tables`;
    const seen: unknown[] = [];
    const work: HostWorkOnClient = async (client) => {
      seen.push((await client.query<object>(settings)).rows[0]);
      await client.query('create temporary table scratch (id integer)');
      await client.query('set search_path to public');
      await client.query('set enable_seqscan to off');
    };
    await pay(work, { of: single });
    await pay(work, { of: single });
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[0]).toMatchObject({ scans: 'on', tables: 0 });
  });

  it('of several nodes neither loses nor doubles anything, whoever of them fails', async () => {
    const nodes = [node, await open(), await open()];
    const before = await paid(node, POLICY);
    const ids = Array.from({ length: 60 }, (_, at) => 10_000 + at);
    const outcomes = await Promise.allSettled(
      ids.map((id, at) => {
        const commitWith = hostWork(async (client) => {
          await client.query('insert into bill (id) values ($1)', [id]);
          if (id % 5 === 0) throw new Error('no credit');
        });
        const { engine } = nodes[at % nodes.length] ?? node;
        return engine.sendToBlock(owner, POLICY, { tag: 'account' }, { n: id }, { commitWith });
      }),
    );
    const good = ids.filter((id) => id % 5 !== 0);
    expect(ids.filter((_, at) => outcomes[at]?.status === 'fulfilled')).toEqual(good);
    const bills = await database.query<{ id: number }>('select id from bill where id >= 10000 order by id');
    expect(bills.map(({ id }) => id)).toEqual(good);
    const sum = good.reduce((total, id) => total + id, 0);
    for (const each of nodes)
      expect(await paid(each, POLICY)).toEqual({ sum: before.sum + sum, sends: before.sends + good.length });
  });
});
