/** Who may do what. */
export type { Caller } from './caller.js';
export {
  defaultPermissionTable,
  demand,
  permissions,
  permits,
  type Permission,
  type PermissionTable,
} from './permission.js';
export { policyUser, policyUserInGroup, type PolicyUser } from './policy-user.js';
export { ANY_ROLE, NO_ROLE, OWNER } from './block-permission.js';
export { availability, availabilityInParent, type ActivityReader, type Availability } from './availability.js';
export { groupMembershipOf, policyAsSeen } from './policy-as-seen.js';
