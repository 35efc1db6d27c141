/** The policy of a caller who owns it. */
import type { Caller } from '../../access/index.js';
import type { CompiledPolicyCache, OpenPolicy } from '../../catalog/index.js';
import { BlockworkError } from '../../errors.js';
import type { Gate } from '../gate.js';

/** Throws `PERMISSION_DENIED` (`POLICIES_POLICY_MANAGE`), `POLICY_UNKNOWN`, `POLICY_NOT_OWNED`, `ENGINE_CLOSED`. */
export async function ownPolicy(
  gate: Gate,
  policies: CompiledPolicyCache,
  caller: Caller,
  policyId: string,
): Promise<OpenPolicy> {
  gate.admit(caller, 'POLICIES_POLICY_MANAGE');
  const policy = await policies.open(policyId);
  if (policy.record.owner !== caller.did) throw new BlockworkError('POLICY_NOT_OWNED', { facts: { policyId } });
  return policy;
}
