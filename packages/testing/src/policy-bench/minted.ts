/** Mint totals of a token, computed from the ledger book and the mint credentials. */
import type { LedgerEffect, LedgerToken, MintTotals, PolicyStore } from '@blockwork/core';
import { valueAt } from '@blockwork/core/block';

/** The engine's `MintTotals` in exact numbers, so that a test can compare and add them. */
export interface Minted extends Pick<MintTotals, 'mints'> {
  /** Smallest units: 1.50 of a token with two decimals are 150. For non-fungible tokens, the number of serials. */
  readonly units: bigint;
  /** The amounts in the mint credentials, in the order of the mints, for instance `1.50`. */
  readonly amounts: readonly string[];
  /** Units by the account that they were minted to, also after a transfer. */
  readonly accounts: Readonly<Record<string, bigint>>;
}

type Records = Pick<PolicyStore, 'find'>;

/** Every minted token, by id. */
export async function mintedTokens(records: Records, policyId: string): Promise<Map<string, Minted>> {
  const effects = await records.find('ledger-effect', policyId, { where: { path: 'type', op: 'eq', value: 'mint' } });
  const ids = new Set(effects.map(({ tokenId }) => tokenId ?? ''));
  const amounts = await amountsByToken(records, policyId);
  return new Map(
    [...ids].map((id) => {
      const own = effects.filter(({ tokenId }) => tokenId === id);
      return [id, printable({ ...summed(own), amounts: amounts.get(id) ?? [] })];
    }),
  );
}

export const nothingMinted: Minted = printable({ mints: 0, units: 0n, amounts: [], accounts: {} });

/** With units as decimal text in JSON, which has no `bigint`. Not enumerable, so that comparisons do not see it. */
function printable(minted: Minted): Minted {
  const toJSON = (): object => ({
    ...minted,
    units: String(minted.units),
    accounts: Object.fromEntries(Object.entries(minted.accounts).map(([id, units]) => [id, String(units)])),
  });
  return Object.defineProperty({ ...minted }, 'toJSON', { value: toJSON });
}

/** The id of the token with this id, name or symbol, or of the only token. Throws unless exactly one matches. */
export function tokenNamed(tokens: readonly LedgerToken[], name: string | undefined): string {
  const matches = tokens.filter(
    ({ id, tokenName, tokenSymbol, source }) =>
      name === undefined || [id, tokenName, tokenSymbol, source['templateTokenTag']].includes(name),
  );
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only.id;
  const choices = tokens.map(({ id, tokenName }) => `${id} (${tokenName})`).join(', ') || 'none';
  const wanted = name === undefined ? 'a token must be named' : `${matches.length} tokens are called "${name}"`;
  throw new Error(`The policy has these tokens: ${choices}; ${wanted}.`);
}

function summed(effects: readonly LedgerEffect[]): Omit<Minted, 'amounts'> {
  const accounts: Record<string, bigint> = {};
  let total = 0n;
  for (const { accountId = '', units = '0' } of effects) {
    total += BigInt(units);
    accounts[accountId] = (accounts[accountId] ?? 0n) + BigInt(units);
  }
  return { mints: effects.length, units: total, accounts };
}

/** Credentials name a token as the external ledger does, where there is one. */
async function amountsByToken(records: Records, policyId: string): Promise<Map<string, string[]>> {
  const tokens = await records.find('ledger-token', policyId);
  const ids = new Map(tokens.map(({ id, ledgerId = id }) => [ledgerId, id]));
  const credentials = await records.find('document', policyId, { where: { path: 'type', op: 'eq', value: 'mint' } });
  const amounts = new Map<string, string[]>();
  for (const { dataType, document } of credentials) {
    if (dataType !== 'vc-documents') continue;
    const named = String(valueAt(document, 'credentialSubject.0.tokenId'));
    const tokenId = ids.get(named) ?? named;
    const amount = String(valueAt(document, 'credentialSubject.0.amount'));
    amounts.set(tokenId, [...(amounts.get(tokenId) ?? []), amount]);
  }
  return amounts;
}
