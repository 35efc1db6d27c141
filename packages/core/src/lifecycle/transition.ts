/** The status transitions of a policy (reference engine, section 1.4). */
import { BlockworkError } from '../errors.js';
import type { PolicyStatus, StoredPolicy } from '../records/index.js';

export type Action = 'dry-run' | 'restart' | 'record' | 'draft' | 'publish' | 'discontinue';

const from: Readonly<Record<Action, readonly PolicyStatus[]>> = {
  'dry-run': ['DRAFT'],
  restart: ['DRY-RUN'],
  record: ['DRY-RUN'],
  draft: ['DRY-RUN'],
  publish: ['DRAFT', 'DRY-RUN', 'PUBLISH_ERROR'],
  discontinue: ['PUBLISH'],
};

export const statusAfter: Readonly<Record<Action, PolicyStatus>> = {
  'dry-run': 'DRY-RUN',
  restart: 'DRY-RUN',
  record: 'DRY-RUN',
  draft: 'DRAFT',
  publish: 'PUBLISH',
  discontinue: 'DISCONTINUED',
};

/**
 * Throws `POLICY_STATUS` if the transition is not allowed now, `POLICY_NOT_OWNED` if the policy is not the caller's.
 */
export function assertTransition(policy: StoredPolicy, action: Action, did: string): void {
  const { id: policyId, status, owner } = policy;
  if (owner !== did) throw new BlockworkError('POLICY_NOT_OWNED', { facts: { policyId } });
  if (from[action].includes(status)) return;
  const possible = from[action].join(', ');
  throw new BlockworkError('POLICY_STATUS', { facts: { policyId, status, action, possible } });
}

/** Throws `POLICY_STATUS` unless the policy was published, `POLICY_NOT_OWNED` if it is not the caller's. */
export function assertPublished({ id: policyId, status, owner }: StoredPolicy, action: string, did: string): void {
  if (owner !== did) throw new BlockworkError('POLICY_NOT_OWNED', { facts: { policyId } });
  if (status === 'PUBLISH' || status === 'DISCONTINUED') return;
  throw new BlockworkError('POLICY_STATUS', { facts: { policyId, status, action, possible: 'PUBLISH, DISCONTINUED' } });
}

/** Throws `POLICY_STATUS` unless the policy is a draft, `POLICY_NOT_OWNED` if it is not the caller's. */
export function assertDraft({ id: policyId, status, owner }: StoredPolicy, action: string, did: string): void {
  if (owner !== did) throw new BlockworkError('POLICY_NOT_OWNED', { facts: { policyId } });
  if (status === 'DRAFT') return;
  throw new BlockworkError('POLICY_STATUS', { facts: { policyId, status, action, possible: 'DRAFT' } });
}
