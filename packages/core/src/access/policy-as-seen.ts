/** A policy record as one caller sees it, including their role and groups. */
import type { GroupMembership, Membership, PolicyRecord, StoredPolicy } from '../records/index.js';
import type { PolicyUser } from './policy-user.js';

/** The reference's labels for an owner and for a user without a role. */
const ADMINISTRATOR = 'Administrator';
const NO_ROLE = 'No role';

export function policyAsSeen(
  policy: StoredPolicy,
  user: Pick<PolicyUser, 'isOwner' | 'role' | 'group'>,
  memberships: readonly Membership[],
): PolicyRecord {
  const roles = [...(user.isOwner ? [ADMINISTRATOR] : []), ...memberships.map((membership) => membership.role)];
  const userRoles = [...new Set(roles)];
  const active = memberships.find((membership) => membership.uuid === user.group);
  return {
    ...policy,
    userRole: user.role ?? (user.isOwner ? ADMINISTRATOR : NO_ROLE),
    userRoles: userRoles.length === 0 ? [NO_ROLE] : userRoles,
    ...(active && { userGroup: groupMembershipOf(active) }),
    userGroups: memberships.map(groupMembershipOf),
  };
}

export const groupMembershipOf = ({ uuid, role, groupLabel, groupName, active }: Membership): GroupMembership => ({
  uuid,
  role,
  groupLabel,
  groupName,
  active,
});
