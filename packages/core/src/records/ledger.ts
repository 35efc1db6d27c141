/** Records of a policy's ledger book: tokens, balances, topics, messages and effects. */
import type { EffectType, TokenType } from './enumerations.js';
import type { Json, JsonObject } from './json/json.js';

/** A token as the ledger knows it. `id` is the token id `0.0.<n>`. */
export interface LedgerToken {
  id: string;
  tokenName: string;
  tokenSymbol: string;
  tokenType: TokenType;
  /** Digits after the point; an amount of 1 is `10 ** decimals` units. 0 for non-fungible tokens. */
  decimals: number;
  /** Total supply in units, as decimal text: the sum of all balances. */
  supply: string;
  /** The highest serial number issued; 0 for fungible tokens. Never decreases: a wiped serial stays used. */
  lastSerial: number;
  /** The token's definition in the policy's file, or its template. */
  source: JsonObject;
  /** The external ledger's id of it; absent until something signed names it. */
  ledgerId?: string;
}

/** The balance of one account in one token. `id` is derived from both, see `tokenRelationId`. */
export interface TokenRelation {
  id: string;
  tokenId: string;
  accountId: string;
  associated: boolean;
  frozen: boolean;
  /** `unset` until decided; nothing is refused then. */
  kyc: 'unset' | 'granted' | 'revoked';
  /** Units, as a whole number in decimal text. */
  balance: string;
}

/** Maximum supply of a token in units: 63 bits, as on the ledgers that policies are written for. */
export const MAX_UNITS = 2n ** 63n - 1n;

/** With more digits after the point, not even 10 whole tokens could exist. */
export const MAX_DECIMALS = 18;

/** Serial numbers from the first to the last, both included. */
export type SerialRange = [first: number, last: number];

/** Serials of a non-fungible token that one account holds, in a row. `id` is made of token and first serial. */
export interface LedgerLot {
  id: string;
  tokenId: string;
  accountId: string;
  first: number;
  last: number;
}

/** The length prefix keeps ids of different pairs distinct. */
export const tokenRelationId = (tokenId: string, accountId: string): string =>
  `${String(tokenId.length)}/${tokenId}/${accountId}`;

/** The topic of a policy in which the checkpoints of its log are. No policy may have one of this name for itself. */
export const WITNESS_TOPIC = 'blockwork/checkpoints';

/** The topic in which all published versions of a policy are, on a ledger that publishes policies. */
export const POLICY_TOPIC = 'blockwork/policy';

/** A topic of a policy. `id` is the topic id `0.0.<n>`. */
export interface LedgerTopic {
  id: string;
  /** `root` for the instance topic, `POLICY_TOPIC`, `WITNESS_TOPIC`, otherwise a name of the policy's `policyTopics`. */
  name: string;
  /** The owner of a non-static topic; empty for a topic shared by the whole policy. */
  owner: string;
  memo: string;
}

/** A message in a topic. `id` is the message id `<seconds>.<nanoseconds>`, its consensus timestamp. */
export interface LedgerMessage {
  id: string;
  topicId: string;
  /** `vc-document`, `vp-document`, `did-document`, `topic`, `token`, `policy`, `publish-policy`, `schema`, `revoke` … */
  type: string;
  /** Identity in whose name it was sent. */
  owner: string;
  /** Hash of the document it represents, or empty. */
  hash: string;
  /** Messages that this one refers to. */
  relationships: string[];
  memo: string;
  body: Json;
}

/**
 * One effect on the ledger, in order. `id` is its idempotency key: unit of work plus a number within it, committed with the
 * unit.
 */
export interface LedgerEffect {
  id: string;
  policyId: string;
  at: string;
  type: EffectType;
  tokenId?: string;
  /** The account concerned; for `mint` and `transfer` the recipient, which is associated if necessary. */
  accountId?: string;
  /** The sender; only for `transfer`. */
  fromAccountId?: string;
  /** Units, as a whole number in decimal text. */
  units?: string;
  /** The same as a decimal amount of the token, for people. */
  amount?: string;
  /** Serials created, moved or destroyed, in ascending order; only for non-fungible tokens. */
  serials?: SerialRange[];
  memo?: string;
  topicId?: string;
  messageId?: string;
  /**
   * For a new token its name, symbol, type, decimals and source; for a new topic its name and owner, for that of a policy's
   * versions also the `policy` and, if known, the owner's DID document (`ownerDocument`), and for the `root` of a policy published there also that topic's id (`policyTopicId`). A
   * message's content is kept once, in the `LedgerMessage`, and filled in when the effect is handed to an outside ledger.
   */
  body?: Json;
}

/** A committed effect that the outside ledger has not carried out yet. `id` is the effect's. */
export interface PendingEffect {
  id: string;
  policyId: string;
  at: string;
  /** JSON text of the document that a message is about: the document itself may have changed since. */
  document?: string;
}

/**
 * What the adapter of an outside ledger keeps in the store, so that it is as durable as the book: a transaction with its
 * state, or the outside id of something in the book. `id` is the adapter's.
 */
export interface LedgerRow {
  id: string;
  /** The effect that it belongs to; empty for none. */
  effectId: string;
  state: string;
  content: JsonObject;
}
