/** A block's access to its policy's ledger: tokens, accounts and messages. */
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
  /** A token as recorded in the policy's book; `undefined` if the policy does not know it. */
  token(tokenId: string): Promise<LedgerToken | undefined>;
  /** The account's relation to the token: zero balance and not associated if the account never dealt with it. */
  relation(tokenId: string, accountId: string): Promise<TokenRelation>;
  message(messageId: string): Promise<LedgerMessage | undefined>;
  /** The policy's messages that match the condition, oldest first. */
  messages(where: Condition): Promise<LedgerMessage[]>;
  /** The policy's topics that have messages, in order of creation. */
  topics(): Promise<LedgerTopic[]>;
  /** All messages that build on this one, directly or indirectly, each once, oldest first. */
  descendants(messageId: string): Promise<LedgerMessage[]>;
  /**
   * A topic of another policy of the same owner; `undefined` if there is none. A published policy sees only topics of
   * published policies.
   */
  externalTopic(topicId: string): Promise<ExternalTopic | undefined>;
  /** Up to `limit` messages of such a topic after the id `after`, oldest first. Empty if it is not such a topic. */
  externalMessages(
    topicId: string,
    range: { readonly after: string; readonly limit: number },
  ): Promise<ExternalMessage[]>;
}

/** A topic of another policy, with the information about that policy that blocks may see. */
export interface ExternalTopic {
  readonly topic: LedgerTopic;
  /** All topics of that policy. */
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
  /** The document the message refers to; `null` if there is none or it was revoked. */
  readonly document: DocumentRecord | null;
}

/**
 * Ledger effects, as part of the unit of work. Every method throws `TOKEN_UNKNOWN` for a token the policy does not
 * know, and `LEDGER_REFUSED` with a reason if the ledger's rules forbid the effect.
 */
export interface LedgerWriter extends LedgerReader {
  /** The six relation methods are idempotent and resolve to whether anything changed. */
  associate(tokenId: string, accountId: string): Promise<boolean>;
  dissociate(tokenId: string, accountId: string): Promise<boolean>;
  freeze(tokenId: string, accountId: string): Promise<boolean>;
  unfreeze(tokenId: string, accountId: string): Promise<boolean>;
  grantKyc(tokenId: string, accountId: string): Promise<boolean>;
  revokeKyc(tokenId: string, accountId: string): Promise<boolean>;
  /** Mints `units` to the account, associating it with the token if necessary. */
  mint(tokenId: string, accountId: string, units: bigint, memo?: string): Promise<LedgerEffect>;
  /** Burns `units` held by the account. */
  wipe(tokenId: string, accountId: string, units: bigint, memo?: string): Promise<LedgerEffect>;
  /**
   * Burns these serials of a non-fungible token. The account must hold all of them, and the ranges must not overlap.
   */
  wipeSerials(
    tokenId: string,
    accountId: string,
    serials: readonly SerialRange[],
    memo?: string,
  ): Promise<LedgerEffect>;
  transfer(tokenId: string, from: string, to: string, units: bigint, memo?: string): Promise<LedgerEffect>;
  /** Creates a token from its template. */
  createToken(token: LedgerTokenInput): Promise<LedgerToken>;
  /** Publishes a message to one of the policy's topics, creating the topic on first use. */
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
  /** `root`, the name of one of the policy's topics, or the id of one that already has messages. */
  readonly topic: string | { readonly id: string };
  /** Owner of a non-static topic. Default: the current user. */
  readonly topicOwner?: string;
  readonly type: string;
  readonly owner: string;
  readonly hash?: string;
  readonly relationships?: readonly string[];
  readonly memo?: string;
  readonly body?: Json;
  /** The document that the message represents. An external ledger gets its text; the book keeps the hash. */
  readonly document?: JsonObject;
}
