/** The navigation of a policy, for one of its users. */
import type { PolicyUser } from '../../access/index.js';
import type { OpenPolicy } from '../../catalog/index.js';
import type { NavigationStep } from '../../records/index.js';

/** The steps for the user's role, each with the uuid of its block; empty if the policy defines none for it. */
export function navigationOf({ record, tree }: OpenPolicy, user: PolicyUser): NavigationStep[] {
  const role = user.role ?? (user.isOwner ? 'OWNER' : 'NO_ROLE');
  const entry = record.policyNavigation?.find((candidate) => candidate.role === role);
  return (entry?.steps ?? []).map((step) => {
    const block = tree.byTag.get(step.block ?? '');
    return { ...step, ...(block && { uuid: block.uuid }) };
  });
}
