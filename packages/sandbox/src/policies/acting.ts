/** Roles of the virtual user that the owner of a trial acts as. */
import { isBlockworkError, type Caller, type PolicyEngine, type PolicyRecord } from '@blockwork/core';

export type RolesInPolicy = Pick<PolicyRecord, 'userRole' | 'userRoles' | 'userGroup' | 'userGroups'>;

/** A virtual user who has done nothing yet is unknown to the policy. Throws as `engine.getPolicy`. */
export async function rolesIn(engine: PolicyEngine, caller: Caller, policyId: string): Promise<RolesInPolicy> {
  try {
    const { userRole, userRoles, userGroup, userGroups = [] } = await engine.getPolicy(caller, policyId);
    return { userRole, userRoles, ...(userGroup && { userGroup }), userGroups };
  } catch (error) {
    if (!isBlockworkError(error, 'POLICY_UNKNOWN')) throw error;
    return { userRole: NO_ROLE, userRoles: [NO_ROLE], userGroups: [] };
  }
}

/** As the engine says it. */
const NO_ROLE = 'No role';
