/** What a trial leaves behind: everything in a policy but the policy itself. */
import { equalTo, INSTANCE } from '../records/index.js';
import type { RecordKind } from '../records/index.js';
import type { UnitOfWork } from '../transactions/index.js';

/** How many records were removed. */
export interface RemovedRecords {
  /** Memberships and invitations. */
  memberships: number;
  /** Documents, with their earlier versions. */
  documents: number;
  /** What blocks remembered, receipts of sends, and sums of documents. */
  states: number;
  /** Tokens, balances, topics, messages and effects of the policy's ledger. */
  ledger: number;
  /** Entries of the journal. */
  journal: number;
  notifications: number;
}

const removedAs = {
  membership: 'memberships',
  invitation: 'memberships',
  document: 'documents',
  'document-state': 'documents',
  'document-usage': 'states',
  'block-state': 'states',
  'block-entry': 'states',
  completion: 'states',
  'send-receipt': 'states',
  journal: 'journal',
  'ledger-token': 'ledger',
  'ledger-relation': 'ledger',
  'ledger-lot': 'ledger',
  'ledger-topic': 'ledger',
  'ledger-message': 'ledger',
  'ledger-effect': 'ledger',
} as const satisfies Partial<Record<RecordKind, keyof RemovedRecords>>;

/** Pages keep long records from being in memory at once. */
const PAGE = 500;

export async function clearTrial(unit: UnitOfWork, policyId: string): Promise<RemovedRecords> {
  const removed = { memberships: 0, documents: 0, states: 0, ledger: 0, journal: 0, notifications: 0 };
  for (const [kind, name] of Object.entries(removedAs) as [keyof typeof removedAs, keyof RemovedRecords][]) {
    removed[name] += (await clear(unit, kind, policyId)).length;
  }
  const isOfPolicy = { where: equalTo('policyId', policyId) };
  for (const { id } of await unit.find('notification', INSTANCE, isOfPolicy)) {
    unit.delete('notification', INSTANCE, id);
    removed.notifications += 1;
  }
  return { ...removed, journal: removed.journal + (await clearArchive(unit, policyId)) };
}

/** Deletes every timer of a policy that stops running. */
export async function deleteTimers(unit: UnitOfWork, policyId: string): Promise<void> {
  const timers = await unit.find('timer', INSTANCE, { where: equalTo('policyId', policyId) });
  for (const { id } of timers) unit.delete('timer', INSTANCE, id);
}

async function clear(unit: UnitOfWork, kind: RecordKind, policyId: string): Promise<string[]> {
  const ids: string[] = [];
  for (let page = PAGE; page === PAGE;) {
    const found = await unit.find(kind, policyId, { offset: ids.length, limit: PAGE });
    for (const { id } of found) ids.push(id);
    page = found.length;
  }
  for (const id of ids) unit.delete(kind, policyId, id);
  return ids;
}

/** Resolves with the number of entries. A record of the archive is large, so they are read one by one. */
async function clearArchive(unit: UnitOfWork, policyId: string): Promise<number> {
  const ids: string[] = [];
  let entries = 0;
  for (;;) {
    const [archive] = await unit.find('journal-archive', policyId, { offset: ids.length, limit: 1 });
    if (archive === undefined) break;
    ids.push(archive.id);
    entries += archive.entries.length;
  }
  for (const id of ids) unit.delete('journal-archive', policyId, id);
  return entries;
}
