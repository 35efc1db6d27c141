/** What the log of the journal says about the documents of a bundle. */
import { BlockworkError, isBlockworkError } from '../../../errors.js';
import type { Keys, Ledger } from '../../../ports/index.js';
import type { DocumentRecord, JournalEntry } from '../../../records/index.js';
import type { RecordReader } from '../../../transactions/index.js';
import { checkpointOf, inclusionSpans, leafOf, ownCheckpoint, StoredLog } from '../../../transparency/index.js';
import { newestInBook, noteOf, witnessIdOf } from '../../../witness/index.js';
import { growthOf } from '../journal-log.js';
import { archivedEntries } from './archived-entries.js';
import type { BundledEntry, BundledGrowth, BundledLog } from './proof-bundle.js';

export interface LoggedFacts {
  readonly store: RecordReader;
  readonly keys: Keys;
  readonly policyId: string;
  readonly externalLedger: Ledger | null;
  /** Number of entries of an earlier log, which this one must continue. */
  readonly since?: number | undefined;
}

/**
 * With the entries that added these documents, without who started them and which blocks ran. Entries that are older than the
 * log, or kept no longer, are left out. `undefined` if there is no log, or no key to sign its checkpoint with; with `since`, this
 * throws `LOG_UNKNOWN` or `KEY_UNAVAILABLE`. Throws `LOG_SHORTER` or `INPUT_INVALID` if it does not continue the earlier one.
 */
export async function loggedEntries(
  facts: LoggedFacts,
  documents: readonly DocumentRecord[],
): Promise<BundledLog | undefined> {
  const { store, keys, policyId, since } = facts;
  const log = await StoredLog.open(store, policyId);
  if (log === undefined) {
    if (since !== undefined) throw new BlockworkError('LOG_UNKNOWN', { facts: { policyId } });
    return undefined;
  }
  const asked = since === undefined ? [] : [{ size: since, ...(await growthOf(log, policyId, since)) }];
  try {
    const earlier: readonly BundledGrowth[] = [...asked, ...(await witnessedGrowth(facts, log))];
    const { note, key } = await checkpointOf(log, keys);
    const entries = await entriesOf(store, log, policyId, documents);
    return { checkpoint: note, key, entries, ...(earlier.length > 0 && { earlier }) };
  } catch (error) {
    if (since === undefined && isBlockworkError(error, 'KEY_UNAVAILABLE')) return undefined;
    throw error;
  }
}

/** From the newest witness that is on the ledger; none for one that this log does not continue. */
async function witnessedGrowth(
  { store, keys, policyId, externalLedger }: LoggedFacts,
  log: StoredLog,
): Promise<BundledGrowth[]> {
  const witness = await newestInBook(store, policyId);
  const messageId = witness && (await witnessIdOf(externalLedger, policyId, witness));
  const checkpoint = witness && (await ownCheckpoint(noteOf(witness), keys));
  if (messageId === undefined || checkpoint === undefined) return [];
  const { origin, size, root } = checkpoint;
  if (origin !== log.origin || size < 1 || size > log.size) return [];
  const growth = await growthOf(log, policyId, size);
  return growth.root === Buffer.from(root).toString('base64') ? [{ size, ...growth, messageId }] : [];
}

async function entriesOf(
  store: RecordReader,
  log: StoredLog,
  policyId: string,
  documents: readonly DocumentRecord[],
): Promise<BundledEntry[]> {
  const where = { path: 'documents.added', op: 'in', value: documents.map(({ id }) => id) } as const;
  const present: JournalEntry[] = await store.find('journal', policyId, { where });
  const added = new Set(present.flatMap((entry) => entry.documents.added));
  const archived = await archivedEntries(
    store,
    policyId,
    documents.filter(({ id }) => !added.has(id)),
  );
  const entries: BundledEntry[] = [];
  for (const entry of [...archived, ...present]) {
    const index = await log.indexOf(entry.id);
    if (index === undefined) continue;
    const { id, at, documents: changed, effects } = entry;
    const hashes = await log.tree.hashesOf(inclusionSpans(index, log.size));
    const proof = { index, hashes: hashes.map((hash) => Buffer.from(hash).toString('base64')) };
    entries.push({ id, at, documents: changed, effects, course: leafOf(entry).course, ...proof });
  }
  return entries;
}
