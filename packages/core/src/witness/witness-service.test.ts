/** When policies are looked at for a witness, and what that costs: here none has a log, so that every look ends without one. */
import { DamagedRecord, type RecordQuery } from '@blockwork/core/adapter';
import { INSTANCE, type RecordKind } from '@blockwork/core/records';
import { afterEach, expect, it } from 'vitest';
import { simulatedWorld, UnsteadyStore } from '../../test/background.js';
import { ReadablePolicies } from '../background/index.js';
import { BlockworkError } from '../errors.js';
import { MemoryLedger } from '../memory/memory-ledger.js';
import { Inspections } from '../telemetry/inspections.js';
import { WitnessService } from './witness-service.js';

const MINUTES = 60;

/** Tells what is read of it, and of how many logs at once. */
class ObservedStore extends UnsteadyStore {
  readonly lists: string[] = [];
  readonly looked: string[] = [];
  damaged = '';
  /** Happens after policies were read, before they are told. */
  onList: (() => Promise<void>) | undefined;
  most = 0;
  #now = 0;

  override async get<Kind extends RecordKind>(kind: Kind, partition: string, id: string) {
    if (kind !== 'journal-tree') return super.get(kind, partition, id);
    this.looked.push(id);
    this.#now += 1;
    this.most = Math.max(this.most, this.#now);
    await new Promise((resolve) => setImmediate(resolve));
    this.#now -= 1;
    return super.get(kind, partition, id);
  }

  override async find<Kind extends RecordKind>(kind: Kind, partition: string, query?: RecordQuery) {
    if (kind === 'policy') this.lists.push(partition);
    const records = await super.find(kind, partition, query);
    if (kind === 'policy') await this.onList?.();
    if (kind !== 'policy' || !records.some(({ id }) => id === this.damaged)) return records;
    const cause = new DamagedRecord(kind, partition, this.damaged);
    throw new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: 'a record is damaged' }, cause });
  }

  override findShared<Kind extends RecordKind>(kind: Kind, partition: string, query?: RecordQuery) {
    return this.find(kind, partition, query);
  }
}

let service: WitnessService | undefined;
afterEach(() => service?.stop());

async function world(count: number) {
  const { clock, timers, logger } = simulatedWorld();
  const store = new ObservedStore();
  const put = (id: string, status: string) =>
    store.commit({ expect: {}, changes: [change(id, status)] }).then(() => change(id, status));
  for (let at = 0; at < count; at += 1) await put(`p${String(at)}`, 'PUBLISH');
  await put('draft', 'DRAFT');
  const readablePolicies = new ReadablePolicies({ store, clock, logger, inspections: new Inspections({}) });
  const runDeps = { keys: {}, externalLedger: new MemoryLedger() };
  const deps = { store, clock, timers, logger, readablePolicies, runDeps, minutes: MINUTES };
  const started = new WitnessService(deps as never);
  service = started;
  started.start();
  await started.idle();
  const looks = async (): Promise<string[]> => {
    await started.idle();
    return store.looked.splice(0);
  };
  return { store, timers, started, put, looks };
}

const change = (id: string, status: string) =>
  ({ op: 'put', kind: 'policy', partition: INSTANCE, value: { id, status } }) as never;

it('until a policy is due, a look reads nothing but, every ten minutes, which policies there are', async () => {
  const { store, timers, started, looks } = await world(3);
  expect(await looks()).toEqual(['p0', 'p1', 'p2']);
  const { length } = store.lists;
  for (let minute = 1; minute < MINUTES; minute += 1) {
    timers.advance(60_000);
    started.wake();
    await started.idle();
  }
  expect([await looks(), store.lists.length - length]).toEqual([[], 5]);
  timers.advance(60_000);
  expect(await looks()).toEqual(['p0', 'p1', 'p2']);
});

it('one that is published is looked at at once, without a search; one that is discontinued, no more', async () => {
  const { store, timers, started, put, looks } = await world(2);
  await looks();
  const { length } = store.lists;
  timers.advance(9 * 60_000);
  started.committed({ expect: {}, changes: [await put('late', 'PUBLISH')] });
  expect([await looks(), store.lists.length - length]).toEqual([['late'], 0]);
  started.committed({ expect: {}, changes: [await put('p0', 'DISCONTINUED')] });
  timers.advance(51 * 60_000);
  expect(await looks()).toEqual(['p1']);
  timers.advance(9 * 60_000);
  expect(await looks()).toEqual(['late']);
});

it('one that another node has published is found, also if it was published during the search', async () => {
  const { store, timers, started, put, looks } = await world(1);
  await looks();
  await put('of another node', 'PUBLISH');
  timers.advance(10 * 60_000);
  expect(await looks()).toEqual(['of another node']);
  store.onList = async () => {
    store.onList = undefined;
    started.committed({ expect: {}, changes: [await put('meanwhile', 'PUBLISH')] });
  };
  timers.advance(10 * 60_000);
  expect(await looks()).toEqual(['meanwhile']);
});

it('a record that is damaged keeps no other policy from its look', async () => {
  const { store, timers, looks } = await world(3);
  await looks();
  store.damaged = 'p1';
  timers.advance(MINUTES * 60_000);
  expect(await looks()).toEqual(expect.arrayContaining(['p0', 'p2']));
});

it('many policies are looked at together, and not all at once', async () => {
  const { store, looks } = await world(300);
  expect(new Set(await looks()).size).toBe(300);
  expect(store.most).toBeGreaterThan(10);
  expect(store.most).toBeLessThan(50);
});
