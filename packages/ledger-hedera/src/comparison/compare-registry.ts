/** Compares what the registry of a policy's owner says of itself with the transactions that said it, and names what others say in its place. */
import { z } from 'zod';
import type { TopicMessage } from '../network/history.js';
import { jsonIn } from '../reading/json-in.js';
import { registrationId } from '../transactions/plan-registry.js';
import type { Book } from './book.js';
import type { Findings } from './findings.js';
import { foreignMessage, unknownMessage } from './message-differences.js';
import { momentOf } from './settled.js';
import {
  all,
  compareSent,
  isOneOf,
  messagesIn,
  sentBy,
  type SentMessage,
  type SharedFacts,
} from './shared-messages.js';

/** Anyone may write to the topic of registries: of so many messages after the registry's own are those named that speak for it. */
const ANNOUNCEMENTS_AT_MOST = 2_000;

/** No-op for an owner whom this store has not announced. */
export async function compareRegistry(book: Book, facts: SharedFacts, findings: Findings): Promise<void> {
  const owner = await book.owner();
  const rows = await all(book.shared(registrationId(owner)));
  const own = sentBy(rows);
  const first = own.find(({ text }) => !announces(text));
  if (first === undefined) return;
  if (own.at(-1)?.at === null || !own.some(({ text }) => announces(text)))
    findings.note(`The registry of ${owner} is being announced: what is not there yet is not compared.`);
  await compareSent(own, facts, findings);
  findings.count('topics');
  // Owners who are announced in the same topic have a registry each.
  const inTopic = sentBy(await all(book.sharedIn(first.topic)));
  const isMadeHere = rows.some(({ operation }) => operation.type === 'create-topic');
  const comparison = new RegistryComparison(owner, facts, findings);
  await comparison.registryTopic(first, inTopic, isMadeHere);
  const init = own.find(({ text }) => announces(text));
  if (init !== undefined) await comparison.announcements(init);
}

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
    private readonly facts: SharedFacts,
    private readonly findings: Findings,
  ) {}

  /** `isMadeHere`: only the operator holds its submit key. */
  async registryTopic(
    { topic, at: from }: SentMessage,
    known: readonly SentMessage[],
    isMadeHere: boolean,
  ): Promise<void> {
    if (from === null) return;
    for await (const message of messagesIn(topic, this.facts)) {
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
    for await (const message of messagesIn(topic, this.facts, init.sequenceNumber)) {
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
}
