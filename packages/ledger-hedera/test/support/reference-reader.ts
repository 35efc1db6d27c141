/** Reads what is published as the reference does, written from its format: one row of the mirror is one message, and nothing is joined. */
import type { FakeNetwork } from './fake-network.js';

export interface ReadMessage {
  readonly id: string;
  readonly topic: string;
  readonly sequence: number;
  readonly content: Readonly<Record<string, unknown>>;
}

interface Row {
  readonly consensus_timestamp: string;
  readonly sequence_number: number;
  readonly message: string;
}

/** Topics are known only from messages that were read before, beginning with one topic. */
export class ReferenceReader {
  readonly topics = new Map<string, readonly ReadMessage[]>();

  constructor(private readonly network: FakeNetwork) {}

  /** All messages that can be found from there. Throws if the first message of a topic does not say what the topic is. */
  read(start: string): ReadMessage[] {
    const waiting = [start];
    for (const topic of waiting) {
      if (this.topics.has(topic)) continue;
      const messages = this.#messagesOf(topic);
      this.topics.set(topic, messages);
      if (topic !== start) assertLink(topic, messages[0]);
      waiting.push(...messages.flatMap(({ content }) => topicsIn(content)));
    }
    return [...this.topics.values()].flat();
  }

  /** The kind of a topic, and what it is below, by its first message. */
  about(topic: string): Readonly<Record<string, unknown>> {
    return this.topics.get(topic)?.[0]?.content ?? {};
  }

  #messagesOf(topic: string): ReadMessage[] {
    const all: ReadMessage[] = [];
    for (;;) {
      const last = String(all.at(-1)?.sequence ?? 0);
      const { body } = this.network.mirror(`topics/${topic}/messages?limit=100&order=asc&sequencenumber=gt:${last}`);
      const { messages } = JSON.parse(body) as { readonly messages: readonly Row[] };
      if (messages.length === 0) return all;
      for (const row of messages) {
        const text = Buffer.from(row.message, 'base64').toString('utf8');
        const content = JSON.parse(text) as ReadMessage['content'];
        all.push({ id: row.consensus_timestamp, topic, sequence: row.sequence_number, content });
      }
    }
  }
}

function assertLink(topic: string, first: ReadMessage | undefined): void {
  const { type, action, childId } = first?.content ?? {};
  if (type !== 'Topic' || action !== 'create-topic' || childId !== null)
    throw new Error(`The first message of topic ${topic} does not say what it is.`);
}

function topicsIn({ type, childId, topicId, instanceTopicId }: ReadMessage['content']): string[] {
  const places: Readonly<Record<string, readonly unknown[]>> = {
    'Standard Registry': [topicId],
    Topic: [childId],
    Policy: [topicId, instanceTopicId],
    'Instance-Policy': [topicId, instanceTopicId],
    Tool: [topicId],
  };
  const named = places[String(type)] ?? [];
  return named.filter((id) => typeof id === 'string');
}
