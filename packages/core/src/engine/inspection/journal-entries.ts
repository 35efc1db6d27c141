/** Journal entries by id, wherever they are: in the journal or in its archive. */
import { allOf, type JournalEntry } from '../../records/index.js';
import type { RecordReader } from '../../transactions/index.js';

/** Entries read at once. */
const BATCH = 32;

/** Those that exist, by id. `ids`: ascending. */
export async function entriesWithIds(
  store: Pick<RecordReader, 'find'>,
  policyId: string,
  ids: readonly string[],
): Promise<Map<string, JournalEntry>> {
  const entries = new Map<string, JournalEntry>();
  for (let at = 0; at < ids.length; at += BATCH) {
    const batch = ids.slice(at, at + BATCH);
    const [first = '', last = ''] = [batch[0], batch.at(-1)];
    const inRange = allOf({ path: 'id', op: 'gte', value: first }, { path: 'id', op: 'lte', value: last });
    for (const entry of await store.find('journal', policyId, { where: inRange })) entries.set(entry.id, entry);
    if (batch.every((id) => entries.has(id))) continue;
    const order = { path: 'id', direction: 'asc' } as const;
    const mayHold = allOf({ path: 'through', op: 'gte', value: first }, { path: 'id', op: 'lte', value: last });
    for (const archive of await store.find('journal-archive', policyId, { where: mayHold, order })) {
      for (const entry of archive.entries) if (entry.id >= first && entry.id <= last) entries.set(entry.id, entry);
    }
  }
  return entries;
}
