import {
  createEngine,
  MemoryStore,
  type Caller,
  type EngineOptions,
  type JournalEntry,
  type PolicyEngine,
} from '@blockwork/core';
import { block } from '@blockwork/testing';
import { afterEach, expect, it } from 'vitest';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const policy = {
  id: 'registry',
  name: 'Registry',
  config: block('interfaceContainerBlock', 'root', {
    children: [
      block('interfaceDocumentsSourceBlock', 'grid', {
        uiMetaData: { enableSorting: true },
        children: [
          block('documentsSourceAddon', 'source', { dataType: 'vc-documents' }),
          block('paginationAddon', 'pages'),
        ],
      }),
    ],
  }),
};

let engine: PolicyEngine;
afterEach(() => engine.close());

const open = async (limits: EngineOptions['limits'], store = new MemoryStore()): Promise<PolicyEngine> => {
  engine = createEngine({ store, ...(limits && { limits }) });
  await engine.importPolicy(owner, policy);
  return engine;
};
const documentOf = (bytes: number) => ({ owner: owner.did, document: { text: 'x'.repeat(bytes) } });
const add = (...sizes: number[]) => engine.program.documents.add('registry', sizes.map(documentOf));

it('a document has as many bytes as the limit allows, and not one more', async () => {
  await open({ documentBytes: 1000 });
  const [{ id: _, ...added } = {}] = await add(0);
  const room = 1000 - Buffer.byteLength(JSON.stringify(added)) - ',"id":""'.length - 36;
  await add(room);
  await expect(add(room + 1)).rejects.toMatchObject({
    code: 'DOCUMENT_TOO_LARGE',
    status: 413,
    facts: { policyId: 'registry', bytes: 1001, limit: 1000 },
  });
});

it('a unit of work that writes more than the limit changes nothing', async () => {
  const store = new MemoryStore();
  await open({ unitBytes: 100_000 }, store);
  await expect(add(40_000, 40_000, 40_000)).rejects.toMatchObject({ code: 'UNIT_TOO_LARGE', status: 413 });
  expect(await store.count('document', 'registry')).toBe(0);
  await add(40_000, 40_000);
  expect(await store.count('document', 'registry')).toBe(2);
});

it('a page larger than the limit ends early, and smaller pages are given whole', async () => {
  await open({ pageBytes: 100_000 });
  for (let at = 0; at < 50; at += 1) await add(9_000);
  const page = (itemsPerPage: number, more = {}) =>
    engine.readBlock(owner, 'registry', { tag: 'grid' }, { page: '0', itemsPerPage: String(itemsPerPage), ...more });
  for (const more of [{}, { sortField: 'document.text', sortDirection: 'desc' }]) {
    const { data } = (await page(20, more)) as unknown as { data: unknown[] };
    expect(data.length).toBeGreaterThan(3);
    expect(data.length).toBeLessThan(11);
    expect(await page(5, more)).toMatchObject({ totalCount: 50, data: { length: 5 } });
  }
});

it('a page of the journal has as many bytes as the limit allows, however it is looked up', async () => {
  const store = new MemoryStore();
  await open({ pageBytes: 5_000 }, store);
  const entryOf = (at: number): JournalEntry => ({
    id: `x${String(at).padStart(3, '0')}`,
    at: '2026-01-01T00:00:00.000Z',
    cause: { type: 'send', did: owner.did, group: null, tag: 'grid' },
    events: [],
    documents: { added: ['x'.repeat(900)], changed: [], removed: [] },
    effects: [],
    warnings: [],
  });
  const changes = Array.from(
    { length: 10 },
    (_, at) => ({ op: 'put', kind: 'journal', partition: 'registry', value: entryOf(at) }) as const,
  );
  await store.commit({ expect: {}, changes });
  for (const query of [{ cause: 'send' }, { tag: 'grid' }, { did: owner.did }] as const) {
    const cut = await engine.journal.list(owner, 'registry', query);
    expect([cut.items.length, cut.total]).toEqual([4, 10]);
    const page = await engine.journal.list(owner, 'registry', { ...query, offset: 8, limit: 4 });
    expect([page.items.map(({ id }) => id), page.total]).toEqual([['x008', 'x009'], 10]);
    expect((await engine.journal.list(owner, 'registry', { ...query, limit: 4 })).items).toHaveLength(4);
  }
});

it('documents that one member stored leave the grids of others readable', async () => {
  await open({ pageBytes: 100_000 });
  for (let at = 0; at < 11; at += 1) await add(8_800);
  const text = await engine.readBlockText(owner, 'registry', { tag: 'grid' }, { page: '0', itemsPerPage: '11' });
  const { data, totalCount } = JSON.parse(text) as { data: unknown[]; totalCount: number };
  expect([data.length, totalCount]).toEqual([8, 11]);
});

it('documents, and what a policy says of itself, make no list unreadable', async () => {
  await open({ pageBytes: 100_000 });
  for (let at = 0; at < 11; at += 1) await add(20_000);
  const documents = await engine.documents.list(owner, 'registry', { limit: 11 });
  expect([documents.items.length, documents.total]).toEqual([4, 11]);
  for (let at = 0; at < 4; at += 1)
    await engine.importPolicy(owner, {
      name: `Long ${at}`,
      note: 'x'.repeat(30_000),
      config: { blockType: 'interfaceContainerBlock' },
    });
  const policies = await engine.listPolicies(owner);
  expect([policies.items.length, policies.total]).toEqual([4, 5]);
});

it('a single document that exceeds a page is refused with the name of the limit', async () => {
  await open({ pageBytes: 10_000 });
  await add(9_900);
  const read = engine.readBlock(owner, 'registry', { tag: 'grid' }, { page: '0', itemsPerPage: '1' });
  await expect(read).rejects.toMatchObject({ code: 'PAGE_TOO_LARGE', status: 413 });
});

it('a page of the journal larger than the limit ends early', async () => {
  await open({ pageBytes: 2_000 });
  for (let at = 0; at < 40; at += 1) await add(1);
  const { items, total } = await engine.journal.list(owner, 'registry', { limit: 40 });
  expect(items.length).toBeGreaterThan(1);
  expect(items.length).toBeLessThan(total);
  expect(await engine.journal.list(owner, 'registry', { limit: 2 })).toMatchObject({ total: 40, items: { length: 2 } });
});
