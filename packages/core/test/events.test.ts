/** Live events: who is told what, in which order, and what happens to those who do not keep up. */
import type { PolicyEvent, UnitEvent } from '@blockwork/core';
import { MemoryCluster, SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { turn } from './background.js';
import { alice, begun, bob, eventNode, eventWorld, owner, take } from './event-fixtures.js';

const tagsOf = (events: readonly PolicyEvent[]): unknown[] =>
  events.map((event) => (event.type === 'unit' ? event.tags : event.type));

const revisionsOf = (events: readonly PolicyEvent[]): number[] =>
  events.flatMap((event) => (event.type === 'unit' ? event.revision : []));

describe('a subscriber', () => {
  it('is told which of their blocks moved, and never what was sent', async () => {
    const { engine, policyId, send } = await eventWorld();
    const { events, open } = await begun(engine.events(alice, { policyId }));
    expect(open).toEqual({ type: 'open', id: expect.stringMatching(/^\d{12}$/), policyIds: [policyId] });
    await send('for_all');
    await send('for_b');
    await send('for_a', true);
    const [first, second] = await take(events, 2);
    const revision = Number(open.type === 'open' ? open.id : 0) + 1;
    const at = expect.stringMatching(/^\d{4}-.*Z$/);
    const unit = { type: 'unit', policyId, cause: 'send', at };
    expect(first).toEqual({
      ...unit,
      id: String(revision).padStart(12, '0'),
      revision,
      tags: ['for_all'],
      documents: false,
    });
    expect(second).toMatchObject({ ...unit, revision: revision + 2, tags: ['for_a', 'grid_a'], documents: true });
  });

  it('hears of a block that only an ancestor closes as little as of one that is closed itself', async () => {
    const { engine, policyId, send } = await eventWorld();
    const { events } = await begun(engine.events(alice, { policyId }));
    await send('within_b');
    await send('for_a');
    expect(tagsOf(await take(events, 1))).toEqual([['for_a']]);
  });

  it('who owns the policy hears of every unit, and of the blocks it touched', async () => {
    const { engine, policyId, send } = await eventWorld();
    const { events } = await begun(engine.events(owner, { policyId }));
    await send('within_b');
    await send('for_a', true);
    expect(tagsOf(await take(events, 2))).toEqual([['within_b'], ['for_a']]);
  });

  it('hears of blocks as the role at that time lets them', async () => {
    const { engine, policyId, send } = await eventWorld({ drafts: 'shared' });
    const carol = { did: 'did:example:carol', role: 'USER' };
    const { events } = await begun(engine.events(carol, { policyId }));
    await send('for_a');
    await engine.sendToBlock(carol, policyId, { tag: 'choose_role' }, { role: 'A' });
    await send('for_a');
    const [after] = (await take(events, 1)) as [UnitEvent];
    expect(after.tags).toEqual(['for_a']);
  });

  it('is told that the status changed', async () => {
    const { engine, policyId } = await eventWorld();
    const { events } = await begun(engine.events(bob, { policyId }));
    await engine.lifecycle.publish(owner, policyId, '1.0.0');
    await engine.lifecycle.discontinue(owner, policyId);
    expect(await take(events, 2)).toMatchObject([
      { type: 'status', action: 'publish' },
      { type: 'status', action: 'discontinue' },
    ]);
  });

  it('hears of documents that the program adds, at the grids that are open to them', async () => {
    const { engine, policyId } = await eventWorld();
    const { events } = await begun(engine.events(bob, { policyId }));
    await engine.program.documents.add(policyId, [{ owner: bob.did, document: { credentialSubject: [{ id: 'y' }] } }]);
    expect(await take(events, 1)).toMatchObject([{ cause: 'importer', tags: ['grid_b'], documents: true }]);
  });

  it('needs the permission to read blocks, and a policy that is there', async () => {
    const { engine, policyId } = await eventWorld();
    const auditor = { did: 'did:example:x', role: 'AUDITOR' };
    expect(() => engine.events(auditor, { policyId })).toThrow(expect.objectContaining({ code: 'PERMISSION_DENIED' }));
    await expect(engine.events(alice, { policyId: 'none' }).next()).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
  });

  it('is one of a limited number, and makes room when it ends', async () => {
    const { engine, policyId } = await eventWorld({ limits: { eventSubscribers: 1 } });
    const { events } = await begun(engine.events(alice, { policyId }));
    const refused = engine.events(bob, { policyId }).next();
    await expect(refused).rejects.toMatchObject({ code: 'TOO_MANY_SUBSCRIBERS', status: 503 });
    await events.return();
    await begun(engine.events(bob, { policyId }));
  });

  it('makes room for the next one of the same caller by ending the oldest', async () => {
    const { engine, policyId } = await eventWorld({ limits: { eventSubscribersPerCaller: 2 } });
    const [first, second] = [await begun(engine.events(alice)), await begun(engine.events(alice, { policyId }))];
    await begun(engine.events(alice));
    expect(await first.events.next()).toEqual({ done: true, value: undefined });
    await begun(engine.events(bob));
    await second.events.return();
  });

  it('makes room for others where one caller holds most of them', async () => {
    const { engine } = await eventWorld({ limits: { eventSubscribers: 3 } });
    const { events: first } = await begun(engine.events(alice));
    await begun(engine.events(alice));
    await begun(engine.events(alice));
    await begun(engine.events(bob));
    expect(await first.next()).toEqual({ done: true, value: undefined });
    await expect(engine.events(bob).next()).rejects.toMatchObject({ code: 'TOO_MANY_SUBSCRIBERS' });
  });

  it('stops with the signal, and with the engine', async () => {
    const { engine, policyId } = await eventWorld();
    const stop = new AbortController();
    const stopped = await begun(engine.events(alice, { policyId, signal: stop.signal }));
    const closed = await begun(engine.events(alice, { policyId }));
    const pending = [stopped.events.next(), closed.events.next()];
    stop.abort();
    expect(await pending[0]).toEqual({ done: true, value: undefined });
    await engine.close();
    expect(await pending[1]).toEqual({ done: true, value: undefined });
    expect(() => engine.events(alice, { policyId })).toThrow(expect.objectContaining({ code: 'ENGINE_CLOSED' }));
  });
});

describe('a subscriber that was away', () => {
  it('gets every unit since, once and in order', async () => {
    const { engine, policyId, send } = await eventWorld();
    const { open } = await begun(engine.events(alice, { policyId }));
    for (let n = 0; n < 300; n += 1) await send('for_a');
    const first = await take(engine.events(alice, { policyId, after: open.id }), 120);
    const rest = await take(engine.events(alice, { policyId, after: first.at(-1)?.id ?? '' }), 180);
    const start = Number(open.id);
    expect(revisionsOf([...first, ...rest])).toEqual(Array.from({ length: 300 }, (_, n) => start + n + 1));
  });

  it('too long gets a gap, and then what comes', async () => {
    const { engine, policyId, send } = await eventWorld({ limits: { eventBacklog: 5 } });
    const { open } = await begun(engine.events(alice, { policyId }));
    for (let n = 0; n < 6; n += 1) await send('for_a');
    const resumed = engine.events(alice, { policyId, after: open.id });
    const [gap] = await take(resumed, 1);
    expect(gap).toEqual({ type: 'gap', policyId, id: String(Number(open.id) + 6).padStart(12, '0') });
    const { events } = await begun(engine.events(alice, { policyId, after: gap?.id ?? '' }));
    await send('for_a');
    expect(tagsOf(await take(events, 1))).toEqual([['for_a']]);
  });

  it.each(['999999999999', 'nonsense', ''])('at %j, where nobody can have been, gets a gap', async (after) => {
    const { engine, policyId } = await eventWorld();
    expect(tagsOf(await take(engine.events(alice, { policyId, after }), 1))).toEqual(['gap']);
  });

  it('while a trial ended gets a gap, since its journal is gone', async () => {
    const { engine, policyId, send } = await eventWorld();
    await send('for_a');
    const { open, events } = await begun(engine.events(alice, { policyId }));
    await events.return();
    await engine.lifecycle.publish(owner, policyId, '1.0.0');
    expect(tagsOf(await take(engine.events(alice, { policyId, after: open.id }), 1))).toEqual(['gap']);
  });
});

it('a subscriber that does not keep up costs no memory: it gets a gap', async () => {
  const { engine, policyId, send } = await eventWorld({ limits: { eventBacklog: 300 } });
  const slow = await begun(engine.events(alice, { policyId }));
  const quick = await begun(engine.events(alice, { policyId }));
  for (let n = 0; n < 400; n += 1) {
    await send('for_a');
    await quick.events.next();
  }
  const [gap, next] = [await slow.events.next(), slow.events.next()];
  expect(gap.value).toMatchObject({ type: 'gap' });
  await send('for_all');
  expect((await next).value).toMatchObject({ type: 'unit', tags: ['for_all'] });
});

describe('a subscription to several policies', () => {
  it('has each unit of each, and resumes in all of them', async () => {
    const { engine, policyId, send, addPolicy } = await eventWorld();
    const other = await addPolicy('Ot,h:er');
    const { open } = await begun(engine.events(owner, {}));
    expect(open).toMatchObject({ policyIds: [policyId, other] });
    for (let n = 0; n < 5; n += 1) {
      await send('for_all');
      await engine.sendToBlock(alice, other, { tag: 'for_all' }, {});
    }
    const first = await take(engine.events(owner, { after: open.id }), 3);
    const rest = await take(engine.events(owner, { policyId: [other, policyId], after: first.at(-1)?.id ?? '' }), 7);
    for (const id of [policyId, other]) {
      const revisions = revisionsOf(
        [...first, ...rest].filter((event) => event.type === 'unit' && event.policyId === id),
      );
      expect(revisions).toHaveLength(5);
      expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
    }
  });

  it('has a gap for a policy that the position does not name, and a limit on those that it names', async () => {
    const { engine, policyId, addPolicy } = await eventWorld({ limits: { eventPolicies: 2 } });
    const { open } = await begun(engine.events(owner, { policyId: [policyId] }));
    const other = await addPolicy('Other');
    expect(await take(engine.events(owner, { after: open.id }), 1)).toMatchObject([{ type: 'gap', policyId: other }]);
    const third = await addPolicy('Third');
    const named = engine.events(owner, { policyId: [policyId, other, third] }).next();
    await expect(named).rejects.toMatchObject({ code: 'TOO_MANY_POLICIES', status: 422 });
    const { open: all } = await begun(engine.events(owner));
    expect(all).toMatchObject({ policyIds: [policyId, other, third] });
  });

  it('covers any number of policies that it does not name, with a position that stays short', async () => {
    const clock = new SimulatedClock();
    const { engine, policyId, send, addPolicy } = await eventWorld({ clock });
    const second = await addPolicy('Second');
    for (let at = 0; at < 250; at += 1) await addPolicy(`Policy ${at}`);
    clock.advance(3_600_000);
    const { events, open } = await begun(engine.events(owner));
    expect(open.id.length).toBeLessThan(6_000);
    await send('for_a');
    const [moved] = await take(events, 1);
    expect(moved).toMatchObject({ type: 'unit', policyId });
    clock.advance(3_600_000);
    await send('for_all');
    await engine.sendToBlock(alice, second, { tag: 'choose_role' }, { role: 'A' });
    const rest = await take(engine.events(owner, { after: moved?.id ?? '' }), 2);
    expect(rest).toMatchObject([
      { type: 'gap', policyId: second },
      { type: 'unit', policyId, tags: ['for_all'] },
    ]);
  });

  it('goes on without a policy that is deleted', async () => {
    const { engine, send, addPolicy } = await eventWorld();
    const other = await addPolicy('Other');
    const { events } = await begun(engine.events(owner));
    await engine.lifecycle.delete(owner, other);
    await send('for_a');
    expect(await take(events, 1)).toMatchObject([{ type: 'unit', tags: ['for_a'] }]);
  });
});

describe('over several nodes', () => {
  it('a subscriber hears of the units of every node, at once where nodes notify each other', async () => {
    const cluster = new MemoryCluster(new SimulatedClock());
    const { policyId, send } = await eventWorld({ store: cluster.connect() });
    const far = eventNode({ store: cluster.connect() });
    const { events } = await begun(far.events(alice, { policyId }));
    await send('for_a');
    await send('for_all');
    expect(tagsOf(await take(events, 2))).toEqual([['for_a'], ['for_all']]);
  });

  it('notifies of the journals that another node follows, and of no others', async () => {
    const clock = new SimulatedClock();
    const timers = new SimulatedTimers(clock);
    const cluster = new MemoryCluster(clock);
    const store = cluster.connect();
    const notified: string[] = [];
    const { notifier } = store.coordination;
    const notify = notifier.notify.bind(notifier);
    notifier.notify = (...names) => {
      notified.push(...names.filter((name) => name.startsWith('journal/')));
      notify(...names);
    };
    const { policyId, send } = await eventWorld({ store, timers, clock });
    await send('for_a');
    expect(notified).toEqual([]);
    const far = eventNode({ store: cluster.connect(), timers, clock });
    const { events } = await begun(far.events(alice, { policyId }));
    // It goes on for as long as somebody follows.
    for (let step = 0; step < 20; step += 1) {
      timers.advance(500);
      await turn();
    }
    await send('for_a');
    expect(notified).toEqual([`journal/${policyId}`]);
    await take(events, 1);
    await events.return(undefined);
    for (let step = 0; step < 10; step += 1) {
      timers.advance(500);
      await turn();
    }
    await send('for_a');
    expect(notified).toHaveLength(1);
  });

  it('and after a moment where it does not', async () => {
    const clock = new SimulatedClock();
    const timers = new SimulatedTimers(clock);
    const cluster = new MemoryCluster(clock);
    const deaf = cluster.connect();
    Object.assign(deaf.coordination.notifier, { subscribe: () => () => undefined });
    const { policyId, send } = await eventWorld({ store: cluster.connect() });
    const far = eventNode({ store: deaf, timers, clock });
    const { events } = await begun(far.events(alice, { policyId }));
    await send('for_a');
    const next = events.next();
    for (let step = 0; step < 4; step += 1) {
      timers.advance(500);
      await turn();
    }
    expect((await next).value).toMatchObject({ type: 'unit', tags: ['for_a'] });
  });
});
