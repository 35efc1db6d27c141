import { createEngine } from '@blockwork/core';
import { describe, expect, it } from 'vitest';
import { defaultPermissionTable, assertPermitted, permissions, permits, type PermissionTable } from './permission.js';

const granted = (role: string): string[] =>
  permissions.filter((permission) => permits(defaultPermissionTable, { did: 'did:test:ann', role }, permission));

describe('platform permissions', () => {
  it.each([
    ['STANDARD_REGISTRY', permissions.filter((permission) => permission !== 'POLICIES_POLICY_AUDIT')],
    ['USER', ['POLICIES_POLICY_READ', 'POLICIES_POLICY_EXECUTE']],
    ['AUDITOR', ['POLICIES_POLICY_READ', 'POLICIES_POLICY_AUDIT']],
    ['user', []],
    ['', []],
    ['__proto__', []],
    ['constructor', []],
    ['toString', []],
  ])('the role "%s" brings %j', (role, expected) => {
    expect(granted(role)).toEqual(expected);
  });

  it('are denied to a caller without role and permissions', () => {
    expect(permissions.some((permission) => permits(defaultPermissionTable, { did: 'did:test:ann' }, permission))).toBe(
      false,
    );
  });

  it('that a caller brings along replace those of the role: more of them, or fewer', () => {
    const auditor = { did: 'did:test:ann', role: 'AUDITOR', permissions: ['POLICIES_POLICY_EXECUTE'] };
    expect(permits(defaultPermissionTable, auditor, 'POLICIES_POLICY_EXECUTE')).toBe(true);
    expect(permits(defaultPermissionTable, auditor, 'POLICIES_POLICY_READ')).toBe(false);
    const registry = { did: 'did:test:ann', role: 'STANDARD_REGISTRY', permissions: [] };
    expect(permissions.some((permission) => permits(defaultPermissionTable, registry, permission))).toBe(false);
  });

  it('follow the table that they are given, and nothing else', () => {
    const table: PermissionTable = { GUEST: ['POLICIES_POLICY_READ'] };
    expect(permits(table, { did: 'did:test:ann', role: 'GUEST' }, 'POLICIES_POLICY_READ')).toBe(true);
    expect(permits(table, { did: 'did:test:ann', role: 'STANDARD_REGISTRY' }, 'POLICIES_POLICY_READ')).toBe(false);
  });

  it('that are missing are an error that names them', () => {
    const caller = { did: 'did:test:ann', role: 'AUDITOR' };
    expect(() => assertPermitted(defaultPermissionTable, caller, 'POLICIES_POLICY_READ')).not.toThrow();
    expect(() => assertPermitted(defaultPermissionTable, caller, 'POLICIES_POLICY_EXECUTE')).toThrow(
      expect.objectContaining({
        code: 'PERMISSION_DENIED',
        status: 403,
        message: 'The caller lacks the permission POLICIES_POLICY_EXECUTE.',
      }),
    );
  });

  it('are looked at before the policy is: a caller without them does not learn whether it exists', async () => {
    const engine = createEngine();
    await expect(engine.readRoot({ did: 'did:test:ann', role: 'AUDITOR' }, 'no such policy')).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    await expect(engine.readRoot({ did: 'did:test:ann', role: 'USER' }, 'no such policy')).rejects.toMatchObject({
      code: 'POLICY_UNKNOWN',
    });
    await engine.close();
  });
});
