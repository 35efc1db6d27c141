/** The platform role of a caller, from a claim of the identity provider. */
import { defaultPermissionTable } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';

export interface RoleRule {
  /** Name of the claim, or a JSON pointer (RFC 6901) into the claims: `groups`, `/realm_access/roles`. */
  readonly claim: string;
  /**
   * Maps values to roles; the first value present in the claim applies. By default, the values are the names of the
   * standard roles.
   */
  readonly values?: readonly { readonly value: string; readonly role: string }[];
  /** The role of all other callers; by default none, and no permissions. */
  readonly otherwise?: string;
}

const standard = Object.keys(defaultPermissionTable).map((role) => ({ value: role, role }));

export function roleIn(payload: unknown, { claim, values = standard, otherwise }: RoleRule): string | undefined {
  const roles = new Set(valuesOf(claim, claimAt(payload, claim)));
  return values.find(({ value }) => roles.has(value))?.role ?? otherwise;
}

/** Scopes are one text, separated by spaces (RFC 8693, section 4.2). */
function valuesOf(claim: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return [];
  return claim === 'scope' || claim === 'scp' ? value.split(' ') : [value];
}

function claimAt(payload: unknown, claim: string): unknown {
  const names = claim.startsWith('/') ? claim.slice(1).split('/').map(unescaped) : [claim];
  return names.reduce<unknown>((at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined), payload);
}

const unescaped = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~');
