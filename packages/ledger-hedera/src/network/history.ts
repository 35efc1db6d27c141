/** The ledger's history for comparing: supplies, balances, owners of serials and messages, from a mirror node. */
import { z } from 'zod';
import { entity, timestamp, units, type AskMirror } from './mirror-rest.js';

export interface TokenHistory {
  /** Units, as decimal text. */
  readonly supply: string;
}

/** One transaction's part of a message. */
export interface TopicMessage {
  /** `<seconds>.<nanoseconds>`. */
  readonly consensusAt: string;
  readonly payer: string;
  readonly sequenceNumber: number;
  readonly content: Uint8Array;
}

export interface History {
  /** Tinybars of an account; `undefined` if there is no such account. */
  balance(accountId: string): Promise<bigint | undefined>;
  token(tokenId: string): Promise<TokenHistory | undefined>;
  /** The owner of each serial that was not destroyed, in pages. */
  owners(tokenId: string): AsyncIterable<{ readonly serial: number; readonly owner: string }>;
  /** Those after a sequence number, or all, in their order, in pages. */
  messages(topicId: string, after?: number): AsyncIterable<TopicMessage>;
  /** The newest ones, newest first: at most 25. */
  newestMessages(topicId: string): Promise<TopicMessage[]>;
  /** One message by its consensus timestamp; `undefined` if there is none. */
  message(timestamp: string): Promise<(TopicMessage & { readonly topicId: string }) | undefined>;
}

const PAGE = 100;
/** Messages of a topic that only the operator may write to, among which the newest one is searched. */
const NEWEST = 25;

/** One transaction's part of a message, as the mirror has it. */
export const topicMessage = z.object({
  consensus_timestamp: timestamp,
  message: z.base64(),
  payer_account_id: entity,
  sequence_number: z.number().int().min(1),
  topic_id: entity,
  chunk_info: z
    .object({
      initial_transaction_id: z.object({ account_id: entity, transaction_valid_start: timestamp }),
      number: z.number().int().min(1),
      total: z.number().int().min(1),
    })
    .nullish(),
});
export type MirrorMessage = z.infer<typeof topicMessage>;

const answers = {
  account: z.object({ balance: z.object({ balance: units }) }),
  token: z.object({ total_supply: units }),
  serials: z.object({
    nfts: z.array(
      z.object({
        account_id: entity.nullish(),
        serial_number: z.number().int().positive(),
        deleted: z.boolean().nullish(),
      }),
    ),
  }),
  messages: z.object({ messages: z.array(topicMessage) }),
};

export function openHistory(ask: AskMirror): History {
  return {
    async balance(account) {
      const answer = await ask(`accounts/${account}?transactions=false`, answers.account);
      return answer && BigInt(answer.balance.balance);
    },
    async token(id) {
      const answer = await ask(`tokens/${id}`, answers.token);
      return answer && { supply: answer.total_supply };
    },
    async *owners(token) {
      for (let after = 0; ;) {
        const path = `tokens/${token}/nfts?limit=${String(PAGE)}&order=asc&serialnumber=gt:${String(after)}`;
        const serials = (await ask(path, answers.serials))?.nfts ?? [];
        for (const { serial_number: serial, account_id: owner, deleted } of serials) {
          // A page that does not go on would be read for ever.
          if (serial <= after) throw new Error(`The mirror lists the serials of token ${token} out of order.`);
          after = serial;
          if (deleted !== true && typeof owner === 'string') yield { serial, owner };
        }
        if (serials.length < PAGE) return;
      }
    },
    async *messages(topic, after = 0) {
      for await (const each of topicMessages(ask, topic, after)) yield messageOf(each);
    },
    async newestMessages(topic) {
      const path = `topics/${topic}/messages?limit=${String(NEWEST)}&order=desc`;
      return ((await ask(path, answers.messages))?.messages ?? []).map(messageOf);
    },
    async message(at) {
      const answer = await ask(`topics/messages/${at}`, topicMessage);
      return answer && { ...messageOf(answer), topicId: answer.topic_id };
    },
  };
}

/** Those after a sequence number, in their order; asked for in pages. */
export async function* topicMessages(ask: AskMirror, topic: string, from: number): AsyncGenerator<MirrorMessage, void> {
  for (let after = from; ;) {
    const path = `topics/${topic}/messages?limit=${String(PAGE)}&order=asc&sequencenumber=gt:${String(after)}`;
    const messages = (await ask(path, answers.messages))?.messages ?? [];
    for (const each of messages) {
      // A page that does not go on would be read for ever.
      if (each.sequence_number <= after)
        throw new Error(`The mirror lists the messages of topic ${topic} out of order.`);
      after = each.sequence_number;
      yield each;
    }
    if (messages.length < PAGE) return;
  }
}

const messageOf = (each: MirrorMessage): TopicMessage => ({
  consensusAt: each.consensus_timestamp,
  payer: each.payer_account_id,
  sequenceNumber: each.sequence_number,
  content: Buffer.from(each.message, 'base64'),
});
