import { BlockworkError } from '../errors.js';
import { silentLogger } from '../defaults/silent-logger.js';
import { DamagedRecord, type RecordQuery } from '@blockwork/core/adapter';
import { INSTANCE, type RecordKind } from '@blockwork/core/records';
import { SimulatedClock } from '@blockwork/testing';
import { expect, it } from 'vitest';
import { UnsteadyStore } from '../../test/background.js';
import { Inspections } from '../telemetry/inspections.js';
import { ReadablePolicies } from './readable-policies.js';

/** Reads that meet one of these policies are rejected, as where its row is damaged. */
class DamagedRows extends UnsteadyStore {
  readonly damaged = new Set<string>();

  override async get<Kind extends RecordKind>(kind: Kind, partition: string, id: string) {
    const record = await super.get(kind, partition, id);
    if (record !== undefined) this.#meet(kind, partition, [record]);
    return record;
  }
  override async find<Kind extends RecordKind>(kind: Kind, partition: string, query?: RecordQuery) {
    const records = await super.find(kind, partition, query);
    this.#meet(kind, partition, records);
    return records;
  }

  #meet(kind: string, partition: string, records: readonly { id: string }[]): void {
    const record = records.find(({ id }) => this.damaged.has(id));
    if (record === undefined) return;
    const cause = new DamagedRecord(kind, partition, record.id);
    throw new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: `${record.id} is damaged` }, cause });
  }
}

async function world(...ids: string[]) {
  const store = new DamagedRows();
  const changes = ids.map((id) => ({ op: 'put', kind: 'policy', partition: INSTANCE, value: { id } }));
  await store.commit({ expect: {}, changes: changes as never });
  const clock = new SimulatedClock();
  const reports: unknown[] = [];
  const policies = new ReadablePolicies({
    store,
    clock,
    logger: { ...silentLogger, error: (_, facts) => void reports.push(facts?.['policyId']) },
    inspections: new Inspections({}),
  });
  const page = async (query: RecordQuery = {}) => {
    const { items, total } = await policies.page(query);
    return [items.map(({ id }) => id).join(''), total];
  };
  return { store, clock, policies, reports, page };
}

it('a list of policies goes without those that are damaged, counts the others, and tells of each', async () => {
  const { store, clock, policies, reports, page } = await world('a', 'b', 'c', 'd', 'e');
  expect(await page()).toEqual(['abcde', 5]);
  store.damaged.add('b').add('d');
  expect(await page()).toEqual(['ace', 3]);
  expect(reports).toEqual(['b', 'd']);
  expect(policies.stuck()).toMatchObject([
    { work: 'policies', id: 'b', failures: 1, reason: expect.stringContaining('b is damaged') },
    { work: 'policies', id: 'd', failures: 1 },
  ]);
  // Each is in one page, and in one only.
  expect([await page({ limit: 2 }), await page({ offset: 2, limit: 2 })]).toEqual([
    ['ac', 3],
    ['e', 3],
  ]);
  expect(await page({ where: { path: 'id', op: 'in', value: ['a', 'b'] } })).toEqual(['a', 1]);
  expect(reports).toEqual(['b', 'd']);
  clock.advance('1s');
  expect([await page(), reports, policies.stuck()]).toMatchObject([
    ['ace', 3],
    ['b', 'd', 'b', 'd'],
    [{ failures: 2 }, { failures: 2 }],
  ]);
});

it('a policy that is restored, or removed, is as any other after a while', async () => {
  const { store, clock, policies, page } = await world('a', 'b', 'c');
  store.damaged.add('a').add('b');
  expect(await page()).toEqual(['c', 1]);
  store.damaged.clear();
  await store.commit({ expect: {}, changes: [{ op: 'delete', kind: 'policy', partition: INSTANCE, id: 'b' }] });
  clock.advance('1s');
  expect([await page(), policies.stuck()]).toEqual([['ac', 2], []]);
});

it('a store that fails otherwise fails the list, and so does one with more damage than can be told apart', async () => {
  const { store, policies, page } = await world(...Array.from({ length: 101 }, (_, at) => `p${String(at)}`));
  store.isDown = true;
  await expect(page()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(policies.stuck()).toEqual([]);
  store.isDown = false;
  for (let at = 0; at < 101; at += 1) store.damaged.add(`p${String(at)}`);
  await expect(page()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
});
