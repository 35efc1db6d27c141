/** Maps identities to ledger accounts. */
export interface Accounts {
  /** The account id `0.0.<n>` of an identity; `null` if it has none. Stable across calls. */
  accountOf(did: string): Promise<string | null>;
}
