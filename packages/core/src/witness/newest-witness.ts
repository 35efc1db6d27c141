/** The newest checkpoint that was sent to the ledger, and whether the log in the store continues it. */
import type { Keys, Ledger, WitnessMessage } from '../ports/index.js';
import { allOf, equalTo, isObject, type LedgerMessage, WITNESS_TOPIC } from '../records/index.js';
import type { RecordReader } from '../transactions/index.js';
import { ownCheckpoint, StoredLog } from '../transparency/index.js';

export interface WitnessDeps {
  readonly store: RecordReader;
  readonly keys: Keys;
  readonly externalLedger: Ledger | null;
}

/** The type of a message with a checkpoint. */
export const WITNESS_TYPE = 'checkpoint';

/** What the ledger, or the book, says otherwise than the log in the store. */
export interface Contradiction {
  readonly code: 'LOG_CONTRADICTED' | 'LOG_KEY_REPLACED';
  /** The message with the checkpoint: the ledger's id, or the book's. */
  readonly messageId: string;
  /** What the witness says, and what the log is, as phrases. */
  readonly witness: string;
  readonly log: string;
}

/** The log of a policy beside its newest witnesses. */
export interface WitnessComparison {
  readonly log: StoredLog | undefined;
  /** The newest message with a checkpoint in the policy's book. */
  readonly newest: LedgerMessage | undefined;
  /** `null` if the log continues the newest witness of the ledger, and that of the book. */
  readonly problem: Contradiction | null;
}

/** The newest message with a checkpoint in the policy's book; `undefined` if there is none. */
export async function newestInBook(records: RecordReader, policyId: string): Promise<LedgerMessage | undefined> {
  const topicId = await witnessTopic(records, policyId);
  return topicId === undefined ? undefined : newestIn(records, policyId, topicId);
}

/** Rejects if the ledger cannot be asked. */
export async function compareWithWitness(deps: WitnessDeps, policyId: string): Promise<WitnessComparison> {
  const { store, keys, externalLedger } = deps;
  const topicId = await witnessTopic(store, policyId);
  // Before the log is read: it only grows.
  const onLedger = topicId === undefined ? undefined : await externalLedger?.witnesses?.newest(policyId, topicId);
  const newest = topicId === undefined ? undefined : await newestIn(store, policyId, topicId);
  const log = await StoredLog.open(store, policyId);
  const inBook = newest && { messageId: newest.id, note: noteOf(newest) };
  for (const witness of [onLedger, inBook]) {
    const problem = witness && (await problemWith(witness, log, keys));
    if (problem) return { log, newest, problem };
  }
  return { log, newest, problem: null };
}

/** The ledger's id of a message with a checkpoint; `undefined` while it has none, or cannot say. */
export const witnessIdOf = async (
  ledger: Ledger | null,
  policyId: string,
  message: Pick<LedgerMessage, 'id'>,
): Promise<string | undefined> => ledger?.ids?.idOf(policyId, 'message', message.id).catch(() => undefined);

export function noteOf({ body }: Pick<LedgerMessage, 'body'>): string {
  const note = isObject(body) ? body['note'] : undefined;
  return typeof note === 'string' ? note : '';
}

/** The number of entries in the checkpoint of a message. */
export const sizeOf = (message: Pick<LedgerMessage, 'body'>): number => Number(noteOf(message).split('\n')[1]);

async function witnessTopic(records: RecordReader, policyId: string): Promise<string | undefined> {
  const where = allOf(equalTo('name', WITNESS_TOPIC), equalTo('owner', ''));
  const [topic] = await records.find('ledger-topic', policyId, { where, limit: 1 });
  return topic?.id;
}

/** Of this type alone: a policy may have messages of its own in a topic of this name. */
async function newestIn(records: RecordReader, policyId: string, topicId: string): Promise<LedgerMessage | undefined> {
  const where = allOf(equalTo('topicId', topicId), equalTo('type', WITNESS_TYPE));
  const order = { path: 'id', direction: 'desc' } as const;
  const [newest] = await records.find('ledger-message', policyId, { where, order, limit: 1 });
  return newest;
}

async function problemWith(
  { messageId, note }: WitnessMessage,
  log: StoredLog | undefined,
  keys: Keys,
): Promise<Contradiction | null> {
  const checkpoint = await ownCheckpoint(note, keys);
  if (checkpoint === undefined) {
    const [witness, own] = ['a checkpoint of another key', 'signed with the key of this instance'];
    return { code: 'LOG_KEY_REPLACED', messageId, witness, log: own };
  }
  const { origin, size, root } = checkpoint;
  const code = 'LOG_CONTRADICTED';
  const witness = `${String(size)} entries of ${origin} with the root ${base64(root)}`;
  if (log === undefined) return { code, messageId, witness, log: 'no log' };
  const present = `${String(log.size)} entries of ${log.origin}`;
  if (log.origin !== origin || log.size < size) return { code, messageId, witness, log: present };
  const then = await log.tree.hashOf({ start: 0, end: size });
  if (Buffer.compare(then, root) === 0) return null;
  const changed = `${present}, of which the first ${String(size)} have the root ${base64(then)}`;
  return { code, messageId, witness, log: changed };
}

const base64 = (hash: Uint8Array): string => Buffer.from(hash).toString('base64');
