import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MemoryStore } from '../memory/store/memory-store.js';
import type { Condition, DocumentRecord } from '../records/index.js';
import { allOf, equalTo } from '../records/index.js';
import { revisionKeys } from './revision-keys.js';
import { UnitOfWork } from './unit-of-work.js';

const P = revisionKeys.policy.of('policy');
const ID = 'urn:uuid:00000000-0000-4000-8000-000000000001';
const document = (id: string, hash: string): DocumentRecord => ({
  ...{ id, policyId: P, dataType: 'vc-documents', owner: 'did:example:owner', hash, option: {}, document: {} },
  ...{ createDate: '2026-01-01T00:00:00.000Z', updateDate: '2026-01-01T00:00:00.000Z' },
});

describe('a text that was made up within a unit', () => {
  let store: MemoryStore;
  let unit: UnitOfWork;
  beforeEach(async () => {
    store = new MemoryStore();
    const value = document('stored', 'old');
    await store.commit({ expect: {}, changes: [{ op: 'put', kind: 'document', partition: P, value }] });
    unit = await UnitOfWork.begin(store, [P]);
    unit.fresh.add(ID);
  });
  const asksStore = async (read: () => Promise<unknown>): Promise<boolean> => {
    const calls = (['get', 'find', 'count'] as const).map((method) => vi.spyOn(store, method));
    await read();
    const wasAsked = calls.some(({ mock }) => mock.calls.length > 0);
    vi.restoreAllMocks();
    return wasAsked;
  };
  const both: Condition = allOf(equalTo('dataType', 'vc-documents'), equalTo('hash', ID));

  it('is in no stored record, so the store is not asked for it', async () => {
    for (const where of [equalTo('hash', ID), both]) {
      expect(await asksStore(() => unit.find('document', P, { where }))).toBe(false);
      expect(await asksStore(() => unit.count('document', P, where))).toBe(false);
      expect(await unit.find('document', P, { where })).toEqual([]);
      expect(await unit.count('document', P, where)).toBe(0);
    }
    for (const id of [ID, `4/mint/${ID}`]) {
      expect(await asksStore(() => unit.get('block-entry', P, id))).toBe(false);
      expect(await unit.get('block-entry', P, id)).toBeUndefined();
    }
  });

  it('is found in what the unit itself has written, also into a stored record', async () => {
    unit.put('document', P, document('new', ID));
    unit.put('document', P, document('stored', ID));
    expect((await unit.find('document', P, { where: both })).map(({ id }) => id)).toEqual(['new', 'stored']);
    expect(await unit.count('document', P, both)).toBe(2);
    unit.put('block-entry', P, { id: `4/mint/${ID}`, tag: 'mint', key: 'used', value: true });
    expect(await unit.get('block-entry', P, `4/mint/${ID}`)).toMatchObject({ value: true });
  });

  it('says nothing of queries that a record without it may meet', async () => {
    const not: Condition = { not: equalTo('hash', ID) };
    const either: Condition = { any: [equalTo('hash', ID), equalTo('hash', 'old')] };
    const other: Condition = { path: 'hash', op: 'ne', value: ID };
    const old = equalTo('hash', 'old');
    for (const where of [not, either, other, old, undefined]) {
      const query = where === undefined ? {} : { where };
      expect(await asksStore(() => unit.find('document', P, query))).toBe(true);
      expect((await unit.find('document', P, query)).map(({ id }) => id)).toEqual(['stored']);
      expect(await unit.count('document', P, where)).toBe(1);
    }
    expect(await unit.get('document', P, 'stored')).toBeDefined();
    expect(await asksStore(() => unit.get('document', P, `${ID}/part`))).toBe(true);
  });
});
