import { MemoryLedger, silentLogger, type Inspection, type LedgerEffect, type PolicyStore } from '@blockwork/core';
import { SimulatedClock } from '@blockwork/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALICE, CREDIT, storeWithTokens, TestBook } from '../../test/ledger-book.js';
import { LedgerOutbox } from './ledger-outbox.js';

/** Rings when the test says so. */
class HandAlarm {
  due: number | null = null;
  ring: () => void = () => undefined;
  set(due: number, ring: () => void): void {
    this.due = due;
    this.ring = ring;
  }
  clear(): void {
    this.due = null;
  }
}

/** Two policies on one store, and what carries their effects out. */
async function world({ store, ledger = new MemoryLedger() }: { store?: PolicyStore; ledger?: MemoryLedger } = {}) {
  const kept = store ?? (await storeWithTokens('b', await storeWithTokens('a')));
  const seen: Inspection[] = [];
  const clock = new SimulatedClock();
  const alarm = new HandAlarm();
  const inspector = (inspection: Inspection): void => void seen.push(inspection);
  const settlement = new LedgerOutbox({ store: kept, ledger, clock, alarm, logger: silentLogger, inspector });
  const bookOf = (policyId: string) =>
    new TestBook(kept, { policyId, clock, outside: ledger, onCommit: (changes) => settlement.notice(changes) });
  const mint = (policyId: string, units: bigint) => bookOf(policyId).unit((to) => to.mint(CREDIT, ALICE, units));
  const waiting = async () => (await kept.find('settlement', 'instance')).map(({ id }) => id);
  return { store: kept, ledger, settlement, clock, alarm, seen, bookOf, mint, waiting };
}

const unitsOf = (effects: readonly LedgerEffect[], policyId?: string) =>
  effects.filter((effect) => policyId === undefined || effect.policyId === policyId).map(({ units }) => units);

describe('settlement', () => {
  it('carries out what was committed, in order, and says so', async () => {
    const { settlement, ledger, mint, waiting, seen } = await world();
    for (const units of [1n, 2n, 3n]) await mint('a', units);
    await settlement.idle();
    expect(unitsOf(ledger.settled)).toEqual(['1', '2', '3']);
    expect(await waiting()).toEqual([]);
    expect(seen).toEqual(
      [1, 2, 3].map((n) => ({ type: 'ledger.settled', policyId: 'a', effectId: `a/00000000000${n}/0` })),
    );
  });

  it('hands a message over with what it says, though the book keeps that only once', async () => {
    const { settlement, ledger, bookOf } = await world();
    const book = bookOf('a');
    const input = { topic: 'root', type: 'vc-document', owner: 'did:example:owner', hash: 'h', body: { a: 1 } };
    const message = await book.unit((to) => to.publish(input));
    await settlement.idle();
    expect(ledger.settled.map(({ type }) => type)).toEqual(['create-topic', 'message']);
    expect(ledger.settled[1]?.body).toEqual(message);
    expect((await book.desk.effects('a')).items[1]?.body).toBeUndefined();
  });

  it('keeps an effect that failed before all later ones of its policy, and does not keep other policies waiting', async () => {
    const { settlement, ledger, mint, waiting, seen, clock } = await world();
    ledger.failNext('before');
    await mint('a', 1n);
    await settlement.idle();
    await mint('a', 2n);
    await mint('b', 3n);
    await settlement.idle();
    expect(unitsOf(ledger.settled)).toEqual(['3']);
    expect(await waiting()).toEqual(['a/000000000001/0', 'a/000000000002/0']);
    expect(seen[0]).toEqual({
      type: 'ledger.unsettled',
      policyId: 'a',
      effectId: 'a/000000000001/0',
      reason: 'The ledger cannot be reached.',
    });
    clock.advance('1s');
    await mint('b', 4n);
    await settlement.idle();
    expect(unitsOf(ledger.settled)).toEqual(['3', '1', '2', '4']);
  });

  it('wakes itself to try again, later each time, and forgets that when it has succeeded', async () => {
    const { settlement, ledger, mint, alarm, clock, waiting } = await world();
    ledger.failNext('before', 12);
    await mint('a', 1n);
    await settlement.idle();
    const pauses: number[] = [];
    while (alarm.due !== null) {
      pauses.push((alarm.due - clock.now()) / 1000);
      clock.advance(alarm.due - clock.now());
      alarm.ring();
      await settlement.idle();
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
    expect([unitsOf(ledger.settled), await waiting()]).toEqual([['1'], []]);
  });

  it('tries at once when it is asked to', async () => {
    const { settlement, ledger, mint, waiting } = await world();
    ledger.failNext('before', 2);
    await mint('a', 1n);
    await settlement.idle();
    await settlement.retry();
    expect(await waiting()).toHaveLength(1);
    await settlement.retry();
    expect([unitsOf(ledger.settled), await waiting()]).toEqual([['1'], []]);
  });

  it('gets through any number of effects behind policies that fail', async () => {
    const { settlement, ledger, bookOf, mint } = await world();
    ledger.failNext('before');
    await bookOf('a').unit(async (to) => {
      for (let n = 0; n < 250; n += 1) await to.mint(CREDIT, ALICE, 1n);
    });
    await mint('b', 7n);
    await settlement.idle();
    expect(unitsOf(ledger.settled)).toEqual(['7']);
    await settlement.retry();
    expect([ledger.settled.length, ledger.supply(CREDIT)]).toEqual([251, 257n]);
  });

  it('begins nothing more once it is closed', async () => {
    const { settlement, ledger, mint, waiting, alarm } = await world();
    ledger.failNext('before');
    await mint('a', 1n);
    await settlement.idle();
    await settlement.close();
    await mint('a', 2n);
    await settlement.retry();
    expect([ledger.settled.length, (await waiting()).length, alarm.due]).toEqual([0, 2, null]);
  });

  it('asks the store again when it has failed', async () => {
    const { store } = await world();
    const failing: PolicyStore = Object.create(store, {
      find: { value: () => Promise.reject(new Error('the disk is gone')), configurable: true },
    }) as PolicyStore;
    const { settlement, alarm, clock } = await world({ store: failing });
    settlement.start();
    await settlement.idle();
    expect(alarm.due).toBe(clock.now() + 1000);
  });
});

describe('settlement over a crash', () => {
  /** A store that dies with its process: nothing is written any more, but what was written is there for the next one. */
  const mortal = (store: PolicyStore, dies: () => boolean): PolicyStore =>
    ({
      capabilities: store.capabilities,
      revision: (key) => store.revision(key),
      get: (...args) => store.get(...args),
      find: (...args) => store.find(...args),
      count: (...args) => store.count(...args),
      commit: (changes) => (dies() ? Promise.reject(new Error('the process is gone')) : store.commit(changes)),
      close: () => Promise.resolve(),
    }) satisfies PolicyStore;

  it('loses nothing and does nothing twice, wherever the process ends and whatever the ledger answers', async () => {
    const life = fc.record({
      mints: fc.array(fc.constantFrom('a', 'b'), { maxLength: 4 }),
      failures: fc.array(fc.constantFrom('before' as const, 'after' as const), { maxLength: 3 }),
      /** Commits after which this process writes nothing more. */
      commits: fc.integer({ min: 0, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(life, { maxLength: 5 }), async (lives) => {
        const ledger = new MemoryLedger();
        const { store } = await world({ ledger });
        const minted: string[] = [];
        for (const { mints, failures, commits } of lives) {
          let left = commits;
          const dying = mortal(store, () => left-- <= 0);
          const { settlement, mint } = await world({ store: dying, ledger });
          for (const failure of failures) ledger.failNext(failure);
          settlement.start();
          for (const policyId of mints) {
            const effect = await mint(policyId, BigInt(minted.length + 1)).catch(() => undefined);
            if (effect !== undefined) minted.push(effect.id);
          }
          await settlement.close();
        }
        const { settlement, waiting } = await world({ store, ledger });
        while ((await waiting()).length > 0) await settlement.retry();
        const settled = ledger.settled.map(({ id }) => id);
        const of = (ids: string[], policyId: string) => ids.filter((id) => id.startsWith(`${policyId}/`));
        let booked = 0n;
        for (const policyId of ['a', 'b']) {
          expect(of(settled, policyId)).toEqual(of(minted, policyId));
          const token = await new TestBook(store, { policyId }).desk.token(policyId, CREDIT);
          booked += BigInt(token?.supply ?? '0');
        }
        expect(ledger.supply(CREDIT)).toBe(booked);
      }),
      { numRuns: 200 },
    );
  });
});
