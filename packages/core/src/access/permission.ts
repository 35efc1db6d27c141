/** Platform permissions: what a caller may do at all, checked before any policy is looked up. Default deny. */
import { BlockworkError } from '../errors.js';
import type { Caller } from './caller.js';

/** Named as in the reference, so that tokens of existing installations work. */
export const permissions = [
  'POLICIES_POLICY_READ',
  'POLICIES_POLICY_CREATE',
  'POLICIES_POLICY_EXECUTE',
  'POLICIES_POLICY_MANAGE',
  'POLICIES_POLICY_AUDIT',
  'POLICIES_EXTERNAL_DATA_CREATE',
  'POLICIES_EXTERNAL_POLICY_READ',
  'POLICIES_EXTERNAL_POLICY_UPDATE',
  'ACCOUNTS_TOKEN_REVOKE',
] as const;
export type Permission = (typeof permissions)[number];

/** Permissions by platform role. An unlisted role has none. */
export type PermissionTable = Readonly<Record<string, readonly string[]>>;

export const defaultPermissionTable: PermissionTable = {
  // A registry audits its own policies, not those of others.
  STANDARD_REGISTRY: permissions.filter((permission) => permission !== 'POLICIES_POLICY_AUDIT'),
  USER: ['POLICIES_POLICY_READ', 'POLICIES_POLICY_EXECUTE'],
  AUDITOR: ['POLICIES_POLICY_READ', 'POLICIES_POLICY_AUDIT'],
};

/** Whether the caller has the permission, listed explicitly or through their platform role. */
export function permits(table: PermissionTable, caller: Caller, permission: Permission): boolean {
  if (caller.permissions !== undefined) return caller.permissions.includes(permission);
  if (caller.role === undefined || !Object.hasOwn(table, caller.role)) return false;
  return table[caller.role]?.includes(permission) ?? false;
}

/** Throws `PERMISSION_DENIED` unless the caller has the permission. */
export function assertPermitted(table: PermissionTable, caller: Caller, permission: Permission): void {
  if (!permits(table, caller, permission)) throw new BlockworkError('PERMISSION_DENIED', { facts: { permission } });
}
