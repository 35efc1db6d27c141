/** What units that stand on each other ask the store: nothing that the cache and the changes below them tell. */
import { beforeEach, expect, it, vi } from 'vitest';
import { turn } from '../../test/background.js';
import { SlowStore } from '../../test/slow-store.js';
import { INSTANCE } from '../records/index.js';
import type { DocumentRecord, RecordKinds } from '../records/kinds.js';
import { RecordCaches } from './cache/record-caches.js';
import { Executor } from './executor.js';
import { lanes, revisionKeys } from './revision-keys.js';
import type { UnitOfWork } from './unit-of-work.js';

const KEY = revisionKeys.policy.of('p');
const UNITS = 12;
const newest = { order: { path: 'document.n', direction: 'desc' }, limit: 1 } as const;

const documentOf = (n: number): DocumentRecord =>
  ({
    id: `d${String(n)}`,
    dataType: 'vc-documents',
    type: 'a',
    option: {},
    document: { n },
  }) as unknown as DocumentRecord;

let store: SlowStore;

beforeEach(() => {
  store = new SlowStore();
});

/** Begins all units at once and lets their commits end, one group after another. Returns how often each method was asked. */
async function together(records: number, work: (unit: UnitOfWork, n: number) => Promise<void>) {
  const caches = new RecordCaches({ keptRecordBytes: 1_000_000 }, { records, bytes: 100_000 });
  const executor = new Executor({
    store,
    caches,
    commits: { committed: () => undefined },
    limits: { conflictRetries: 0 },
  });
  await store.foreign({
    expect: {},
    changes: [1, 2].map((n) => ({ op: 'put', kind: 'document', partition: 'p', value: documentOf(n) }) as const),
  });
  const spies = [vi.spyOn(store, 'find'), vi.spyOn(store, 'get'), vi.spyOn(store, 'count')];
  const units = Array.from({ length: UNITS }, (_, at) =>
    executor.run(lanes.policy.of('p'), [KEY], (unit) => work(unit, at + 3)),
  );
  const ended = { all: false };
  const all = Promise.all(units).finally(() => (ended.all = true));
  while (!ended.all) {
    await turn();
    await store.apply();
  }
  await all;
  return spies.map(({ mock }) => mock.calls.filter(([kind]) => kind === 'document').length);
}

it.each([
  ['kept as a whole', 100],
  ['too large to be kept', 1],
])('the newest record of a table that is %s is read once, and followed from then on', async (_, records) => {
  const [finds, gets] = await together(records, async (unit, n) => {
    const [last] = await unit.find('document', 'p', newest);
    expect(last?.document).toEqual({ n: n - 1 });
    unit.putNew('document', 'p', documentOf(n));
  });
  // The table, and where it is too large its newest record as well.
  expect(finds).toBe(records > 2 ? 1 : 2);
  expect(gets).toBe(0);
  expect(store.largest).toBeGreaterThan(3);
});

it('a search that new records have nothing to do with asks the store once, and waits for none of them', async () => {
  const [, gets] = await together(1, async (unit, n) => {
    const where = { path: 'document.n', op: 'eq', value: n } as const;
    expect(await unit.find('document', 'p', { where })).toEqual([]);
    expect(await unit.count('document', 'p', where)).toBe(0);
    unit.putNew('document', 'p', documentOf(n));
  });
  expect(gets).toBe(0);
  expect(store.largest).toBeGreaterThan(3);
});

it('a receipt is known to be new without asking the store, unless a unit before has written it, durable or not', async () => {
  const receiptOf = (n: number) => ({ id: `r${String(n)}` }) as unknown as RecordKinds['send-receipt'];
  const seen: string[] = [];
  await together(100, (unit, n) => {
    const isNew = (id: number, partition = 'p'): boolean =>
      unit.isUnwritten('send-receipt', partition, `r${String(id)}`, 0);
    seen.push([isNew(n), isNew(n - 1), isNew(n, 'elsewhere')].join());
    unit.putNew('send-receipt', 'p', receiptOf(n));
    seen.push(String(isNew(n)));
    return Promise.resolve();
  });
  const [first, own, ...later] = seen;
  // The receipt before that of the first was never written.
  expect([first, own]).toEqual(['true,true,false', 'false']);
  expect(later).toEqual(Array.from({ length: UNITS - 1 }, () => ['true,false,false', 'false']).flat());
});

it.each([
  ['by the first', 1],
  ['by others only', 4],
])('an identity is read once for all units, if it is read %s', async (_, first) => {
  const identity = { id: 'did:example:ann', keys: [] } as unknown as RecordKinds['identity'];
  await store.foreign({ expect: {}, changes: [{ op: 'put', kind: 'identity', partition: INSTANCE, value: identity }] });
  const get = vi.spyOn(store, 'get');
  await together(100, async (unit, n) => {
    if (n > first) expect(await unit.get('identity', INSTANCE, identity.id)).toEqual(identity);
    unit.putNew('document', 'p', documentOf(n));
  });
  expect(get.mock.calls.filter(([kind]) => kind === 'identity')).toHaveLength(1);
});
