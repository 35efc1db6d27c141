/** An account of the sandbox, as a restart finds it, and its representation in the reference's API. */
import { z } from 'zod';

export const accountRoles = ['USER', 'STANDARD_REGISTRY', 'AUDITOR'] as const;
export type AccountRole = (typeof accountRoles)[number];

export interface Account {
  readonly id: string;
  readonly username: string;
  /** The scrypt hash of the password. */
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

const text = z.string();

/** An account as a restart finds it. */
export const storedAccount = z.object({
  ...{ id: text, username: text, role: z.enum(accountRoles), did: text.nullable(), parent: text.nullable() },
  ...{ hederaAccountId: text.nullable(), topicId: text.nullable(), createDate: text, updateDate: text },
  /** `null` for a configured account. */
  password: z.object({ salt: text, hash: text }).nullable(),
  /** Whether it was configured, so that nobody can use it once it is not. */
  isGiven: z.boolean(),
});
export type KeptAccount = z.infer<typeof storedAccount>;

/**
 * The DID that an account acts with; `null` for one that may do nothing yet. Auditors have no profile in the reference, and
 * read what is published without one.
 */
export const identityOf = ({ id, role, did }: Account): string | null =>
  did ?? (role === 'AUDITOR' ? `did:example:auditor:${id}` : null);

/** The account as sent to clients, without its password hash. */
export const userOf = ({ password: _password, topicId: _topicId, ...account }: Account): object => ({
  ...account,
  walletToken: '',
});

/** `didDocument` is the row of the account's DID document, or `null`. */
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
