/** A policy's tokens, for its owner and auditors: mints, holders and movements. */
import type { Caller } from '../../access/index.js';
import type { CompiledPolicyCache } from '../../catalog/index.js';
import { PolicyLedger } from '../../context/index.js';
import { BlockworkError } from '../../errors.js';
import { amountOf } from '../../ledger/index.js';
import { demandOptions } from '../../options/index.js';
import { allOf, equalTo } from '../../records/index.js';
import type { LedgerEffect, LedgerToken, TokenRelation } from '../../records/index.js';
import type { Gate } from '../gate.js';
import type { EngineLimits } from '../limits.js';
import { boundedRange, pageOf, type ListPage, type Range } from '../page.js';
import type { PolicySight } from '../people/policy-sight.js';
import { type BundleDeps, type BundleOptions, makeBundle } from './bundle/make-bundle.js';
import type { ProofBundle } from './bundle/proof-bundle.js';
import { namedDocument } from './documents.js';
import { auditedPolicy } from './own-policy.js';
import { mintsOf } from './trust-chain.js';

/** Units are whole numbers as decimal text; amounts are the same values as decimal numbers of the token. */
export interface TokenSummary extends Omit<LedgerToken, 'source'> {
  readonly supplyAmount: string;
  readonly mints: number;
  /** Total minted, including units wiped later. */
  readonly minted: string;
  readonly mintedAmount: string;
  /** Number of accounts with a balance. */
  readonly holders: number;
}

export interface TokenBalance extends Omit<TokenRelation, 'id' | 'tokenId'> {
  readonly amount: string;
}

export interface EffectQuery extends Range {
  readonly type?: LedgerEffect['type'] | undefined;
  readonly tokenId?: string | undefined;
  /** The affected account, or the sender of a transfer. */
  readonly accountId?: string | undefined;
}

export interface TokensDeps extends BundleDeps {
  readonly sight: PolicySight;
  readonly policies: CompiledPolicyCache;
  readonly limits: Pick<EngineLimits, 'pageBytes'>;
}

/** Mints summed per query. */
const BATCH = 1000;

/**
 * Auditors (`POLICIES_POLICY_AUDIT`) can inspect every published policy, owners (`POLICIES_POLICY_MANAGE`) their own.
 * Every method throws `PERMISSION_DENIED`, `POLICY_UNKNOWN`, `POLICY_NOT_OWNED`, `ENGINE_CLOSED`.
 */
export class Tokens {
  constructor(
    private readonly gate: Gate,
    private readonly deps: TokensDeps,
  ) {}

  /**
   * A token from the policy's file or created in the policy, with its mint totals. Throws `LEDGER_TOKEN_UNKNOWN`, and
   * the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const { mints } = await engine.tokens.get(owner, policyId, tokenId);
   */
  async get(caller: Caller, policyId: string, tokenId: string): Promise<TokenSummary> {
    const { source: _, ...token } = await this.#token(caller, policyId, tokenId);
    const { mints, minted } = await this.#minted(policyId, tokenId);
    const { decimals, supply } = token;
    const isHeld = allOf(equalTo('tokenId', tokenId), { path: 'balance', op: 'ne', value: '0' });
    return {
      ...token,
      supplyAmount: amountOf(BigInt(supply), decimals),
      mints,
      minted: minted.toString(),
      mintedAmount: amountOf(minted, decimals),
      holders: await this.deps.store.count('ledger-relation', policyId, isHeld),
    };
  }

  /**
   * A page of the accounts associated with the token, 100 by default. Throws as `get`.
   *
   * @example const { items } = await engine.tokens.balances(owner, policyId, tokenId);
   */
  async balances(
    caller: Caller,
    policyId: string,
    tokenId: string,
    range: Range = {},
  ): Promise<ListPage<TokenBalance>> {
    await auditedPolicy(this.gate, this.deps.sight, caller, policyId);
    demandOptions(range, 'tokens.balances', 'range');
    const { decimals } = await this.#token(caller, policyId, tokenId);
    const where = equalTo('tokenId', tokenId);
    const [relations, total] = await Promise.all([
      this.deps.store.find('ledger-relation', policyId, { where, ...boundedRange(range) }),
      this.deps.store.count('ledger-relation', policyId, where),
    ]);
    const items = relations.map(({ id: _id, tokenId: _tokenId, ...relation }) => ({
      ...relation,
      amount: amountOf(BigInt(relation.balance), decimals),
    }));
    return { items, total };
  }

  /**
   * A page of the policy's book, 100 effects by default: everything that happened on the ledger, with messages but
   * without their content. Throws the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const { items } = await engine.tokens.effects(owner, policyId);
   */
  async effects(caller: Caller, policyId: string, query: EffectQuery = {}): Promise<ListPage<LedgerEffect>> {
    const { store, sight, limits } = this.deps;
    await auditedPolicy(this.gate, sight, caller, policyId);
    demandOptions(query, 'tokens.effects', 'query');
    const { type, tokenId, accountId } = query;
    const where = allOf(
      ...(type === undefined ? [] : [equalTo('type', type)]),
      ...(tokenId === undefined ? [] : [equalTo('tokenId', tokenId)]),
      ...(accountId === undefined
        ? []
        : [{ any: [equalTo('accountId', accountId), equalTo('fromAccountId', accountId)] }]),
    );
    return pageOf(store, 'ledger-effect', policyId, { ...boundedRange(query), where, bytes: limits.pageBytes });
  }

  /**
   * Everything needed to verify a mint without this instance, as `documents.bundle`. The mint is given by its
   * presentation: the id of that document or of its ledger message, which the memo of the mint starts with. Throws
   * `DOCUMENT_UNKNOWN` if nothing was minted for it, `LOG_SHORTER`, `LOG_UNKNOWN`, `KEY_UNAVAILABLE`, `INPUT_INVALID`, `BUNDLE_TOO_LARGE`,
   * `PAGE_TOO_LARGE`, and the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const bundle = await engine.tokens.bundle(owner, policyId, presentationId);
   */
  async bundle(
    caller: Caller,
    policyId: string,
    presentationId: string,
    options: BundleOptions = {},
  ): Promise<ProofBundle> {
    await auditedPolicy(this.gate, this.deps.sight, caller, policyId);
    demandOptions(options, 'tokens.bundle', 'options');
    const { store, policies } = this.deps;
    const document = await namedDocument(store, policyId, presentationId);
    if ((await mintsOf(store, policyId, document)).length === 0) {
      throw new BlockworkError('DOCUMENT_UNKNOWN', { facts: { policyId, documentId: presentationId } });
    }
    return makeBundle(this.deps, await policies.open(policyId), document, { ...options, kind: 'mint' });
  }

  async #token(caller: Caller, policyId: string, tokenId: string): Promise<LedgerToken> {
    await auditedPolicy(this.gate, this.deps.sight, caller, policyId);
    const token = await new PolicyLedger(this.deps.store, policyId).token(tokenId);
    if (token === undefined) throw new BlockworkError('LEDGER_TOKEN_UNKNOWN', { facts: { policyId, tokenId } });
    return token;
  }

  async #minted(policyId: string, tokenId: string): Promise<{ mints: number; minted: bigint }> {
    const where = allOf(equalTo('tokenId', tokenId), equalTo('type', 'mint'));
    let [mints, minted] = [0, 0n];
    for (;;) {
      const batch = await this.deps.store.find('ledger-effect', policyId, { where, offset: mints, limit: BATCH });
      mints += batch.length;
      for (const { units = '0' } of batch) minted += BigInt(units);
      if (batch.length < BATCH) return { mints, minted };
    }
  }
}
