/** The ledger as embedders and operators read it: what the policies' books hold. No caller is asked for. */
import { noRelation, tokenOfDefinition } from '../ledger/index.js';
import { tokenRelationId } from '../records/index.js';
import type { Comparison, LedgerEffect, LedgerMessage, LedgerToken, TokenRelation } from '../records/index.js';
import type { RecordReader } from '../transactions/index.js';

/** What became of a token so far. */
export interface MintTotals {
  /** How often it was minted. */
  readonly mints: number;
  /** Units minted in all, as a whole number in decimal text; what was wiped later is still counted. */
  readonly units: string;
  /** The amount of each mint, as a decimal number of the token, oldest first. */
  readonly amounts: string[];
  /** What each account holds of it now: units by account, without those that hold nothing. */
  readonly accounts: Record<string, string>;
}

export class ProgramLedger {
  constructor(private readonly records: RecordReader) {}

  /** A token of the policy; `undefined` where the policy does not know it. */
  async token(policyId: string, tokenId: string): Promise<LedgerToken | undefined> {
    const booked = await this.records.get('ledger-token', policyId, tokenId);
    if (booked !== undefined) return booked;
    const definition = await this.records.get('token', policyId, tokenId);
    return definition && tokenOfDefinition(definition);
  }

  /** Every token of the policy: those of its file, then those made in it. */
  async tokens(policyId: string): Promise<LedgerToken[]> {
    const [definitions, booked] = await Promise.all([
      this.records.find('token', policyId),
      this.records.find('ledger-token', policyId),
    ]);
    const tokens = new Map(definitions.map((definition) => [definition.id, tokenOfDefinition(definition)]));
    for (const token of booked) tokens.set(token.id, token);
    return [...tokens.values()];
  }

  /** What an account holds of a token, and how they stand to each other. */
  async relation(policyId: string, tokenId: string, accountId: string): Promise<TokenRelation> {
    const booked = await this.records.get('ledger-relation', policyId, tokenRelationId(tokenId, accountId));
    return booked ?? noRelation(tokenId, accountId);
  }

  /** Of a token that was never minted: nothing, nowhere. */
  async minted(policyId: string, tokenId: string): Promise<MintTotals> {
    const ofToken = equal('tokenId', tokenId);
    const [mints, relations] = await Promise.all([
      this.records.find('ledger-effect', policyId, { where: { all: [ofToken, equal('type', 'mint')] } }),
      this.records.find('ledger-relation', policyId, { where: ofToken }),
    ]);
    const holders = relations.filter(({ balance }) => balance !== '0');
    return {
      mints: mints.length,
      units: mints.reduce((sum, { units = '0' }) => sum + BigInt(units), 0n).toString(),
      amounts: mints.map(({ amount = '0' }) => amount),
      accounts: Object.fromEntries(holders.map(({ accountId, balance }) => [accountId, balance])),
    };
  }

  /** Everything that happened in the book, oldest first. */
  async effects(
    policyId: string,
    range: { readonly offset?: number; readonly limit?: number } = {},
  ): Promise<{ items: LedgerEffect[]; total: number }> {
    const [items, total] = await Promise.all([
      this.records.find('ledger-effect', policyId, range),
      this.records.count('ledger-effect', policyId),
    ]);
    return { items, total };
  }

  /** Messages of one topic, or of all topics of the policy, oldest first. */
  messages(policyId: string, topicId?: string): Promise<LedgerMessage[]> {
    const where = topicId === undefined ? {} : { where: equal('topicId', topicId) };
    return this.records.find('ledger-message', policyId, where);
  }
}

const equal = (path: string, value: string): Comparison => ({ path, op: 'eq', value });
