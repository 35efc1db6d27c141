/** Archived entries are found by the time of the documents that they added, in a bounded number of archives. */
import { expect, it } from 'vitest';
import { MemoryStore } from '../../../memory/store/memory-store.js';
import type { JournalEntry } from '../../../records/index.js';
import { archivedEntries } from './archived-entries.js';

const idOf = (at: number): string => String(at).padStart(12, '0');
const timeOf = (at: number): string => new Date(Date.UTC(2026, 0, 1) + at * 1_000).toISOString();
const entryOf = (at: number): JournalEntry => ({
  id: idOf(at),
  at: timeOf(at),
  cause: { type: 'importer' },
  events: [],
  documents: { added: [`document-${String(at)}`], changed: [], removed: [] },
  effects: [],
  warnings: [],
});

/** Archives of four entries each. */
async function archived(entries: number): Promise<MemoryStore> {
  const store = new MemoryStore();
  for (let at = 0; at < entries; at += 4) {
    const own = [0, 1, 2, 3].map((more) => entryOf(at + more));
    const value = { id: idOf(at), through: idOf(at + 3), entries: own };
    await store.commit({ expect: {}, changes: [{ op: 'put', kind: 'journal-archive', partition: 'p', value }] });
  }
  return store;
}

const documentsAt = (...places: number[]) =>
  places.map((at) => ({ id: `document-${String(at)}`, createDate: timeOf(at) }));
const idsOf = async (store: MemoryStore, documents: { id: string; createDate: string }[]): Promise<string[]> =>
  (await archivedEntries(store, 'p', documents)).map(({ id }) => id);

it('finds each entry, in the order of the journal', async () => {
  const store = await archived(400);
  for (let at = 0; at < 400; at += 7) expect(await idsOf(store, documentsAt(at))).toEqual([idOf(at)]);
  expect(await idsOf(store, documentsAt(399, 0, 200))).toEqual([0, 200, 399].map(idOf));
});

it('finds an entry whose node had a clock of its own, and none for a document that no entry added', async () => {
  const store = await archived(80);
  expect(await idsOf(store, [{ id: 'document-40', createDate: timeOf(44) }])).toEqual([idOf(40)]);
  expect(await idsOf(store, [{ id: 'document-40', createDate: timeOf(36) }])).toEqual([idOf(40)]);
  expect(await idsOf(store, [{ id: 'other', createDate: timeOf(40) }])).toEqual([]);
  expect(await idsOf(new MemoryStore(), documentsAt(1))).toEqual([]);
});

/** Tells how many archives were read, and the places of the entries that were found. */
async function readFor(store: MemoryStore, documents: ReturnType<typeof documentsAt>) {
  const places: (number | undefined)[] = [];
  const observed = {
    count: store.count.bind(store),
    find: ((kind, partition, query) => {
      places.push(query?.offset);
      return store.find(kind, partition, query);
    }) as MemoryStore['find'],
  };
  const found = (await archivedEntries(observed as never, 'p', documents)).map(({ id }) => Number(id));
  return { reads: places.length, repeated: places.length - new Set(places).size, found };
}

it('reads no archive twice, and for one document only those that a search needs', async () => {
  const store = await archived(4_000);
  const { reads, found } = await readFor(store, documentsAt(2_001));
  expect([reads <= 11, found]).toEqual([true, [2_001]]);
  const sought = Array.from({ length: 40 }, (_, at) => 1_000 + at * 3);
  expect(await readFor(store, documentsAt(...sought))).toMatchObject({ repeated: 0, found: sought });
});

it('reads no more archives than a bundle may, and finds what is in those', async () => {
  const store = await archived(4_000);
  const spread = Array.from({ length: 400 }, (_, at) => at * 10);
  const { reads, repeated, found } = await readFor(store, documentsAt(...spread));
  expect([reads, repeated]).toEqual([200, 0]);
  expect(found.length).toBeGreaterThan(100);
  expect(spread).toEqual(expect.arrayContaining(found));
});
