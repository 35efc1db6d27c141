/** Every key that reaches a store, and every lane that is entered, while an engine does all that it can do. */
import { createEngine, MemoryStore, SeededKeys } from '@blockwork/core';
import { openScenarioWorld, runScenario, SequentialIds, SimulatedClock } from '@blockwork/testing';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Executor, lanes, revisionKeys } from '../src/transactions/index.js';
import { ana, openWorld, owner, policy, soon, voteFor, type World } from './conversation-fixtures.js';

type Table = Readonly<Record<string, { readonly pattern: string }>>;

const json = (path: string): unknown => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

/** Names of the rows whose pattern the text has. A bare placeholder stands for the id of a policy that was stored. */
function rowsOf(table: Table, text: string, policyIds: ReadonlySet<string>): string[] {
  const isOf = (pattern: string): boolean =>
    pattern === '<policyId>' ? policyIds.has(text) : new RegExp(`^${pattern.replaceAll(/<\w+>/g, '.+')}$`).test(text);
  return Object.keys(table).filter((name) => isOf(table[name]?.pattern ?? ''));
}

let seen: { keys: Set<string>; lanes: Set<string>; policyIds: Set<string> };

beforeEach(() => {
  seen = { keys: new Set(), lanes: new Set(), policyIds: new Set() };
  const { commit, revision } = MemoryStore.prototype;
  vi.spyOn(MemoryStore.prototype, 'commit').mockImplementation(function (this: MemoryStore, changeSet) {
    for (const key of Object.keys(changeSet.expect)) seen.keys.add(key);
    for (const change of changeSet.changes) {
      if (change.kind === 'policy' && change.op === 'put') seen.policyIds.add(change.value.id);
    }
    return commit.call(this, changeSet);
  });
  vi.spyOn(MemoryStore.prototype, 'revision').mockImplementation(function (this: MemoryStore, key) {
    seen.keys.add(key);
    return revision.call(this, key);
  });
  const { run, alone } = Executor.prototype;
  vi.spyOn(Executor.prototype, 'run').mockImplementation(function (this: Executor, lane, ...rest) {
    seen.lanes.add(lane);
    return run.call(this, lane, ...rest) as never;
  });
  vi.spyOn(Executor.prototype, 'alone').mockImplementation(function (this: Executor, lane, task) {
    seen.lanes.add(lane);
    return alone.call(this, lane, task) as never;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Which rows were seen; throws for a text that belongs to none, or to several. */
function rowsSeen(table: Table, texts: ReadonlySet<string>): string[] {
  const rows = [...texts].map((text) => {
    const found = rowsOf(table, text, seen.policyIds);
    expect(found, text).toHaveLength(1);
    return found[0] ?? '';
  });
  return [...new Set(rows)].sort();
}

describe('revision keys and lanes at work', () => {
  it('come from the table in a whole scenario', async () => {
    const world = await openScenarioWorld(json('../../../examples/test-a-policy/sunlight.policy.json') as object);
    const report = await runScenario(json('../../../test/scenarios/own/sunlight.json'), world);
    await world.close();
    expect(report.failures).toEqual([]);
    expect(rowsSeen(revisionKeys, seen.keys)).toEqual(['definition', 'policies', 'policy']);
    expect(rowsSeen(lanes, seen.lanes)).toEqual(['policies', 'policy']);
  });

  it('come from the table in the life of a policy', async () => {
    const clock = new SimulatedClock();
    const engine = createEngine({ clock, ids: new SequentialIds(), keys: new SeededKeys(new Uint8Array(32).fill(1)) });
    const config = { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'], children: [] };
    const { policy: draft } = await engine.importPolicy(owner.south, { name: 'Life', config });
    await engine.lifecycle.dryRun(owner.south, draft.id);
    await engine.lifecycle.draft(owner.south, draft.id);
    await engine.lifecycle.publish(owner.south, draft.id, '1.0.0');
    await engine.lifecycle.discontinue(owner.south, draft.id, new Date(clock.now() + 1000).toISOString());
    clock.advance(2000);
    await engine.program.schedule.runDue();
    expect((await engine.getPolicy(owner.south, draft.id)).status).toBe('DISCONTINUED');
    await engine.close();
    expect(rowsSeen(revisionKeys, seen.keys)).toEqual(['definition', 'policies', 'policy']);
    expect(rowsSeen(lanes, seen.lanes)).toEqual(['policies', 'policy']);
  });

  it('come from the table in requests of every kind, whatever becomes of them', async () => {
    const sign = {
      sign: (credential: object) => Promise.resolve({ ...credential, proof: {} }),
      verify: () => Promise.resolve(true),
    };
    const world = await openWorld({ south: { sign } });
    await world.north.engine.importPolicy(owner.north, { ...policy, id: 'notes', name: 'Notes' });
    await everyKindOfRequest(world);
    await world.close();
    expect(rowsSeen(revisionKeys, seen.keys)).toEqual(Object.keys(revisionKeys).sort());
    expect(rowsSeen(lanes, seen.lanes)).toEqual(Object.keys(lanes).sort());
  });
});

async function everyKindOfRequest({ north, south, pass }: World): Promise<void> {
  const requests = north.engine.requests;
  const resume = { policyId: 'notes', tag: 'notebook', user: { did: ana.did } };
  const record = await south.store.get('policy', 'instance', policy.id);
  if (record === undefined) throw new Error('The policy is not stored.');
  const sign = { type: 'sign', signer: owner.south.did, credential: { id: 'urn:1' }, policy: record } as const;
  const asked = await Promise.all([
    requests.ask(ana, voteFor('approved')),
    requests.ask(ana, { ...voteFor('resumed'), resume }),
    requests.ask(ana, { to: 'south', policyId: record.id, action: sign }),
    requests.offerPolicy(owner.north, 'notes', { to: 'south' }),
    requests.ask(ana, voteFor('rejected')),
    requests.ask(ana, voteFor('canceled')),
    requests.ask(ana, { ...voteFor('expired'), expiresInMs: 60_000 }),
  ]);
  const incoming = await soon(async () => {
    const rows = (await south.store.find('request', 'instance')).filter(({ direction }) => direction === 'incoming');
    expect(rows).toHaveLength(asked.length);
    return asked.map(({ startMessageId }) => rows.find((row) => row.startMessageId === startMessageId)?.id ?? '');
  });
  for (const id of incoming.slice(0, 4)) await south.engine.requests.approveAsOffered(owner.south, id);
  await south.engine.requests.reject(owner.south, incoming[4] ?? '');
  await requests.cancel(ana, asked[5].id);
  await soon(async () => expect(await statusOf(north, asked[5].id)).toBe('CANCELED'));
  pass(61_000);
  const statuses = ['COMPLETED', 'COMPLETED', 'COMPLETED', 'COMPLETED', 'REJECTED', 'CANCELED', 'EXPIRED'];
  await soon(async () => expect(await Promise.all(asked.map(({ id }) => statusOf(north, id)))).toEqual(statuses));
}

const statusOf = async ({ store }: World['north'], id: string): Promise<string | undefined> =>
  (await store.get('request', 'instance', id))?.status;
