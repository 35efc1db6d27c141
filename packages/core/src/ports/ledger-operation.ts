/** What a ledger outside the process can tell its operator, and be told: an optional ability of its adapter. */

/** Why nothing new is begun, and what would change that. Both are sentences. */
export interface LedgerPause {
  readonly reason: string;
  readonly remedy: string;
}

export interface LedgerStatus {
  /** The network, such as `testnet`. */
  readonly network: string;
  /** The account that pays. */
  readonly account: string;
  /** The currency of all amounts here, which are decimal text. */
  readonly currency: string;
  /** What the account has; `null` if the ledger does not say so now. */
  readonly balance: string | null;
  /** The time (ISO 8601) up to which the ledger's history can be read; `null` if it cannot be read now. */
  readonly readableUpTo: string | null;
  /** `null` if something may be begun. */
  readonly pause: LedgerPause | null;
  readonly costs: LedgerCosts;
}

export interface LedgerCosts {
  /** Fees of today (UTC). */
  readonly today: string;
  /** The most that transactions of today may cost whose fee is not known yet. */
  readonly reserved: string;
  /** What may be spent today; `null` for unlimited. */
  readonly budget: string | null;
  /** Fees of all days. */
  readonly total: string;
}

export type LedgerDifferenceKind =
  | 'token-missing'
  | 'supply'
  | 'balance'
  | 'frozen'
  | 'kyc'
  | 'serial'
  | 'topic-missing'
  | 'message-missing'
  | 'message-changed'
  | 'message-order'
  | 'message-unknown'
  | 'log';

/** Something that the book, or the log of the journal (`log`), says otherwise than the ledger. */
export interface LedgerDifference {
  readonly kind: LedgerDifferenceKind;
  /** Ids on the ledger, or of the book for what is not there: a token, token and account, token and serial, or message. */
  readonly subject: string;
  readonly book: string;
  readonly ledger: string;
  /** What to do about it, in a sentence. */
  readonly remedy: string;
}

export interface LedgerComparison {
  readonly policyId: string;
  /** The time (ISO 8601) up to which the ledger's history was read. */
  readonly at: string;
  /** The ledger's id of the message that published the policy, by which others read it; absent without one. */
  readonly publishedAs?: string;
  /** How much was compared. */
  readonly compared: {
    readonly tokens: number;
    readonly balances: number;
    readonly serials: number;
    readonly topics: number;
    readonly messages: number;
  };
  readonly differences: readonly LedgerDifference[];
  /** What was not compared, and why; and what others did. Sentences. */
  readonly notes: readonly string[];
}

/** Every method rejects if the ledger cannot be asked: with an error of the engine's table, which is passed on, or any other. */
export interface LedgerOperation {
  status(): Promise<LedgerStatus>;

  /** Compares a policy's book with the ledger; effects that are not settled yet are left out. Changes nothing. */
  compare(policyId: string): Promise<LedgerComparison>;

  /**
   * Lets what was refused be tried again, and, with `allowance` (an amount as decimal text), so much more be spent today.
   * Rejects with `INPUT_INVALID` if the amount is none.
   */
  resume(options: { readonly allowance: string | null }): Promise<void>;
}
