/** Witnesses of logs on the fake network: a store that is restored from an older backup is noticed at once. */
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine, SeededKeys, silentLogger, type Inspection, type PolicyEngine } from '@blockwork/core';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { SimulatedTimers } from '@blockwork/testing';
import { storyOf, verifyBundle } from '@blockwork/verify';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { temporaryFolders } from '../../../test/support/folders.js';
import { startBench, type Bench } from './support/bench.js';

const registry = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };
const MINUTES = 60;
/** And a little. */
const HOUR = 61 * 60_000;

const newFolder = temporaryFolders();
let bench: Bench;
let folder = '';
let policyId = '';
let running: PolicyEngine | undefined;
let seen: Inspection[] = [];
let timers: SimulatedTimers;

beforeEach(async () => {
  bench = startBench();
  folder = join(await newFolder(), 'store');
  policyId = '';
});
afterEach(() => running?.close());

async function start(seed = 9): Promise<PolicyEngine> {
  const store = await openLowdbStore({ folder });
  const { clock } = bench;
  timers = new SimulatedTimers(clock);
  seen = [];
  running = createEngine({
    store,
    ledger: bench.open(undefined, { store }),
    keys: new SeededKeys(new Uint8Array(32).fill(seed)),
    clock,
    timers,
    logger: silentLogger,
    witnessMinutes: MINUTES,
    inspector: (inspection) => seen.push(inspection),
  });
  if (policyId !== '') return running;
  const config = { blockType: 'interfaceContainerBlock', permissions: ['ANY_ROLE'] };
  policyId = (await running.importPolicy(registry, { name: 'Work', config })).policy.id;
  await running.lifecycle.publish(registry, policyId, '1.0.0');
  await sent(1);
  return running;
}

async function stop(): Promise<void> {
  await running?.close();
  running = undefined;
}

const work = async (engine: PolicyEngine, times: number): Promise<void> => {
  const document = { type: ['VerifiableCredential'] };
  for (let at = 0; at < times; at += 1)
    await engine.program.documents.add(policyId, [{ owner: registry.did, document }]);
};

const checkpoints = (): { text: string; note: string; size: number }[] =>
  [...bench.ledger.topics.values()].flatMap(({ messages }) =>
    messages.flatMap(({ text }) => {
      const { type, note = '' } = JSON.parse(text) as { type: string; note?: string };
      return type === 'Blockwork-Checkpoint' ? [{ text, note, size: Number(note.split('\n')[1]) }] : [];
    }),
  );

/** Waits until so many checkpoints are on the ledger; what a jump of time interrupted is tried again. */
async function sent(count: number): Promise<void> {
  const poll = (): void => {
    timers.advance(5_000);
    expect(checkpoints()).toHaveLength(count);
  };
  await vi.waitFor(poll, { timeout: 60_000 });
  await running?.program.ledger.idle();
}

/** The next witness is due, and is on the ledger. */
async function witnessed(): Promise<void> {
  const count = checkpoints().length + 1;
  timers.advance(HOUR);
  await sent(count);
}

const told = async (type: Inspection['type']): Promise<void> => {
  await vi.waitFor(() => expect(seen.map((each) => each.type)).toContain(type), { timeout: 60_000 });
};

it('the checkpoint of a log that grew is sent in one small message, and of one that did not, none', async () => {
  const engine = await start();
  const [first] = checkpoints();
  expect(Buffer.byteLength(first!.text)).toBeLessThan(1024);
  const { note } = await engine.journalLog.checkpoint(registry, policyId);
  expect(note.split('\n')[0]).toBe(first!.note.split('\n')[0]);
  for (let hour = 0; hour < 3; hour += 1) {
    timers.advance(HOUR);
    await engine.program.ledger.idle();
  }
  expect(checkpoints()).toHaveLength(1);
  await work(engine, 3);
  await witnessed();
  expect(checkpoints()[1]!.size).toBe(first!.size + 4);
  const { items } = await engine.journal.list(registry, policyId);
  expect(items.filter(({ cause }) => cause.type === 'witness')).toHaveLength(2);
  expect(await engine.program.getReadiness()).toMatchObject({ isReady: true, stuck: [] });
});

it('a store that is restored from an older backup is noticed at the start, told with what to do, and witnessed no more', async () => {
  let engine = await start();
  await work(engine, 3);
  await witnessed();
  await stop();
  const [backup, newest] = [`${folder}-backup`, `${folder}-newest`];
  await cp(folder, backup, { recursive: true });
  engine = await start();
  await work(engine, 4);
  await witnessed();
  await stop();
  await cp(folder, newest, { recursive: true });

  const restore = async (from: string): Promise<PolicyEngine> => {
    await stop();
    await rm(folder, { recursive: true });
    await cp(from, folder, { recursive: true });
    return start();
  };
  engine = await restore(backup);
  await told('log.contradicted');
  const isStuck = async (): Promise<void> => {
    const { isReady, stuck } = await engine.program.getReadiness();
    expect({ isReady, stuck }).toMatchObject({ isReady: true, stuck: [{ work: 'witness', id: policyId }] });
    expect(stuck[0]?.reason).toMatch(/witnessed in the message .*older backup.*Stop the server and restore/);
  };
  await isStuck();
  expect((await engine.ledger.compare(registry, policyId)).differences).toContainEqual(
    expect.objectContaining({ kind: 'log', remedy: expect.stringContaining('restore the newest backup') as unknown }),
  );
  // It grows beyond the witness, and is another log all the same.
  await work(engine, 12);
  seen = [];
  timers.advance(HOUR);
  await told('log.contradicted');
  await isStuck();
  expect(checkpoints()).toHaveLength(3);

  engine = await restore(newest);
  await work(engine, 1);
  await witnessed();
  expect(await engine.program.getReadiness()).toMatchObject({ stuck: [] });
  expect((await engine.ledger.compare(registry, policyId)).differences.map(({ kind }) => kind)).not.toContain('log');
});

it('keys from another seed are told as such, and not as an older store', async () => {
  await start();
  await stop();
  let engine = await start(8);
  await told('log.key-replaced');
  expect(seen.map(({ type }) => type)).not.toContain('log.contradicted');
  const { stuck } = await engine.program.getReadiness();
  expect(stuck).toMatchObject([{ work: 'witness', id: policyId }]);
  const remedy = /Start the server with the seed that the store was filled with/;
  expect(stuck[0]?.reason).toMatch(remedy);
  const { differences } = await engine.ledger.compare(registry, policyId);
  expect(differences).toContainEqual(
    expect.objectContaining({ kind: 'log', remedy: expect.stringMatching(remedy) as unknown }),
  );
  await stop();
  engine = await start();
  await work(engine, 1);
  await witnessed();
  expect((await engine.program.getReadiness()).stuck).toEqual([]);
});

it('a mirror that is away is told as such, and the witness comes when it is back', async () => {
  const engine = await start();
  await work(engine, 1);
  await witnessed();
  await work(engine, 1);
  const { nextFault } = bench.network;
  bench.network.nextFault = (kind) => (kind === 'mirror' ? 'lost' : 'none');
  timers.advance(HOUR);
  await vi.waitFor(
    async () => expect((await engine.program.getReadiness()).stuck).toMatchObject([{ work: 'witness' }]),
    { timeout: 60_000 },
  );
  expect(seen.map(({ type }) => type)).not.toContain('log.contradicted');
  bench.network.nextFault = nextFault;
  await witnessed();
  await vi.waitFor(async () => expect((await engine.program.getReadiness()).stuck).toEqual([]));
});

it('a bundle proves that its log continues the newest witness, and names the message', async () => {
  const engine = await start();
  await work(engine, 3);
  await witnessed();
  await work(engine, 2);
  const [first] = (await engine.documents.list(registry, policyId)).items;
  const bundle = await engine.documents.bundle(registry, policyId, first!.id);
  const { note, size } = checkpoints().at(-1)!;
  expect(bundle.log?.earlier).toMatchObject([{ size, messageId: expect.stringMatching(/^\d+\.\d{9}$/) as unknown }]);
  const report = await verifyBundle(bundle, { since: note });
  expect(report.wrong.filter(({ topic }) => topic === 'log')).toEqual([]);
  expect(storyOf(report)).toContain(`That the ledger's message ${bundle.log?.earlier?.[0]?.messageId ?? ''}`);
});
