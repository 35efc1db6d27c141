/** A row edited by hand that contains no valid record fails only the reads of that record, and names it. */
import { createEngine, type PolicyEngine } from '@blockwork/core';
import { INSTANCE, type Timer } from '@blockwork/core/records';
import { SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { afterEach, expect, it, vi } from 'vitest';
import { openPostgresStore } from '../src/index.js';
import { describeWithDatabase } from '../../../test/support/postgres/database.js';
import { blocks, owner, policyNamed } from './support/cluster-policy.js';

/** Real time, however slow the machine is. */
const patient = { timeout: 60_000 };

const damage = (id: string, kind: string, partition: string) => ({
  code: 'STORE_UNAVAILABLE',
  message: expect.stringContaining(
    `the record "${id}" of kind "${kind}" in partition "${partition}" is damaged`,
  ) as string,
});
const timer = (policyId: string, due: number): Timer => ({
  id: `${policyId}/discontinue`,
  type: 'discontinue',
  policyId,
  due,
});

await describeWithDatabase('A damaged row', (database) => {
  const engines: PolicyEngine[] = [];
  afterEach(() => Promise.all(engines.splice(0).map((engine) => engine.close())));

  it('fails a scan of many rows that includes it, naming the record, and later reads see what is committed then', async () => {
    const store = await openPostgresStore({ address: database.address(), readConnections: 1 });
    const partition = 'many';
    const changes = Array.from({ length: 1200 }, (_, due) => ({
      op: 'put' as const,
      kind: 'timer' as const,
      partition,
      value: timer(`p${String(due)}`, due),
    }));
    await store.commit({ expect: {}, changes });
    await database.query(`update blockwork.record set body = '{' where id like 'p1100/%' and kind = 'timer'`);
    const where = { path: 'other', op: 'ne', value: 1 } as const;
    await expect(store.count('timer', partition, where)).rejects.toMatchObject(
      damage('p1100/discontinue', 'timer', partition),
    );
    await store.commit({ expect: {}, changes });
    expect(await store.count('timer', partition, where)).toBe(1200);
    await store.close();
  });

  it.each(['{"id":', '', 'null', '[1]', '\\u0000'])(
    'fails the reads that include it, naming the record: %j',
    async (body) => {
      const store = await openPostgresStore({ address: database.address() });
      const ids = ['one/ü', 'two', 'three'];
      const changes = ids.map((id, due) => ({
        op: 'put' as const,
        kind: 'timer' as const,
        partition: INSTANCE,
        value: timer(id, due),
      }));
      await store.commit({ expect: {}, changes });
      await database.query(`update blockwork.record set body = $1 where id like 'one/%' and kind = 'timer'`, [body]);
      const named = damage('one/ü/discontinue', 'timer', INSTANCE);
      const order = { path: 'due', direction: 'asc' } as const;
      await expect(store.get('timer', INSTANCE, 'one/ü/discontinue')).rejects.toMatchObject(named);
      await expect(store.find('timer', INSTANCE)).rejects.toMatchObject(named);
      await expect(store.find('timer', INSTANCE, { order, limit: 2 })).rejects.toMatchObject(named);
      await expect(store.find('timer', INSTANCE, { order, limit: 2, bytes: 1_000_000 })).rejects.toMatchObject(named);
      // A condition that the columns cannot decide reads the records themselves.
      const where = { path: 'other', op: 'ne', value: 1 } as const;
      await expect(store.find('timer', INSTANCE, { where })).rejects.toMatchObject(named);
      await expect(store.count('timer', INSTANCE, where)).rejects.toMatchObject(named);
      await expect(store.snapshot((reader) => reader.find('timer', INSTANCE))).rejects.toMatchObject(named);
      const others = { path: 'policyId', op: 'nin', value: ['one/ü'] } as const;
      expect(await store.find('timer', INSTANCE, { where: others, order })).toHaveLength(2);
      await expect(store.findEach('timer', ['other', INSTANCE])).rejects.toMatchObject(named);
      const together = await Promise.allSettled(ids.map((id) => store.get('timer', INSTANCE, `${id}/discontinue`)));
      expect(together.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
      await store.commit({ expect: {}, changes });
      expect(await store.find('timer', INSTANCE)).toHaveLength(3);
      await store.commit({
        expect: {},
        changes: ids.map((id) => ({ op: 'delete', kind: 'timer', partition: INSTANCE, id: `${id}/discontinue` })),
      });
      await store.close();
    },
  );

  it.each(['revision', 'lane', 'record', 'document', 'tally'])(
    'or a table %s that was dropped makes the engine unready, until it is back',
    async (table) => {
      const clock = new SimulatedClock();
      const timers = new SimulatedTimers(clock);
      const store = await openPostgresStore({ address: database.address() });
      const engine = createEngine({ store, blocks, clock, timers });
      engines.push(engine);
      expect(await engine.program.getReadiness()).toMatchObject({ isReady: true });
      await database.query(`alter table blockwork.${table} rename to dropped`);
      clock.advance(1000);
      const reason = expect.stringContaining('does not exist') as string;
      expect(await engine.program.getReadiness()).toMatchObject({ isReady: false, reason });
      await database.query(`alter table blockwork.dropped rename to ${table}`);
      clock.advance(1000);
      expect(await engine.program.getReadiness()).toMatchObject({ isReady: true });
    },
  );

  it('of a timer stops and reports the timers of its policy; other timers, sends and health checks continue', async () => {
    const clock = new SimulatedClock();
    const timers = new SimulatedTimers(clock);
    const store = await openPostgresStore({ address: database.address() });
    const first = createEngine({ store, blocks, clock, timers: new SimulatedTimers(clock) });
    for (const id of ['one', 'two']) {
      await first.importPolicy(owner, policyNamed(id));
      await first.lifecycle.publish(owner, id, '1.0.0');
    }
    await first.close();
    await database.query(`update blockwork.record set body = '{' where id = 'one/tick/ticker' and kind = 'timer'`);
    const again = await openPostgresStore({ address: database.address() });
    const engine = createEngine({ store: again, blocks, clock, timers });
    engines.push(engine);
    const ticks = async (id: string): Promise<number> =>
      again.count('document', id, { path: 'type', op: 'eq', value: 'tick' });
    for (const wanted of [1, 2]) {
      await vi.waitFor(async () => {
        timers.advance(500);
        expect(await ticks('two')).toBeGreaterThanOrEqual(wanted);
      }, patient);
    }
    await vi.waitFor(async () => {
      timers.advance(500);
      const { stuck } = await engine.program.getReadiness();
      const { message: reason } = damage('one/tick/ticker', 'timer', INSTANCE);
      expect(stuck).toMatchObject([{ work: 'timers', id: 'one', reason }]);
    }, patient);
    expect(await ticks('one')).toBe(0);
    for (const id of ['one', 'two']) {
      expect(await engine.sendToBlock(owner, id, { tag: 'account' }, { n: 1 })).toMatchObject({ sum: 1 });
    }
    await expect(engine.timers.list(owner, 'one')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect((await engine.timers.list(owner, 'two')).total).toBe(1);
    expect(await engine.program.getBacklog()).toMatchObject({ stuck: { timers: 1 } });
  });

  it('of a configuration fails the reads of its policy only', async () => {
    const store = await openPostgresStore({ address: database.address() });
    const first = createEngine({ store, blocks });
    for (const id of ['sound', 'broken']) await first.importPolicy(owner, policyNamed(id));
    await first.close();
    await database.query(`update blockwork.record set body = 'x' where id = 'broken' and kind = 'configuration'`);
    const engine = createEngine({ store: await openPostgresStore({ address: database.address() }), blocks });
    engines.push(engine);
    await expect(engine.getPolicy(owner, 'broken')).rejects.toMatchObject(damage('broken', 'configuration', 'broken'));
    expect(await engine.getPolicy(owner, 'sound')).toMatchObject({ id: 'sound' });
    expect(await engine.sendToBlock(owner, 'sound', { tag: 'account' }, { n: 1 })).toMatchObject({ sum: 1 });
    expect((await engine.listPolicies(owner)).items.map(({ id }) => id)).toContain('broken');
  });

  it('of a policy is left out of lists, and reported until it is restored', async () => {
    const ids = ['whole', 'torn', 'entire'];
    const store = await openPostgresStore({ address: database.address() });
    const first = createEngine({ store, blocks });
    for (const id of ids) await first.importPolicy(owner, policyNamed(id));
    await first.close();
    const row = `id = 'torn' and kind = 'policy'`;
    const [stored] = await database.query<{ body: string }>(`select body from blockwork.record where ${row}`);
    await database.query(`update blockwork.record set body = '{' where ${row}`);
    const clock = new SimulatedClock();
    const timers = new SimulatedTimers(clock);
    const again = await openPostgresStore({ address: database.address() });
    const engine = createEngine({ store: again, blocks, clock, timers });
    engines.push(engine);
    const listed = async (): Promise<[string[], boolean]> => {
      const { items, total } = await engine.listPolicies(owner);
      return [items.map(({ id }) => id).filter((id) => ids.includes(id)), total === items.length];
    };
    const named = damage('torn', 'policy', INSTANCE);
    expect(await listed()).toEqual([['whole', 'entire'], true]);
    await expect(engine.getPolicy(owner, 'torn')).rejects.toMatchObject(named);
    await expect(engine.importPolicy(owner, policyNamed('torn'))).rejects.toMatchObject(named);
    expect(await engine.sendToBlock(owner, 'whole', { tag: 'account' }, { n: 1 })).toMatchObject({ sum: 1 });
    const damagedNow = async () =>
      (await engine.program.getReadiness()).stuck.filter(({ work }) => work === 'policies');
    expect(await damagedNow()).toMatchObject([{ id: 'torn', reason: named.message }]);
    expect((await engine.operation.get({ did: 'did:example:operator', role: 'OPERATOR' })).backlog.stuck).toMatchObject(
      { policies: 1 },
    );
    // A subscriber to all policies gets the readable ones: neither this one nor that with the damaged configuration.
    const leave = new AbortController();
    const events = engine.events(owner, { signal: leave.signal });
    expect(await events.next()).toMatchObject({ value: { type: 'open' } });
    await engine.sendToBlock(owner, 'entire', { tag: 'account' }, { n: 1 });
    expect(await events.next()).toMatchObject({ value: { policyId: 'entire' } });
    leave.abort();
    await database.query(`update blockwork.record set body = $1 where ${row}`, [stored?.body]);
    clock.advance('1m');
    expect(await listed()).toEqual([ids, true]);
    expect(await damagedNow()).toEqual([]);
  });
});
