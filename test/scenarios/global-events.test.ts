/** Events that one policy announces and another takes in: within an instance, and from one instance to another. */
import { standardBlocks } from '@blockwork/blocks';
import { createEngine, MemoryLink, MemoryLinkHub, MemoryStore, newInstanceKey } from '@blockwork/core';
import type { Caller, EngineOptions, Json, PolicyEngine } from '@blockwork/core';
import { INSTANCE } from '@blockwork/core/records';
import { SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const policy = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`own/${name}.policy.json`, import.meta.url), 'utf8'));

const STREAM = 'river-levels';
const HALF_AN_HOUR = 30 * 60_000;
const keys = { north: newInstanceKey(), south: newInstanceKey() };
type Name = keyof typeof keys;

/** Keepers live in the north, wardens in the south. */
const person = (name: Name, who: string): Caller => ({ did: `did:${name}:${who}`, username: who, role: 'USER' });
const registry = (name: Name): Caller => ({ did: `did:${name}:registry`, role: 'STANDARD_REGISTRY' });

interface Side {
  readonly engine: PolicyEngine;
  readonly store: MemoryStore;
}

interface Place {
  readonly engine: PolicyEngine;
  readonly policyId: string;
  readonly people: Caller;
}

const opened: PolicyEngine[] = [];
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close();
});

let clock: SimulatedClock;
let timers: SimulatedTimers;
let hub: MemoryLinkHub;
beforeEach(() => {
  clock = new SimulatedClock();
  timers = new SimulatedTimers(clock);
  hub = new MemoryLinkHub({ clock });
});

function side(name: Name, peer: Name, options: Partial<EngineOptions>): Side {
  const store = new MemoryStore();
  const engine = createEngine({
    ...{ store, clock, timers, blocks: standardBlocks() },
    link: new MemoryLink({ hub, timers }),
    instance: { id: name, key: keys[name].privateKey },
    peers: [{ id: peer, key: keys[peer].publicKey, identities: [`did:${peer}:*`] }],
    streams: { [STREAM]: [peer] },
    ...options,
  });
  opened.push(engine);
  return { engine, store };
}

async function started(engine: PolicyEngine, name: Name, file: string, role: string, isTrial = false): Promise<Place> {
  const owner = registry(name);
  const { policy: imported, findings } = await engine.importPolicy(owner, policy(file));
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (isTrial) await engine.lifecycle.dryRun(owner, imported.id);
  else await engine.lifecycle.publish(owner, imported.id, '1.0.0');
  const people = person(name, role.toLowerCase());
  await engine.sendToBlock(people, imported.id, { tag: 'choose_role' }, { role });
  return { engine, policyId: imported.id, people };
}

const measure = ({ engine, policyId, people }: Place, place: string, level = 3): Promise<unknown> =>
  engine.sendToBlock(people, policyId, { tag: 'measure' }, { document: { place, level }, ref: null });
const listen = ({ engine, policyId, people }: Place): Promise<unknown> =>
  engine.sendToBlock(people, policyId, { tag: 'listen' }, { operation: 'Next' });

async function heard({ engine, policyId, people }: Place): Promise<unknown[]> {
  const { data } = await engine.readBlock<{ data: { document: { credentialSubject: { place: string }[] } }[] }>(
    people,
    policyId,
    { tag: 'levels' },
  );
  return data.map(({ document }) => document.credentialSubject[0]?.place).sort();
}

const patient = { timeout: 60_000, interval: 2 };
const arrived = ({ store }: Side, count: number): Promise<void> =>
  vi.waitFor(async () => expect(await store.count('stream-event', INSTANCE)).toBe(count), patient);
const refused = async ({ engine }: Side, name: Name) => (await engine.requests.getRefusalReport(registry(name))).counts;

describe('a policy that listens to another one of its owner', () => {
  it('takes in what was announced, once, and on its own every half hour', async () => {
    const { engine } = side('north', 'south', { streams: {} });
    const river = await started(engine, 'north', 'river', 'Keeper');
    const flood = await started(engine, 'north', 'flood', 'Warden');
    await measure(river, 'bridge');
    await listen(flood);
    await listen(flood);
    expect(await heard(flood)).toEqual(['bridge']);
    await measure(river, 'mill');
    timers.advance(HALF_AN_HOUR);
    await vi.waitFor(async () => expect(await heard(flood)).toEqual(['bridge', 'mill']), patient);
  });

  it('hears nothing of a trial once it is published, though another trial does', async () => {
    const { engine } = side('north', 'south', {});
    const river = await started(engine, 'north', 'river', 'Keeper', true);
    const [published, trial] = [
      await started(engine, 'north', 'flood', 'Warden'),
      await started(engine, 'north', 'flood', 'Warden', true),
    ];
    await measure(river, 'bridge');
    for (const flood of [published, trial]) await listen(flood);
    expect([await heard(published), await heard(trial)]).toEqual([[], ['bridge']]);
  });
});

describe('a policy that listens to a policy of another instance', () => {
  it('takes in what was announced there, once, whoever has signed it there', async () => {
    const [north, south] = [side('north', 'south', {}), side('south', 'north', {})];
    const river = await started(north.engine, 'north', 'river', 'Keeper');
    const flood = await started(south.engine, 'south', 'flood', 'Warden');
    await measure(river, 'bridge');
    await measure(river, 'mill');
    await arrived(south, 2);
    await listen(flood);
    await listen(flood);
    expect(await heard(flood)).toEqual(['bridge', 'mill']);
    const [event] = await south.store.find('document', flood.policyId, {
      where: { path: 'type', op: 'eq', value: 'heard' },
    });
    expect(event).toMatchObject({ owner: flood.people.did, document: { issuer: river.people.did } });
  });

  it('takes an event in once, though somebody on the link sends its message again', async () => {
    const [north, south] = [side('north', 'south', {}), side('south', 'north', {})];
    const ear = new MemoryLink({ hub, timers });
    const bodies: Json[] = [];
    const overhear = ({ body }: { body: Json }) => Promise.resolve(void bodies.push(body));
    await ear.subscribe('instance/south', overhear, 'start');
    await measure(await started(north.engine, 'north', 'river', 'Keeper'), 'bridge');
    const flood = await started(south.engine, 'south', 'flood', 'Warden');
    await arrived(south, 1);
    await listen(flood);
    await vi.waitFor(() => expect(bodies).toHaveLength(1), patient);
    await ear.publish('instance/south', bodies[0] ?? null, 'again');
    await vi.waitFor(async () => expect((await refused(south, 'south')).replayed).toBe(1), patient);
    await listen(flood);
    expect(await heard(flood)).toEqual(['bridge']);
    await ear.close();
  });

  it('hears nothing that this schema does not allow, and says how much it set aside', async () => {
    const [north, south] = [side('north', 'south', {}), side('south', 'north', {})];
    const river = await started(north.engine, 'north', 'river', 'Keeper');
    const flood = await started(south.engine, 'south', 'flood', 'Warden');
    await measure(river, 'bridge', -1);
    await arrived(south, 1);
    await listen(flood);
    expect(await heard(flood)).toEqual([]);
    const { engine, people, policyId } = flood;
    expect(await engine.readBlock(people, policyId, { tag: 'listen' })).toMatchObject({
      streams: [{ taken: 0, setAside: 1 }],
    });
  });

  it('is sent nothing where the other side does not share the stream, nor by a trial', async () => {
    const [north, south] = [side('north', 'south', { streams: {} }), side('south', 'north', {})];
    const river = await started(north.engine, 'north', 'river', 'Keeper');
    await measure(river, 'bridge');
    expect(await north.store.count('outbox', INSTANCE)).toBe(0);
    const open = side('north', 'south', {});
    await measure(await started(open.engine, 'north', 'river', 'Keeper', true), 'bridge');
    expect(await open.store.count('outbox', INSTANCE)).toBe(0);
    expect(await south.store.count('stream-event', INSTANCE)).toBe(0);
  });

  it('believes no event of a stream that is not shared here, nor of people who live elsewhere', async () => {
    const [north, closed] = [side('north', 'south', {}), side('south', 'north', { streams: {} })];
    await measure(await started(north.engine, 'north', 'river', 'Keeper'), 'bridge');
    await vi.waitFor(async () => expect((await refused(closed, 'south')).unexpected).toBe(1), patient);
    await closed.engine.close();
    const peers = [{ id: 'north', key: keys.north.publicKey, identities: ['did:north:somebody-else'] }];
    const wary = side('south', 'north', { peers });
    await vi.waitFor(
      async () => expect((await refused(wary, 'south'))['foreign-identity']).toBeGreaterThan(0),
      patient,
    );
    expect(await wary.store.count('stream-event', INSTANCE)).toBe(0);
  });

  it('keeps the newest events of a peer within the limit', async () => {
    const [north, south] = [side('north', 'south', {}), side('south', 'north', { limits: { streamEvents: 2 } })];
    const river = await started(north.engine, 'north', 'river', 'Keeper');
    const flood = await started(south.engine, 'south', 'flood', 'Warden');
    for (const place of ['bridge', 'mill', 'lock']) {
      timers.advance(1000);
      await measure(river, place);
      await north.engine.program.requests.idle();
      expect(await north.store.count('outbox', INSTANCE)).toBe(0);
    }
    await vi.waitFor(async () => {
      const events = await south.store.find('stream-event', INSTANCE);
      expect(events.map(({ document }) => JSON.stringify(document)).join()).toContain('lock');
    }, patient);
    await listen(flood);
    expect(await heard(flood)).toEqual(['lock', 'mill']);
  });
});
