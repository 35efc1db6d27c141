/** The books of the policies' ledgers, for the embedding program. */
import type { LedgerOutbox } from '../../background/index.js';
import { PolicyLedger } from '../../context/index.js';
import { demandOptions, demandText } from '../../options/index.js';
import { tokenOfDefinition } from '../../ledger/index.js';
import { equalTo } from '../../records/index.js';
import type { LedgerEffect, LedgerMessage, LedgerToken, TokenRelation } from '../../records/index.js';
import type { RecordReader } from '../../transactions/index.js';
import type { Gate } from '../gate.js';
import { pageOf, type ListPage, type Range } from '../page.js';

/** Mint totals of one token, according to the book. */
export interface MintTotals {
  /** Number of mints. */
  readonly mints: number;
  /** Units minted, including those wiped later; a whole number as decimal text. */
  readonly units: string;
  /** The amount of each mint as a decimal number of the token, oldest first. */
  readonly amounts: string[];
  /** Current units per account; accounts without a balance are left out. */
  readonly accounts: Record<string, string>;
}

/** Methods do not check whether the policy exists: the book of an unknown policy is empty. */
export class ProgramLedger {
  constructor(
    private readonly gate: Gate,
    private readonly records: RecordReader,
    /** `null` without an external ledger. */
    private readonly outbox: LedgerOutbox | null,
  ) {}

  /**
   * Resolves when this process is not settling anything on the external ledger, and only effects waiting for a retry
   * are left, which `getBacklog` counts. Throws `ENGINE_CLOSED`.
   *
   * @example await engine.program.ledger.idle();
   */
  async idle(): Promise<void> {
    this.gate.assertOpen();
    await this.outbox?.idle();
  }

  /**
   * A token from the policy's file or created in the policy; `undefined` for any other. Throws `ENGINE_CLOSED`.
   *
   * @example const token = await engine.program.ledger.getToken(policyId, tokenId);
   */
  async getToken(policyId: string, tokenId: string): Promise<LedgerToken | undefined> {
    return this.#bookOf(policyId).token(tokenId);
  }

  /**
   * The tokens from the policy's file, then those created in the policy. Throws `ENGINE_CLOSED`.
   *
   * @example const tokens = await engine.program.ledger.listTokens(policyId);
   */
  async listTokens(policyId: string): Promise<LedgerToken[]> {
    this.gate.assertOpen();
    const [definitions, booked] = await Promise.all([
      this.records.find('token', policyId),
      this.records.find('ledger-token', policyId),
    ]);
    const tokens = new Map(definitions.map((definition) => [definition.id, tokenOfDefinition(definition)]));
    for (const token of booked) tokens.set(token.id, token);
    return [...tokens.values()];
  }

  /**
   * Whether an account is associated with a token, and its balance. Throws `INPUT_INVALID`, `ENGINE_CLOSED`.
   *
   * @example const { balance } = await engine.program.ledger.getRelation(policyId, tokenId, '0.0.5');
   */
  async getRelation(policyId: string, tokenId: string, accountId: string): Promise<TokenRelation> {
    const ledger = this.#bookOf(policyId);
    demandText(tokenId, 'program.ledger.getRelation', 'tokenId');
    return ledger.relation(tokenId, accountId);
  }

  /**
   * Zero totals for a token that was never minted. Throws `ENGINE_CLOSED`.
   *
   * @example const { mints } = await engine.program.ledger.getMintTotals(policyId, tokenId);
   */
  async getMintTotals(policyId: string, tokenId: string): Promise<MintTotals> {
    this.gate.assertOpen();
    const ofToken = equalTo('tokenId', tokenId);
    const [mints, relations] = await Promise.all([
      this.records.find('ledger-effect', policyId, { where: { all: [ofToken, equalTo('type', 'mint')] } }),
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

  /**
   * All entries of the book, oldest first; `total` counts all of them. Throws `ENGINE_CLOSED`.
   *
   * @example const { items } = await engine.program.ledger.listEffects(policyId);
   */
  async listEffects(policyId: string, range: Range = {}): Promise<ListPage<LedgerEffect>> {
    this.gate.assertOpen();
    demandOptions(range, 'program.ledger.listEffects', 'range');
    return pageOf(this.records, 'ledger-effect', policyId, range);
  }

  /**
   * Messages of one topic, or of all the policy's topics, oldest first. Throws `ENGINE_CLOSED`.
   *
   * @example const messages = await engine.program.ledger.listMessages(policyId);
   */
  async listMessages(policyId: string, topicId?: string): Promise<LedgerMessage[]> {
    this.gate.assertOpen();
    const where = topicId === undefined ? {} : { where: equalTo('topicId', topicId) };
    return this.records.find('ledger-message', policyId, where);
  }

  #bookOf(policyId: string): PolicyLedger {
    this.gate.assertOpen();
    return new PolicyLedger(this.records, policyId);
  }
}
