/** Whatever is lost, late or killed: every effect is on the ledger exactly once, and in order. */
import type { LedgerEffect, LedgerToken } from '@blockwork/core';
import { expect, test } from 'vitest';
import { times } from '../../../test/support/repetitions.js';
import { randomNumbers } from '../../../test/support/random-numbers.mjs';
import type { FakeLedger, Status } from './support/fake-ledger.js';
import type { Fault } from './support/fake-network.js';
import { effect, Fuse, message, messageEffect, startBench, token, topicEffect, type Bench } from './support/bench.js';

const SEEDS = times(50, 300);
/** Histories of one test. */
const RANGE = 50;
const TRIES = 400;
/** A kill after every so many steps. */
const STRIDE = times(3, 1);
const CREDIT = token('credit', { source: { enableKYC: true, enableFreeze: true, enableWipe: true } });
const DEED = token('deed', { tokenType: 'non-fungible', decimals: 0 });
const tokens: Readonly<Record<string, LedgerToken>> = { credit: CREDIT, deed: DEED };

const ids = Array.from({ length: 4 }, (_, at) => `17672256${String(10 + at)}.000000001`);

/** A policy's life: its topic, messages short and long, mints of both kinds, transfer, freeze, wipe. */
const life = (): LedgerEffect[] => [
  topicEffect(),
  messageEffect(message(ids[0] ?? '')),
  messageEffect(message(ids[1] ?? '', { relationships: [ids[0] ?? ''] })),
  effect('mint', { tokenId: 'credit', accountId: 'alice', units: '1250', memo: `${ids[1] ?? ''} a mint` }),
  // Longer than one piece.
  messageEffect(message(ids[2] ?? '', { type: 'token', body: { tokenId: 'credit', tokenName: 'ü'.repeat(400) } })),
  effect('mint', { tokenId: 'deed', accountId: 'alice', units: '23', serials: [[1, 23]], memo: ids[1] ?? '' }),
  effect('transfer', { tokenId: 'credit', fromAccountId: 'alice', accountId: 'bob', units: '300' }),
  effect('transfer', { tokenId: 'deed', fromAccountId: 'alice', accountId: 'bob', units: '12', serials: [[2, 13]] }),
  effect('freeze', { tokenId: 'credit', accountId: 'bob' }),
  effect('unfreeze', { tokenId: 'credit', accountId: 'bob' }),
  effect('wipe', { tokenId: 'credit', accountId: 'bob', units: '50', memo: ids[2] ?? '' }),
  effect('wipe', { tokenId: 'deed', accountId: 'bob', units: '2', serials: [[3, 4]] }),
  messageEffect(message(ids[3] ?? '', { type: 'revoke', body: { revoke: ids[0] ?? '', type: 'vc-document' } })),
];

const pauses = [1_000, 5_000, 30_000, 150_000, 300_000, 3_600_000, 90_000_000];
const passing: readonly Status[] = [
  'THROTTLED_AT_CONSENSUS',
  'TRANSACTION_EXPIRED',
  'INSUFFICIENT_PAYER_BALANCE',
  'INVALID_NODE_ACCOUNT',
];

interface Counts {
  kills: number;
  failures: number;
}

/** Settles all effects of a life in order, with faults, until each has succeeded. */
async function live(
  { clock, ledger, network, open }: Bench,
  seed: number,
  forget?: () => Promise<void>,
): Promise<Counts> {
  const random = randomNumbers(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const rate = random() * 0.5;
  const counts: Counts = { kills: 0, failures: 0 };
  const faults: readonly Fault[] = ['busy', 'unavailable', 'lost', 'silent'];
  let areFaulty = true;
  network.nextFault = () => (areFaulty && random() < rate ? pick(faults) : 'none');
  for (const each of life()) {
    for (let tries = 0; ; tries += 1) {
      areFaulty = tries < TRIES / 2;
      if (tries > TRIES) throw new Error(`Seed ${String(seed)}: "${each.type}" is never settled.`);
      const isKilled = areFaulty && random() < 0.4;
      network.mirrorLagMs = areFaulty && random() < 0.3 ? pick([3_000, 20_000, 200_000]) : 0;
      ledger.consensusMs = pick([0, 500, 4_000]);
      ledger.isFunded = !areFaulty || random() > 0.05;
      if (areFaulty && random() < 0.1) ledger.nextResults.push(pick(passing));
      const adapter = open(isKilled ? new Fuse(1 + Math.floor(random() * 30)) : new Fuse());
      try {
        await adapter.settle(each, { document: null, token: tokens[each.tokenId ?? ''] ?? null });
        break;
      } catch {
        counts[isKilled ? 'kills' : 'failures'] += 1;
        await forget?.();
        clock.advance(pick(pauses));
      }
    }
    // What was to befall a transaction that never came does not befall the next effect.
    ledger.nextResults.length = 0;
  }
  return counts;
}

const typeOf = (text: string): string => /"type":"([^"]+)".*\}$/.exec(text)?.[1] ?? 'broken';

/** What the ledger has must be what the book says, no more and no less. */
function stateOf(ledger: FakeLedger): unknown {
  const [credit, deed] = [...ledger.tokens.values()].sort((a, b) => Number(b.isFungible) - Number(a.isFungible));
  const [topic] = ledger.topics.values();
  const joined: string[] = [];
  for (const { text, number } of topic?.messages ?? []) {
    if (number === 1) joined.push(text);
    else joined.push(`${joined.pop() ?? ''}${text}`);
  }
  const balances = [...(credit?.relations.values() ?? [])].map(({ balance }) => balance).sort();
  const owned = new Map<string, number>();
  for (const owner of deed?.owners.values() ?? []) owned.set(owner, (owned.get(owner) ?? 0) + 1);
  return {
    counts: [ledger.topics.size, ledger.tokens.size, ledger.accounts.size],
    balances: balances.map(String).sort(),
    owned: [...owned.values()].sort((a, b) => a - b),
    messages: joined.map((text) => typeOf(text)),
    pieces: topic?.messages.map(({ number, total }) => `${String(number)}/${String(total)}`),
    initial: new Set(topic?.messages.filter(({ total }) => total > 1).map(({ initial }) => initial)).size,
    mints: ledger.successes('mint').length,
    transfers: ledger.successes('transfer').length,
    wipes: ledger.successes('wipe').length,
  };
}

const expected = {
  // The operator, Alice and Bob.
  counts: [1, 2, 3],
  balances: ['0', '250', '950'],
  owned: [10, 11],
  messages: ['Topic', 'VC-Document', 'VC-Document', 'Token', 'VC-Document'],
  pieces: ['1/1', '1/1', '1/1', '1/3', '2/3', '3/3', '1/1'],
  initial: 1,
  mints: 4,
  transfers: 7,
  wipes: 2,
};

test('without a fault the ledger has what the book says', async () => {
  const bench = startBench();
  const adapter = bench.open();
  for (const each of life()) await adapter.settle(each, { document: null, token: tokens[each.tokenId ?? ''] ?? null });
  expect(stateOf(bench.ledger)).toEqual(expected);
});

test.each(Array.from({ length: SEEDS / RANGE }, (_, at) => at * RANGE + 1))(
  'through kills, lost answers, lag and refusals every effect is there exactly once, in order: histories from %i on',
  async (first) => {
    const sum: Counts = { kills: 0, failures: 0 };
    let submissions = 0;
    for (let seed = first; seed < first + RANGE; seed += 1) {
      const bench = startBench();
      const { kills, failures } = await live(bench, seed);
      sum.kills += kills;
      sum.failures += failures;
      submissions += bench.network.submissions;
      expect(stateOf(bench.ledger), `seed ${String(seed)}`).toEqual(expected);
    }
    // The histories are hard enough to prove something.
    expect(sum.kills).toBeGreaterThan(RANGE * 5);
    expect(sum.failures).toBeGreaterThan(RANGE * 5);
    expect(submissions).toBeGreaterThan(RANGE * 40);
  },
);

test(`killed after ${STRIDE === 1 ? 'each of its steps' : 'some of its steps, each'} in turn, a mint is there exactly once`, async () => {
  for (let step = 1; step <= 120; step += STRIDE) {
    const bench = startBench();
    const mint = effect('mint', { tokenId: 'credit', accountId: 'alice', units: '7' });
    const facts = { document: null, token: CREDIT };
    await bench
      .open(new Fuse(step))
      .settle(mint, facts)
      .catch(() => undefined);
    await bench.open().settle(mint, facts);
    const [tokenId = ''] = bench.ledger.tokens.keys();
    expect(bench.ledger.supply(tokenId), `step ${String(step)}`).toBe(7n);
    expect(bench.ledger.successes('mint')).toHaveLength(1);
  }
});

test('the histories double effects as soon as what is stored is lost', async () => {
  let wrong = 0;
  for (let seed = 1; seed <= 20; seed += 1) {
    const bench = startBench();
    const forget = async (): Promise<void> => {
      const rows = await bench.store.find('ledger-row', 'policy-1', {
        where: { path: 'state', op: 'eq', value: 'signed' },
      });
      for (const { id } of rows)
        await bench.store.commit({
          expect: {},
          changes: [{ op: 'delete', kind: 'ledger-row', partition: 'policy-1', id }],
        });
    };
    await live(bench, seed, forget).catch(() => undefined);
    if (JSON.stringify(stateOf(bench.ledger)) !== JSON.stringify(expected)) wrong += 1;
  }
  expect(wrong).toBeGreaterThan(10);
});
