/** The records of a trial: everything in a policy except the policy itself. */
import { isBlockworkError } from '../../errors.js';
import type { RecordQuery } from '../../ports/index.js';
import { equalTo, everything, INSTANCE } from '../../records/index.js';
import type { Condition, RecordKind, RecordKinds } from '../../records/index.js';
import type { UnitOfWork } from '../../transactions/index.js';

/** Numbers of records removed. */
export interface RemovedRecords {
  /** Memberships and invitations. */
  memberships: number;
  /** Documents, including earlier versions. */
  documents: number;
  /** States of blocks, receipts of sends, and sums of documents. */
  states: number;
  /** Tokens, balances, topics, messages and effects of the policy's ledger, and events announced to others. */
  ledger: number;
  /** Journal entries, and recorded steps. */
  journal: number;
  notifications: number;
}

/** The kinds that make up a trial, except for its timers, its notifications, and the archive and the log of its journal. */
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
  'recorded-step': 'journal',
  'ledger-token': 'ledger',
  'ledger-relation': 'ledger',
  'ledger-lot': 'ledger',
  'ledger-topic': 'ledger',
  'ledger-message': 'ledger',
  'ledger-effect': 'ledger',
  'stream-event': 'ledger',
} as const satisfies Partial<Record<RecordKind, keyof RemovedRecords>>;

export type TrialKind = keyof typeof removedAs;
export const trialKinds = Object.keys(removedAs) as readonly TrialKind[];

/** Batches avoid holding long tables in memory at once. */
const BATCH = 500;
const BATCH_BYTES = 4 * 1024 * 1024;

/** Empties a trial. Its savepoints and virtual users are kept. */
export async function clearTrial(unit: UnitOfWork, policyId: string): Promise<RemovedRecords> {
  const removed = { memberships: 0, documents: 0, states: 0, ledger: 0, journal: 0, notifications: 0 };
  await Promise.all(trialKinds.map((kind) => clear(unit, kind, policyId, () => void (removed[removedAs[kind]] += 1))));
  const isOfPolicy = { where: equalTo('policyId', policyId) };
  for (const { id } of await unit.find('notification', INSTANCE, isOfPolicy)) {
    unit.delete('notification', INSTANCE, id);
    removed.notifications += 1;
  }
  const trial = await unit.get('trial', policyId, policyId);
  if (trial !== undefined) unit.put('trial', policyId, { ...trial, savepoint: null, recording: null });
  await clear(unit, 'journal-archive', policyId, ({ entries }) => void (removed.journal += entries.length));
  await clear(unit, 'journal-tile', policyId, () => undefined);
  await clear(unit, 'journal-tree', policyId, () => undefined);
  return removed;
}

/** Deletes the savepoints and virtual users of a policy that has no more trials. */
export async function forgetTrials(unit: UnitOfWork, policyId: string): Promise<void> {
  if ((await unit.get('trial', policyId, policyId)) !== undefined) unit.delete('trial', policyId, policyId);
  for (const { id } of await unit.find('savepoint', policyId)) await deleteSavepoint(unit, policyId, id);
}

export async function deleteSavepoint(unit: UnitOfWork, policyId: string, savepointId: string): Promise<void> {
  await clear(unit, 'savepoint-part', policyId, () => undefined, equalTo('savepointId', savepointId));
  unit.delete('savepoint', policyId, savepointId);
}

/** Deletes every timer of a policy that stops running. */
export async function deleteTimers(unit: UnitOfWork, policyId: string): Promise<void> {
  const timers = await unit.find('timer', INSTANCE, { where: equalTo('policyId', policyId) });
  for (const { id } of timers) unit.delete('timer', INSTANCE, id);
}

/** Deletes the records that meet the condition, passing each to the callback first. */
async function clear<Kind extends RecordKind>(
  unit: UnitOfWork,
  kind: Kind,
  policyId: string,
  show: (record: RecordKinds[Kind]) => void,
  where: Condition = everything,
): Promise<void> {
  const ids: string[] = [];
  for (let limit = BATCH; ;) {
    const batch = await tryFind(unit, kind, policyId, { where, offset: ids.length, limit });
    if (batch === 'too large') {
      limit = Math.ceil(limit / 2);
      continue;
    }
    for (const record of batch) {
      ids.push(record.id);
      show(record);
    }
    if (batch.length < limit) break;
  }
  for (const id of ids) unit.delete(kind, policyId, id);
}

/** A single record is found regardless of its size. */
async function tryFind<Kind extends RecordKind>(
  unit: UnitOfWork,
  kind: Kind,
  policyId: string,
  query: RecordQuery & { readonly limit: number },
): Promise<RecordKinds[Kind][] | 'too large'> {
  try {
    return await unit.find(kind, policyId, { ...query, ...(query.limit > 1 && { bytes: BATCH_BYTES }) });
  } catch (error) {
    if (isBlockworkError(error, 'PAGE_TOO_LARGE')) return 'too large';
    throw error;
  }
}
