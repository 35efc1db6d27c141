import { describe, expect, it, vi } from 'vitest';
import { MemoryStore } from '../../memory/index.js';
import type { RecordQuery } from '../../ports/index.js';
import type { DocumentRecord } from '../../records/index.js';
import { revisionKeys } from '../revision-keys.js';
import { CachedReader, cachedRecords, currentReader } from './cached-reader.js';
import { RecordCaches } from './record-caches.js';

const policyId = revisionKeys.policy.of('p');
const document = (id: string, n: number): DocumentRecord =>
  ({ id, dataType: 'vc-documents', type: 'a', option: {}, document: { n } }) as unknown as DocumentRecord;
const put = (value: DocumentRecord) => ({ op: 'put', kind: 'document', partition: 'p', value }) as const;
const where = { path: 'type', op: 'eq', value: 'a' } as const;

/** A node that keeps tables of up to `records` records as a whole. */
async function nodeThatKeeps(records: number) {
  const store = new MemoryStore();
  const caches = new RecordCaches({ keptRecordBytes: 1_000_000 }, { records, bytes: 100_000 });
  let revision = 0;
  const write = async (...values: readonly DocumentRecord[]) => {
    const changeSet = { expect: { [policyId]: revision++ }, changes: values.map(put) };
    await store.commit(changeSet);
    caches.committed(changeSet);
  };
  const page = async (query: RecordQuery = { where }) => {
    const reader = await currentReader({ store, caches, policyId });
    const documents = await reader.findShared('document', 'p', query);
    reader.confirmReads();
    return { reader, documents };
  };
  await write(...['a', 'b', 'c'].map((id) => document(id, 1)));
  return { store, caches, write, page };
}

const definitionKey = revisionKeys.definition.of('p');

/** How often the store is asked for anything. */
function callsOf(store: MemoryStore): () => number {
  const asked = (['revision', 'get', 'find', 'count'] as const).map((name) => vi.spyOn(store, name));
  return () => asked.reduce((sum, { mock }) => sum + mock.calls.length, 0);
}

describe('what is read for reading only', () => {
  it.each([
    ['of a table that is kept as a whole', 100],
    ['of one of which only answers are kept', 1],
  ])('%s is frozen, and the same objects until they are written', async (_, records) => {
    const { write, page } = await nodeThatKeeps(records);
    const { documents: first } = await page();
    expect(first.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(() => Object.assign(first[0]?.document ?? {}, { n: 9 })).toThrow(TypeError);
    const { documents: again } = await page();
    expect(again.map((each, at) => each === first[at])).toEqual([true, true, true]);
    await write({ ...document('x', 1), type: 'b' });
    expect((await page()).documents).toHaveLength(3);
  });

  it('changes where it was written, and only there', async () => {
    const { write, page } = await nodeThatKeeps(100);
    const { documents: first } = await page();
    await write(document('b', 2));
    const { documents: then } = await page();
    expect(then.map((each, at) => each === first[at])).toEqual([true, false, true]);
    expect(then[1]?.document).toEqual({ n: 2 });
  });

  it('is kept beside what was read before of a table that is too large', async () => {
    const { store, page, write } = await nodeThatKeeps(1);
    const queries: RecordQuery[] = [{ where }, { limit: 2 }, { offset: 1 }];
    const read = async (): Promise<string[][]> => {
      const pages = [];
      for (const query of queries) pages.push((await page(query)).documents.map(({ id }) => id));
      return pages;
    };
    const first = await read();
    expect(first).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b'],
      ['b', 'c'],
    ]);
    const find = vi.spyOn(store, 'find');
    expect(await read()).toEqual(first);
    expect(find.mock.calls).toEqual([]);
    await write({ ...document('x', 1), type: 'b' });
    expect(await read()).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b'],
      ['b', 'c', 'x'],
    ]);
  });

  it('may be confirmed again, with what was read meanwhile', async () => {
    const { page } = await nodeThatKeeps(1);
    const { reader } = await page();
    expect(await reader.count('document', 'p', where)).toBe(3);
    reader.confirmReads();
    expect(await reader.count('document', 'p', where)).toBe(3);
    reader.confirmReads();
  });

  it('leaves what is read otherwise to the caller', async () => {
    const { page } = await nodeThatKeeps(100);
    const { reader, documents } = await page();
    const [own] = await reader.find('document', 'p', { where });
    expect(Object.isFrozen(own)).toBe(false);
    Object.assign(own?.document ?? {}, { n: 9 });
    expect(documents[0]?.document).toEqual({ n: 1 });
  });

  it('is asked of the store where it belongs to no policy, or is too large to be kept', async () => {
    const { write, page } = await nodeThatKeeps(1);
    const { reader } = await page();
    expect(await reader.findShared('document', 'elsewhere')).toEqual([]);
    await write({ ...document('large', 1), document: { text: 'x'.repeat(300_000) } });
    const { documents } = await page();
    expect(documents.map((each) => Object.isFrozen(each))).toEqual([false, false, false, false]);
  });
});

describe('a reader of one revision', () => {
  it('asks the store for what belongs to no policy or another one, each time', async () => {
    const { store, caches } = await nodeThatKeeps(100);
    const reader = await currentReader({ store, caches, policyId });
    const calls = callsOf(store);
    for (let again = 1; again <= 2; again += 1) {
      expect(await reader.get('document', 'q', 'a')).toBeUndefined();
      expect(await reader.find('document', 'q', { where })).toEqual([]);
      expect(await reader.findShared('document', 'q', { where })).toEqual([]);
      expect(await reader.count('document', 'q', where)).toBe(0);
      expect(calls()).toBe(4 * again);
    }
    expect(await reader.count('document', 'p', where)).toBe(3);
  });

  it('does not take a store that fails for one whose table is too large', async () => {
    const { store, caches } = await nodeThatKeeps(100);
    const find = store.find.bind(store);
    store.find = () => Promise.reject(new Error('the store is away'));
    const reader = await currentReader({ store, caches, policyId });
    await expect(reader.find('document', 'p')).rejects.toThrow('away');
    store.find = find;
    expect(caches.tablesToFetch('p', 1, 'document')).toContain('document');
  });

  it('caches what is read of a table that has too many records, or too many bytes, read by read', async () => {
    for (const small of [
      { records: 2, bytes: 100_000 },
      { records: 100, bytes: 150 },
    ]) {
      const store = new MemoryStore();
      const caches = new RecordCaches({ keptRecordBytes: 1_000_000 }, small);
      const changes = ['a', 'b', 'c'].map((id) => put(document(id, 1)));
      await store.commit({ expect: { [policyId]: 0 }, changes });
      const reader = await currentReader({ store, caches, policyId });
      expect((await reader.find('document', 'p', { limit: 1 })).map(({ id }) => id)).toEqual(['a']);
      expect(caches.tablesToFetch('p', 1, 'document')).toEqual([]);
      const calls = callsOf(store);
      expect(await reader.find('document', 'p', { limit: 1 })).toHaveLength(1);
      expect(calls()).toBe(0);
    }
  });

  it('fetches a table once, however many reads wait for it', async () => {
    const { store, caches } = await nodeThatKeeps(100);
    const reader = await currentReader({ store, caches, policyId });
    const find = vi.spyOn(store, 'find');
    const reads = await Promise.all([
      reader.find('document', 'p', { where }),
      reader.get('document', 'p', 'b'),
      reader.count('document', 'p'),
      reader.get('document', 'p', 'none'),
    ]);
    expect(reads).toMatchObject([[{ id: 'a' }, { id: 'b' }, { id: 'c' }], { id: 'b' }, 3, undefined]);
    const page = { limit: 101, bytes: 100_000 };
    expect(find.mock.calls.filter(([kind]) => kind === 'document')).toEqual([['document', 'p', page]]);
  });

  it('is exact only if all that it has read came from the cache, the definition included', async () => {
    const { store, caches, page } = await nodeThatKeeps(100);
    const { reader: first } = await page();
    expect(first.isExact).toBe(false);
    const { reader: second } = await page();
    expect(second.isExact).toBe(true);
    await second.get('timer', 'instance', 'none');
    expect(second.isExact).toBe(false);
    const deps = { store, caches, policyId, revision: 1, history: undefined };
    const exact = (definition: number): boolean =>
      new CachedReader({ ...deps, revisions: new Map([[definitionKey, definition]]) }).isExact;
    expect([exact(0), exact(1), new CachedReader({ ...deps, history: 'other' }).isExact]).toEqual([true, false, false]);
  });

  it('knows the revisions that were read with its own, asks for the others, and for that of the definition once', async () => {
    const { store, caches } = await nodeThatKeeps(100);
    const deps = { store, caches, policyId, revision: 1, history: undefined };
    caches.observed(policyId, 1);
    const calls = callsOf(store);
    const reader = new CachedReader({ ...deps, revisions: new Map([['peers', 4]]) });
    expect([await reader.revision('peers'), calls()]).toEqual([4, 0]);
    expect([await reader.revision(policyId), calls()]).toEqual([1, 1]);
    expect([await reader.revision(definitionKey), await reader.revision(definitionKey), calls()]).toEqual([0, 0, 2]);
    reader.confirmReads();
    const next = new CachedReader(deps);
    expect([await next.revision(definitionKey), calls()]).toEqual([0, 2]);
    expect([reader.policyRevision, reader.history]).toEqual([1, undefined]);
  });

  it('neither uses nor fills the cache of another history', async () => {
    const history = { id: 'one', subscribe: () => () => undefined };
    const store = Object.assign(new MemoryStore(), { history });
    const caches = new RecordCaches({ keptRecordBytes: 1_000_000 }, { records: 9, bytes: 9_000 }, history);
    await store.commit({ expect: { [policyId]: 0 }, changes: [put(document('a', 1))] });
    const read = async (): Promise<CachedReader> => {
      const reader = await currentReader({ store, caches, policyId });
      await reader.find('document', 'p');
      return reader;
    };
    const first = await read();
    history.id = 'two';
    expect(caches.isOf('two')).toBe(true);
    caches.observed(policyId, 1);
    first.confirmReads();
    expect([first.isExact, caches.isOf('two'), caches.table('p', 1, 'document')]).toEqual([false, true, undefined]);
    const [find, revision] = [vi.spyOn(store, 'find'), vi.spyOn(store, 'revision')];
    await first.find('timer', 'p');
    expect(find.mock.calls).toEqual([['timer', 'p', {}]]);
    await first.revision(definitionKey);
    expect(revision).not.toHaveBeenCalled();
    expect(first.isUnwritten('send-receipt', 'p', 'new', 1)).toBe(false);
    (await read()).confirmReads();
    expect(caches.table('p', 1, 'document')).toBeDefined();
    const below = cachedRecords(caches, 'p', 'one', () => 1);
    const present = cachedRecords(caches, 'p', 'two', () => 1);
    expect([below.table('document'), below.definition(), below.isToFill('timer', {})]).toEqual([
      ...[undefined, undefined, false],
    ]);
    expect([present.table('document') === undefined, present.definition(), present.isToFill('timer', {})]).toEqual([
      ...[false, 0, true],
    ]);
    expect(cachedRecords(caches, 'p', 'two', () => undefined).table('document')).toBeUndefined();
  });

  it('keeps the query as it was asked, whatever its owner does with that', async () => {
    const { store, caches } = await nodeThatKeeps(1);
    const reader = await currentReader({ store, caches, policyId });
    const query = {
      where: { ...where } as { path: string; op: 'eq'; value: string },
      order: { path: 'id', direction: 'asc' as 'asc' | 'desc' },
      limit: 4,
    };
    const asked = { where, order: { path: 'id', direction: 'asc' }, limit: 4 } as const;
    await reader.find('document', 'p', query);
    await reader.count('document', 'p', query.where);
    await reader.get('document', 'p', '0');
    query.where.value = 'b';
    query.order.direction = 'desc';
    query.limit = 1;
    reader.confirmReads();
    caches.committed({ expect: { [policyId]: 1 }, changes: [put({ ...document('0', 1), type: 'b' })] });
    const table = caches.table('p', 2, 'document');
    expect([table?.find(asked)?.map(({ id }) => id), table?.count(where)]).toEqual([['a', 'b', 'c'], 3]);
  });
});
