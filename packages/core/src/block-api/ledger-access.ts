/** How a block reaches the ledger of its policy: tokens, accounts and messages. */
import type {
  Condition,
  DocumentRecord,
  Json,
  JsonObject,
  LedgerEffect,
  LedgerMessage,
  LedgerToken,
  LedgerTopic,
  SchemaRecord,
  SerialRange,
  TokenRelation,
} from '../records/index.js';

export interface LedgerReader {
  /** A token of the policy as the book has it; `undefined` for one that the policy does not know. */
  token(tokenId: string): Promise<LedgerToken | undefined>;
  /** What the account holds; of an account that never had to do with the token: nothing, not associated. */
  relation(tokenId: string, accountId: string): Promise<TokenRelation>;
  message(messageId: string): Promise<LedgerMessage | undefined>;
  /** The messages of the policy that meet the condition, oldest first. */
  messages(where: Condition): Promise<LedgerMessage[]>;
  /** The topics of the policy that have messages, in the order in which they were made. */
  topics(): Promise<LedgerTopic[]>;
  /** Every message that builds on this one, directly or through others, each once, oldest first. */
  descendants(messageId: string): Promise<LedgerMessage[]>;
  /**
   * A topic of another policy of the same owner; `undefined` where there is none. A published policy sees topics of
   * published policies only.
   */
  externalTopic(topicId: string): Promise<ExternalTopic | undefined>;
  /** Up to `limit` messages of such a topic, those after the id `after`, oldest first. None where it is no such topic. */
  externalMessages(
    topicId: string,
    range: { readonly after: string; readonly limit: number },
  ): Promise<ExternalMessage[]>;
}

/** A topic of another policy, and what blocks may know of that policy. */
export interface ExternalTopic {
  readonly topic: LedgerTopic;
  /** All topics of its policy. */
  readonly topics: readonly LedgerTopic[];
  readonly policy: {
    readonly id: string;
    readonly name: string;
    readonly description: string;
    readonly version: string;
    readonly messageId: string;
  };
  readonly schemas: readonly SchemaRecord[];
}

export interface ExternalMessage {
  readonly message: LedgerMessage;
  /** The document that the message stands for; `null` where it has none, or was revoked. */
  readonly document: DocumentRecord | null;
}

/**
 * Effects on the ledger, as part of the unit of work. Every method throws `TOKEN_UNKNOWN` for a token that the policy does
 * not know, and `LEDGER_REFUSED` with the reason where the ledger's rules forbid it.
 */
export interface LedgerWriter extends LedgerReader {
  /** The six relations resolve with whether anything changed: what is so already is left alone. */
  associate(tokenId: string, accountId: string): Promise<boolean>;
  dissociate(tokenId: string, accountId: string): Promise<boolean>;
  freeze(tokenId: string, accountId: string): Promise<boolean>;
  unfreeze(tokenId: string, accountId: string): Promise<boolean>;
  grantKyc(tokenId: string, accountId: string): Promise<boolean>;
  revokeKyc(tokenId: string, accountId: string): Promise<boolean>;
  /** Makes `units` and gives them to the account, which is associated if it was not. */
  mint(tokenId: string, accountId: string, units: bigint, memo?: string): Promise<LedgerEffect>;
  /** Destroys `units` that the account holds. */
  wipe(tokenId: string, accountId: string, units: bigint, memo?: string): Promise<LedgerEffect>;
  /** Destroys these serials of a non-fungible token, all of which the account must hold. The ranges do not overlap. */
  wipeSerials(
    tokenId: string,
    accountId: string,
    serials: readonly SerialRange[],
    memo?: string,
  ): Promise<LedgerEffect>;
  transfer(tokenId: string, from: string, to: string, units: bigint, memo?: string): Promise<LedgerEffect>;
  /** Makes a token from what its template says. */
  createToken(token: LedgerTokenInput): Promise<LedgerToken>;
  /** Puts a message into a topic of the policy, which is made with its first message. */
  publish(message: LedgerMessageInput): Promise<LedgerMessage>;
}

export interface LedgerTokenInput {
  readonly tokenName: string;
  readonly tokenSymbol: string;
  readonly tokenType: 'fungible' | 'non-fungible';
  readonly decimals: number;
  readonly source: JsonObject;
}

export interface LedgerMessageInput {
  /** `root`, a name of the policy's topics, or a topic of the policy that has messages already. */
  readonly topic: string | { readonly id: string };
  /** Whom a topic that is not static belongs to; the current user when absent. */
  readonly topicOwner?: string;
  readonly type: string;
  readonly owner: string;
  readonly hash?: string;
  readonly relationships?: readonly string[];
  readonly memo?: string;
  readonly body?: Json;
}
