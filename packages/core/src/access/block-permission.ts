/** A block's `permissions`: who may interact with it (interface, "Pagination add-on block properties"). */
import type { PolicyUser } from './policy-user.js';

/** Reserved names; every other name is a role of the policy. */
const ANY_ROLE = 'ANY_ROLE';
const OWNER = 'OWNER';
const NO_ROLE = 'NO_ROLE';

/** An empty list denies all users; events still run the block. */
export function isPermitted(permissions: readonly string[], user: Pick<PolicyUser, 'role' | 'isOwner'>): boolean {
  return permissions.some((permission) => {
    switch (permission) {
      case ANY_ROLE:
        return true;
      case OWNER:
        return user.isOwner;
      case NO_ROLE:
        return user.role === null && !user.isOwner;
      default:
        return user.role === permission;
    }
  });
}
