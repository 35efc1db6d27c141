/** What the store says that the ledger must have: the book of one policy without what waits, and its transactions. */
import type { LedgerEffect, LedgerMessage, LedgerToken, PolicyStore, TokenRelation } from '@blockwork/core';
import type { LedgerLot, LedgerTopic } from '@blockwork/core/records';
import { INSTANCE_PARTITION } from '../transactions/partition.js';
import type { Mapped, TransactionRow } from '../transactions/row.js';
import { readRecords } from '../transactions/stored-rows.js';

export interface Book {
  readonly policyId: string;
  /** How many effects there were before anything else was read: later ones may or may not be in what was. */
  readonly effects: number;
  readonly tokens: readonly LedgerToken[];
  readonly relations: readonly TokenRelation[];
  readonly lots: readonly LedgerLot[];
  readonly topics: readonly LedgerTopic[];
  /** In the order of the book. */
  readonly messages: readonly LedgerMessage[];
  /** Effects that are not settled, or not entirely. */
  readonly waiting: readonly LedgerEffect[];
  readonly rows: readonly TransactionRow[];
  /** The ledger's id of one in the book. */
  readonly idOf: (of: Mapped, local: string) => string | undefined;
}

type Reader = Pick<PolicyStore, 'get' | 'find' | 'count'>;

export async function readBook(store: Reader, policyId: string): Promise<Book> {
  const ofPolicy = { where: { path: 'policyId', op: 'eq', value: policyId } } as const;
  const inOrder = { order: { path: 'id', direction: 'asc' } } as const;
  const effects = await store.count('ledger-effect', policyId);
  // Before everything else: what is settled meanwhile is left out, rather than missed on the ledger.
  const pending = await store.find('settlement', INSTANCE_PARTITION, ofPolicy);
  const [waiting, tokens, relations, lots, topics, messages, records, accounts] = await Promise.all([
    Promise.all(pending.map(({ id }) => store.get('ledger-effect', policyId, id))),
    store.find('ledger-token', policyId),
    store.find('ledger-relation', policyId),
    store.find('ledger-lot', policyId),
    store.find('ledger-topic', policyId),
    store.find('ledger-message', policyId, inOrder),
    store.find('ledger-row', policyId),
    store.find('ledger-row', INSTANCE_PARTITION, { where: { path: 'state', op: 'eq', value: 'id' } }),
  ]);
  const { rows, ids } = readRecords([...records, ...accounts]);
  return {
    policyId,
    effects,
    tokens,
    relations,
    lots,
    topics,
    messages,
    rows,
    waiting: waiting.filter((effect) => effect !== undefined),
    idOf: (of, local) => ids.get(`${of}/${local}`),
  };
}
