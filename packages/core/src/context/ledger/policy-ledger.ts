/** The ledger as seen by blocks: one policy's book, read from its records and changed within a unit of work. */
import type {
  ExternalMessage,
  ExternalTopic,
  LedgerMessageInput,
  LedgerReader,
  LedgerTokenInput,
  LedgerWriter,
} from '../../block-api/index.js';
import { BlockworkError } from '../../errors.js';
import {
  changedRelation,
  entityId,
  newToken,
  noRelation,
  type RelationChange,
  tokenOfDefinition,
} from '../../ledger/index.js';
import {
  type Condition,
  type JsonObject,
  type LedgerEffect,
  type LedgerMessage,
  type LedgerToken,
  type LedgerTopic,
  type SerialRange,
  type StoredPolicy,
  type TokenRelation,
  tokenRelationId,
} from '../../records/index.js';
import type { RecordReader, UnitOfWork } from '../../transactions/index.js';
import { externalMessages, externalTopic, type MessageRange } from './external-topics.js';
import { LedgerBooking } from './ledger-booking.js';
import { LedgerMovements } from './ledger-movements.js';
import { LedgerPublishing, type PublishingDeps } from './ledger-publishing.js';
import { PolicyPublication } from './policy-publication.js';
import { SignedIds } from './signed-ids.js';

export class PolicyLedger implements LedgerReader {
  constructor(
    protected readonly records: RecordReader,
    protected readonly policyId: string,
  ) {}

  /** The token from the book; until the first effect on it, from the policy's file. */
  async token(tokenId: string): Promise<LedgerToken | undefined> {
    const booked = await this.records.get('ledger-token', this.policyId, tokenId);
    if (booked !== undefined) return booked;
    const definition = await this.records.get('token', this.policyId, tokenId);
    return definition && tokenOfDefinition(definition);
  }

  async relation(tokenId: string, accountId: string): Promise<TokenRelation> {
    const booked = await this.records.get('ledger-relation', this.policyId, tokenRelationId(tokenId, accountId));
    return booked ?? noRelation(tokenId, accountId);
  }

  message(messageId: string): Promise<LedgerMessage | undefined> {
    return this.records.get('ledger-message', this.policyId, messageId);
  }

  messages(where: Condition): Promise<LedgerMessage[]> {
    const order = { path: 'id', direction: 'asc' } as const;
    return this.records.find('ledger-message', this.policyId, { where, order });
  }

  topics(): Promise<LedgerTopic[]> {
    return this.records.find('ledger-topic', this.policyId);
  }

  /** One store query per level. */
  async descendants(messageId: string): Promise<LedgerMessage[]> {
    const messages = new Map<string, LedgerMessage>();
    for (let parents = [messageId]; parents.length > 0;) {
      const where = { path: 'relationships', op: 'in', value: parents } as const;
      const next = await this.records.find('ledger-message', this.policyId, { where });
      const fresh = next.filter(({ id }) => id !== messageId && !messages.has(id));
      for (const message of fresh) messages.set(message.id, message);
      parents = fresh.map(({ id }) => id);
    }
    return [...messages.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  externalTopic(topicId: string): Promise<ExternalTopic | undefined> {
    return externalTopic(this.records, this.policyId, topicId);
  }

  async externalMessages(topicId: string, range: MessageRange): Promise<ExternalMessage[]> {
    const topic = await this.externalTopic(topicId);
    return topic === undefined ? [] : externalMessages(this.records, topic, range);
  }
}

/**
 * Changes are checked and written in the order of their calls, so blocks may issue several concurrently. A refused
 * operation changes nothing, and the block may continue.
 */
export class PolicyLedgerWriter extends PolicyLedger implements LedgerWriter {
  readonly #booking: LedgerBooking;
  readonly #movements: LedgerMovements;
  readonly #publishing: LedgerPublishing;
  readonly #publication: PolicyPublication;
  readonly #signedIds: SignedIds;

  constructor(
    private readonly unit: UnitOfWork,
    private readonly deps: PublishingDeps,
  ) {
    const { id } = deps.policy;
    super(unit, id);
    this.#booking = new LedgerBooking(unit, deps);
    this.#movements = new LedgerMovements(unit, id, this.#booking);
    this.#publishing = new LedgerPublishing(unit, deps, this.#booking);
    this.#publication = new PolicyPublication(unit, deps, this.#booking, this.#publishing);
    this.#signedIds = new SignedIds(unit, deps, this.#booking);
  }

  associate(tokenId: string, accountId: string): Promise<boolean> {
    return this.#relate('associate', tokenId, accountId);
  }
  dissociate(tokenId: string, accountId: string): Promise<boolean> {
    return this.#relate('dissociate', tokenId, accountId);
  }
  freeze(tokenId: string, accountId: string): Promise<boolean> {
    return this.#relate('freeze', tokenId, accountId);
  }
  unfreeze(tokenId: string, accountId: string): Promise<boolean> {
    return this.#relate('unfreeze', tokenId, accountId);
  }
  grantKyc(tokenId: string, accountId: string): Promise<boolean> {
    return this.#relate('grant-kyc', tokenId, accountId);
  }
  revokeKyc(tokenId: string, accountId: string): Promise<boolean> {
    return this.#relate('revoke-kyc', tokenId, accountId);
  }

  mint(tokenId: string, accountId: string, units: bigint, memo = ''): Promise<LedgerEffect> {
    return this.#booking.runExclusive(async () => {
      const token = await this.#known(tokenId);
      return this.#movements.mint(token, await this.relation(tokenId, accountId), units, memo);
    });
  }
  wipe(tokenId: string, accountId: string, units: bigint, memo = ''): Promise<LedgerEffect> {
    return this.#booking.runExclusive(async () => {
      const token = await this.#known(tokenId);
      return this.#movements.wipe(token, await this.relation(tokenId, accountId), units, memo);
    });
  }
  wipeSerials(tokenId: string, accountId: string, serials: readonly SerialRange[], memo = ''): Promise<LedgerEffect> {
    return this.#booking.runExclusive(async () => {
      const token = await this.#known(tokenId);
      return this.#movements.wipeSerials(token, await this.relation(tokenId, accountId), serials, memo);
    });
  }
  transfer(tokenId: string, from: string, to: string, units: bigint, memo = ''): Promise<LedgerEffect> {
    return this.#booking.runExclusive(async () => {
      const token = await this.#known(tokenId);
      const [giver, receiver] = await Promise.all([this.relation(tokenId, from), this.relation(tokenId, to)]);
      return this.#movements.transfer(token, giver, receiver, units, memo);
    });
  }

  createToken(input: LedgerTokenInput): Promise<LedgerToken> {
    return this.#booking.runExclusive(async () => {
      const token = newToken(entityId(this.deps.ids), input);
      await this.#booking.bookToken(token);
      return token;
    });
  }

  /** For publishing a policy, before anything else; see `PolicyPublication`. */
  publishPolicy(record: StoredPolicy, ownerDocument?: JsonObject): Promise<void> {
    return this.#booking.runExclusive(() => this.#publication.publish(record, ownerDocument));
  }

  /** For discontinuing a policy; see `PolicyPublication`. */
  discontinuePolicy(record: StoredPolicy, effectiveDate: string, isDeferred: boolean): Promise<void> {
    return this.#booking.runExclusive(() => this.#publication.discontinue(record, effectiveDate, isDeferred));
  }

  /** For publishing a policy; see `SignedIds`. */
  announceTokens(): Promise<void> {
    return this.#booking.runExclusive(() => this.#signedIds.announceTokens());
  }

  signedTokenId(tokenId: string): Promise<string> {
    return this.#booking.runExclusive(async () => this.#signedIds.ofToken(await this.#known(tokenId)));
  }

  signedMessageId(messageId: string): Promise<string | undefined> {
    return this.#booking.runExclusive(() => this.#signedIds.ofMessage(messageId));
  }

  publish(message: LedgerMessageInput): Promise<LedgerMessage> {
    return this.#booking.runExclusive(() => this.#publishing.publish(message));
  }

  #relate(type: RelationChange, tokenId: string, accountId: string): Promise<boolean> {
    return this.#booking.runExclusive(async () => {
      await this.#known(tokenId);
      const after = changedRelation(await this.relation(tokenId, accountId), type);
      if (after === null) return false;
      await this.#booking.book({ type, tokenId, accountId });
      this.unit.put('ledger-relation', this.policyId, after);
      return true;
    });
  }

  async #known(tokenId: string): Promise<LedgerToken> {
    const token = await this.token(tokenId);
    if (token !== undefined) return token;
    throw new BlockworkError('TOKEN_UNKNOWN', { facts: { tokenId, policyId: this.policyId } });
  }
}
