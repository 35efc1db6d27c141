/** Reads a policy given as plain JSON: an object that holds what the `policy.json` of an archive holds. */
import { isObject } from '../../records/index.js';
import { assemblePolicy } from './assemble.js';
import { NEWEST_CODE_VERSION } from './code-version.js';
import type { Finding } from '../model/finding.js';
import { items, type Complain } from './coerce.js';
import { policyFileLimits } from './limits.js';
import { ownJson } from './copy-json.js';
import type { PolicyBundle } from './policy-bundle.js';
import type { ReadPolicyOptions } from './read-options.js';
import { readSchemas } from './read-schemas.js';
import { readTokens } from './read-tokens.js';

/**
 * Ids of blocks stay as they are, and `dependencies` name blocks that must be completed first. Schemas and tokens may lie
 * beside the blocks as the lists `schemas` and `tokens`. Nothing of `value` is kept, so the caller may go on changing it.
 * Where `codeVersion` is missing the policy counts as written for the newest.
 * @throws POLICY_FILE_INVALID or POLICY_FILE_TOO_LARGE, with the place in `details`.
 */
export function readPolicyJson(value: unknown, options: ReadPolicyOptions): PolicyBundle {
  const limits = policyFileLimits(options.limits);
  const findings: Finding[] = [];
  const own = ownJson(value, limits);
  const { schemas, tokens, ...policy } = isObject(own) ? own : {};
  const origin = {
    ids: options.ids,
    limits,
    what: 'the policy',
    dependenciesRefresh: false,
    unsaidCodeVersion: NEWEST_CODE_VERSION,
  };
  const assembled = assemblePolicy(isObject(own) ? policy : own, origin, findings);
  return {
    ...assembled,
    schemas: readSchemas(listed(schemas, 'schemas', 'SCHEMA_UNREADABLE', findings), limits.nesting, findings),
    tokens: readTokens(listed(tokens, 'tokens', 'TOKEN_UNREADABLE', findings), findings),
    artifacts: [],
    findings,
  };
}

function listed(
  value: unknown,
  member: string,
  code: 'SCHEMA_UNREADABLE' | 'TOKEN_UNREADABLE',
  findings: Finding[],
): { name: string; content: unknown }[] {
  const complain: Complain = (_, message) => {
    findings.push({ severity: 'warning', code, message: `/${member} ${message}.`, path: '' });
  };
  return items(value, `/${member}`, complain).map((content, index) => ({ name: `/${member}/${index}`, content }));
}
