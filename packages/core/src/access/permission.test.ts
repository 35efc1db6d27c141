import { createEngine } from '../engine/create-engine.js';
import { describe, expect, it } from 'vitest';
import { defaultPermissionTable, assertPermitted, permissions, permits, type PermissionRules } from './permission.js';

const rules: PermissionRules = { table: defaultPermissionTable, operators: new Set(['did:test:olga']) };
const beyondOwn = ['POLICIES_POLICY_AUDIT', 'ACCOUNTS_TOKEN_REVOKE', 'INSTANCE_OPERATE'];

const granted = (role: string): string[] =>
  permissions.filter((permission) => permits(rules, { did: 'did:test:ann', role }, permission));

describe('platform permissions', () => {
  it.each([
    ['STANDARD_REGISTRY', permissions.filter((permission) => !beyondOwn.includes(permission))],
    ['USER', ['POLICIES_POLICY_READ', 'POLICIES_POLICY_EXECUTE']],
    ['AUDITOR', ['POLICIES_POLICY_READ', 'POLICIES_POLICY_AUDIT']],
    ['OPERATOR', ['POLICIES_POLICY_READ', 'ACCOUNTS_TOKEN_REVOKE', 'INSTANCE_OPERATE']],
    ['user', []],
    ['', []],
    ['__proto__', []],
    ['constructor', []],
    ['toString', []],
  ])('the role "%s" brings %j', (role, expected) => {
    expect(granted(role)).toEqual(expected);
  });

  it('are denied to a caller without role and permissions', () => {
    expect(permissions.some((permission) => permits(rules, { did: 'did:test:ann' }, permission))).toBe(false);
  });

  it('that a caller brings along replace those of the role: more of them, or fewer', () => {
    const auditor = { did: 'did:test:ann', role: 'AUDITOR', permissions: ['POLICIES_POLICY_EXECUTE'] };
    expect(permits(rules, auditor, 'POLICIES_POLICY_EXECUTE')).toBe(true);
    expect(permits(rules, auditor, 'POLICIES_POLICY_READ')).toBe(false);
    const registry = { did: 'did:test:ann', role: 'STANDARD_REGISTRY', permissions: [] };
    expect(permissions.some((permission) => permits(rules, registry, permission))).toBe(false);
  });

  it('follow the table that they are given, and nothing else', () => {
    const table: PermissionRules = { table: { GUEST: ['POLICIES_POLICY_READ'] }, operators: new Set() };
    expect(permits(table, { did: 'did:test:ann', role: 'GUEST' }, 'POLICIES_POLICY_READ')).toBe(true);
    expect(permits(table, { did: 'did:test:ann', role: 'STANDARD_REGISTRY' }, 'POLICIES_POLICY_READ')).toBe(false);
  });

  it('of operators come on top of their role, unless they bring a list along', () => {
    const olga = { did: 'did:test:olga', role: 'STANDARD_REGISTRY' };
    expect(permits(rules, olga, 'INSTANCE_OPERATE')).toBe(true);
    expect(permits(rules, olga, 'POLICIES_POLICY_MANAGE')).toBe(true);
    expect(permits(rules, olga, 'POLICIES_POLICY_AUDIT')).toBe(false);
    expect(permits(rules, { did: 'did:test:olga' }, 'INSTANCE_OPERATE')).toBe(true);
    expect(permits(rules, { ...olga, permissions: ['POLICIES_POLICY_READ'] }, 'INSTANCE_OPERATE')).toBe(false);
    expect(permits(rules, { ...olga, did: 'did:test:ann' }, 'INSTANCE_OPERATE')).toBe(false);
  });

  it('that are missing are an error that names them', () => {
    const caller = { did: 'did:test:ann', role: 'AUDITOR' };
    expect(() => assertPermitted(rules, caller, 'POLICIES_POLICY_READ')).not.toThrow();
    expect(() => assertPermitted(rules, caller, 'POLICIES_POLICY_EXECUTE')).toThrow(
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
