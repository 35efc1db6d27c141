/** Compares the messages in the policy's topics with the transactions that sent them: all, unchanged, once and in order. */
import { POLICY_TOPIC } from '@blockwork/core/records';
import type { History, TopicMessage } from '../network/history.js';
import { readRecord } from '../transactions/stored-rows.js';
import type { Book } from './book.js';
import type { Findings } from './findings.js';
import {
  changedMessage,
  foreignMessage,
  missingMessage,
  placeOf,
  textOf,
  unknownMessage,
} from './message-differences.js';
import { SentMessages } from './sent-messages.js';
import { momentOf, timestampOf, type Settled } from './settled.js';

export interface MessageFacts {
  readonly history: Pick<History, 'messages' | 'message'>;
  readonly operatorAccount: string;
  readonly settled: Settled;
}

/** A message of the book. */
interface Sent {
  readonly moment: bigint;
  readonly place: number;
}

export async function compareMessages(book: Book, facts: MessageFacts, findings: Findings): Promise<void> {
  const { messages, isCut, upTo } = facts.settled;
  if (isCut)
    findings.note(
      `Messages after ${timestampOf(upTo)} are not compared: the policy has more than one comparison takes.`,
    );
  const own = new Set<string>();
  for await (const { id, name } of book.topics()) {
    if (name === POLICY_TOPIC) {
      const shared = await book.idOf('policy-topic', id);
      if (shared !== undefined) await new TopicComparison(shared, book, facts, findings).shared();
      continue;
    }
    const topic = await book.idOf('topic', id);
    if (topic === undefined) {
      await noteMissingTopic(id, name, book, findings);
      continue;
    }
    own.add(topic);
    findings.count('topics');
    await new TopicComparison(topic, book, facts, findings).whole(messages.get(topic) ?? new SentMessages());
  }
  for (const [topic, sent] of messages)
    if (!own.has(topic)) await new TopicComparison(topic, book, facts, findings).each(sent);
  await compareOrder(book, findings);
}

async function noteMissingTopic(id: string, name: string, book: Book, findings: Findings): Promise<void> {
  if (book.waiting.topics.has(id)) {
    findings.note(`Topic ${id} (${name}) is not compared: it waits to be made.`);
    return;
  }
  const count = await book.messageCount(id);
  findings.differ({
    kind: 'topic-missing',
    subject: id,
    book: `topic "${name}" with ${String(count)} messages`,
    ledger: 'no topic',
    remedy:
      'The policy was published before the ledger was used: its earlier messages are in the book only. Publish a new version to have them on the ledger from the beginning.',
  });
}

class TopicComparison {
  constructor(
    private readonly topic: string,
    private readonly book: Book,
    private readonly facts: MessageFacts,
    private readonly findings: Findings,
  ) {}

  /** Reads the topic. */
  async whole(sent: SentMessages): Promise<void> {
    const { history, operatorAccount, settled } = this.facts;
    const seen = new Uint8Array(sent.length);
    let foreign = 0;
    let last = 0;
    for await (const message of history.messages(this.topic)) {
      if (message.sequenceNumber !== last + 1)
        this.findings.note(
          `The mirror does not show messages ${String(last + 1)} to ${String(message.sequenceNumber - 1)} of topic ${this.topic}. Ask another mirror.`,
        );
      last = message.sequenceNumber;
      const moment = momentOf(message.consensusAt);
      if (moment > settled.upTo) break;
      const n = sent.find(moment);
      if (n >= 0 && seen[n] === 0) {
        seen[n] = 1;
        await this.#text(sent, n, message);
      } else if (message.payer !== operatorAccount) foreign += 1;
      else if (!sent.takeUndecided(message.content)) this.#unknown(message);
    }
    if (foreign > 0)
      this.findings.note(`Topic ${this.topic} has ${String(foreign)} messages that other accounts sent.`);
    for (let n = 0; n < sent.length; n += 1)
      if (seen[n] === 0 && sent.nth(n).moment <= settled.upTo) await this.#missing(sent.nth(n));
  }

  /** Reads the topic of the policy's versions, which all of them send to: what none of them sent is named. */
  async shared(): Promise<void> {
    const { history, settled } = this.facts;
    const sent = new SentMessages();
    for await (const record of this.book.sentByVersions(this.topic)) {
      const read = readRecord(record);
      if (read === null || !('row' in read) || read.row.operation.type !== 'submit-message') continue;
      const { consensusAt, operation } = read.row;
      if (consensusAt === null) sent.addUndecided(operation.text);
      else sent.add(momentOf(consensusAt), operation.text, 0);
    }
    this.findings.count('topics');
    for await (const message of history.messages(this.topic)) {
      const moment = momentOf(message.consensusAt);
      if (moment > settled.upTo) break;
      if (sent.find(moment) >= 0 || sent.takeUndecided(message.content)) continue;
      if (message.payer === this.facts.operatorAccount) this.#unknown(message);
      else this.#foreign(message);
    }
  }

  /** Asks for each message: a topic of somebody else, such as that in which policies are announced, is not read as a whole. */
  async each(sent: SentMessages): Promise<void> {
    const { history, settled } = this.facts;
    for (let n = 0; n < sent.length && sent.nth(n).moment <= settled.upTo; n += 1) {
      const message = await history.message(timestampOf(sent.nth(n).moment));
      if (message?.topicId !== this.topic) await this.#missing(sent.nth(n));
      else await this.#text(sent, n, message);
    }
  }

  async #text(sent: SentMessages, n: number, message: TopicMessage): Promise<void> {
    this.findings.count('messages');
    if (sent.isSame(n, message.content)) return;
    const subject = placeOf(message.consensusAt, this.topic);
    const book = await this.#sentText(sent.nth(n));
    this.findings.differ(changedMessage({ subject, book, ledger: textOf(message) }));
  }

  async #missing(sent: Sent): Promise<void> {
    this.findings.count('messages');
    const subject = placeOf(timestampOf(sent.moment), this.topic);
    this.findings.differ(missingMessage({ subject, book: await this.#sentText(sent) }));
  }

  #unknown(message: TopicMessage): void {
    this.findings.differ(unknownMessage(this.topic, message));
  }

  #foreign(message: TopicMessage): void {
    const book = 'no such message of any version';
    const remedy =
      "Another account sent it, which takes the topic's submit key: whoever reads the topic takes it for a message of the policy. If it was not meant, keep the operator's key from whoever has it, and tell readers which versions are yours.";
    this.findings.differ(foreignMessage(this.topic, message, { book, remedy }));
  }

  /** Only its hash was kept. */
  async #sentText({ place }: Sent): Promise<string> {
    if (this.findings.isFull) return '';
    const record = await this.book.rowAt(place);
    const read = record === undefined ? null : readRecord(record);
    return read !== null && 'row' in read && read.row.operation.type === 'submit-message'
      ? read.row.operation.text
      : '';
  }
}

/** In a topic, the order of the book is that of the ledger. */
async function compareOrder(book: Book, findings: Findings): Promise<void> {
  const latest = new Map<string, string>();
  for await (const page of book.messages()) {
    const ids = await Promise.all(page.map(({ id }) => book.idOf('message', id)));
    for (const [place, { topicId }] of page.entries()) {
      const at = ids[place];
      if (at === undefined) continue;
      const before = latest.get(topicId);
      if (before !== undefined && momentOf(at) <= momentOf(before))
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
}
