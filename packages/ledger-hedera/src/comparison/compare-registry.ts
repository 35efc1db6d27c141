/** Compares what the registry of a policy's owner says of itself with the transactions that said it, and names what others say in its place. */
import { z } from 'zod';
import type { History, TopicMessage } from '../network/history.js';
import { jsonIn } from '../reading/json-in.js';
import type { TransactionRow } from '../transactions/row.js';
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
import { momentOf } from './settled.js';

export interface RegistryFacts {
  readonly history: Pick<History, 'messages' | 'message'>;
  readonly operatorAccount: string;
  /** Nanoseconds of consensus: what came later is not compared. */
  readonly upTo: bigint;
}

interface SentMessage {
  readonly topic: string;
  readonly text: string;
  /** `null` while it may be on the ledger or not. */
  readonly at: string | null;
}

/** Anyone may write to the topic of registries: of so many messages after the registry's own are those named that speak for it. */
const ANNOUNCEMENTS_AT_MOST = 2_000;

/** No-op for an owner whom this store has not announced. */
export async function compareRegistry(book: Book, facts: RegistryFacts, findings: Findings): Promise<void> {
  const owner = await book.owner();
  const rows = await all(book.registration(owner));
  const own = sentBy(rows);
  const first = own.find(({ text }) => !announces(text));
  if (first === undefined) return;
  if (own.at(-1)?.at === null || !own.some(({ text }) => announces(text)))
    findings.note(`The registry of ${owner} is being announced: what is not there yet is not compared.`);
  const comparison = new RegistryComparison(owner, facts, findings);
  for (const sent of own) await comparison.sent(sent);
  findings.count('topics');
  // Owners who are announced in the same topic have a registry each.
  const inTopic = sentBy(await all(book.registrationsIn(first.topic)));
  const isMadeHere = rows.some(({ operation }) => operation.type === 'create-topic');
  await comparison.registryTopic(first, inTopic, isMadeHere);
  const init = own.find(({ text }) => announces(text));
  if (init !== undefined) await comparison.announcements(init);
}

async function all(rows: AsyncIterable<TransactionRow>): Promise<TransactionRow[]> {
  const list: TransactionRow[] = [];
  for await (const row of rows) list.push(row);
  return list;
}

const sentBy = (rows: readonly TransactionRow[]): SentMessage[] =>
  rows.flatMap(({ operation, consensusAt: at }) =>
    operation.type === 'submit-message' ? [{ topic: operation.topic, text: operation.text, at }] : [],
  );

const announcement = z.object({ type: z.literal('Standard Registry') });
/** By these, readers tell what a registry is, and whose keys its are. */
const aboutRegistry = z.union([
  z.object({ type: z.enum(['Standard Registry', 'DID-Document']), did: z.string() }),
  z.object({ type: z.literal('Topic'), childId: z.null() }),
]);

const announces = (text: string): boolean => announcement.safeParse(jsonIn(Buffer.from(text))).success;

class RegistryComparison {
  constructor(
    private readonly owner: string,
    private readonly facts: RegistryFacts,
    private readonly findings: Findings,
  ) {}

  async sent({ topic, text: book, at }: SentMessage): Promise<void> {
    const { history, upTo } = this.facts;
    if (at === null || momentOf(at) > upTo) return;
    this.findings.count('messages');
    const subject = placeOf(at, topic);
    const message = await history.message(at);
    if (message?.topicId !== topic) this.findings.differ(missingMessage({ subject, book }));
    else if (textOf(message) !== book) this.findings.differ(changedMessage({ subject, book, ledger: textOf(message) }));
  }

  /** `isMadeHere`: only the operator holds its submit key. */
  async registryTopic(
    { topic, at: from }: SentMessage,
    known: readonly SentMessage[],
    isMadeHere: boolean,
  ): Promise<void> {
    if (from === null) return;
    for await (const message of this.#after(topic, 0)) {
      // A topic may have been one of announcements before the registry was in it.
      if (momentOf(message.consensusAt) <= momentOf(from) || isOneOf(known, message)) continue;
      const isForeign = message.payer !== this.facts.operatorAccount;
      if (!this.#speaksForOwner(message) && !(isForeign && isMadeHere)) continue;
      const remedy =
        "Another account sent it, which takes the topic's submit key: whoever reads the topic takes it for a message of the registry. If it was not meant, keep the operator's key from whoever has it, and tell readers which messages are yours.";
      this.#unknown(topic, message, remedy);
    }
  }

  async announcements({ topic, at }: SentMessage): Promise<void> {
    const init = at === null ? undefined : await this.facts.history.message(at);
    if (init?.topicId !== topic) return;
    let read = 0;
    for await (const message of this.#after(topic, init.sequenceNumber)) {
      read += 1;
      if (read > ANNOUNCEMENTS_AT_MOST) {
        this.findings.note(
          `Topic ${topic} has more than ${String(ANNOUNCEMENTS_AT_MOST)} messages after that of the registry of ${this.owner}: later ones are not read.`,
        );
        return;
      }
      if (!this.#speaksForOwner(message)) continue;
      const remedy =
        'Another account announces this owner, which anyone may: readers may look for the registry in the topic that it names. Tell them which topic is yours. The DID documents in it prove the key.';
      this.#unknown(topic, message, remedy);
    }
  }

  #unknown(topic: string, message: TopicMessage, remedy: string): void {
    const isForeign = message.payer !== this.facts.operatorAccount;
    const book = 'no such message of the registry';
    this.findings.differ(isForeign ? foreignMessage(topic, message, { book, remedy }) : unknownMessage(topic, message));
  }

  #speaksForOwner({ content }: TopicMessage): boolean {
    const { data } = aboutRegistry.safeParse(jsonIn(content));
    return data !== undefined && (data.type === 'Topic' || data.did === this.owner);
  }

  async *#after(topic: string, sequence: number): AsyncGenerator<TopicMessage, void> {
    for await (const message of this.facts.history.messages(topic, sequence)) {
      if (momentOf(message.consensusAt) > this.facts.upTo) return;
      yield message;
    }
  }
}

/** Of what may be on the ledger or not, the text tells. */
const isOneOf = (known: readonly SentMessage[], message: TopicMessage): boolean =>
  known.some(({ at, text }) => (at === null ? text === textOf(message) : at === message.consensusAt));
