/** Platform permissions: what a caller may do at all, checked before any policy is looked up. Default deny: Promises 18 and 19. */
import { BlockworkError } from '../errors.js';
import type { Caller } from './caller.js';

/** Named as in the reference, so that tokens of existing installations work; `INSTANCE_OPERATE` is an addition. */
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
  'INSTANCE_OPERATE',
] as const;
export type Permission = (typeof permissions)[number];

/** Permissions by platform role. An unlisted role has none. */
export type PermissionTable = Readonly<Record<string, readonly string[]>>;

/** The platform role of those who run the instance. */
const OPERATOR = 'OPERATOR';

/** What reaches beyond the policies of one registry: an instance may have several that must not see each other. */
const beyondOwn: readonly Permission[] = ['POLICIES_POLICY_AUDIT', 'ACCOUNTS_TOKEN_REVOKE', 'INSTANCE_OPERATE'];

export const defaultPermissionTable: PermissionTable = {
  STANDARD_REGISTRY: permissions.filter((permission) => !beyondOwn.includes(permission)),
  USER: ['POLICIES_POLICY_READ', 'POLICIES_POLICY_EXECUTE'],
  AUDITOR: ['POLICIES_POLICY_READ', 'POLICIES_POLICY_AUDIT'],
  [OPERATOR]: ['POLICIES_POLICY_READ', 'ACCOUNTS_TOKEN_REVOKE', 'INSTANCE_OPERATE'],
};

export interface PermissionRules {
  readonly table: PermissionTable;
  /** DIDs that have the role `OPERATOR` besides their own. */
  readonly operators: ReadonlySet<string>;
}

/** Whether the caller has the permission, listed explicitly or through a platform role. */
export function permits({ table, operators }: PermissionRules, caller: Caller, permission: Permission): boolean {
  // An explicit list may be narrower than the role on purpose.
  if (caller.permissions !== undefined) return caller.permissions.includes(permission);
  if (operators.has(caller.did) && grants(table, OPERATOR, permission)) return true;
  return caller.role !== undefined && grants(table, caller.role, permission);
}

const grants = (table: PermissionTable, role: string, permission: Permission): boolean =>
  Object.hasOwn(table, role) && (table[role]?.includes(permission) ?? false);

/** Throws `PERMISSION_DENIED` unless the caller has the permission. */
export function assertPermitted(rules: PermissionRules, caller: Caller, permission: Permission): void {
  if (!permits(rules, caller, permission)) throw new BlockworkError('PERMISSION_DENIED', { facts: { permission } });
}
