/** History records stay in files: only their ids are in memory. */
import { SimulatedDisk } from '@blockwork/testing';
import type { JournalEntry } from '@blockwork/core/records';
import { describe, expect, it } from 'vitest';
import { exportStore, openLowdbStore, readJournal, verifyStore, type LowdbStore } from '../src/index.js';

const entry = (n: number): JournalEntry => ({
  id: String(n).padStart(12, '0'),
  at: '2026-01-01T00:00:00.000Z',
  cause: { type: 'send', tag: 'form', did: 'did:example:alice', group: null },
  events: [],
  documents: { added: [`document-${n}`], changed: [], removed: [] },
  effects: [],
  warnings: [],
});

const open = (fileSystem: SimulatedDisk): Promise<LowdbStore> =>
  openLowdbStore({ folder: '/store', fileSystem, partBytes: 2000 });
const append = async (store: LowdbStore, from: number, to: number): Promise<void> => {
  for (let n = from; n <= to; n += 1) {
    await store.commit({ expect: {}, changes: [{ op: 'put', kind: 'journal', partition: 'p', value: entry(n) }] });
  }
};
const partsOf = (disk: SimulatedDisk): string[] =>
  disk.paths.filter((path) => path.includes('.journal.') && !path.includes('quarantine')).sort();
const upTo = (count: number): JournalEntry[] => Array.from({ length: count }, (_, n) => entry(n + 1));

describe('history in the file store', () => {
  it('is read from its files once a checkpoint has written it', async () => {
    const disk = new SimulatedDisk();
    const store = await open(disk);
    await append(store, 1, 40);
    await store.checkpoint();
    const [first = ''] = partsOf(disk);
    disk.put(first, Buffer.from((await disk.read(first))!.toString().replace('document-1"', 'document-X"')));
    await expect(store.find('journal', 'p', { limit: 1 })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining(first) as string,
    });
    const last = await store.find('journal', 'p', { offset: 39 });
    expect(last).toEqual([entry(40)]);
    await store.close();
  });

  it('answers while checkpoints replace the files under a read', async () => {
    const disk = new SimulatedDisk();
    const store = await open(disk);
    for (let round = 1; round <= 10; round += 1) {
      await append(store, round * 10 - 9, round * 10);
      const [entries] = await Promise.all([store.find('journal', 'p'), store.checkpoint()]);
      expect(entries).toEqual(upTo(round * 10));
    }
    await store.close();
  });

  it('seals a full part, whose file later checkpoints leave alone', async () => {
    const disk = new SimulatedDisk();
    const store = await open(disk);
    await append(store, 1, 40);
    await store.checkpoint();
    const before = partsOf(disk);
    expect(before.length).toBeGreaterThan(2);
    await append(store, 41, 42);
    await store.checkpoint();
    expect(partsOf(disk)).toEqual(expect.arrayContaining(before.slice(0, -1)));
    await store.close();
  });

  it('survives merging its files while it is written', async () => {
    const disk = new SimulatedDisk();
    const store = await open(disk);
    await append(store, 1, 60);
    await store.checkpoint();
    const removed = upTo(60).filter((_, at) => at % 3 !== 0);
    await store.commit({
      expect: {},
      changes: removed.map(({ id }) => ({ op: 'delete', kind: 'journal', partition: 'p', id })),
    });
    await Promise.all([store.checkpoint(), store.compact(), append(store, 61, 64), store.compact()]);
    const entriesLeft = [...upTo(60).filter((_, at) => at % 3 === 0), ...upTo(64).slice(60)];
    expect(await store.find('journal', 'p')).toEqual(entriesLeft);
    await store.close();
    const again = await open(disk);
    expect(await again.find('journal', 'p')).toEqual(entriesLeft);
    await again.close();
  });

  it('is verified and exported by the tools like other records', async () => {
    const disk = new SimulatedDisk();
    const store = await open(disk);
    await append(store, 1, 40);
    await store.close();
    expect(await verifyStore({ folder: '/store', fileSystem: disk })).toMatchObject({ records: 40, damage: [] });
    const lines: string[] = [];
    await exportStore({ folder: '/store', fileSystem: disk, write: async (text) => void lines.push(text) });
    const exported = lines
      .join('')
      .split('\n')
      .filter((line) => line.includes('"kind":"journal"'));
    expect(exported.map((line) => (JSON.parse(line) as { value: unknown }).value)).toEqual(upTo(40));
  });

  it('is read by a tool together with the archive', async () => {
    const disk = new SimulatedDisk();
    const store = await open(disk);
    await append(store, 4, 8);
    const value = { id: entry(1).id, through: entry(3).id, entries: upTo(3) };
    await store.commit({ expect: {}, changes: [{ op: 'put', kind: 'journal-archive', partition: 'p', value }] });
    await store.close();
    const lines: string[] = [];
    const write = async (text: string): Promise<void> => void lines.push(text);
    expect(await readJournal({ folder: '/store', fileSystem: disk, policyId: 'p', write })).toBe(8);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(upTo(8));
  });

  it('reports a damaged file at opening, and serves everything else', async () => {
    const disk = new SimulatedDisk();
    const store = await open(disk);
    await append(store, 1, 40);
    await store.close();
    const [first = ''] = partsOf(disk);
    disk.put(first, Buffer.from('gone'));
    const again = await open(disk);
    expect(again.report.damage).toMatchObject([{ table: { partition: 'p', kind: 'journal' } }]);
    await expect(again.find('journal', 'p', { offset: 30 })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await again.find('document', 'p')).toEqual([]);
    await again.close();
  });
});
