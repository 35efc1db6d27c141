/** What the ledger costs, and what it may: a budget for each day, a balance that stays, and what the operator is told. */
import { describe, expect, it } from 'vitest';
import { FEE } from './support/fake-ledger.js';
import { effect, message, messageEffect, startBench, token, topicEffect, type Bench } from './support/bench.js';

const nothing = { document: null, token: null };
const fees = (count: number): string => String((count * Number(FEE)) / 1e8);

const costsOf = async (bench: Bench) => (await bench.open().operation.status()).costs;

describe('costs', () => {
  it('are the fees that the mirror shows, once each, however often an effect is tried', async () => {
    const bench = startBench();
    const topic = topicEffect();
    bench.network.nextFault = (kind) =>
      kind === 'mirror' && bench.ledger.transactions.length > 0 ? 'unavailable' : 'none';
    await expect(bench.open().settle(topic, nothing)).rejects.toThrow();
    // The fee is not known yet: the most that it may be is reserved.
    bench.network.nextFault = () => 'none';
    expect(await costsOf(bench)).toMatchObject({ today: '0', reserved: '2' });
    await bench.open().settle(topic, nothing);
    await bench.open().settle(topic, nothing);
    const spent = fees(2);
    expect(await costsOf(bench)).toEqual({ today: spent, reserved: '0', budget: null, total: spent });
  });

  it('include the fee of a transaction that was refused, when it is tried again', async () => {
    const bench = startBench();
    const adapter = bench.open();
    bench.ledger.nextResults.push('INVALID_SIGNATURE');
    await expect(adapter.settle(topicEffect(), nothing)).rejects.toThrow('INVALID_SIGNATURE');
    expect(await costsOf(bench)).toMatchObject({ today: '0', reserved: '2' });
    bench.clock.advance('5m');
    await bench.open().settle({ ...topicEffect(), id: 'policy-1/other/0' }, nothing);
    const [refused] = await bench.store.find('ledger-row', 'policy-1', {
      where: { path: 'state', op: 'eq', value: 'refused' },
    });
    await adapter.operation.resume({ allowance: null });
    await adapter.settle({ ...topicEffect(), id: refused?.effectId ?? '' }, nothing);
    // Five transactions: the refused one, and two for each topic.
    expect(await costsOf(bench)).toMatchObject({ today: fees(5), reserved: '0' });
  });

  it('belong to the day of the signature', async () => {
    const bench = startBench();
    await bench.open().settle(topicEffect(), nothing);
    bench.clock.advance('24h');
    expect(await costsOf(bench)).toMatchObject({ today: '0', total: fees(2) });
  });
});

describe('a daily budget', () => {
  it('stops what does not fit any more, says what to do, and goes on the next day', async () => {
    // A topic may cost 2 HBAR, and its first message half of one.
    const bench = startBench({ dailyBudget: 2.2 });
    const adapter = bench.open();
    const topic = topicEffect();
    await adapter.settle(topic, nothing);
    const token1 = effect('mint', { tokenId: 'credit', accountId: '0.0.2001', units: '7' });
    const waits = adapter.settle(token1, { document: null, token: token('credit') });
    await expect(waits).rejects.toThrow(
      /The budget of 2\.2 HBAR for 2026-01-01 does not suffice for a transaction \(create-token\), which may cost 60: .* are spent and 0 reserved .* "blockwork ledger resume --allow"/,
    );
    expect((await adapter.operation.status()).pause).toMatchObject({
      reason: expect.stringContaining('The budget of 2.2 HBAR') as unknown,
    });
    expect(bench.ledger.tokens.size).toBe(0);
    // What is cheaper still fits.
    await adapter.settle(messageEffect(message('1767225610.000000001')), nothing);
    expect((await adapter.operation.status()).pause).toBeNull();
    bench.clock.advance('24h');
    await expect(adapter.settle(token1, { document: null, token: token('credit') })).rejects.toThrow('2026-01-02');
  });

  it('is exceeded by what an operator allows for the day', async () => {
    const bench = startBench({ dailyBudget: 1 });
    const adapter = bench.open();
    const topic = topicEffect();
    await expect(adapter.settle(topic, nothing)).rejects.toThrow('The budget of 1 HBAR');
    await expect(adapter.operation.resume({ allowance: 'much' })).rejects.toThrow('"much" is not an amount');
    await expect(adapter.operation.resume({ allowance: '0.123456789' })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
    // Of two operators who allow more at the same moment, neither is lost.
    await Promise.all(['1.5', '0.1'].map((allowance) => adapter.operation.resume({ allowance })));
    await adapter.operation.resume({ allowance: '90000000.00000001' });
    expect((await adapter.operation.status()).costs.budget).toBe('90000002.60000001');
    await adapter.settle(topic, nothing);
    bench.clock.advance('24h');
    expect((await adapter.operation.status()).costs.budget).toBe('1');
  });

  it('is not exceeded by policies that are settled at the same time', async () => {
    const bench = startBench({ dailyBudget: 2.5 });
    const adapter = bench.open();
    const policies = ['policy-1', 'policy-2', 'policy-3'];
    await Promise.allSettled(policies.map((policyId) => adapter.settle({ ...topicEffect(), policyId }, nothing)));
    expect(bench.ledger.topics.size).toBe(1);
  });

  it('counts a transaction that was not carried out only once', async () => {
    const bench = startBench({ dailyBudget: 2.6 });
    const topic = topicEffect();
    bench.network.nextFault = (kind) => (kind === 'submit' ? 'unavailable' : 'none');
    await expect(bench.open().settle(topic, nothing)).rejects.toThrow();
    bench.clock.advance('10m');
    await expect(bench.open().settle(topic, nothing)).rejects.toThrow('a new one will be');
    bench.network.nextFault = () => 'none';
    await bench.open().settle(topic, nothing);
    expect(bench.ledger.topics.size).toBe(1);
  });
});

it('a budget of nothing has nothing signed, and what is there can be compared', async () => {
  const bench = startBench({ dailyBudget: 0 });
  const adapter = bench.open();
  await expect(adapter.settle(topicEffect(), nothing)).rejects.toThrow('The budget of 0 HBAR');
  expect(bench.ledger.transactions).toEqual([]);
  expect((await adapter.operation.status()).pause).not.toBeNull();
  expect(await adapter.operation.compare('policy-1')).toMatchObject({ differences: [] });
});

describe('a balance that stays', () => {
  it('is not touched, and what waits goes on when the account is filled', async () => {
    const bench = startBench({ balanceFloor: 5 });
    bench.ledger.funds = 600_000_000n;
    const adapter = bench.open();
    const topic = topicEffect();
    await expect(adapter.settle(topic, nothing)).rejects.toThrow(
      'The account 0.0.1002 has 6 HBAR, and must keep 5 after a transaction (create-topic), which may cost 2. It goes on when the account is filled.',
    );
    expect((await adapter.operation.status()).pause?.reason).toContain('must keep 5');
    bench.ledger.funds = 900_000_000n;
    bench.clock.advance('1m');
    await adapter.settle(topic, nothing);
    expect((await adapter.operation.status()).pause).toBeNull();
  });

  it('that is empty is told in the status', async () => {
    const bench = startBench();
    bench.ledger.isFunded = false;
    const adapter = bench.open();
    const topic = topicEffect();
    await expect(adapter.settle(topic, nothing)).rejects.toThrow('fill the account 0.0.1002');
    expect((await adapter.operation.status()).pause?.remedy).toContain('when the account is filled');
    bench.ledger.isFunded = true;
    await adapter.settle(topic, nothing);
    expect((await adapter.operation.status()).pause).toBeNull();
  });
});

it('the status is told also while the mirror cannot be asked', async () => {
  const bench = startBench({ dailyBudget: 3, balanceFloor: 1 });
  bench.network.nextFault = () => 'unavailable';
  expect(await bench.open().operation.status()).toEqual({
    network: 'fake',
    account: '0.0.1002',
    currency: 'HBAR',
    balance: null,
    readableUpTo: null,
    pause: null,
    costs: { today: '0', reserved: '0', budget: '3', total: '0' },
  });
});

it('what an operator resumes is tried again by every process on the store', async () => {
  const bench = startBench();
  const [one, other] = [bench.open(), bench.open()];
  const topic = topicEffect();
  bench.ledger.nextResults.push('INVALID_SIGNATURE');
  await expect(one.settle(topic, nothing)).rejects.toThrow('INVALID_SIGNATURE');
  bench.clock.advance('5m');
  await expect(one.settle(topic, nothing)).rejects.toThrow('INVALID_SIGNATURE');
  expect(bench.ledger.transactions).toHaveLength(1);
  await other.operation.resume({ allowance: null });
  await one.settle(topic, nothing);
  expect(bench.ledger.topics.size).toBe(1);
});
