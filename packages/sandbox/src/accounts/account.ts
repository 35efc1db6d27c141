/** An account of the sandbox, and how the reference shows it. */

export const accountRoles = ['USER', 'STANDARD_REGISTRY', 'AUDITOR'] as const;
export type AccountRole = (typeof accountRoles)[number];

export interface Account {
  readonly id: string;
  readonly username: string;
  /** What scrypt made of the password, which itself is not kept. */
  readonly password: { readonly salt: string; readonly hash: string };
  readonly role: AccountRole;
  /** `null` until the profile is set. */
  readonly did: string | null;
  /** DID of the registry that the user belongs to. */
  readonly parent: string | null;
  readonly hederaAccountId: string | null;
  readonly topicId: string | null;
  /** ISO 8601. */
  readonly createDate: string;
  readonly updateDate: string;
}

/** The account as clients get it: without anything about its password. */
export const userOf = ({ password: _password, topicId: _topicId, ...account }: Account): object => ({
  ...account,
  walletToken: '',
});

/** `didDocument` is the account's row of its DID, or `null`. */
export const profileOf = (account: Account, didDocument: object | null): object => ({
  username: account.username,
  role: account.role,
  did: account.did,
  parent: account.parent,
  hederaAccountId: account.hederaAccountId,
  confirmed: account.did !== null,
  failed: false,
  hederaAccountKey: null,
  topicId: account.topicId,
  parentTopicId: null,
  didDocument,
  vcDocument: null,
});
