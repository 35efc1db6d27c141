import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DerivedAccounts } from './derived-accounts.js';

describe('derived accounts', () => {
  it('are numbers that JavaScript can hold, never one of the ledger’s own', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1 }), async (did) => {
        const [, number = ''] = /^0\.0\.([1-9]\d*)$/.exec((await new DerivedAccounts().accountOf(did)) ?? '') ?? [];
        expect(Number(number)).toBeGreaterThanOrEqual(1000);
        expect(Number.isSafeInteger(Number(number))).toBe(true);
      }),
    );
  });

  it('are the same on every machine, and others for others', async () => {
    const accounts = new DerivedAccounts();
    expect(await accounts.accountOf('did:example:alice')).toBe('0.0.214182244272185');
    expect(await accounts.accountOf('did:example:bob')).not.toBe(await accounts.accountOf('did:example:alice'));
  });

  it('are for identities only', async () => {
    expect(await new DerivedAccounts().accountOf('')).toBeNull();
  });
});
