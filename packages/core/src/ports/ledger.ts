/**
 * A ledger outside of the process, where what the policies' books say is carried out for everybody to see.
 *
 * The engine keeps the book of each policy itself, in its store: tokens, accounts, balances, topics and messages
 * change with the unit of work that causes them, or not at all. Effects leave for the ledger after the commit.
 */
import type { LedgerEffect } from '../records/index.js';

export interface Ledger {
  /**
   * Asked inside the unit of work, before the effect is written into the book: rejecting refuses it, and the block
   * fails with `LEDGER_REFUSED` and the rejection's message. Must change nothing. For a ledger that knows more than the
   * book: that an account does not exist. On trial, the accounts are made up and nothing is settled afterwards.
   */
  check(effect: LedgerEffect, circumstances: { readonly trial: boolean }): Promise<void>;

  /**
   * Carries out one effect that is committed: the effects of a policy in the order in which they were committed, each at
   * least once. A second call with the same `effect.id` does nothing and resolves; when it rejects, it is called again
   * later, and the policy's following effects wait. Where the effect is a message, `effect.body` is the `LedgerMessage`.
   */
  settle(effect: LedgerEffect): Promise<void>;

  close(): Promise<void>;
}
