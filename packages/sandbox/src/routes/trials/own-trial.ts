/** The trial of a policy, for its owner. */
import { BlockworkError, type Caller } from '@blockwork/core';
import { SandboxError } from '../../errors.js';
import type { SandboxCall } from '../../requests/endpoint.js';
import { callerOf } from '../../requests/person.js';
import type { RouteDeps } from '../route-deps.js';

export interface OwnTrial {
  readonly policyId: string;
  readonly owner: Caller;
}

/** Throws `POLICY_UNKNOWN`, `POLICY_NOT_OWNED`, `NOT_A_TRIAL`. */
export async function trialOf({ engine }: Pick<RouteDeps, 'engine'>, call: SandboxCall): Promise<OwnTrial> {
  const { policyId = '' } = call.params;
  const caller = callerOf(await call.person());
  const { owner, status } = await engine.getPolicy(caller, policyId);
  if (owner !== caller.did) throw new BlockworkError('POLICY_NOT_OWNED', { facts: { policyId } });
  if (status !== 'DRY-RUN') throw new SandboxError('NOT_A_TRIAL', { policyId });
  return { policyId, owner: caller };
}
