/** A table that cannot be read or written stops what is kept in it, says so, and nothing else. */
import {
  BlockworkError,
  createEngine,
  MemoryLedger,
  MemoryStore,
  type Caller,
  type PolicyEngine,
} from '@blockwork/core';
import type { ChangeSet, Condition, RecordQuery } from '@blockwork/core/adapter';
import { INSTANCE, type RecordKind } from '@blockwork/core/records';
import { SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { HOUR, hourlyBlock, hourlyPolicy } from '../../../test/support/hourly-block.js';
import { turn } from './background.js';
import { requestRow } from './request-row.js';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };

/** Behaves as the file store does with a damaged table: every query of it and every change to it is refused. */
class DamagedStore extends MemoryStore {
  damaged: string | null = null;

  #assertWhole(kind: string, partition: string): void {
    if (this.damaged !== `${partition}/${kind}`) return;
    throw new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: `${this.damaged} is damaged` } });
  }
  override async get<Kind extends RecordKind>(kind: Kind, partition: string, id: string) {
    this.#assertWhole(kind, partition);
    return super.get(kind, partition, id);
  }
  override async find<Kind extends RecordKind>(kind: Kind, partition: string, query?: RecordQuery) {
    this.#assertWhole(kind, partition);
    return super.find(kind, partition, query);
  }
  override async count(kind: RecordKind, partition: string, where?: Condition) {
    this.#assertWhole(kind, partition);
    return super.count(kind, partition, where);
  }
  override async commit(changeSet: ChangeSet) {
    for (const { kind, partition } of changeSet.changes) this.#assertWhole(kind, partition);
    return super.commit(changeSet);
  }
  override async commitChain(changeSets: readonly ChangeSet[]) {
    for (const { changes } of changeSets) for (const { kind, partition } of changes) this.#assertWhole(kind, partition);
    return super.commitChain(changeSets);
  }
  /** It is opened twice. */
  override close(): Promise<void> {
    return Promise.resolve();
  }
}

let engine: PolicyEngine;
afterEach(() => engine.close());

/** An engine that is opened on a store with this table damaged, two trials in it, and a request whose time is up. */
async function opened(damaged: string) {
  const store = new DamagedStore();
  const clock = new SimulatedClock();
  const timers = new SimulatedTimers(clock);
  const ports = { store, clock, blocks: [hourlyBlock] };
  const before = createEngine({ ...ports, timers: new SimulatedTimers(clock) });
  for (const id of ['one', 'two']) {
    await before.importPolicy(owner, hourlyPolicy(id));
    await before.lifecycle.dryRun(owner, id);
  }
  await before.close();
  const value = requestRow({ policyId: 'one', expiresAt: new Date(clock.now()).toISOString() });
  await store.commit({ expect: {}, changes: [{ op: 'put', kind: 'request', partition: INSTANCE, value }] });
  store.damaged = damaged;
  engine = createEngine({ ...ports, timers, ledger: new MemoryLedger() });
  const stuck = async () => (await engine.program.getReadiness()).stuck;
  /** Lets time pass until then. */
  const until = async (isSo: () => Promise<boolean>): Promise<void> => {
    while (!(await isSo())) {
      timers.advance(HOUR / 10);
      await turn();
    }
  };
  const untilStuck = async () => {
    await until(async () => (await stuck()).length > 0);
    return stuck();
  };
  const countOf = async (id: string): Promise<number> => Number(await engine.readBlock(owner, id, { tag: 'clock' }));
  /** Ticks of this policy come. */
  const untilTicked = async (id: string): Promise<void> => {
    const before = await countOf(id);
    await until(async () => (await countOf(id)) > before);
  };
  /** A send is carried out, and read. */
  const works = async (id: string): Promise<void> => {
    const before = await countOf(id);
    await engine.sendToBlock(owner, id, { tag: 'clock' }, {});
    expect(await countOf(id)).toBe(before + 1);
  };
  const expired = async (): Promise<boolean> => (await store.get('request', INSTANCE, value.id))?.status === 'EXPIRED';
  return { store, stuck, until, untilStuck, untilTicked, works, expired };
}

const because = expect.stringContaining('is damaged') as string;

describe('a damaged table', () => {
  it('of one policy stops the timers of that policy, and nothing else', async () => {
    const { until, untilStuck, untilTicked, works, expired } = await opened('one/block-state');
    expect(await untilStuck()).toMatchObject([{ work: 'timers', id: 'one', reason: because }]);
    await untilTicked('two');
    await untilTicked('two');
    await works('two');
    await until(expired);
  });

  it('of all timers stops these, and neither sends nor the expiry of requests', async () => {
    const { untilStuck, until, works, expired, store, stuck, untilTicked } = await opened(`${INSTANCE}/timer`);
    expect(await untilStuck()).toMatchObject([{ work: 'timers', id: null, reason: because }]);
    await works('one');
    await until(expired);
    store.damaged = null;
    await untilTicked('one');
    await until(async () => (await stuck()).length === 0);
  });

  it('of requests stops their expiry and their archive, and neither sends nor timers', async () => {
    const { until, works, expired, store, stuck, untilTicked } = await opened(`${INSTANCE}/request`);
    await until(async () => (await stuck()).length === 2);
    expect(await stuck()).toMatchObject([
      { work: 'expiry', id: null, reason: because },
      { work: 'archive', id: null, reason: because },
    ]);
    await works('one');
    await untilTicked('one');
    store.damaged = null;
    await until(expired);
    await until(async () => (await stuck()).length === 0);
  });

  it.each(['outbox', 'settlement'])('of the kind "%s" stops this outbox, and nothing else', async (kind) => {
    const { untilStuck, until, works, expired, store, stuck, untilTicked } = await opened(`${INSTANCE}/${kind}`);
    expect(await untilStuck()).toMatchObject([{ work: kind, id: null, reason: because }]);
    await works('one');
    await untilTicked('one');
    if (kind === 'settlement') await until(expired);
    store.damaged = null;
    await until(async () => (await stuck()).length === 0);
  });
});
