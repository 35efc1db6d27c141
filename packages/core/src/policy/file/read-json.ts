/** Reads a policy given as a JSON value with the members of an archive's `policy.json`. */
import { atOnce, type Steps } from '../../loop-share.js';
import { isObject } from '../../records/index.js';
import { assembling, type ReadPolicyOptions } from './assemble-policy.js';
import { NEWEST_CODE_VERSION } from './migrations/code-version.js';
import type { Finding } from '../model/policy-model.js';
import { toList, type Report } from './normalize/coerce.js';
import { policyFileLimits } from './limits/limits.js';
import { copyJson } from './json/copy-json.js';
import type { PolicyBundle } from './policy-bundle.js';
import { readingSchemas } from './parts/schemas.js';
import { readTokens } from './parts/tokens.js';

/**
 * Block ids are kept, and `dependencies` name blocks that must complete first. `schemas` and `tokens` may hold lists of
 * schemas and tokens. A policy without `codeVersion` is assumed to be in the newest format. `value` is copied, so the
 * caller may change it later.
 * @throws POLICY_FILE_INVALID or POLICY_FILE_TOO_LARGE, with the JSON pointer in `details`.
 */
export const readPolicyJson = (value: unknown, options: ReadPolicyOptions): PolicyBundle =>
  atOnce(readingPolicyJson(value, options));

/** As `readPolicyJson`, in steps. The first of them copies the whole value: its owner may change it after that. */
export function* readingPolicyJson(value: unknown, options: ReadPolicyOptions): Steps<PolicyBundle> {
  const limits = policyFileLimits(options.limits);
  const findings: Finding[] = [];
  const copy = copyJson(value, limits);
  yield;
  const { schemas, tokens, ...policy } = isObject(copy) ? copy : {};
  const origin = {
    ids: options.ids,
    limits,
    label: 'the policy',
    dependenciesRefresh: false,
    defaultCodeVersion: NEWEST_CODE_VERSION,
  };
  const assembled = yield* assembling(isObject(copy) ? policy : copy, origin, findings);
  return {
    ...assembled,
    schemas: yield* readingSchemas(listed(schemas, 'schemas', 'SCHEMA_UNREADABLE', findings), limits, findings),
    tokens: readTokens(listed(tokens, 'tokens', 'TOKEN_UNREADABLE', findings), findings),
    artifacts: [],
    files: [],
    tools: [],
    findings,
  };
}

/** The schemas or tokens that a policy itself lists, as files do that were written by hand. */
export function listed(
  value: unknown,
  member: string,
  code: 'SCHEMA_UNREADABLE' | 'TOKEN_UNREADABLE',
  findings: Finding[],
): { name: string; content: unknown }[] {
  const report: Report = (_, message) => {
    findings.push({ severity: 'warning', code, message: `/${member} ${message}.`, path: '', pointer: `/${member}` });
  };
  return toList(value, `/${member}`, report).map((content, index) => ({ name: `/${member}/${index}`, content }));
}
