import { BlockworkError } from '../errors.js';
import { channels } from '../telemetry/channels.js';
import { MemoryLedger } from '../memory/memory-ledger.js';
import { silentLogger } from '../defaults/silent-logger.js';
import { Inspections, type Inspection } from '../telemetry/inspections.js';
import type { Ledger } from '../ports/ledger.js';
import type { LedgerEffect } from '../records/ledger.js';
import type { PolicyStore } from '../ports/policy-store.js';
import { SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { turn } from '../../test/background.js';
import { ALICE, CREDIT, storeWithTokens, TestBook } from '../../test/ledger-book.js';
import { LedgerOutbox } from './ledger-outbox.js';

/** Two policies on one store, and the outbox that settles their effects. */
async function world({ store, ledger = new MemoryLedger() }: { store?: PolicyStore; ledger?: MemoryLedger } = {}) {
  const policyStore = store ?? (await storeWithTokens('b', await storeWithTokens('a')));
  const seen: Inspection[] = [];
  const clock = new SimulatedClock();
  const timers = new SimulatedTimers(clock);
  const inspections = new Inspections({ inspector: (inspection) => void seen.push(inspection) });
  const publicationOf = (policyId: string) =>
    Promise.resolve({ archive: () => Promise.resolve(Buffer.from(`the file of ${policyId}`)) });
  const around = { clock, timers, logger: silentLogger, inspections };
  const outbox = new LedgerOutbox({ store: policyStore, ledger, ...around, publicationOf });
  const bookOf = (policyId: string) =>
    new TestBook(policyStore, {
      policyId,
      clock,
      externalLedger: ledger,
      onCommit: (changes) => outbox.committed(changes),
    });
  const mint = (policyId: string, units: bigint) => bookOf(policyId).unit((to) => to.mint(CREDIT, ALICE, units));
  const pendingIds = async () => (await policyStore.find('settlement', 'instance')).map(({ id }) => id);
  return { store: policyStore, ledger, outbox, clock, timers, seen, bookOf, mint, waiting: pendingIds };
}

const unitsOf = (effects: readonly LedgerEffect[], policyId?: string) =>
  effects.filter((effect) => policyId === undefined || effect.policyId === policyId).map(({ units }) => units);

describe('the ledger outbox', () => {
  it('settles what was committed, in order, and reports it', async () => {
    const { outbox, ledger, mint, waiting: pendingIds, seen: inspections } = await world();
    for (const units of [1n, 2n, 3n]) await mint('a', units);
    await outbox.idle();
    expect(unitsOf(ledger.settled)).toEqual(['1', '2', '3']);
    expect(await pendingIds()).toEqual([]);
    expect(inspections).toEqual(
      [1, 2, 3].map((n) => ({ type: 'ledger.settled', policyId: 'a', effectId: `a/00000000000${n}/0` })),
    );
  });

  it('hands over the text of the document as it was published, and the token as the book has it', async () => {
    const { outbox, ledger, bookOf, mint, waiting: pendingIds } = await world();
    const texts: unknown[] = [];
    const settle: Ledger['settle'] = (_, facts) => Promise.resolve(void texts.push(facts));
    Object.assign(ledger, { settle });
    const document = { id: 'urn:uuid:1', amount: 1 };
    await bookOf('a').unit((to) =>
      to.publish({ topic: 'root', type: 'vc-document', owner: 'did:example:o', document }),
    );
    document.amount = 2;
    await mint('a', 5n);
    await outbox.idle();
    const none = { document: null, token: null };
    const token = expect.objectContaining({ id: CREDIT, supply: '5' }) as unknown;
    expect(texts).toEqual([none, { ...none, document: '{"id":"urn:uuid:1","amount":1}' }, { ...none, token }]);
    expect(await pendingIds()).toEqual([]);
  });

  it('hands over the file of a policy with the message that publishes it', async () => {
    const { outbox, ledger, bookOf } = await world();
    const files: (string | undefined)[] = [];
    const settle: Ledger['settle'] = async (_, { archive }) =>
      void files.push(archive && Buffer.from(await archive()).toString());
    Object.assign(ledger, { settle });
    const message = { topic: 'root', type: 'policy', owner: 'did:example:o' };
    await bookOf('a').unit(async (to) => {
      await to.publish(message);
      await to.publish({ ...message, type: 'publish-policy' });
    });
    await outbox.idle();
    expect(files).toEqual([undefined, undefined, 'the file of a']);
  });

  it('tells of each attempt, which policy and which kind of effect it is about', async () => {
    const { outbox, ledger, mint, timers } = await world();
    const reports: unknown[] = [];
    const stop = channels.settle.subscribe({
      end: ({ policyId, effectId, effectType, outcome, code = '-' }) =>
        void reports.push(`${policyId} ${effectId} ${effectType} ${outcome} ${code}`),
    });
    ledger.failNext('before');
    await mint('a', 1n);
    await outbox.idle();
    timers.advance(60_000);
    await outbox.idle();
    stop();
    expect(reports).toEqual(['a a/000000000001/0 mint failed INTERNAL', 'a a/000000000001/0 mint done -']);
  });

  it('settles a message with its content, which the book keeps only once', async () => {
    const { outbox, ledger, bookOf } = await world();
    const testBook = bookOf('a');
    const input = { topic: 'root', type: 'vc-document', owner: 'did:example:owner', hash: 'h', body: { a: 1 } };
    const message = await testBook.unit((to) => to.publish(input));
    await outbox.idle();
    expect(ledger.settled.map(({ type }) => type)).toEqual(['create-topic', 'message']);
    expect(ledger.settled[1]?.body).toEqual(message);
    expect((await testBook.ledger.listEffects('a')).items[1]?.body).toBeUndefined();
  });

  it('holds up the later effects of a policy while one fails, and those of no other policy', async () => {
    const { outbox, ledger, mint, waiting: pendingIds, seen: inspections, clock } = await world();
    ledger.failNext('before');
    await mint('a', 1n);
    await outbox.idle();
    await mint('a', 2n);
    await mint('b', 3n);
    await outbox.idle();
    expect(unitsOf(ledger.settled)).toEqual(['3']);
    expect(await pendingIds()).toEqual(['a/000000000001/0', 'a/000000000002/0']);
    expect(inspections[0]).toEqual({
      type: 'ledger.unsettled',
      policyId: 'a',
      effectId: 'a/000000000001/0',
      reason: 'The ledger cannot be reached.',
    });
    clock.advance('1s');
    await mint('b', 4n);
    await outbox.idle();
    expect([unitsOf(ledger.settled, 'a'), unitsOf(ledger.settled, 'b')]).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
  });

  it('holds up no policy while the ledger takes its time over another one', async () => {
    let free = (): void => undefined;
    const hanging = new Promise<void>((resolve) => (free = resolve));
    class SlowFor extends MemoryLedger {
      override async settle(effect: LedgerEffect): Promise<void> {
        if (effect.policyId === 'a') await hanging;
        await super.settle(effect);
      }
    }
    const { outbox, ledger, mint } = await world({ ledger: new SlowFor() });
    await mint('a', 1n);
    await mint('a', 2n);
    await mint('b', 3n);
    while (ledger.settled.length < 1) await turn();
    // What is committed meanwhile does not wait either.
    await mint('b', 4n);
    while (ledger.settled.length < 2) await turn();
    expect(unitsOf(ledger.settled)).toEqual(['3', '4']);
    await mint('a', 5n);
    free();
    await outbox.idle();
    expect(unitsOf(ledger.settled)).toEqual(['3', '4', '1', '2', '5']);
  });

  it('tells of a policy whose effects cannot be read or removed, and settles those of the others', async () => {
    const { store } = await world();
    let fails = true;
    const commit = store.commit.bind(store);
    store.commit = (set) =>
      fails && set.changes.some((change) => change.op === 'delete' && change.id.startsWith('a/'))
        ? Promise.reject(new Error('the disk is gone'))
        : commit(set);
    const { outbox, mint, seen: inspections, timers, waiting: pendingIds } = await world({ store });
    await mint('a', 1n);
    await mint('b', 2n);
    await outbox.idle();
    expect(await pendingIds()).toEqual(['a/000000000001/0']);
    expect(inspections).toContainEqual({ type: 'background.stuck', work: 'settlement', id: 'a', failures: 1 });
    expect(outbox.stuck()).toMatchObject([{ work: 'settlement', id: 'a', reason: 'the disk is gone' }]);
    fails = false;
    timers.advance(1000);
    await outbox.idle();
    expect([await pendingIds(), outbox.stuck()]).toEqual([[], []]);
  });

  it('retries with exponential backoff, which a success resets', async () => {
    const { outbox, ledger, mint, timers, clock, waiting: pendingIds } = await world();
    ledger.failNext('before', 12);
    await mint('a', 1n);
    await outbox.idle();
    const pauses: number[] = [];
    for (let [due] = timers.pending; due !== undefined; [due] = timers.pending) {
      pauses.push((due - clock.now()) / 1000);
      timers.advance(due - clock.now());
      await outbox.idle();
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
    expect([unitsOf(ledger.settled), await pendingIds()]).toEqual([['1'], []]);
  });

  it('retries at once when it is asked to', async () => {
    const { outbox, ledger, mint, waiting: pendingIds } = await world();
    ledger.failNext('before', 2);
    await mint('a', 1n);
    await outbox.idle();
    await outbox.retry();
    expect(await pendingIds()).toHaveLength(1);
    await outbox.retry();
    expect([unitsOf(ledger.settled), await pendingIds()]).toEqual([['1'], []]);
  });

  it('settles any number of effects behind a policy that fails', async () => {
    const { outbox, ledger, bookOf, mint } = await world();
    ledger.failNext('before');
    await bookOf('a').unit(async (to) => {
      for (let n = 0; n < 250; n += 1) await to.mint(CREDIT, ALICE, 1n);
    });
    await mint('b', 7n);
    await outbox.idle();
    expect(unitsOf(ledger.settled)).toEqual(['7']);
    await outbox.retry();
    expect([ledger.settled.length, ledger.supply(CREDIT)]).toEqual([251, 257n]);
  });

  it('settles nothing more once it is stopped', async () => {
    const { outbox, ledger, mint, waiting: pendingIds, timers } = await world();
    ledger.failNext('before');
    await mint('a', 1n);
    await outbox.idle();
    await outbox.stop();
    await mint('a', 2n);
    await outbox.retry();
    expect([ledger.settled.length, (await pendingIds()).length, timers.pending]).toEqual([0, 2, []]);
  });

  it('leaves a policy to the node that was faster, without taking it for a failure', async () => {
    const { outbox, ledger, mint, waiting, store, seen } = await world();
    const commit = store.commit.bind(store);
    let isFirst = true;
    store.commit = async (changeSet) => {
      const isRemoval = changeSet.changes.some(({ kind, op }) => kind === 'settlement' && op === 'delete');
      if (!isRemoval || !isFirst) return commit(changeSet);
      isFirst = false;
      // The other node has removed it.
      await commit({ ...changeSet, expect: {} });
      throw new BlockworkError('CONFLICT', { facts: { key: 'settlements/a' } });
    };
    await mint('a', 1n);
    await outbox.idle();
    expect([outbox.stuck(), seen, await waiting()]).toEqual([[], [], []]);
    await mint('a', 2n);
    await outbox.idle();
    expect([unitsOf(ledger.settled), seen.length, await waiting()]).toEqual([['1', '2'], 1, []]);
  });

  it('says of which effect or message the book has lost what is to be settled', async () => {
    const { outbox, bookOf, mint, store, timers } = await world();
    const effect = await mint('a', 1n);
    await store.commit({
      expect: {},
      changes: [{ op: 'delete', kind: 'ledger-effect', partition: 'a', id: effect.id }],
    });
    await outbox.idle();
    const reasons = () => outbox.stuck().map(({ id, reason }) => `${String(id)}: ${reason}`);
    expect(reasons()).toEqual([`a: The book of policy "a" has no effect "${effect.id}".`]);
    await bookOf('b').unit((to) =>
      to.publish({ topic: 'root', type: 'vc-document', owner: 'did:example:o', document: { id: 'urn:uuid:1' } }),
    );
    const messages = await store.find('ledger-message', 'b');
    const changes = messages.map(({ id }) => ({ op: 'delete', kind: 'ledger-message', partition: 'b', id }) as const);
    await store.commit({ expect: {}, changes });
    await outbox.idle();
    timers.advance(600_000);
    await outbox.idle();
    expect(reasons().join()).toMatch(/b: The book of policy "b" has no message "[\d.]+"\./);
  });

  it('reads the store again when it has failed', async () => {
    const { store } = await world();
    const failing: PolicyStore = Object.create(store, {
      find: { value: () => Promise.reject(new Error('the disk is gone')), configurable: true },
    }) as PolicyStore;
    const { outbox, timers, clock } = await world({ store: failing });
    outbox.start();
    await outbox.idle();
    expect(timers.pending).toEqual([clock.now() + 1000]);
  });
});

describe('the ledger outbox over a crash', () => {
  /** A store that dies with its process: nothing more is written, and what was written is there for the next one. */
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

  it('settles every effect once, wherever the process ends and whatever the ledger answers', async () => {
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
          const { outbox, mint } = await world({ store: dying, ledger });
          for (const failure of failures) ledger.failNext(failure);
          outbox.start();
          for (const policyId of mints) {
            const effect = await mint(policyId, BigInt(minted.length + 1)).catch(() => undefined);
            if (effect !== undefined) minted.push(effect.id);
          }
          await outbox.stop();
        }
        const { outbox, waiting: pendingIds } = await world({ store, ledger });
        // The failures that are left are fewer than this.
        for (let tries = 0; tries < 20 && (await pendingIds()).length > 0; tries += 1) await outbox.retry();
        expect(await pendingIds()).toEqual([]);
        const settled = ledger.settled.map(({ id }) => id);
        const of = (ids: string[], policyId: string) => ids.filter((id) => id.startsWith(`${policyId}/`));
        let booked = 0n;
        for (const policyId of ['a', 'b']) {
          expect(of(settled, policyId)).toEqual(of(minted, policyId));
          const token = await new TestBook(store, { policyId }).ledger.getToken(policyId, CREDIT);
          booked += BigInt(token?.supply ?? '0');
        }
        expect(ledger.supply(CREDIT)).toBe(booked);
      }),
      { numRuns: 200 },
    );
  });
});
