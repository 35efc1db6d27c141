/** What the store says that the ledger must have: the book of one policy and its transactions, read in pages, in which no more is held. */
import type { LedgerEffect, LedgerMessage, LedgerRow, LedgerToken, PolicyStore, TokenRelation } from '@blockwork/core';
import type { RecordKind, RecordKinds, RecordQuery } from '@blockwork/core/adapter';
import { type LedgerLot, type LedgerTopic, POLICY_TOPIC, statusIs } from '@blockwork/core/records';
import { INSTANCE_PARTITION } from '../transactions/partition.js';
import type { Mapped, TransactionRow } from '../transactions/row.js';
import { readRecord, storedId } from '../transactions/stored-rows.js';

export type BookStore = Pick<PolicyStore, 'get' | 'find' | 'count'>;

/** Records of one page. */
const PAGE = 100;
/** Effects that wait have the text of their document. */
const WAITING_PAGE = 20;

/** Effects that are not settled, or not entirely. */
export interface Waiting {
  readonly count: number;
  /** Tokens that they are about. */
  readonly tokens: ReadonlySet<string>;
  /** Topics that wait to be made. */
  readonly topics: ReadonlySet<string>;
}

export class Book {
  /** How many effects have been looked at; later ones may or may not be in what was read. */
  #effects: number;
  readonly #changed = new Set<string>();

  private constructor(
    private readonly store: BookStore,
    readonly policyId: string,
    effects: number,
    readonly waiting: Waiting,
  ) {
    this.#effects = effects;
  }

  static async open(store: BookStore, policyId: string): Promise<Book> {
    const effects = await store.count('ledger-effect', policyId);
    // Before everything else: what is settled meanwhile is left out, rather than missed on the ledger.
    return new Book(store, policyId, effects, await readWaiting(store, policyId));
  }

  tokens(): AsyncGenerator<LedgerToken, void> {
    return this.#all('ledger-token');
  }

  relations(tokenId: string): AsyncGenerator<TokenRelation, void> {
    return this.#all('ledger-relation', { where: { path: 'tokenId', op: 'eq', value: tokenId } });
  }

  lots(tokenId: string): AsyncGenerator<LedgerLot, void> {
    return this.#all('ledger-lot', { where: { path: 'tokenId', op: 'eq', value: tokenId } });
  }

  topics(): AsyncGenerator<LedgerTopic, void> {
    return this.#all('ledger-topic');
  }

  /** In the order of the book. */
  messages(): AsyncGenerator<readonly LedgerMessage[], void> {
    return this.#pages('ledger-message', { order: { path: 'id', direction: 'asc' } });
  }

  messageCount(topicId: string): Promise<number> {
    return this.store.count('ledger-message', this.policyId, { path: 'topicId', op: 'eq', value: topicId });
  }

  /** Transactions and the ids that they gave, in the order in which they were begun. */
  rows(): AsyncGenerator<LedgerRow, void> {
    return this.#all('ledger-row');
  }

  /** Transactions of all versions of the policy that sent messages to a topic on the ledger. */
  async *sentByVersions(topic: string): AsyncGenerator<LedgerRow, void> {
    const { uuid, owner } = (await this.store.get('policy', INSTANCE_PARTITION, this.policyId)) ?? {};
    const ofPolicy = { path: 'uuid', op: 'eq', value: uuid ?? '' } as const;
    const ofOwner = { path: 'owner', op: 'eq', value: owner ?? '' } as const;
    const where = { path: 'content.operation.topic', op: 'eq', value: topic } as const;
    const versions = this.#all('policy', { where: { all: [ofPolicy, ofOwner] } }, INSTANCE_PARTITION);
    for await (const { id } of versions) yield* this.#all('ledger-row', { where }, id);
  }

  /** Of a trial, nothing reaches the ledger. */
  async isOfTrial(): Promise<boolean> {
    const policy = await this.store.get('policy', INSTANCE_PARTITION, this.policyId);
    return policy !== undefined && statusIs(policy.status, 'trial');
  }

  /** Empty for a policy that is not in the store. */
  async owner(): Promise<string> {
    return (await this.store.get('policy', INSTANCE_PARTITION, this.policyId))?.owner ?? '';
  }

  /** The transactions of an effect that belongs to the instance, in the order in which they were begun. */
  shared(effectId: string): AsyncGenerator<TransactionRow, void> {
    return this.#transactions({ path: 'effectId', op: 'eq', value: effectId });
  }

  /** Those of all such effects that sent messages to a topic on the ledger. */
  sharedIn(topic: string): AsyncGenerator<TransactionRow, void> {
    return this.#transactions({ path: 'content.operation.topic', op: 'eq', value: topic });
  }

  async *#transactions(where: NonNullable<RecordQuery['where']>): AsyncGenerator<TransactionRow, void> {
    for await (const record of this.#all('ledger-row', { where }, INSTANCE_PARTITION)) {
      const read = readRecord(record);
      if (read !== null && 'row' in read) yield read.row;
    }
  }

  /** The one at a place among the rows. */
  async rowAt(place: number): Promise<LedgerRow | undefined> {
    return (await this.store.find('ledger-row', this.policyId, { offset: place, limit: 1 }))[0];
  }

  /** The ledger's id of one in the book. */
  idOf(of: Mapped, local: string): Promise<string | undefined> {
    return storedId(this.store, this.policyId, of, local);
  }

  /** The ledger's id of the message that published the policy; `undefined` while it has none. */
  async publication(): Promise<string | undefined> {
    const ofType = { path: 'type', op: 'eq', value: 'publish-policy' } as const;
    for await (const { id, name } of this.topics()) {
      if (name !== POLICY_TOPIC) continue;
      const where = { all: [{ path: 'topicId', op: 'eq', value: id }, ofType] } as const;
      const [message] = await this.store.find('ledger-message', this.policyId, { where, limit: 1 });
      if (message !== undefined) return this.idOf('message', message.id);
    }
    return undefined;
  }

  /** Whether there were effects on the token since the book was opened. */
  async hasChanged(tokenId: string): Promise<boolean> {
    for (;;) {
      const query = { offset: this.#effects, limit: PAGE };
      const effects = await this.store.find('ledger-effect', this.policyId, query);
      for (const effect of effects) if (effect.tokenId !== undefined) this.#changed.add(effect.tokenId);
      this.#effects += effects.length;
      if (effects.length < PAGE) return this.#changed.has(tokenId);
    }
  }

  async *#all<Kind extends RecordKind>(
    kind: Kind,
    query: RecordQuery = {},
    partition = this.policyId,
  ): AsyncGenerator<RecordKinds[Kind], void> {
    for await (const page of this.#pages(kind, query, partition)) yield* page;
  }

  /** What is added meanwhile comes after the rest; only lots are removed, and their token has changed then. */
  async *#pages<Kind extends RecordKind>(
    kind: Kind,
    query: RecordQuery,
    partition = this.policyId,
  ): AsyncGenerator<readonly RecordKinds[Kind][], void> {
    for (let offset = 0; ; offset += PAGE) {
      const page = await this.store.find(kind, partition, { ...query, offset, limit: PAGE });
      if (page.length > 0) yield page;
      if (page.length < PAGE) return;
    }
  }
}

/** From the end: what is settled meanwhile is removed, and the rest moves to where was not read yet. */
async function readWaiting(store: BookStore, policyId: string): Promise<Waiting> {
  const where = { path: 'policyId', op: 'eq', value: policyId } as const;
  const seen = new Set<string>();
  const [tokens, topics] = [new Set<string>(), new Set<string>()];
  let end = await store.count('settlement', INSTANCE_PARTITION, where);
  while (end > 0) {
    const offset = Math.max(0, end - WAITING_PAGE);
    const page = await store.find('settlement', INSTANCE_PARTITION, { where, offset, limit: end - offset });
    const effects = await Promise.all(page.map(({ id }) => store.get('ledger-effect', policyId, id)));
    for (const effect of effects) {
      if (effect === undefined) continue;
      seen.add(effect.id);
      noteSubject(effect, tokens, topics);
    }
    end = offset;
  }
  return { count: seen.size, tokens, topics };
}

function noteSubject({ type, tokenId, topicId }: LedgerEffect, tokens: Set<string>, topics: Set<string>): void {
  if (tokenId !== undefined) tokens.add(tokenId);
  if (type === 'create-topic' && topicId !== undefined) topics.add(topicId);
}
