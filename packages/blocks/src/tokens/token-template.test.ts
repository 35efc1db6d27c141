import { describe, expect, it } from 'vitest';
import { completedToken } from './create-token.js';

const needed = { tokenName: 'Credit', tokenSymbol: 'CRD', tokenType: 'fungible' };

describe('a token made from what is written', () => {
  it('has no decimals unless somebody says how many, as a number or a text', () => {
    expect(completedToken(needed)).toMatchObject({ token: { decimals: 0, source: { decimals: '0' } } });
    expect(completedToken({ ...needed, decimals: 3 })).toMatchObject({ token: { decimals: 3 } });
    expect(completedToken({ ...needed, decimals: '18' })).toMatchObject({ token: { decimals: 18 } });
  });

  it('has none in any case where it is not fungible', () => {
    const written = { ...needed, tokenType: 'non-fungible', decimals: 4 };
    expect(completedToken(written)).toMatchObject({ token: { decimals: 0, source: { decimals: '0' } } });
  });

  it('keeps what may be done with it, and nothing that a token does not have', () => {
    const written = { ...needed, enableKYC: true, enableWipe: false, owner: 'x' };
    expect(completedToken(written)).toEqual({
      token: {
        tokenName: 'Credit',
        tokenSymbol: 'CRD',
        tokenType: 'fungible',
        decimals: 0,
        source: { ...needed, enableKYC: true, enableWipe: false, decimals: '0' },
      },
    });
  });

  it.each([
    ['a name', { tokenName: ' ' }, '/tokenName'],
    ['a symbol', { tokenSymbol: undefined }, '/tokenSymbol'],
    ['a known type', { tokenType: 'shares' }, '/tokenType'],
    ['at most 18 decimals', { decimals: 19 }, '/decimals'],
    ['at least none', { decimals: -1 }, '/decimals'],
    ['whole decimals', { decimals: 1.5 }, '/decimals'],
    ['decimals in digits', { decimals: '1e1' }, '/decimals'],
    ['a name of at most 100 characters', { tokenName: 'x'.repeat(101) }, '/tokenName'],
    ['flags that are flags', { enableKYC: 'yes' }, '/enableKYC'],
  ])('needs %s', (_, wrong, path) => {
    expect(completedToken({ ...needed, ...wrong })).toMatchObject({ faults: [{ path }] });
  });
});
