import { describe, expect, it, vi } from 'vitest';
import { MemoryStore } from '../../memory/index.js';
import type { RecordQuery } from '../../ports/index.js';
import type { DocumentRecord } from '../../records/index.js';
import { revisionKeys } from '../revision-keys.js';
import { currentReader } from './cached-reader.js';
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
    const found = await reader.findShared('document', 'p', query);
    reader.confirmReads();
    return { reader, found };
  };
  await write(...['a', 'b', 'c'].map((id) => document(id, 1)));
  return { store, write, page };
}

describe('what is read for reading only', () => {
  it.each([
    ['of a table that is kept as a whole', 100],
    ['of one of which only answers are kept', 1],
  ])('%s is frozen, and the same objects until they are written', async (_, records) => {
    const { write, page } = await nodeThatKeeps(records);
    const { found: first } = await page();
    expect(first.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(() => Object.assign(first[0]?.document ?? {}, { n: 9 })).toThrow(TypeError);
    const { found: again } = await page();
    expect(again.map((each, at) => each === first[at])).toEqual([true, true, true]);
    await write({ ...document('x', 1), type: 'b' });
    expect((await page()).found).toHaveLength(3);
  });

  it('changes where it was written, and only there', async () => {
    const { write, page } = await nodeThatKeeps(100);
    const { found: first } = await page();
    await write(document('b', 2));
    const { found: then } = await page();
    expect(then.map((each, at) => each === first[at])).toEqual([true, false, true]);
    expect(then[1]?.document).toEqual({ n: 2 });
  });

  it('is kept beside what was read before of a table that is too large', async () => {
    const { store, page, write } = await nodeThatKeeps(1);
    const queries: RecordQuery[] = [{ where }, { limit: 2 }, { offset: 1 }];
    const read = async (): Promise<string[][]> => {
      const pages = [];
      for (const query of queries) pages.push((await page(query)).found.map(({ id }) => id));
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
    const { reader, found } = await page();
    const [own] = await reader.find('document', 'p', { where });
    expect(Object.isFrozen(own)).toBe(false);
    Object.assign(own?.document ?? {}, { n: 9 });
    expect(found[0]?.document).toEqual({ n: 1 });
  });

  it('is asked of the store where it belongs to no policy, or is too large to be kept', async () => {
    const { write, page } = await nodeThatKeeps(1);
    const { reader } = await page();
    expect(await reader.findShared('document', 'elsewhere')).toEqual([]);
    await write({ ...document('large', 1), document: { text: 'x'.repeat(300_000) } });
    const { found } = await page();
    expect(found.map((each) => Object.isFrozen(each))).toEqual([false, false, false, false]);
  });
});
