/** What a policy has minted of a token: exact, from the ledger's book and the mint credentials. */
import type { LedgerEffect, LedgerToken, PolicyStore } from '@blockwork/core';
import { valueAt } from '@blockwork/core/block';

export interface Minted {
  /** How often something was minted. */
  readonly mints: number;
  /** Smallest units: 1.50 of a token with two decimals are 150. For non-fungible tokens, one for each serial number. */
  readonly units: bigint;
  /** What each mint credential says, in the order of the mints, for instance `1.50`. */
  readonly amounts: readonly string[];
  /** Units by the account that they were minted to. */
  readonly accounts: Readonly<Record<string, bigint>>;
}

type Records = Pick<PolicyStore, 'find'>;

/** Every token of which something was minted, by id. */
export async function mintedTokens(records: Records, policyId: string): Promise<Map<string, Minted>> {
  const effects = await records.find('ledger-effect', policyId, { where: { path: 'type', op: 'eq', value: 'mint' } });
  const ids = new Set(effects.map(({ tokenId }) => tokenId ?? ''));
  const amounts = await amountsByToken(records, policyId);
  return new Map(
    [...ids].map((id) => {
      const own = effects.filter(({ tokenId }) => tokenId === id);
      return [id, { ...summed(own), amounts: amounts.get(id) ?? [] }];
    }),
  );
}

export const nothingMinted: Minted = { mints: 0, units: 0n, amounts: [], accounts: {} };

/** The token by its id, name or symbol; the policy's only one when no name is given. Throws where that is no single token. */
export function tokenNamed(tokens: readonly LedgerToken[], name: string | undefined): string {
  const found = tokens.filter(
    ({ id, tokenName, tokenSymbol, source }) =>
      name === undefined || [id, tokenName, tokenSymbol, source['templateTokenTag']].includes(name),
  );
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.id;
  const known = tokens.map(({ id, tokenName }) => `${id} (${tokenName})`).join(', ') || 'none';
  throw new Error(`${found.length} tokens of the policy are ${name ?? 'what is asked for'}. Its tokens: ${known}.`);
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

async function amountsByToken(records: Records, policyId: string): Promise<Map<string, string[]>> {
  const credentials = await records.find('document', policyId, { where: { path: 'type', op: 'eq', value: 'mint' } });
  const amounts = new Map<string, string[]>();
  for (const { dataType, document } of credentials) {
    if (dataType !== 'vc-documents') continue;
    const tokenId = String(valueAt(document, 'credentialSubject.0.tokenId'));
    const amount = String(valueAt(document, 'credentialSubject.0.amount'));
    amounts.set(tokenId, [...(amounts.get(tokenId) ?? []), amount]);
  }
  return amounts;
}
