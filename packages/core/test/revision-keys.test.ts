/** Every key that reaches a store, and every lane that is entered, while an engine does all that it can do. */
import { createEngine, MemoryLedger, MemoryStore, SeededKeys } from '@blockwork/core';
import { openScenarioWorld, runScenario } from '@blockwork/explorer';
import { keyHolder, SequentialIds, SimulatedClock } from '@blockwork/testing';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Executor, lanes, revisionKeys } from '../src/transactions/index.js';
import { tool, toolFile } from './tool-fixtures.js';
import { ana, openWorld, owner, policy, soon, voteFor, type World } from './conversation-fixtures.js';

type Table = Readonly<Record<string, { readonly pattern: string }>>;

const json = (path: string): unknown => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

/** Names of the rows whose pattern the text has. A bare placeholder stands for the id of a policy that was stored. */
function rowsOf(table: Table, text: string, policyIds: ReadonlySet<string>): string[] {
  const isOf = (pattern: string): boolean =>
    pattern === '<policyId>' ? policyIds.has(text) : new RegExp(`^${pattern.replaceAll(/<\w+>/g, '.+')}$`).test(text);
  return Object.keys(table).filter((name) => isOf(table[name]?.pattern ?? ''));
}

const spies = () => ({
  commit: vi.spyOn(MemoryStore.prototype, 'commit'),
  revision: vi.spyOn(MemoryStore.prototype, 'revision'),
  revisions: vi.spyOn(MemoryStore.prototype, 'revisions'),
  run: vi.spyOn(Executor.prototype, 'run'),
  runTask: vi.spyOn(Executor.prototype, 'runTask'),
});
let watched: ReturnType<typeof spies>;

beforeEach(() => {
  watched = spies();
});
afterEach(() => {
  assertGuarded();
  vi.restoreAllMocks();
});

/** Records that processes keep of a policy, and its compiled definition, are valid while its own key stands still. */
function assertGuarded(): void {
  for (const [{ expect: expected, changes }] of watched.commit.mock.calls) {
    const guards = changes.map(({ partition }) => partition).filter((partition) => partition !== 'instance');
    const ofDefinitions = Object.keys(expected).flatMap((key) => /^definition\/(.*)$/.exec(key)?.[1] ?? []);
    expect(Object.keys(expected)).toEqual(expect.arrayContaining([...guards, ...ofDefinitions]));
  }
}

interface Seen {
  readonly keys: ReadonlySet<string>;
  readonly lanes: ReadonlySet<string>;
  readonly policyIds: ReadonlySet<string>;
}

function seenSoFar(): Seen {
  const changeSets = watched.commit.mock.calls.map(([changeSet]) => changeSet);
  const stored = changeSets.flatMap(({ changes }) =>
    changes.flatMap((change) => (change.kind === 'policy' && change.op === 'put' ? [change.value.id] : [])),
  );
  return {
    keys: new Set([
      ...changeSets.flatMap(({ expect: expected }) => Object.keys(expected)),
      ...watched.revision.mock.calls.map(([key]) => key),
      ...watched.revisions.mock.calls.flatMap(([keys]) => keys),
    ]),
    lanes: new Set([...watched.run.mock.calls, ...watched.runTask.mock.calls].map(([lane]) => lane)),
    policyIds: new Set(stored),
  };
}

/** Which rows were seen; throws for a text that belongs to none, or to several. */
function rowsSeen(table: Table, name: 'keys' | 'lanes'): string[] {
  const seen = seenSoFar();
  const rows = [...seen[name]].map((text) => {
    const rows = rowsOf(table, text, seen.policyIds);
    expect(rows, text).toHaveLength(1);
    return rows[0] ?? '';
  });
  return [...new Set(rows)].sort();
}

describe('revision keys and lanes at work', () => {
  it('come from the table in a whole scenario', async () => {
    const world = await openScenarioWorld(json('../../../examples/test-a-policy/sunlight.policy.json') as object);
    const report = await runScenario(json('../../../test/scenarios/own/sunlight.json'), world);
    await world.close();
    expect(report.failures).toEqual([]);
    expect(rowsSeen(revisionKeys, 'keys')).toEqual(['definition', 'policies', 'policy', 'tools']);
    expect(rowsSeen(lanes, 'lanes')).toEqual(['policies', 'policy']);
  });

  it('come from the table in the life of a policy', async () => {
    const clock = new SimulatedClock();
    const [ledger, keys] = [new MemoryLedger(), new SeededKeys(new Uint8Array(32).fill(1))];
    const engine = createEngine({ clock, ids: new SequentialIds(), keys, ledger });
    const config = { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'], children: [] };
    const { policy: draft } = await engine.importPolicy(owner.south, { name: 'Life', config });
    await engine.lifecycle.dryRun(owner.south, draft.id);
    await engine.lifecycle.draft(owner.south, draft.id);
    await engine.lifecycle.publish(owner.south, draft.id, '1.0.0');
    await engine.lifecycle.discontinue(owner.south, draft.id, new Date(clock.now() + 1000).toISOString());
    clock.advance(2000);
    await engine.program.schedule.runDue();
    expect((await engine.getPolicy(owner.south, draft.id)).status).toBe('DISCONTINUED');
    await soon(() => expect(ledger.settled).not.toEqual([]));
    await engine.close();
    expect(rowsSeen(revisionKeys, 'keys')).toEqual(['definition', 'policies', 'policy', 'settlements']);
    expect(rowsSeen(lanes, 'lanes')).toEqual(['policies', 'policy']);
  });

  it('come from the table when somebody reads their notifications', async () => {
    const engine = createEngine();
    await engine.notifications.markAllRead(owner.south);
    await engine.close();
    expect(rowsSeen(revisionKeys, 'keys')).toEqual(['notifications']);
    expect(rowsSeen(lanes, 'lanes')).toEqual(['notifications']);
  });

  it('come from the table when somebody registers a key', async () => {
    const engine = createEngine();
    const device = await keyHolder('device', new SimulatedClock());
    await engine.identities.register(owner.south, { registration: await device.registration(owner.south.did) });
    await engine.close();
    expect(rowsSeen(revisionKeys, 'keys')).toEqual(['identityKey', 'identityKeys']);
    expect(rowsSeen(lanes, 'lanes')).toEqual(['identityKeys']);
  });

  it('come from the table when a tool is imported', async () => {
    const engine = createEngine();
    await engine.tools.import(owner.south, toolFile(tool('Tool')), { messageId: '1.000000001', hash: 'h' });
    await engine.close();
    expect(rowsSeen(revisionKeys, 'keys')).toEqual(['tools']);
    expect(rowsSeen(lanes, 'lanes')).toEqual(['tools']);
  });

  it('come from the table when a peer announces something', async () => {
    const world = await openWorld({ north: { streams: { news: ['south'] } }, south: { streams: { news: ['north'] } } });
    const { policy: herald } = await world.north.engine.importPolicy(owner.north, {
      ...policy,
      id: 'news',
      name: 'News',
    });
    await world.north.engine.lifecycle.publish(owner.north, herald.id, '1.0.0');
    await world.north.engine.sendToBlock(ana, herald.id, { tag: 'ballot' }, { vote: 'announced' });
    await soon(async () => expect(await world.south.store.count('stream-event', 'instance')).toBe(1));
    await world.close();
    expect(rowsSeen(revisionKeys, 'keys')).toContain('stream');
    expect(rowsSeen(lanes, 'lanes')).toContain('stream');
  });

  it('come from the table in requests of every kind, whatever becomes of them', async () => {
    const sign = {
      sign: (credential: object) => Promise.resolve({ ...credential, proof: {} }),
      verify: () => Promise.resolve(true),
    };
    const world = await openWorld({ south: { sign } });
    await world.north.engine.importPolicy(owner.north, { ...policy, id: 'notes', name: 'Notes' });
    await world.north.engine.lifecycle.publish(owner.north, 'notes', '1.0.0');
    await everyKindOfRequest(world);
    await world.close();
    const elsewhere = [
      'settlements',
      'tools',
      'stream',
      'refusals',
      'revokedTokens',
      'notifications',
      'webhooks',
      'identityKeys',
      'identityKey',
    ];
    const namesOf = (table: Table) => Object.keys(table).filter((name) => !elsewhere.includes(name));
    expect(rowsSeen(revisionKeys, 'keys')).toEqual(namesOf(revisionKeys).sort());
    expect(rowsSeen(lanes, 'lanes')).toEqual(namesOf(lanes).sort());
  });
});

async function everyKindOfRequest(world: World): Promise<void> {
  const { north, south } = world;
  const requests = north.engine.requests;
  await north.engine.program.requests.peers.distrust('west');
  const resume = { policyId: 'notes', tag: 'notebook', user: { did: ana.did } };
  const record = await south.store.get('policy', 'instance', policy.id);
  if (record === undefined) throw new Error('The policy is not stored.');
  const sign = { type: 'sign', signer: owner.south.did, credential: { id: 'urn:1' }, policy: record } as const;
  const sent = await Promise.all([
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
    expect(rows).toHaveLength(sent.length);
    return sent.map(({ startMessageId }) => rows.find((row) => row.startMessageId === startMessageId)?.id ?? '');
  });
  for (const id of incoming.slice(0, 4)) await south.engine.requests.approveAsOffered(owner.south, id);
  await south.engine.requests.reject(owner.south, incoming[4] ?? '');
  await requests.cancel(ana, sent[5].id);
  await soon(async () => expect(await statusOf(north, sent[5].id)).toBe('CANCELED'));
  world.pass(61_000);
  const statuses = ['COMPLETED', 'COMPLETED', 'COMPLETED', 'COMPLETED', 'REJECTED', 'CANCELED', 'EXPIRED'];
  await soon(async () => expect(await Promise.all(sent.map(({ id }) => statusOf(north, id)))).toEqual(statuses));
}

const statusOf = async ({ store }: World['north'], id: string): Promise<string | undefined> =>
  (await store.get('request', 'instance', id))?.status;
