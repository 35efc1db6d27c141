/** The newest checkpoint that was sent to the ledger, and whether the log in the store continues it. */
import type { Keys, Ledger, WitnessMessage } from '../ports/index.js';
import { isObject, type LedgerMessage } from '../records/index.js';
import type { RecordReader } from '../transactions/index.js';
import { ownCheckpoint, StoredLog } from '../transparency/index.js';

export interface WitnessDeps {
  readonly store: RecordReader;
  readonly keys: Keys;
  readonly externalLedger: Ledger | null;
}

/** The topic of a policy in which its checkpoints are. No topic of a policy's file has a slash in its name by chance. */
export const WITNESS_TOPIC = 'blockwork/checkpoints';
/** The type of a message with a checkpoint. */
export const WITNESS_TYPE = 'checkpoint';

/** What the ledger, or the book, says otherwise than the log in the store. */
export interface Contradiction {
  /** The message with the checkpoint: the ledger's id, or the book's. */
  readonly messageId: string;
  /** What the witness says, and what the log is, as phrases. */
  readonly witness: string;
  readonly log: string;
}

/** The newest message with a checkpoint in the policy's book; `undefined` if there is none. */
export async function newestInBook(records: RecordReader, policyId: string): Promise<LedgerMessage | undefined> {
  const topicId = await witnessTopic(records, policyId);
  if (topicId === undefined) return undefined;
  const where = { path: 'topicId', op: 'eq', value: topicId } as const;
  const order = { path: 'id', direction: 'desc' } as const;
  const [newest] = await records.find('ledger-message', policyId, { where, order, limit: 1 });
  return newest;
}

/** `null` if the log continues the newest witness. Rejects if the ledger cannot be asked. */
export async function contradiction(deps: WitnessDeps, policyId: string): Promise<Contradiction | null> {
  const { store, keys, externalLedger } = deps;
  const topicId = await witnessTopic(store, policyId);
  if (topicId === undefined) return null;
  // Before the log is read: it only grows.
  const onLedger = await externalLedger?.witnesses?.newest(policyId, topicId);
  const booked = await newestInBook(store, policyId);
  const log = await StoredLog.open(store, policyId);
  const inBook = booked && { messageId: booked.id, note: noteOf(booked) };
  for (const witness of [onLedger, inBook]) {
    const problem = witness && (await problemWith(witness, log, keys));
    if (problem !== undefined && problem !== null) return problem;
  }
  return null;
}

export function noteOf({ body }: Pick<LedgerMessage, 'body'>): string {
  const note = isObject(body) ? body['note'] : undefined;
  return typeof note === 'string' ? note : '';
}

/** The number of entries in the checkpoint of a message. */
export const sizeOf = (message: Pick<LedgerMessage, 'body'>): number => Number(noteOf(message).split('\n')[1]);

async function witnessTopic(records: RecordReader, policyId: string): Promise<string | undefined> {
  const where = { path: 'name', op: 'eq', value: WITNESS_TOPIC } as const;
  const [topic] = await records.find('ledger-topic', policyId, { where, limit: 1 });
  return topic?.id;
}

async function problemWith(
  { messageId, note }: WitnessMessage,
  log: StoredLog | undefined,
  keys: Keys,
): Promise<Contradiction | null> {
  const checkpoint = await ownCheckpoint(note, keys);
  if (checkpoint === undefined)
    return { messageId, witness: 'a checkpoint of another key', log: 'signed with the key of this instance' };
  const { origin, size, root } = checkpoint;
  const witness = `${String(size)} entries of ${origin} with the root ${base64(root)}`;
  if (log === undefined) return { messageId, witness, log: 'no log' };
  const present = `${String(log.size)} entries of ${log.origin}`;
  if (log.origin !== origin || log.size < size) return { messageId, witness, log: present };
  const then = await log.tree.hashOf({ start: 0, end: size });
  if (Buffer.compare(then, root) === 0) return null;
  return { messageId, witness, log: `${present}, of which the first ${String(size)} have the root ${base64(then)}` };
}

const base64 = (hash: Uint8Array): string => Buffer.from(hash).toString('base64');
