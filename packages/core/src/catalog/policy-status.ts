/** What a policy's status allows, by the table of statuses. */
import { BlockworkError } from '../errors.js';
import { policyTransitions, statusesThatAre, statusIs } from '../records/index.js';
import type { PolicyStatus, PolicyTransition, StoredPolicy } from '../records/index.js';
import type { OpenPolicy } from './compiled-policy-cache.js';

export function assertReadable({ id, record }: OpenPolicy): void {
  if (!statusIs(record.status, 'readable')) refuse('POLICY_NOT_READABLE', id, record.status);
}

export function assertRunning({ id, record }: OpenPolicy): void {
  if (!statusIs(record.status, 'running')) refuse('POLICY_NOT_RUNNING', id, record.status);
}

function refuse(code: 'POLICY_NOT_READABLE' | 'POLICY_NOT_RUNNING', policyId: string, status: string): never {
  throw new BlockworkError(code, { facts: { policyId, status } });
}

/** Whether the policy's timers fire. A draft only reacts to calls. */
export const isTicking = ({ record }: OpenPolicy): boolean => statusIs(record.status, 'ticking');

type OwnedPolicy = Pick<StoredPolicy, 'id' | 'status' | 'owner'>;

/** Throws `POLICY_STATUS` unless the policy has one of the statuses, `POLICY_NOT_OWNED` if it is not the caller's. */
export function assertOwnedIn(
  possible: readonly PolicyStatus[],
  { id: policyId, status, owner }: OwnedPolicy,
  action: string,
  did: string,
): void {
  if (owner !== did) throw new BlockworkError('POLICY_NOT_OWNED', { facts: { policyId } });
  if (possible.includes(status)) return;
  throw new BlockworkError('POLICY_STATUS', { facts: { policyId, status, action, possible: possible.join(', ') } });
}

/** Throws as `assertOwnedIn`. */
export function assertTransition(policy: OwnedPolicy, action: PolicyTransition, did: string): void {
  assertOwnedIn(policyTransitions[action].from, policy, action, did);
}

/** Throws as `assertOwnedIn`. */
export function assertPublished(policy: OwnedPolicy, action: string, did: string): void {
  assertOwnedIn(statusesThatAre('published'), policy, action, did);
}
