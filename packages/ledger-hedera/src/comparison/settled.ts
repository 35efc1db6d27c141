/** What the transactions of a policy did, read once and held as small facts: messages and serials. */
import { readRecord } from '../transactions/stored-rows.js';
import type { Book } from './book.js';
import { SentMessages } from './sent-messages.js';
import { SerialMap } from './serial-map.js';

/** With 28 bytes each. Later messages are left out of the comparison. */
const MESSAGES_AT_MOST = 2_000_000;
/** Of all tokens. With more, serials are left out. */
const RUNS_AT_MOST = 200_000;

export interface SettledLimits {
  readonly messages?: number;
  readonly runs?: number;
}

export interface Settled {
  /** Messages up to `upTo`, by the ledger's id of their topic. */
  readonly messages: ReadonlyMap<string, SentMessages>;
  /** Nanoseconds of consensus: what came later is not compared, because the book may lack it or because there are too many. */
  readonly upTo: bigint;
  /** Whether there are more messages than are compared. */
  readonly isCut: boolean;
  /** Names of the tools that were published for the policy. */
  readonly tools: readonly string[];
  /** By the book's id of the token; `null` if there are too many runs of serials. */
  readonly serials: ReadonlyMap<string, SerialMap> | null;
}

/** `upTo`: a consensus timestamp before the book was opened. */
export async function readSettled(
  book: Book,
  upTo: string,
  { messages: mostMessages = MESSAGES_AT_MOST, runs: mostRuns = RUNS_AT_MOST }: SettledLimits = {},
): Promise<Settled> {
  const messages = new Map<string, SentMessages>();
  const serials = new Map<string, SerialMap>();
  const tools: string[] = [];
  const end = momentOf(upTo);
  let cut = end;
  let [place, count, runs] = [-1, 0, 0];
  for await (const record of book.rows()) {
    place += 1;
    const read = readRecord(record);
    if (read === null) continue;
    if (!('row' in read)) {
      const [, tool] = /^policy-tool\/(.+)$/s.exec(read.local) ?? [];
      if (tool !== undefined) tools.push(tool);
      const [, token, serial] = /^serial\/(.+)\/(\d+)$/.exec(read.local) ?? [];
      if (token === undefined || runs > mostRuns) continue;
      const map = entryOf(serials, token, () => new SerialMap());
      const before = map.size;
      map.add(Number(serial), Number(read.ledger));
      runs += map.size - before;
      continue;
    }
    const { operation, consensusAt } = read.row;
    if (operation.type !== 'submit-message') continue;
    const sent = entryOf(messages, operation.topic, () => new SentMessages());
    if (consensusAt === null) {
      sent.addUndecided(operation.text);
      continue;
    }
    const moment = momentOf(consensusAt);
    if (moment > end) continue;
    count += 1;
    if (count <= mostMessages) sent.add(moment, operation.text, place);
    // Transactions are begun in the order of the ledger, but for those of a store that was restored.
    else if (moment <= cut) cut = moment - 1n;
  }
  return { messages, upTo: cut, isCut: count > mostMessages, tools, serials: runs > mostRuns ? null : serials };
}

function entryOf<V>(map: Map<string, V>, key: string, make: () => V): V {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

/** Nanoseconds of a consensus timestamp. */
export const momentOf = (timestamp: string): bigint => BigInt(timestamp.replace('.', ''));
/** `<seconds>.<nanoseconds>` of a moment. */
export const timestampOf = (moment: bigint): string =>
  `${String(moment / 1_000_000_000n)}.${String(moment % 1_000_000_000n).padStart(9, '0')}`;
