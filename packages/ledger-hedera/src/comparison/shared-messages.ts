/** Compares what was sent for the whole instance, and not for one policy, with the transactions that sent it. */
import type { History, TopicMessage } from '../network/history.js';
import type { TransactionRow } from '../transactions/row.js';
import type { Findings } from './findings.js';
import { changedMessage, missingMessage, placeOf, textOf } from './message-differences.js';
import { momentOf } from './settled.js';

export interface SharedFacts {
  readonly history: Pick<History, 'messages' | 'message'>;
  readonly operatorAccount: string;
  /** Nanoseconds of consensus: what came later is not compared. */
  readonly upTo: bigint;
}

export interface SentMessage {
  readonly topic: string;
  readonly text: string;
  /** `null` while it may be on the ledger or not. */
  readonly at: string | null;
}

export async function all(rows: AsyncIterable<TransactionRow>): Promise<TransactionRow[]> {
  const list: TransactionRow[] = [];
  for await (const row of rows) list.push(row);
  return list;
}

export const sentBy = (rows: readonly TransactionRow[]): SentMessage[] =>
  rows.flatMap(({ operation, consensusAt: at }) =>
    operation.type === 'submit-message' ? [{ topic: operation.topic, text: operation.text, at }] : [],
  );

/** The transactions of one effect; what may be on the ledger or not is left out. */
export async function compareSent(
  messages: readonly SentMessage[],
  { history, upTo }: SharedFacts,
  findings: Findings,
): Promise<void> {
  for (const { topic, text: book, at } of messages) {
    if (at === null || momentOf(at) > upTo) continue;
    findings.count('messages');
    const subject = placeOf(at, topic);
    const message = await history.message(at);
    if (message?.topicId !== topic) findings.differ(missingMessage({ subject, book }));
    else if (textOf(message) !== book) findings.differ(changedMessage({ subject, book, ledger: textOf(message) }));
  }
}

/** Those of a topic after a sequence number, as far as is compared. */
export async function* messagesIn(
  topic: string,
  { history, upTo }: SharedFacts,
  after = 0,
): AsyncGenerator<TopicMessage, void> {
  for await (const message of history.messages(topic, after)) {
    if (momentOf(message.consensusAt) > upTo) return;
    yield message;
  }
}

/** Of what may be on the ledger or not, the text tells. */
export const isOneOf = (known: readonly SentMessage[], message: TopicMessage): boolean =>
  known.some(({ at, text }) => (at === null ? text === textOf(message) : at === message.consensusAt));
