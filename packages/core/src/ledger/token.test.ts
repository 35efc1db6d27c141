import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../records/index.js';
import { newToken, tokenOfDefinition } from './token.js';

const definition = (source: JsonObject) => ({ id: '0.0.7', tokenName: 'Credit', tokenSymbol: 'CR', source });
const decimalsOf = (decimals: JsonObject[string]) => tokenOfDefinition(definition({ decimals })).decimals;

describe('a token of a policy file', () => {
  it('has the decimals that the file says, as a number or as text', () => {
    expect([decimalsOf(2), decimalsOf('4'), decimalsOf(' 3 '), decimalsOf('')]).toEqual([2, 4, 3, 0]);
    expect([decimalsOf(null), tokenOfDefinition(definition({})).decimals]).toEqual([0, 0]);
  });

  it('has at most 18 decimals', () => {
    expect([decimalsOf(18), decimalsOf('18'), decimalsOf('018')]).toEqual([18, 18, 18]);
  });

  it('begins with nothing in existence, whatever the file says of a supply', () => {
    expect(tokenOfDefinition(definition({ tokenType: 'fungible', initialSupply: '500' }))).toMatchObject({
      id: '0.0.7',
      tokenName: 'Credit',
      tokenSymbol: 'CR',
      tokenType: 'fungible',
      supply: '0',
      lastSerial: 0,
    });
  });

  it('has no decimals where it is non-fungible', () => {
    expect(tokenOfDefinition(definition({ tokenType: 'non-fungible', decimals: '2' }))).toMatchObject({
      tokenType: 'non-fungible',
      decimals: 0,
    });
  });

  it('is refused where its decimals cannot be read, rather than minted a thousandfold', () => {
    for (const wrong of ['two', '2.5', '2a', 'a2', '2 0', 2.5, -1, 19, '19', true, [2]]) {
      expect(() => decimalsOf(wrong)).toThrow(expect.objectContaining({ code: 'LEDGER_REFUSED' }));
    }
    expect(() =>
      newToken('0.0.8', { tokenName: '', tokenSymbol: '', tokenType: 'fungible', decimals: 99, source: {} }),
    ).toThrow(/token 0\.0\.8 has the decimals 99/);
  });
});
