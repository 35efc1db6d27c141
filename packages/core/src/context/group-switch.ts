/** Switching groups: selects the membership a user acts under. */
import { BlockworkError } from '../errors.js';
import { membershipsOf } from './policy-memberships.js';
import type { UnitOfWork } from '../transactions/index.js';

/** Makes the membership in `group` the user's only active one, or deactivates all. Throws `MEMBERSHIP_UNKNOWN`. */
export async function switchGroup(
  unit: UnitOfWork,
  policyId: string,
  did: string,
  group: string | null,
): Promise<void> {
  const memberships = await membershipsOf(unit, policyId, did);
  if (group !== null && !memberships.some((membership) => membership.uuid === group)) {
    throw new BlockworkError('MEMBERSHIP_UNKNOWN', { facts: { policyId, group } });
  }
  for (const membership of memberships) {
    const active = membership.uuid === group;
    if (membership.active !== active) unit.put('membership', policyId, { ...membership, active });
  }
}
