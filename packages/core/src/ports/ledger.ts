/**
 * A ledger outside the process, on which committed effects are carried out.
 *
 * The engine keeps each policy's book itself, in its store: tokens, accounts, balances, topics and messages change
 * atomically with the unit of work that causes them. Effects are sent to the ledger after the commit.
 */
import type { LedgerEffect, LedgerToken } from '../records/index.js';

/** What is handed over with a committed effect. */
export interface SettlementFacts {
  /** For a message about a document: the JSON text of the document as it was published; `null` for other effects. */
  readonly document: string | null;
  /** The token of the effect, as the book has it now; `null` for effects without one. */
  readonly token: LedgerToken | null;
}

export interface Ledger {
  /**
   * Called inside the unit of work, before the effect is written to the book. A rejection makes the block fail with
   * `LEDGER_REFUSED` and the rejection's message. Must have no side effects. For ledgers that know more than the book,
   * such as that an account does not exist. In a trial, accounts are invented and nothing is settled afterwards.
   */
  check(effect: LedgerEffect, circumstances: { readonly trial: boolean }): Promise<void>;

  /**
   * Carries out a committed effect. A policy's effects arrive in commit order, each at least once. Must be idempotent
   * by `effect.id`. After a rejection the effect is retried, and the policy's later effects wait. For a message,
   * `effect.body` is the `LedgerMessage`.
   */
  settle(effect: LedgerEffect, facts: SettlementFacts): Promise<void>;

  close(): Promise<void>;
}
