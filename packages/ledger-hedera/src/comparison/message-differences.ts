/** What a difference between a message and what was sent is called, and what to do about it. */
import type { LedgerDifference } from '@blockwork/core/adapter';
import type { TopicMessage } from '../network/history.js';

type Difference = Omit<LedgerDifference, 'kind'>;

/** Where a message is, or should be. */
export const placeOf = (consensusAt: string, topic: string): string => `${consensusAt} in ${topic}`;

export const textOf = ({ content }: TopicMessage): string => Buffer.from(content).toString('utf8');

export const changedMessage = (facts: Omit<Difference, 'remedy'>): LedgerDifference => ({
  kind: 'message-changed',
  ...facts,
  remedy:
    'A ledger cannot change a message: the mirror or the store is not right. Ask another mirror; if it says the same, restore the store.',
});

export const missingMessage = (facts: Omit<Difference, 'ledger' | 'remedy'>): LedgerDifference => ({
  kind: 'message-missing',
  ...facts,
  ledger: 'no message',
  remedy: 'It was confirmed before, and a ledger removes nothing: the mirror is not complete. Ask another mirror.',
});

/** The operator's. */
export const unknownMessage = (topic: string, message: TopicMessage): LedgerDifference => ({
  kind: 'message-unknown',
  subject: placeOf(message.consensusAt, topic),
  book: 'no such message',
  ledger: textOf(message),
  remedy:
    'The operator sent it, but not from this store: the store is older than the ledger (a restored backup), or another program uses the account. Stop the server before it settles again what is there already.',
});

/** Of another account, where it may be taken for one of the operator's. */
export const foreignMessage = (
  topic: string,
  message: TopicMessage,
  { book, remedy }: Pick<Difference, 'book' | 'remedy'>,
): LedgerDifference => ({
  kind: 'message-unknown',
  subject: placeOf(message.consensusAt, topic),
  book,
  ledger: `${message.payer}: ${textOf(message)}`,
  remedy,
});
