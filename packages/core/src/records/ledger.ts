/** What the ledger book of a policy keeps: tokens, what accounts hold of them, topics, messages, and every movement. */
import type { TokenType } from './enumerations.js';
import type { Json, JsonObject } from './json/json.js';

/** A token as the ledger knows it. `id` is the token id `0.0.<n>`. */
export interface LedgerToken {
  id: string;
  tokenName: string;
  tokenSymbol: string;
  tokenType: TokenType;
  /** Digits after the point; an amount of 1 is `10 ** decimals` units. 0 for non-fungible tokens. */
  decimals: number;
  /** Units in existence, as a whole number in decimal text: what all accounts hold together. */
  supply: string;
  /** The highest serial number given out; 0 for fungible tokens. It never goes back: a wiped serial stays used. */
  lastSerial: number;
  /** What the policy's file says of the token, or what its template said. */
  source: JsonObject;
}

/** What one account holds of one token. `id` is made of both, see `tokenRelationId`. */
export interface TokenRelation {
  id: string;
  tokenId: string;
  accountId: string;
  associated: boolean;
  frozen: boolean;
  /** `unset` until somebody decides: nothing is refused then. */
  kyc: 'unset' | 'granted' | 'revoked';
  /** Units, as a whole number in decimal text. */
  balance: string;
}

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

/** The length comes first, so that no two pairs of token and account share an id. */
export const tokenRelationId = (tokenId: string, accountId: string): string =>
  `${String(tokenId.length)}/${tokenId}/${accountId}`;

/** A topic of a policy. `id` is the topic id `0.0.<n>`. */
export interface LedgerTopic {
  id: string;
  /** `root` for the instance topic, otherwise a name of the policy's `policyTopics`. */
  name: string;
  /** Whom a topic that is not static belongs to; empty for one that the whole policy shares. */
  owner: string;
  memo: string;
}

/** A message in a topic. `id` is the message id `<seconds>.<nanoseconds>`, its consensus timestamp. */
export interface LedgerMessage {
  id: string;
  topicId: string;
  /** `vc-document`, `vp-document`, `did-document`, `topic`, `token`, `policy`, `revoke` … */
  type: string;
  /** Identity in whose name it was sent. */
  owner: string;
  /** Hash of the document that it stands for; empty where it stands for none. */
  hash: string;
  /** Messages that this one builds on. */
  relationships: string[];
  memo: string;
  body: Json;
}

/**
 * One effect on the ledger, in order. `id` is its idempotency key, made of the unit of work and a number within it
 * and committed with the unit: whoever carries it out twice must do it once.
 */
export interface LedgerEffect {
  id: string;
  policyId: string;
  at: string;
  type:
    | 'create-token'
    | 'associate'
    | 'dissociate'
    | 'freeze'
    | 'unfreeze'
    | 'grant-kyc'
    | 'revoke-kyc'
    | 'mint'
    | 'wipe'
    | 'transfer'
    | 'create-topic'
    | 'message';
  tokenId?: string;
  /** Account that the effect is about; where tokens come to, for `mint` and `transfer`, which associate it if need be. */
  accountId?: string;
  /** Where tokens come from; only for `transfer`. */
  fromAccountId?: string;
  /** Units, as a whole number in decimal text. */
  units?: string;
  /** The same as a decimal amount of the token, for people. */
  amount?: string;
  /** Serials that were made, moved or destroyed, in ascending order; only for non-fungible tokens. */
  serials?: SerialRange[];
  memo?: string;
  topicId?: string;
  messageId?: string;
  /**
   * What is made: of a token its name, symbol, type, decimals and source; of a topic its name and owner. What a message
   * says is kept once, in the message, and filled in when the effect is handed to a ledger outside: a `LedgerMessage`.
   */
  body?: Json;
}

/** An effect that is committed and not yet carried out by the ledger outside. `id` is the effect's. */
export interface PendingEffect {
  id: string;
  policyId: string;
  at: string;
}
