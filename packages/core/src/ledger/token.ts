/** Tokens of the book, from a policy's file or from a template. */
import { MAX_DECIMALS, type JsonObject, type LedgerToken, type TokenRecord } from '../records/index.js';
import { refuse } from './refuse.js';

/**
 * A token of the policy's file before the first mint. `decimals` is a number or a text there, empty for none. An `initialSupply`
 * is ignored: it belongs to a treasury, which a policy does not have.
 */
export function tokenOfDefinition({ id, tokenName, tokenSymbol, source }: TokenRecord): LedgerToken {
  const tokenType = source['tokenType'] === 'non-fungible' ? 'non-fungible' : 'fungible';
  return newToken(id, { tokenName, tokenSymbol, tokenType, decimals: source['decimals'], source });
}

/** Throws `LEDGER_REFUSED` unless `decimals` is a whole number from 0 to 18. A non-fungible token has none. */
export function newToken(id: string, { tokenName, tokenSymbol, tokenType, decimals, source }: TokenFacts): LedgerToken {
  const digits = tokenType === 'non-fungible' ? 0 : decimalsOf(id, decimals);
  return { id, tokenName, tokenSymbol, tokenType, decimals: digits, supply: '0', lastSerial: 0, source };
}

interface TokenFacts {
  readonly tokenName: string;
  readonly tokenSymbol: string;
  readonly tokenType: LedgerToken['tokenType'];
  readonly decimals: unknown;
  readonly source: JsonObject;
}

function decimalsOf(id: string, decimals: unknown): number {
  if (decimals === undefined || decimals === null) return 0;
  const text = typeof decimals === 'string' ? decimals.trim() || '0' : decimals;
  const digits = typeof text === 'string' && /^\d{1,3}$/.test(text) ? Number(text) : text;
  if (typeof digits === 'number' && Number.isInteger(digits) && digits >= 0 && digits <= MAX_DECIMALS) return digits;
  return refuse(
    `token ${id} has the decimals ${JSON.stringify(decimals)}, not a whole number from 0 to ${String(MAX_DECIMALS)}`,
  );
}
