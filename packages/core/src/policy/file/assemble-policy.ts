/** The core of both readers: turns the JSON of a policy into metadata and blocks in the newest format. */
import type { Steps } from '../../loop-share.js';
import type { Ids } from '../../ports/index.js';
import { isObject, jsonBytes } from '../../records/index.js';
import { suggestedName } from '../model/block-finding.js';
import type { Finding } from '../model/policy-model.js';
import type { Report } from './normalize/coerce.js';
import type { PolicyFileLimits } from './limits/limits.js';
import { COMPLETION, DEPENDENCIES_MEAN } from './dependency-meaning.js';
import { migrating } from './migrations/migrate.js';
import { normalizing } from './normalize/normalize-config.js';
import { readFacts } from './parts/policy-facts.js';
import type { PolicyBundle } from './policy-bundle.js';
import { quote } from '../model/quote.js';
import { fileInvalid, fileTooLarge } from './limits/file-errors.js';

/** Options of both readers. */
export interface ReadPolicyOptions {
  /** Assigns ids to blocks without a usable id. */
  readonly ids: Ids;
  /** Overrides members of `defaultPolicyFileLimits`. */
  readonly limits?: Partial<PolicyFileLimits>;
}

export interface PolicyJsonOrigin {
  readonly ids: Ids;
  readonly limits: PolicyFileLimits;
  /** Names the JSON in errors. */
  readonly label: string;
  /**
   * In archives `dependencies` mean "refresh me when these run", unless the archive says otherwise; in plain JSON, "open me when
   * these have completed".
   */
  readonly dependenciesRefresh: boolean;
  /** Assumed for a policy without `codeVersion`. */
  readonly defaultCodeVersion: string;
}

/** Takes ownership of `policy`. @throws POLICY_FILE_INVALID, POLICY_FILE_TOO_LARGE. */
export function* assembling(
  policy: unknown,
  { ids, limits, label, dependenciesRefresh, defaultCodeVersion }: PolicyJsonOrigin,
  findings: Finding[],
): Steps<Pick<PolicyBundle, 'about' | 'config'>> {
  if (!isObject(policy)) throw fileInvalid(`${label} holds ${quote(policy)}, not a policy`, '');
  const { config: blocks, [DEPENDENCIES_MEAN]: meaning, ...facts } = policy;
  if (blocks === undefined || blocks === null)
    throw fileInvalid(`${label} has no config, the policy's blocks`, '/config');
  assertShort(facts, label, limits);
  const report: Report = (member, message, name) => {
    findings.push({
      severity: 'warning',
      code: 'RECORD_FIELD_INVALID',
      message: `${member} of ${label} ${message}.`,
      path: '',
      pointer: member,
      ...(name !== undefined && { suggestions: [suggestedName(member, name)] }),
    });
  };
  const config = yield* normalizing(blocks, ids, limits, findings);
  const written = facts['codeVersion'] ?? defaultCodeVersion;
  const refresh = dependenciesRefresh && meaning !== COMPLETION;
  const codeVersion = yield* migrating(config, { written, dependenciesRefresh: refresh, ids, findings });
  return { about: readFacts(facts, codeVersion, report), config };
}

/** Lists of policies hold these members. */
function assertShort(facts: object, label: string, { aboutBytes }: PolicyFileLimits): void {
  const bytes = jsonBytes(facts);
  if (bytes <= aboutBytes) return;
  throw fileTooLarge(`what ${label} says beside its blocks has ${bytes} bytes, more than the limit of ${aboutBytes}`);
}
