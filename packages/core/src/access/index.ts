/** Access control. */
export {
  type ActivityReader,
  type Availability,
  availability,
  availabilityInParent,
  explainedAvailability,
  type ObstacleCause,
} from './availability.js';
export { isPermitted } from './block-permission.js';
export { assertCaller, isDid, type Caller } from './caller.js';
export {
  assertPermitted,
  defaultPermissionTable,
  type Permission,
  permissions,
  type PermissionRules,
  type PermissionTable,
  permits,
} from './permission.js';
export { groupMembershipOf, policyAsSeen } from './policy-as-seen.js';
export { policyUser, type PolicyUser, policyUserInGroup } from './policy-user.js';
export { accessPath, type AccessPath, type AccessStep } from './access-path.js';
