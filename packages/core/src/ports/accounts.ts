/** The directory of ledger accounts: which account an identity holds. */
export interface Accounts {
  /** The account id `0.0.<n>` of an identity; `null` where it has none. The same one every time. */
  accountOf(did: string): Promise<string | null>;
}
