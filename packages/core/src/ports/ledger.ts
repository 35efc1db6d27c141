/**
 * A ledger outside the process, on which committed effects are carried out.
 *
 * The engine keeps the book of each policy itself, in its store: tokens, accounts, balances, topics and messages
 * change with the unit of work that causes them, or not at all. Effects leave for the ledger after the commit.
 */
import type { LedgerEffect } from '../records/index.js';

export interface Ledger {
  /**
   * Called inside the unit of work, before the effect is written to the book. Rejecting makes the block fail with
   * `LEDGER_REFUSED` and the rejection's message. Must have no side effects. Meant for ledgers that know more than the book,
   * for instance that an account does not exist. In a trial, accounts are invented and nothing is settled afterwards.
   */
  check(effect: LedgerEffect, circumstances: { readonly trial: boolean }): Promise<void>;

  /**
   * Carries out a committed effect: a policy's effects in commit order, each at least once. Must be idempotent by
   * `effect.id`. After a rejection it is retried, and the policy's later effects wait. For a message, `effect.body` is the
   * `LedgerMessage`.
   */
  settle(effect: LedgerEffect): Promise<void>;

  close(): Promise<void>;
}
