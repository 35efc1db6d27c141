import { describe, expect, it } from 'vitest';
import type { TokenRelation } from '../records/index.js';
import { changedRelation, noRelation, type RelationChange } from './relations.js';

const none = noRelation('0.0.7', '0.0.1001');
const associated: TokenRelation = { ...none, associated: true };
const refusal = (reason: string) => expect.objectContaining({ code: 'LEDGER_REFUSED', facts: { reason } }) as Error;

describe('the relation of an account with a token', () => {
  it('begins without an association, a freeze, a KYC decision and a balance', () => {
    expect(none).toMatchObject({ associated: false, frozen: false, kyc: 'unset', balance: '0', tokenId: '0.0.7' });
  });

  it.each<[RelationChange, TokenRelation, Partial<TokenRelation>]>([
    ['associate', none, { associated: true }],
    ['dissociate', associated, { associated: false }],
    ['freeze', associated, { frozen: true }],
    ['unfreeze', { ...associated, frozen: true }, { frozen: false }],
    ['grant-kyc', associated, { kyc: 'granted' }],
    ['grant-kyc', { ...associated, kyc: 'revoked' }, { kyc: 'granted' }],
    ['revoke-kyc', { ...associated, kyc: 'granted' }, { kyc: 'revoked' }],
  ])('changes by "%s"', (change, before, difference) => {
    expect(changedRelation(before, change)).toEqual({ ...before, ...difference });
  });

  it.each<[RelationChange, TokenRelation]>([
    ['associate', associated],
    ['dissociate', none],
    ['freeze', { ...associated, frozen: true }],
    ['unfreeze', none],
    ['grant-kyc', { ...associated, kyc: 'granted' }],
    ['revoke-kyc', { ...none, kyc: 'revoked' }],
  ])('does not change where "%s" is so already, associated or not', (change, before) => {
    expect(changedRelation(before, change)).toBeNull();
  });

  it('keeps a KYC decision over leaving and rejoining', () => {
    const relation = changedRelation({ ...associated, kyc: 'revoked' }, 'dissociate');
    expect(relation).toMatchObject({ associated: false, kyc: 'revoked' });
    expect(changedRelation(relation ?? none, 'associate')).toMatchObject({ associated: true, kyc: 'revoked' });
  });

  it.each<[RelationChange, TokenRelation, string]>([
    ['associate', noRelation('0.0.7', ''), 'no account is named for token 0.0.7'],
    [
      'dissociate',
      { ...associated, frozen: true },
      'account 0.0.1001 of token 0.0.7 is frozen and cannot be dissociated',
    ],
    [
      'dissociate',
      { ...associated, balance: '5' },
      'account 0.0.1001 of token 0.0.7 still holds 5 units and cannot be dissociated',
    ],
    ['freeze', none, 'account 0.0.1001 of token 0.0.7 is not associated, so "freeze" is not possible'],
    ['grant-kyc', none, 'account 0.0.1001 of token 0.0.7 is not associated, so "grant-kyc" is not possible'],
    ['revoke-kyc', none, 'account 0.0.1001 of token 0.0.7 is not associated, so "revoke-kyc" is not possible'],
  ])('is refused to "%s" where that cannot be', (change, before, reason) => {
    expect(() => changedRelation(before, change)).toThrow(refusal(reason));
  });

  it('can be changed in other ways while it is frozen or has a balance', () => {
    const relation: TokenRelation = { ...associated, frozen: true, balance: '5' };
    expect(changedRelation(relation, 'grant-kyc')).toMatchObject({ kyc: 'granted', frozen: true, balance: '5' });
    expect(changedRelation(relation, 'unfreeze')).toMatchObject({ frozen: false });
  });
});
