/** Compares the messages in the policy's topics with the transactions that sent them: all, unchanged, once and in order. */
import { POLICY_TOPIC } from '@blockwork/core/records';
import type { History, TopicMessage } from '../network/history.js';
import type { TransactionRow } from '../transactions/row.js';
import type { Book } from './book.js';
import type { Findings } from './findings.js';

/** One transaction's part of a message, as it was sent. */
interface Sent {
  readonly text: string;
  /** `null` if it is not confirmed: it may be on the ledger or not. */
  readonly consensusAt: string | null;
  readonly topic: string;
}

export interface MessageFacts {
  readonly history: Pick<History, 'messages' | 'message'>;
  readonly operatorAccount: string;
  /** A consensus timestamp before the book was read. What came later is left out: the book may lack it. */
  readonly upTo: string;
}

export async function compareMessages(book: Book, facts: MessageFacts, findings: Findings): Promise<void> {
  const sent = book.rows
    .flatMap(sentBy)
    .filter(({ consensusAt }) => consensusAt === null || moment(consensusAt) <= moment(facts.upTo));
  const own = new Set<string>();
  for (const { id, name } of book.topics) {
    // Other versions of the policy send there as well.
    if (name === POLICY_TOPIC) continue;
    const topic = book.idOf('topic', id);
    if (topic === undefined) {
      noteMissingTopic(id, name, book, findings);
      continue;
    }
    own.add(topic);
    findings.count('topics');
    await compareTopic(
      topic,
      sent.filter((each) => each.topic === topic),
      facts,
      findings,
    );
  }
  for (const message of sent) if (!own.has(message.topic)) await compareOne(message, facts, findings);
  compareOrder(book, findings);
}

const sentBy = ({ operation, consensusAt }: TransactionRow): Sent[] =>
  operation.type === 'submit-message' ? [{ text: operation.text, topic: operation.topic, consensusAt }] : [];

function noteMissingTopic(id: string, name: string, book: Book, findings: Findings): void {
  if (book.waiting.some(({ type, topicId }) => type === 'create-topic' && topicId === id)) {
    findings.note(`Topic ${id} (${name}) is not compared: it waits to be made.`);
    return;
  }
  const count = book.messages.filter(({ topicId }) => topicId === id).length;
  findings.differ({
    kind: 'topic-missing',
    subject: id,
    book: `topic "${name}" with ${String(count)} messages`,
    ledger: 'no topic',
    remedy:
      'The policy was published before the ledger was used: its earlier messages are in the book only. Publish a new version to have them on the ledger from the beginning.',
  });
}

async function compareTopic(
  topic: string,
  sent: readonly Sent[],
  { history, operatorAccount, upTo }: MessageFacts,
  findings: Findings,
): Promise<void> {
  const confirmed = new Map(
    sent.flatMap((each) => (each.consensusAt === null ? [] : [[each.consensusAt, each] as const])),
  );
  const undecided = sent.filter(({ consensusAt }) => consensusAt === null).map(({ text }) => text);
  let foreign = 0;
  let last = 0;
  for await (const message of history.messages(topic)) {
    if (message.sequenceNumber !== last + 1)
      findings.note(
        `The mirror does not show messages ${String(last + 1)} to ${String(message.sequenceNumber - 1)} of topic ${topic}. Ask another mirror.`,
      );
    last = message.sequenceNumber;
    if (moment(message.consensusAt) > moment(upTo)) break;
    const expected = confirmed.get(message.consensusAt);
    confirmed.delete(message.consensusAt);
    if (expected !== undefined) compareText(expected, message, topic, findings);
    else if (message.payer !== operatorAccount) foreign += 1;
    else if (!take(undecided, textOf(message))) unknown(message, topic, findings);
  }
  if (foreign > 0) findings.note(`Topic ${topic} has ${String(foreign)} messages that other accounts sent.`);
  for (const each of confirmed.values()) missing(each, findings);
}

/** A topic of somebody else, such as that in which policies are announced, is not read as a whole. */
async function compareOne(sent: Sent, { history }: MessageFacts, findings: Findings): Promise<void> {
  if (sent.consensusAt === null) return;
  const message = await history.message(sent.consensusAt);
  if (message?.topicId !== sent.topic) missing(sent, findings);
  else compareText(sent, message, sent.topic, findings);
}

function compareText({ text }: Sent, message: TopicMessage, topic: string, findings: Findings): void {
  findings.count('messages');
  if (textOf(message) === text) return;
  findings.differ({
    kind: 'message-changed',
    subject: `${message.consensusAt} in ${topic}`,
    book: text,
    ledger: textOf(message),
    remedy:
      'A ledger cannot change a message: the mirror or the store is not right. Ask another mirror; if it says the same, restore the store.',
  });
}

function missing({ consensusAt, topic, text }: Sent, findings: Findings): void {
  findings.count('messages');
  findings.differ({
    kind: 'message-missing',
    subject: `${consensusAt ?? ''} in ${topic}`,
    book: text,
    ledger: 'no message',
    remedy: 'It was confirmed before, and a ledger removes nothing: the mirror is not complete. Ask another mirror.',
  });
}

function unknown(message: TopicMessage, topic: string, findings: Findings): void {
  findings.differ({
    kind: 'message-unknown',
    subject: `${message.consensusAt} in ${topic}`,
    book: 'no such message',
    ledger: textOf(message),
    remedy:
      'The operator sent it, but not from this store: the store is older than the ledger (a restored backup), or another program uses the account. Stop the server before it settles again what is there already.',
  });
}

/** In a topic, the order of the book is that of the ledger. */
function compareOrder(book: Book, findings: Findings): void {
  const latest = new Map<string, string>();
  for (const { id, topicId } of book.messages) {
    const at = book.idOf('message', id);
    if (at === undefined) continue;
    const before = latest.get(topicId);
    if (before !== undefined && moment(at) <= moment(before))
      findings.differ({
        kind: 'message-order',
        subject: at,
        book: `after ${before}`,
        ledger: `before ${before}`,
        remedy:
          'Two processes settled the policy with clocks or stores that differ. Readers order by the ledger: check whether the later message depends on the earlier one.',
      });
    latest.set(topicId, at);
  }
}

const moment = (timestamp: string): bigint => BigInt(timestamp.replace('.', ''));
const textOf = ({ content }: TopicMessage): string => Buffer.from(content).toString('utf8');

/** Whether the text was in the list, from which it is taken. */
function take(texts: string[], text: string): boolean {
  const place = texts.indexOf(text);
  if (place >= 0) texts.splice(place, 1);
  return place >= 0;
}
