import { describe, expect, it } from 'vitest';
import { MAX_UNITS, type LedgerToken, type TokenRelation } from '../records/index.js';
import { minted, transferred, wiped } from './movements.js';
import { noRelation } from './relations.js';
import { newToken } from './token.js';

const facts = { tokenName: 'Credit', tokenSymbol: 'CR', source: {} };
const credit = newToken('0.0.7', { ...facts, tokenType: 'fungible', decimals: 2 });
const serial = newToken('0.0.8', { ...facts, tokenType: 'non-fungible', decimals: 0 });

const account = (accountId: string, more: Partial<TokenRelation> = {}, token = credit): TokenRelation => ({
  ...noRelation(token.id, accountId),
  associated: true,
  ...more,
});
const refusal = (reason: string) => expect.objectContaining({ code: 'LEDGER_REFUSED', facts: { reason } }) as Error;

describe('minting', () => {
  it('adds to the supply and to the balance, and associates the account', () => {
    const { token, relations } = minted({ ...credit, supply: '50' }, noRelation('0.0.7', '0.0.1001'), 25n);
    expect(token).toEqual({ ...credit, supply: '75' });
    expect(relations).toEqual([account('0.0.1001', { balance: '25' })]);
  });

  it('continues the serials of a non-fungible token after the last one issued, and leaves a fungible one without', () => {
    const issued = { ...serial, supply: '1', lastSerial: 9 };
    expect(minted(issued, account('0.0.1001', {}, serial), 3n).token).toMatchObject({ supply: '4', lastSerial: 12 });
    expect(minted(credit, account('0.0.1001'), 3n).token).toMatchObject({ supply: '3', lastSerial: 0 });
  });

  it('stops at the maximum supply, to the unit', () => {
    const nearlyFull: LedgerToken = { ...credit, supply: (MAX_UNITS - 5n).toString() };
    expect(minted(nearlyFull, account('0.0.1001'), 5n).token.supply).toBe(MAX_UNITS.toString());
    expect(() => minted(nearlyFull, account('0.0.1001'), 6n)).toThrow(
      refusal('token 0.0.7 cannot have 0.06 more: 92233720368547758.02 exist already'),
    );
  });

  it('stops at the last serial that a number can hold exactly, also where most serials were wiped', () => {
    const last = Number.MAX_SAFE_INTEGER;
    const nearlyUsed: LedgerToken = { ...serial, supply: '2', lastSerial: last - 1 };
    expect(minted(nearlyUsed, account('0.0.1001', {}, serial), 1n).token).toMatchObject({ lastSerial: last });
    expect(() => minted(nearlyUsed, account('0.0.1001', {}, serial), 2n)).toThrow(
      refusal('token 0.0.8 cannot have 2 more: 2 exist already'),
    );
  });

  it('refuses a negative number of units, and allows none', () => {
    expect(() => minted(credit, account('0.0.1001'), -1n)).toThrow(
      refusal('-0.01 of token 0.0.7 is less than nothing'),
    );
    expect(minted(credit, account('0.0.1001'), 0n).token.supply).toBe('0');
  });

  it.each([
    ['without an account', account(''), 'no account is named for token 0.0.7'],
    ['for a frozen account', account('0.0.1001', { frozen: true }), 'account 0.0.1001 is frozen for token 0.0.7'],
    [
      'for an account whose KYC is revoked',
      account('0.0.1001', { kyc: 'revoked' }),
      'the KYC of account 0.0.1001 for token 0.0.7 is revoked',
    ],
  ])('is refused %s', (_, to, reason) => {
    expect(() => minted(credit, to, 1n)).toThrow(refusal(reason));
  });
});

describe('wiping', () => {
  const issued = { ...credit, supply: '80' };

  it('takes from the supply and from the balance, of a frozen account too', () => {
    const from = account('0.0.1001', { balance: '30', frozen: true, kyc: 'revoked' });
    const { token, relations } = wiped(issued, from, 30n);
    expect(token).toEqual({ ...issued, supply: '50' });
    expect(relations).toEqual([{ ...from, balance: '0' }]);
  });

  it('is refused beyond the balance, without an account, and for a negative number of units', () => {
    expect(() => wiped(issued, account('0.0.1001', { balance: '30' }), 31n)).toThrow(
      refusal('account 0.0.1001 holds 0.30 of token 0.0.7, less than 0.31'),
    );
    expect(() => wiped(issued, account(''), 0n)).toThrow(refusal('no account is named for token 0.0.7'));
    expect(() => wiped(issued, account('0.0.1001', { balance: '30' }), -1n)).toThrow(/less than nothing/);
  });
});

describe('a transfer', () => {
  const from = account('0.0.1001', { balance: '30' });
  const to = account('0.0.1002', { balance: '4', associated: false });

  it('moves units and leaves the supply alone', () => {
    expect(transferred(credit, from, to, 30n)).toEqual({
      token: credit,
      relations: [
        { ...from, balance: '0' },
        { ...to, associated: true, balance: '34' },
      ],
    });
  });

  it.each<[string, TokenRelation, TokenRelation, string]>([
    ['to oneself', from, from, 'account 0.0.1001 cannot transfer token 0.0.7 to itself'],
    ['from a frozen account', { ...from, frozen: true }, to, 'account 0.0.1001 is frozen for token 0.0.7'],
    ['to a frozen account', from, { ...to, frozen: true }, 'account 0.0.1002 is frozen for token 0.0.7'],
    [
      'from an account whose KYC is revoked',
      { ...from, kyc: 'revoked' },
      to,
      'the KYC of account 0.0.1001 for token 0.0.7 is revoked',
    ],
    ['to no account', from, account(''), 'no account is named for token 0.0.7'],
    [
      'of more than there is',
      { ...from, balance: '29' },
      to,
      'account 0.0.1001 holds 0.29 of token 0.0.7, less than 0.30',
    ],
  ])('is refused %s', (_, sender, receiver, reason) => {
    expect(() => transferred(credit, sender, receiver, 30n)).toThrow(refusal(reason));
  });

  it('is refused for a negative number of units', () => {
    expect(() => transferred(credit, from, to, -1n)).toThrow(refusal('-0.01 of token 0.0.7 is less than nothing'));
  });
});
