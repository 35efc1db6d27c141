/** Ids as text and as messages: entities `0.0.<n>`, transactions `0.0.<payer>@<seconds>.<nanoseconds>`. */
import type { entityIdType, transactionIdType } from './messages.js';
import type { Value } from './protobuf.js';

type EntityId = Value<typeof entityIdType>;

/** Throws for text that is not the id of an entity: it would address another one. */
export function toEntityId(id: string): EntityId {
  const [, shard, realm, num] = /^(\d{1,9})\.(\d{1,9})\.(\d{1,18})$/.exec(id) ?? [];
  if (shard === undefined || realm === undefined || num === undefined)
    throw new Error(`"${id}" is not the id of an account, token or topic on the ledger, such as 0.0.1234.`);
  return { shard: BigInt(shard), realm: BigInt(realm), num: BigInt(num) };
}

export const fromEntityId = ({ shard = 0n, realm = 0n, num = 0n }: EntityId): string =>
  `${String(shard)}.${String(realm)}.${String(num)}`;

/** A payer and a moment that the sender chooses: known before the transaction is sent, and carried out at most once. */
export interface TransactionId {
  readonly payer: string;
  readonly seconds: number;
  readonly nanos: number;
}

export const toTransactionId = ({ payer, seconds, nanos }: TransactionId): Value<typeof transactionIdType> => ({
  validStart: { seconds: BigInt(seconds), nanos: BigInt(nanos) },
  payer: toEntityId(payer),
});

export const transactionIdText = ({ payer, seconds, nanos }: TransactionId): string =>
  `${payer}@${String(seconds)}.${ninths(nanos)}`;

/** As the mirror's addresses have it. */
export const mirrorId = ({ payer, seconds, nanos }: TransactionId): string =>
  `${payer}-${String(seconds)}-${ninths(nanos)}`;

export function parseTransactionId(id: string): TransactionId {
  const [, payer, seconds, nanos] = /^(\d+\.\d+\.\d+)@(\d{1,12})\.(\d{9})$/.exec(id) ?? [];
  if (payer === undefined) throw new Error(`"${id}" is not the id of a transaction.`);
  return { payer, seconds: Number(seconds), nanos: Number(nanos) };
}

const ninths = (nanos: number): string => String(nanos).padStart(9, '0');
