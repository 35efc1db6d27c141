/** The record of a policy's trials, who may change it, and how changes are announced. */
import type { Caller } from '../../access/index.js';
import { assertOwnedIn, type OpenPolicy } from '../../catalog/index.js';
import { journalEntry } from '../run-log.js';
import { isoNow, type Clock } from '../../ports/index.js';
import type { TrialRecord } from '../../records/index.js';
import type { RecordReader, RevisionKey, UnitOfWork } from '../../transactions/index.js';

export async function trialOf(records: Pick<RecordReader, 'get'>, policyId: string): Promise<TrialRecord> {
  const none: TrialRecord = { id: policyId, users: [], savepoint: null, recording: null };
  return (await records.get('trial', policyId, policyId)) ?? none;
}

/** Throws `POLICY_NOT_OWNED`, and `POLICY_STATUS` unless the policy is in a trial. */
export function assertTrial({ record }: OpenPolicy, action: string, { did }: Caller): void {
  assertOwnedIn(['DRY-RUN'], record, action, did);
}

/** Writes the change of the trial into the journal, through which open pages are notified. */
export function journal(
  unit: UnitOfWork,
  key: RevisionKey,
  { policyId, action, did }: { readonly policyId: string; readonly action: string; readonly did: string },
  clock: Clock,
): void {
  const cause = { type: 'lifecycle', action, did } as const;
  unit.put('journal', policyId, journalEntry(cause, unit.expected(key), clock));
}

/** For a trial that is empty. */
export async function recordFromNow(unit: UnitOfWork, policyId: string, clock: Clock): Promise<void> {
  const recording = { startDate: isoNow(clock), stopDate: null, steps: 0, bytes: 0, isFull: false };
  unit.put('trial', policyId, { ...(await trialOf(unit, policyId)), recording });
}
