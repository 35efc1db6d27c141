/** Savepoints of a trial: it goes back as a whole, in every store, and goes on from there. */
import { readFileSync } from 'node:fs';
import { standardBlocks } from '@blockwork/blocks';
import { createEngine, MemoryStore, type Caller, type EngineLimits, type PolicyStore } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { INSTANCE } from '@blockwork/core/records';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { openPostgresStore } from '@blockwork/store-postgres';
import { block, SequentialIds, SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { wholeStore } from '../scenarios/support/whole-store.js';
import { temporaryFolders } from '../support/folders.js';
import { journalLogProblems } from '../support/journal-log.js';
import { describeWithDatabase, empty } from '../support/postgres/database.js';

const sunlight = JSON.parse(
  readFileSync(new URL('../../examples/test-a-policy/sunlight.policy.json', import.meta.url), 'utf8'),
) as object;
const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const stranger: Caller = { did: 'did:example:stranger', role: 'STANDARD_REGISTRY' };
const newFolder = temporaryFolders();

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function world(store: PolicyStore = new MemoryStore(), source: object = sunlight, limits = {}) {
  const clock = new SimulatedClock();
  const timers = new SimulatedTimers(clock);
  const ports = { store, clock, timers, ids: new SequentialIds(), limits: limits as Partial<EngineLimits> };
  const engine = createEngine({ ...ports, blocks: [...standardBlocks(), flakyBlock, pressBlock] });
  opened.push(engine);
  const { policy } = await engine.importPolicy(owner, source);
  const policyId = policy.id;
  await engine.lifecycle.dryRun(owner, policyId);
  const user = async (name: string): Promise<Caller> => {
    const { did } = await engine.trials.addUser(owner, policyId, name);
    return engine.trials.caller(owner, policyId, did);
  };
  const send = async (caller: Caller, tag: string, data: unknown) => {
    clock.advance(1000);
    return engine.sendToBlock(caller, policyId, { tag }, data);
  };
  const rows = async (caller: Caller, tag: string) =>
    (await engine.readBlock<{ data: { id: string }[] }>(caller, policyId, { tag })).data;
  /** What a savepoint keeps, and everything beside it that must not move. */
  const state = async (): Promise<Record<string, string>> => {
    const whole = Object.entries(await wholeStore(store, policyId));
    return Object.fromEntries(
      whole.filter(
        ([name]) => !/^(revision|(journal(-tree|-tile)?|trial|savepoint(-part)?|timer|identity) of)/.test(name),
      ),
    );
  };
  const journal = async () => (await store.find('journal', policyId)).map(({ cause }) => cause);
  return { engine, store, clock, policyId, user, send, rows, state, journal };
}

const report = (site: string) => ({ document: { site, kilowattHours: 12.5 }, ref: null });

const flakyBlock = defineBlock({
  type: 'flaky',
  title: '',
  description: '',
  kind: 'server',
  on: { RunEvent: () => Promise.reject(new Error('not yet')) },
});

const pressBlock = defineBlock({
  type: 'press',
  title: '',
  description: '',
  kind: 'interface',
  input: z.json(),
  outputs: ['RunEvent'],
  receive: (ctx, data) => ctx.emit('RunEvent', data),
});

const stores = (name: string, open: () => Promise<PolicyStore>): void => {
  it(`goes back as a whole, and on from there, and to a later one: ${name}`, async () => {
    const { engine, store, policyId, user, send, rows, state, journal } = await world(await open());
    const alice = await user('Alice');
    await send(alice, 'choose_role', { role: 'Producer' });
    await send(alice, 'report', report('Roof'));
    const first = await engine.trials.makeSavepoint(owner, policyId, 'reported');
    const [before, journalBefore] = [await state(), await journal()];
    const [row] = await rows(owner, 'all_reports');
    await send(owner, 'decide', { tag: 'Approve', document: row });
    const bob = await user('Bob');
    await send(bob, 'choose_role', { role: 'Producer' });
    await send(bob, 'report', report('Field'));
    const second = await engine.trials.makeSavepoint(owner, policyId, 'approved');
    const [after, journalAfter] = [await state(), await journal()];
    expect(after).not.toEqual(before);

    await engine.trials.restoreSavepoint(owner, policyId, first.id);
    expect(await state()).toEqual(before);
    // The savepoint was made by a unit of its own, of which the savepoint does not know.
    const restored = { type: 'lifecycle', action: 'restore', did: owner.did };
    expect(await journal()).toEqual([...journalBefore.slice(0, -1), restored]);
    expect(await journalLogProblems(store, policyId)).toEqual([]);
    expect(await rows(alice, 'my_reports')).toHaveLength(1);
    await expect(rows(bob, 'my_reports')).rejects.toThrow('is not open to this caller');

    // Another end of the same story.
    const [again] = await rows(owner, 'all_reports');
    await send(owner, 'decide', { tag: 'Reject', document: again });
    await engine.trials.makeSavepoint(owner, policyId, 'rejected');
    const parents = (await engine.trials.savepoints(owner, policyId)).map(({ name, parent }) => [name, parent]);
    expect(parents).toEqual([
      ['reported', null],
      ['approved', first.id],
      ['rejected', first.id],
    ]);

    await engine.trials.restoreSavepoint(owner, policyId, second.id);
    expect(await state()).toEqual(after);
    expect(await journal()).toEqual([...journalAfter.slice(0, -1), restored]);
    expect(await rows(bob, 'my_reports')).toHaveLength(1);
    const ids = (await store.find('journal', policyId)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    // The numbers of units go on, so that nothing is told under an old one.
    expect(ids.toSorted().at(-1)).toBe(String(await store.revision(policyId)).padStart(12, '0'));
  });
};

describe('a trial', () => {
  stores('memory', () => Promise.resolve(new MemoryStore()));
  stores('files', async () => openLowdbStore({ folder: await newFolder() }));

  it('tells those who follow it that it went back', async () => {
    const { engine, policyId, user, send } = await world();
    const alice = await user('Alice');
    await send(alice, 'choose_role', { role: 'Producer' });
    const { id } = await engine.trials.makeSavepoint(owner, policyId, 'begun');
    await send(alice, 'report', report('Roof'));
    const events = engine.events(alice, { policyId });
    expect((await events.next()).value).toMatchObject({ type: 'open' });
    await engine.trials.restoreSavepoint(owner, policyId, id);
    expect((await events.next()).value).toMatchObject({ type: 'status', action: 'restore' });
    await send(alice, 'report', report('Field'));
    expect((await events.next()).value).toMatchObject({ type: 'unit', cause: 'send' });
    await events.return();
  });

  it('goes back after the policy was changed', async () => {
    const { engine, policyId, user, send, rows } = await world();
    const alice = await user('Alice');
    await send(alice, 'choose_role', { role: 'Producer' });
    await send(alice, 'report', report('Roof'));
    const { id } = await engine.trials.makeSavepoint(owner, policyId, 'reported');
    await engine.lifecycle.draft(owner, policyId);
    await engine.lifecycle.replace(owner, policyId, { ...sunlight, description: 'Better.' });
    await expect(engine.trials.restoreSavepoint(owner, policyId, id)).rejects.toMatchObject({ code: 'POLICY_STATUS' });
    await engine.lifecycle.dryRun(owner, policyId);
    expect(await rows(owner, 'all_reports')).toHaveLength(0);
    await engine.trials.restoreSavepoint(owner, policyId, id);
    expect(await rows(alice, 'my_reports')).toHaveLength(1);
    expect(await engine.getPolicy(owner, policyId)).toMatchObject({ description: 'Better.' });
  });

  it('tries again what was to be tried again, with as long to wait as there was left', async () => {
    const retryingBlock = block('flaky', 'flaky', { onErrorAction: 'retry', errorTimeout: 60_000 });
    const events = [{ source: 'press', output: 'RunEvent', target: 'flaky', input: 'RunEvent', actor: '' }];
    const source = {
      name: 'Patience',
      policyTag: 'Patience',
      config: block('interfaceContainerBlock', 'root', {
        permissions: ['ANY_ROLE'],
        children: [block('press', 'press', { events }), retryingBlock],
      }),
    };
    const { engine, store, clock, policyId, send } = await world(undefined, source);
    await send(owner, 'press', {});
    const due = async (): Promise<number[]> =>
      (await store.find('timer', INSTANCE)).map((timer) => timer.due - clock.now());
    expect(await due()).toEqual([60_000]);
    clock.advance(20_000);
    const { id } = await engine.trials.makeSavepoint(owner, policyId, 'waits');
    await engine.lifecycle.restart(owner, policyId);
    expect(await due()).toEqual([]);
    clock.advance(500_000);
    await engine.trials.restoreSavepoint(owner, policyId, id);
    expect(await due()).toEqual([40_000]);
  });

  it('is emptied by a restart; its people and savepoints stay until the policy is published', async () => {
    const { engine, store, policyId, user, send, rows } = await world();
    const alice = await user('Alice');
    await send(alice, 'choose_role', { role: 'Producer' });
    await send(alice, 'report', report('Roof'));
    await engine.trials.makeSavepoint(owner, policyId, 'reported');
    const { removed, policy } = await engine.lifecycle.restart(owner, policyId);
    expect(policy.status).toBe('DRY-RUN');
    expect(removed).toMatchObject({ memberships: 1, documents: 2 });
    expect(await rows(owner, 'all_reports')).toEqual([]);
    expect((await engine.trials.get(owner, policyId)).users).toMatchObject([{ name: 'Alice' }]);
    expect(await engine.trials.savepoints(owner, policyId)).toHaveLength(1);
    await engine.trials.makeSavepoint(owner, policyId, 'empty');
    expect((await engine.trials.savepoints(owner, policyId)).map(({ parent }) => parent)).toEqual([null, null]);
    await engine.lifecycle.publish(owner, policyId, '1.0.0');
    expect(await engine.trials.get(owner, policyId)).toEqual({ users: [], savepoint: null, recording: null });
    for (const kind of ['trial', 'savepoint', 'savepoint-part'] as const)
      expect(await store.count(kind, policyId)).toBe(0);
    await expect(engine.lifecycle.restart(owner, policyId)).rejects.toMatchObject({ code: 'POLICY_STATUS' });
  });
});

describe('a savepoint', () => {
  it('is deleted alone: those made from it belong to what it was made from', async () => {
    const { engine, store, policyId } = await world();
    const { trials } = engine;
    const first = await trials.makeSavepoint(owner, policyId, 'one');
    const second = await trials.makeSavepoint(owner, policyId, 'two');
    const third = await trials.makeSavepoint(owner, policyId, 'three');
    await trials.deleteSavepoint(owner, policyId, second.id);
    expect((await trials.savepoints(owner, policyId)).map(({ id, parent }) => [id, parent])).toEqual([
      [first.id, null],
      [third.id, first.id],
    ]);
    await trials.deleteSavepoint(owner, policyId, third.id);
    expect((await engine.trials.get(owner, policyId)).savepoint).toBe(first.id);
    const parts = await store.find('savepoint-part', policyId);
    expect(new Set(parts.map(({ savepointId }) => savepointId))).toEqual(new Set([first.id]));
    await expect(trials.deleteSavepoint(owner, policyId, second.id)).rejects.toMatchObject({
      code: 'SAVEPOINT_UNKNOWN',
    });
  });

  it('is refused without a name, beyond the limits, and to anybody but the owner', async () => {
    const { engine, policyId, send } = await world(undefined, sunlight, { savepoints: 1, savepointBytes: 3000 });
    const { trials } = engine;
    await expect(trials.makeSavepoint(owner, policyId, ' ')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await expect(trials.makeSavepoint(stranger, policyId, 'x')).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
    await expect(trials.savepoints(stranger, policyId)).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
    const { id } = await trials.makeSavepoint(owner, policyId, ' kept ');
    expect((await trials.savepoints(owner, policyId))[0]?.name).toBe('kept');
    await expect(trials.makeSavepoint(owner, policyId, 'x')).rejects.toMatchObject({ code: 'SAVEPOINTS_TOO_MANY' });
    await trials.deleteSavepoint(owner, policyId, id);
    const alice: Caller = { did: 'did:example:alice', role: 'USER' };
    await send(alice, 'choose_role', { role: 'Producer' });
    await send(alice, 'report', report('x'.repeat(3000)));
    await expect(trials.makeSavepoint(owner, policyId, 'x')).rejects.toMatchObject({ code: 'SAVEPOINT_TOO_LARGE' });
    expect(await trials.savepoints(owner, policyId)).toEqual([]);
  });

  it('is made of pieces where the trial is large', async () => {
    const { engine, store, policyId, user, send, state } = await world();
    const alice = await user('Alice');
    await send(alice, 'choose_role', { role: 'Producer' });
    for (const site of ['a', 'b', 'c', 'd']) await send(alice, 'report', report(site.repeat(200_000)));
    const { id, bytes, documents } = await engine.trials.makeSavepoint(owner, policyId, 'large');
    // Four reports, and that she is a producer.
    expect(documents).toBe(5);
    expect(bytes).toBeGreaterThan(800_000);
    const parts = await store.find('savepoint-part', policyId);
    expect(parts.length).toBeGreaterThan(3);
    expect(Math.max(...parts.map((part) => JSON.stringify(part).length))).toBeLessThan(600_000);
    const before = await state();
    await engine.lifecycle.restart(owner, policyId);
    await engine.trials.restoreSavepoint(owner, policyId, id);
    expect(await state()).toEqual(before);
  });
});

describe('people of a trial', () => {
  it('are who the owner says, and may do what any user may', async () => {
    const { engine, policyId, user } = await world(undefined, sunlight, { virtualUsers: 3 });
    const { trials } = engine;
    const alice = await user('Alice');
    expect(alice).toMatchObject({
      username: 'Alice',
      permissions: ['POLICIES_POLICY_READ', 'POLICIES_POLICY_EXECUTE'],
    });
    expect(await trials.addUser(owner, policyId)).toMatchObject({ name: 'User 2' });
    expect(await trials.addUser(owner, policyId, ' ')).toMatchObject({ name: 'User 3' });
    await expect(trials.addUser(owner, policyId, 'D')).rejects.toMatchObject({ code: 'VIRTUAL_USERS_TOO_MANY' });
    expect(await trials.caller(owner, policyId, owner.did)).toBe(owner);
    await expect(trials.caller(owner, policyId, 'did:example:other')).rejects.toMatchObject({
      code: 'VIRTUAL_USER_UNKNOWN',
    });
    for (const did of [alice.did, stranger.did]) {
      await expect(trials.caller(stranger, policyId, did)).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
    }
    await expect(trials.get(alice, policyId)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await engine.lifecycle.draft(owner, policyId);
    await expect(trials.caller(owner, policyId, alice.did)).rejects.toMatchObject({ code: 'POLICY_STATUS' });
  });

  it('have names of their own', async () => {
    const { engine, policyId, user } = await world();
    await user('Alice');
    await expect(user('Alice')).rejects.toMatchObject({ code: 'VIRTUAL_USER_EXISTS' });
    await user('User 2');
    expect(await engine.trials.addUser(owner, policyId)).toMatchObject({ name: 'User 3' });
  });
});

await describeWithDatabase('a trial in PostgreSQL', (database) => {
  stores('PostgreSQL', async () => {
    await empty(database);
    return openPostgresStore({ address: database.address() });
  });
});
