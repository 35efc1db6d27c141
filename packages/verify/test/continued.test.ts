/** Bundles that prove that the log of the journal continues what somebody kept of it, and entries that are archived. */
import { MemoryStore, SeededKeys, type ProofBundle } from '@blockwork/core';
import { verifyBundle } from '@blockwork/verify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { provenMint, registry, type Proven } from '../../../test/support/proven-mint.js';
import { changedAt, drawn, leavesOf, resealed, type Json } from './support/mutations.js';

let proven: Proven;
const notes: string[] = [];
let present = 0;
let documentId = '';
beforeAll(async () => {
  proven = await provenMint();
  const { engine, policyId } = proven;
  documentId = proven.report.about.documentId;
  const keep = async (): Promise<void> => {
    const { note, size } = await engine.journalLog.checkpoint(registry, policyId);
    notes.push(note);
    present = size;
  };
  await keep();
  for (let more = 0; more < 3; more += 1) {
    const content = { type: ['VerifiableCredential'] };
    await engine.program.documents.add(policyId, [{ owner: registry.did, document: content }]);
    await keep();
  }
});
afterAll(() => proven.engine.close());

const bundled = (since?: number): Promise<ProofBundle> =>
  proven.engine.documents.bundle(registry, proven.policyId, documentId, { since });
const wrongIn = async (bundle: unknown, since?: string): Promise<string[]> => {
  const { wrong } = await verifyBundle(bundle, since === undefined ? {} : { since });
  return wrong.map(({ message }) => message);
};
const sizeOf = (note: string): number => Number(note.split('\n')[1]);

describe('a bundle and a checkpoint that somebody kept', () => {
  it('the log is proven to continue each of them', async () => {
    expect(new Set(notes.map(sizeOf)).size).toBe(4);
    for (const note of notes) expect(await wrongIn(await bundled(sizeOf(note)), note)).toEqual([]);
    expect(await wrongIn(await bundled(), notes.at(-1))).toEqual([]);
  });

  it('without a proof, with an older bundle or with another log, it is said what to ask for', async () => {
    const first = `${String(sizeOf(notes[0]!))} entries`;
    const none = `the bundle does not prove that its log continues the one with ${first}`;
    expect(await wrongIn(await bundled(), notes[0])).toEqual([`${none}; ask for one "since" ${first.split(' ')[0]!}`]);
    expect(await wrongIn(proven.report, notes[0])).toEqual([]);
    expect((await wrongIn(proven.report, notes[1])).join()).toContain('it is older: ask for a new one');
    expect(await wrongIn(await bundled(), 'nothing')).toEqual(['the earlier checkpoint cannot be read']);
    const other = await provenMint(undefined, { keys: new SeededKeys(new Uint8Array(32).fill(5)) });
    const { note } = await other.engine.journalLog.checkpoint(registry, other.policyId);
    const foreign = await wrongIn(await bundled(), note);
    expect(foreign.some((message) => message.startsWith('the earlier checkpoint'))).toBe(true);
    await other.engine.close();
  });

  it('none of the values of the proof can be another, with or without the seal', async () => {
    const random = drawn(11);
    const bundle = JSON.parse(JSON.stringify(await bundled(sizeOf(notes[0]!)))) as Json;
    const places = leavesOf(bundle).filter(([part, name]) => part === 'log' && name === 'earlier');
    expect(places.length).toBeGreaterThan(2);
    for (const place of places)
      expect(await wrongIn(resealed(changedAt(bundle, place, random))), place.join('/')).not.toEqual([]);
  });

  it('one that the log has never reached is refused, and so is none', async () => {
    await expect(bundled(present + 1)).rejects.toMatchObject({ code: 'LOG_SHORTER' });
    await expect(bundled(0)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });
});

describe('a document whose entry is archived', () => {
  it('is proven to have entered the journal as before', async () => {
    const store = new MemoryStore();
    const { engine, policyId, report } = await provenMint(undefined, { store, limits: { journalEntries: 3 } });
    await vi.waitFor(async () => {
      const left = await store.find('journal', policyId);
      expect(left.some(({ documents }) => documents.added.includes(report.about.documentId))).toBe(false);
    });
    expect(await store.count('journal-archive', policyId)).toBeGreaterThan(0);
    const bundle = await engine.documents.bundle(registry, policyId, report.about.documentId);
    expect(bundle.log?.entries.flatMap(({ documents }) => documents.added)).toEqual(
      expect.arrayContaining(bundle.documents.map(({ id }) => id)),
    );
    const { ok, unchecked } = await verifyBundle(bundle);
    expect({ ok, told: unchecked.filter(({ message }) => message.includes('their entries are not')) }).toEqual({
      ok: true,
      told: [],
    });
    await engine.close();
  });
});
