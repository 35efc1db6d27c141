import { describe, expect, it } from 'vitest';
import type { LedgerEffect } from '../records/index.js';
import { MemoryLedger } from './memory-ledger.js';

const effect = (id: string, facts: Partial<LedgerEffect>): LedgerEffect => ({
  id,
  policyId: 'p',
  at: '2026-01-01T00:00:00.000Z',
  type: 'mint',
  tokenId: 't',
  ...facts,
});

describe('MemoryLedger', () => {
  it('keeps the balances that settled effects make', async () => {
    const ledger = new MemoryLedger();
    await ledger.settle(effect('1', { type: 'mint', accountId: 'a', units: '10' }));
    await ledger.settle(effect('2', { type: 'transfer', fromAccountId: 'a', accountId: 'b', units: '4' }));
    await ledger.settle(effect('3', { type: 'wipe', accountId: 'b', units: '1' }));
    expect([ledger.balance('t', 'a'), ledger.balance('t', 'b'), ledger.supply('t')]).toEqual([6n, 3n, 9n]);
  });

  it('carries out an effect once, however often it is settled', async () => {
    const ledger = new MemoryLedger();
    for (let n = 0; n < 3; n += 1) await ledger.settle(effect('1', { accountId: 'a', units: '10' }));
    expect(ledger.supply('t')).toBe(10n);
    expect(ledger.settled).toHaveLength(1);
  });

  it('fails as it was told: before it has done anything, or after, when only the answer is lost', async () => {
    const ledger = new MemoryLedger();
    ledger.failNext('before');
    ledger.failNext('after');
    const mint = effect('1', { accountId: 'a', units: '10' });
    await expect(ledger.settle(mint)).rejects.toThrow('cannot be reached');
    expect(ledger.supply('t')).toBe(0n);
    await expect(ledger.settle(mint)).rejects.toThrow('was lost');
    expect(ledger.supply('t')).toBe(10n);
    await ledger.settle(mint);
    expect(ledger.supply('t')).toBe(10n);
  });

  it('refuses the next effect of a type, once', async () => {
    const ledger = new MemoryLedger();
    ledger.refuseNext('freeze', 'there is no such account');
    await ledger.check(effect('1', { type: 'mint' }));
    await expect(ledger.check(effect('2', { type: 'freeze' }))).rejects.toThrow('no such account');
    await ledger.check(effect('3', { type: 'freeze' }));
  });

  it('owns what it was given', async () => {
    const ledger = new MemoryLedger();
    const mint = effect('1', { accountId: 'a', units: '10' });
    await ledger.settle(mint);
    mint.units = '99';
    expect(ledger.settled[0]?.units).toBe('10');
  });
});
