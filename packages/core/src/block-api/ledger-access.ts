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
  /**
   * A token as recorded in the policy's book; `undefined` if the policy does not know it.
   *
   * @example
   * const token = await ctx.ledger.token(ctx.options.tokenId);
   * const issued = token === undefined ? 0 : Number(token.supply) / 10 ** token.decimals;
   */
  token(tokenId: string): Promise<LedgerToken | undefined>;
  /**
   * The account's relation to the token: zero balance and not associated if the account never dealt with it.
   *
   * @example
   * const { associated, frozen } = await ctx.ledger.relation(ctx.options.tokenId, account);
   * const canReceive = associated && !frozen;
   */
  relation(tokenId: string, accountId: string): Promise<TokenRelation>;
  /**
   * A message of the policy by its id.
   *
   * @example
   * const message = await ctx.ledger.message(messageId);
   * const isUnchanged = message?.hash === ctx.credentials.hash(certificate.document);
   */
  message(messageId: string): Promise<LedgerMessage | undefined>;
  /**
   * The policy's messages that match the condition, oldest first.
   *
   * @example const reports = await ctx.ledger.messages({ path: 'type', op: 'eq', value: 'vc-document' });
   */
  messages(where: Condition): Promise<LedgerMessage[]>;
  /**
   * The policy's topics that have messages, in order of creation.
   *
   * @example const projects = (await ctx.ledger.topics()).filter(({ name }) => name === 'Project');
   */
  topics(): Promise<LedgerTopic[]>;
  /**
   * All messages that build on this one, directly or indirectly, each once, oldest first.
   *
   * @example const isMinted = (await ctx.ledger.descendants(messageId)).some(({ type }) => type === 'vp-document');
   */
  descendants(messageId: string): Promise<LedgerMessage[]>;
  /**
   * A topic of another policy of the same owner; `undefined` if there is none. A published policy sees only topics of
   * published policies.
   *
   * @example
   * const registry = await ctx.ledger.externalTopic(topicId);
   * if (registry === undefined) ctx.fail('INPUT_INVALID', { facts: { reason: `There is no topic ${topicId}.` } });
   */
  externalTopic(topicId: string): Promise<ExternalTopic | undefined>;
  /**
   * Up to `limit` messages of such a topic after the id `after`, oldest first. Empty if it is not such a topic.
   *
   * @example
   * const messages = await ctx.ledger.externalMessages(topicId, { after: messageId, limit: 100 });
   * const readings = messages.flatMap(({ document }) => (document === null ? [] : [document]));
   */
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
  /**
   * The six relation methods are idempotent and resolve to whether anything changed.
   *
   * @example if (await ctx.ledger.associate(ctx.options.tokenId, account)) ctx.emit('RefreshEvent');
   */
  associate(tokenId: string, accountId: string): Promise<boolean>;
  /**
   * Fails while the account has a balance.
   *
   * @example
   * const { balance } = await ctx.ledger.relation(ctx.options.tokenId, account);
   * if (balance === '0') await ctx.ledger.dissociate(ctx.options.tokenId, account);
   */
  dissociate(tokenId: string, accountId: string): Promise<boolean>;
  /**
   * Until `unfreeze`, the account can neither receive nor send the token.
   *
   * @example
   * const account = await ctx.users.account(certificate.owner);
   * if (account !== null) await ctx.ledger.freeze(ctx.options.tokenId, account);
   */
  freeze(tokenId: string, accountId: string): Promise<boolean>;
  /**
   * Ends a freeze.
   *
   * @example
   * if ((await ctx.ledger.relation(ctx.options.tokenId, account)).frozen) {
   *   await ctx.ledger.unfreeze(ctx.options.tokenId, account);
   * }
   */
  unfreeze(tokenId: string, accountId: string): Promise<boolean>;
  /**
   * Records that the holder of the account has been identified.
   *
   * @example
   * await ctx.ledger.grantKyc(ctx.options.tokenId, account);
   * await ctx.ledger.mint(ctx.options.tokenId, account, 1250n);
   */
  grantKyc(tokenId: string, accountId: string): Promise<boolean>;
  /**
   * Until `grantKyc`, the account can neither receive nor send the token.
   *
   * @example
   * const isChanged = await ctx.ledger.revokeKyc(ctx.options.tokenId, account);
   * if (!isChanged) ctx.warn('The account had no KYC to revoke.', { account });
   */
  revokeKyc(tokenId: string, accountId: string): Promise<boolean>;
  /**
   * Mints `units` to the account, associating it with the token if necessary.
   *
   * @example
   * const token = await ctx.ledger.token(ctx.options.tokenId);
   * const units = unitsOf(String(reading.kWh / 1000), token?.decimals ?? 0);
   * await ctx.ledger.mint(ctx.options.tokenId, account, units, messageId);
   */
  mint(tokenId: string, accountId: string, units: bigint, memo?: string): Promise<LedgerEffect>;
  /**
   * Burns `units` held by the account.
   *
   * @example
   * const { balance } = await ctx.ledger.relation(ctx.options.tokenId, account);
   * await ctx.ledger.wipe(ctx.options.tokenId, account, BigInt(balance), 'Certificates of a faulty meter');
   */
  wipe(tokenId: string, accountId: string, units: bigint, memo?: string): Promise<LedgerEffect>;
  /**
   * Burns these serials of a non-fungible token. The account must hold all of them, and the ranges must not overlap.
   *
   * @example
   * const memo = 'Retired by their holder';
   * const { serials } = await ctx.ledger.wipeSerials(ctx.options.certificateId, account, [[1, 3]], memo);
   */
  wipeSerials(
    tokenId: string,
    accountId: string,
    serials: readonly SerialRange[],
    memo?: string,
  ): Promise<LedgerEffect>;
  /**
   * Moves units from one account to another, which is associated with the token if necessary.
   *
   * @example
   * const buyer = await ctx.users.account(did);
   * if (buyer !== null) await ctx.ledger.transfer(ctx.options.tokenId, account, buyer, 100n, 'Sale of certificates');
   */
  transfer(tokenId: string, from: string, to: string, units: bigint, memo?: string): Promise<LedgerEffect>;
  /**
   * The token's id for something that is to be signed: that of the external ledger, if it gives ids of its own, and else the
   * book's. Throws `LEDGER_PENDING` until the ledger has given it, which takes seconds. A token of this very run, or one
   * from before the ledger was used, keeps the id of the book.
   *
   * @example
   * const tokenId = await ctx.ledger.signedTokenId(ctx.options.tokenId);
   * const mint = { type: 'MintToken', tokenId, amount: '100' };
   * const credential = await ctx.credentials.issue({ issuer: ctx.policy.owner, subject: mint });
   */
  signedTokenId(tokenId: string): Promise<string>;
  /**
   * The same for a message. `undefined` if it will have no id that could be signed: a message of this very run, or one that
   * is not in the policy's book.
   *
   * @example
   * const evidence = await ctx.ledger.signedMessageId(messageId);
   * if (evidence === undefined) ctx.warn('The certificate is not on the ledger yet.', { messageId });
   */
  signedMessageId(messageId: string): Promise<string | undefined>;
  /**
   * Creates a token from its template.
   *
   * @example
   * const [template] = ctx.policy.tokenTemplates;
   * const names = { tokenName: template?.tokenName ?? 'Certificate', tokenSymbol: 'MWH' };
   * const { id } = await ctx.ledger.createToken({ ...names, tokenType: 'fungible', decimals: 2, source: {} });
   */
  createToken(token: LedgerTokenInput): Promise<LedgerToken>;
  /**
   * Publishes a message to one of the policy's topics, creating the topic on first use.
   *
   * @example
   * const { owner, document } = certificate;
   * const message = { topic: 'root', type: 'vc-document', owner, hash: ctx.credentials.hash(document) };
   * const { id, topicId } = await ctx.ledger.publish(message);
   * await ctx.documents.update({ ...certificate, messageId: id, topicId });
   */
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
