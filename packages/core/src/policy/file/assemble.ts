/** From the JSON of a policy, however it came, to a bundle of the newest format. */
import type { Ids } from '../../ports/index.js';
import { isObject } from '../../records/index.js';
import type { Finding } from '../model/finding.js';
import type { Complain } from './coerce.js';
import type { PolicyFileLimits } from './limits.js';
import { migrate } from './migrate.js';
import { normalizeConfig } from './normalize.js';
import { readFacts } from './policy-facts.js';
import type { PolicyBundle } from './policy-bundle.js';
import { quote } from '../model/quote.js';
import { fileInvalid } from './refusal.js';

export interface PolicyJsonOrigin {
  readonly ids: Ids;
  readonly limits: PolicyFileLimits;
  /** Names the JSON in errors. */
  readonly what: string;
  /** In archives `dependencies` mean "refresh me when these run"; in plain JSON they mean "open me when these are complete". */
  readonly dependenciesRefresh: boolean;
  /** What a policy counts as that does not say which version of the format it is written in. */
  readonly unsaidCodeVersion: string;
}

/** The bundle without what lies beside the policy's JSON. `policy` becomes part of it. */
export function assemblePolicy(
  policy: unknown,
  { ids, limits, what, dependenciesRefresh, unsaidCodeVersion }: PolicyJsonOrigin,
  findings: Finding[],
): Pick<PolicyBundle, 'about' | 'config'> {
  if (!isObject(policy)) throw fileInvalid(`${what} holds ${quote(policy)}, not a policy`, '');
  const { config: blocks, ...facts } = policy;
  if (blocks === undefined || blocks === null)
    throw fileInvalid(`${what} has no config, the policy's blocks`, '/config');
  const complain: Complain = (member, message) => {
    findings.push({
      severity: 'warning',
      code: 'RECORD_FIELD_INVALID',
      message: `${member} of ${what} ${message}.`,
      path: '',
    });
  };
  const config = normalizeConfig(blocks, ids, limits, findings);
  const written = facts['codeVersion'] ?? unsaidCodeVersion;
  const codeVersion = migrate(config, { written, dependenciesRefresh, ids, findings });
  return { about: readFacts(facts, codeVersion, complain), config };
}
