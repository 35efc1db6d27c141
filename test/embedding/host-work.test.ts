/** Writes of the embedding program beside a send: through query builders, and on stores that cannot commit them. */
import {
  createEngine,
  MemoryStore,
  type Caller,
  type CommitWith,
  type PolicyEngine,
  type PolicyStore,
} from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { hostWork, openPostgresStore, type HostWorkOnClient } from '@blockwork/store-postgres';
import { block, MemoryCluster, SimulatedClock } from '@blockwork/testing';
import { drizzle } from 'drizzle-orm/node-postgres';
import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { Kysely, PostgresDialect } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { temporaryFolders } from '../support/folders.js';
import { describeWithDatabase, empty } from '../support/postgres/database.js';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const newFolder = temporaryFolders();

/** Keeps each order. */
const intake = defineBlock({
  type: 'intake',
  title: 'Intake',
  description: '',
  kind: 'interface',
  input: z.object({ id: z.number() }),
  async receive(ctx, { id }) {
    await ctx.documents.add({ owner: ctx.user.did, type: 'order', document: { id } });
    return { id };
  },
});
const policy = {
  id: 'p',
  name: 'Orders',
  config: block('interfaceContainerBlock', 'root', { children: [block('intake', 'intake')] }),
};

const opened: PolicyEngine[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((engine) => engine.close()));
});
async function engineOn(store: PolicyStore): Promise<PolicyEngine> {
  const engine = createEngine({ store, blocks: [intake] });
  opened.push(engine);
  await engine.importPolicy(owner, policy);
  await engine.lifecycle.dryRun(owner, 'p');
  return engine;
}
const order = (engine: PolicyEngine, id: number, commitWith: CommitWith): Promise<unknown> =>
  engine.sendToBlock(owner, 'p', { tag: 'intake' }, { id }, { commitWith });
const orders = async (engine: PolicyEngine): Promise<unknown[]> =>
  (await engine.documents.list(owner, 'p')).items.map(({ document }) => document['id']);

await describeWithDatabase('Rows of a program', (database) => {
  let engine: PolicyEngine;
  beforeAll(() => database.query('create table invoice (id integer primary key, customer text not null)'));
  beforeEach(async () => {
    engine = await engineOn(await openPostgresStore({ address: database.address() }));
  });
  afterEach(async () => {
    await empty(database);
    await database.query('delete from invoice');
  });

  const invoice = pgTable('invoice', { id: integer().primaryKey(), customer: text().notNull() });
  const builders: Readonly<Record<string, (id: number, customer: string) => HostWorkOnClient>> = {
    pg: (id, customer) => async (client) => {
      await client.query('insert into invoice (id, customer) values ($1, $2)', [id, customer]);
    },
    Kysely: (id, customer) => async (client) => {
      const pool = { connect: () => Promise.resolve(client), end: () => Promise.resolve() };
      const db = new Kysely<{ invoice: { id: number; customer: string } }>({ dialect: new PostgresDialect({ pool }) });
      await db.insertInto('invoice').values({ id, customer }).execute();
      expect(await db.selectFrom('invoice').select('customer').execute()).toEqual([{ customer }]);
    },
    Drizzle: (id, customer) => async (client) => {
      const db = drizzle({ client });
      await db.insert(invoice).values({ id, customer });
      expect(await db.select().from(invoice)).toEqual([{ id, customer }]);
    },
  };

  it.each(Object.keys(builders))('are committed with the send, or not at all, through %s', async (name) => {
    const work = builders[name] ?? (() => () => Promise.reject(new Error(name)));
    await order(engine, 1, hostWork(work(1, 'Ann')));
    await expect(order(engine, 2, hostWork(work(1, 'Bob')))).rejects.toThrow();
    expect(await orders(engine)).toEqual([1]);
    expect(await database.query('select id from invoice')).toEqual([{ id: 1 }]);
  });

  it.each(['Kysely', 'Drizzle'])('cannot be in a transaction that %s begins inside', async (name) => {
    const nested = order(
      engine,
      1,
      hostWork(async (client) => {
        const pool = { connect: () => Promise.resolve(client), end: () => Promise.resolve() };
        const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) });
        if (name === 'Kysely') await db.transaction().execute(() => Promise.resolve());
        else await drizzle({ client }).transaction(() => Promise.resolve());
      }),
    );
    await expect(nested).rejects.toSatisfy((error: Error) => {
      const { code } = (error.cause ?? error) as { readonly code?: unknown };
      return code === 'HOST_STATEMENT_REFUSED';
    });
    expect(await orders(engine)).toEqual([]);
  });
});

describe('A store that cannot commit rows of the program', () => {
  const stores: Readonly<Record<string, () => Promise<PolicyStore>>> = {
    memory: () => Promise.resolve(new MemoryStore()),
    lowdb: async () => openLowdbStore({ folder: await newFolder() }),
  };

  it.each(Object.keys(stores))('refuses a send with such rows before anything runs: %s', async (name) => {
    const engine = await engineOn((await stores[name]?.()) ?? new MemoryStore());
    const work = vi.fn<CommitWith>();
    await expect(order(engine, 1, work)).rejects.toMatchObject({ code: 'HOST_WORK_UNSUPPORTED' });
    const outside = { owner: owner.did, document: {} };
    const submitted = engine.submitExternal(owner, outside, { policyId: 'p', commitWith: work });
    await expect(submitted).rejects.toMatchObject({ code: 'HOST_WORK_UNSUPPORTED' });
    expect(work).not.toHaveBeenCalled();
    expect(await orders(engine)).toEqual([]);
  });

  it('is told from one with a transaction of another kind', async () => {
    const engine = await engineOn(new MemoryCluster(new SimulatedClock()).connect());
    const sent = order(
      engine,
      1,
      hostWork(() => Promise.resolve()),
    );
    await expect(sent).rejects.toMatchObject({ code: 'HOST_WORK_UNSUPPORTED' });
    await expect(order(engine, 1, 'work' as never)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await order(engine, 1, () => Promise.resolve());
    expect(await orders(engine)).toEqual([1]);
  });
});
