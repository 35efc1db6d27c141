/** Who may inspect a policy: its owner and auditors. */
import type { Caller } from '../../access/index.js';
import type { OpenPolicy } from '../../catalog/index.js';
import { BlockworkError } from '../../errors.js';
import { statusIs } from '../../records/index.js';
import type { Gate } from '../gate.js';
import type { PolicySight } from '../people/policy-sight.js';

/** Throws `PERMISSION_DENIED` (`POLICIES_POLICY_MANAGE`), `POLICY_UNKNOWN`, `POLICY_NOT_OWNED`, `ENGINE_CLOSED`. */
export async function ownPolicy(gate: Gate, sight: PolicySight, caller: Caller, policyId: string): Promise<OpenPolicy> {
  gate.admit(caller, 'POLICIES_POLICY_MANAGE');
  const policy = await sight.open(caller, policyId);
  if (policy.record.owner !== caller.did) throw notOwned(policyId);
  return policy;
}

/**
 * A published policy for an auditor (`POLICIES_POLICY_AUDIT`), or the caller's own policy (`POLICIES_POLICY_MANAGE`).
 * Throws as `ownPolicy`.
 */
export async function auditedPolicy(
  gate: Gate,
  sight: PolicySight,
  caller: Caller,
  policyId: string,
): Promise<OpenPolicy> {
  if (!gate.permits(caller, 'POLICIES_POLICY_AUDIT')) return ownPolicy(gate, sight, caller, policyId);
  const policy = await sight.open(caller, policyId);
  const { owner, status } = policy.record;
  if (owner !== caller.did && !statusIs(status, 'published')) throw notOwned(policyId);
  return policy;
}

const notOwned = (policyId: string): BlockworkError => new BlockworkError('POLICY_NOT_OWNED', { facts: { policyId } });
