/** Brings the blocks of a policy to the newest version of the format, step by step. */
import type { Ids } from '../../ports/index.js';
import type { BlockSource } from '../../records/index.js';
import { compareVersions, fullVersion, NEWEST_CODE_VERSION, OLDEST_CODE_VERSION } from './code-version.js';
import type { Finding } from '../model/finding.js';
import { accountType } from '../migrations/account-type.js';
import { blockNames } from '../migrations/block-names.js';
import { dependencyLinks } from '../migrations/dependency-links.js';
import { historyAddon } from '../migrations/history-addon.js';
import { linksOfOptions } from '../migrations/links-of-options.js';
import { revokeColumns } from '../migrations/revoke-columns.js';
import { selectorButtons } from '../migrations/selector-buttons.js';
import type { MigratingPolicy, MigrationStep } from '../migrations/step.js';
import { pathOf } from '../model/tree-walk.js';
import { quote } from '../model/quote.js';

/** Oldest first; each relies on those before it. */
const steps: readonly MigrationStep[] = [
  blockNames,
  linksOfOptions,
  selectorButtons,
  accountType,
  historyAddon,
  revokeColumns,
];

export interface MigrationOptions {
  /** The policy's `codeVersion` as written. */
  readonly written: unknown;
  /** Whether `dependencies` have the meaning of the reference; then they become links. */
  readonly dependenciesRefresh: boolean;
  readonly ids: Ids;
  readonly findings: Finding[];
}

/**
 * Changes the blocks in place.
 * @returns the version that they are in afterwards: the newest known here, or the policy's own where that is newer.
 */
export function migrate(root: BlockSource, { written, dependenciesRefresh, ids, findings }: MigrationOptions): string {
  const policy: MigratingPolicy = {
    root,
    ids,
    report: (place, message) => {
      const { id, tag } = place.block;
      findings.push({ ...remark('MIGRATED', message), path: pathOf(place), block: id, ...(tag === '' ? {} : { tag }) });
    },
  };
  const version = startingVersion(written, findings);
  for (const step of steps) {
    if (compareVersions(step.version, version) > 0) step.apply(policy);
  }
  if (dependenciesRefresh) dependencyLinks(policy, findings);
  return compareVersions(version, NEWEST_CODE_VERSION) > 0 ? version : NEWEST_CODE_VERSION;
}

function startingVersion(written: unknown, findings: Finding[]): string {
  const version = fullVersion(written);
  if (version === undefined) {
    const message = `The codeVersion ${quote(written)} is no version; the policy is read as one of the oldest.`;
    findings.push(remark('RECORD_FIELD_INVALID', message));
    return OLDEST_CODE_VERSION;
  }
  if (compareVersions(version, NEWEST_CODE_VERSION) > 0) {
    const message = `The policy is written in version ${version}, newer than ${NEWEST_CODE_VERSION}; it is read as it is.`;
    findings.push(remark('RECORD_FIELD_INVALID', message));
  }
  return version;
}

const remark = (code: 'MIGRATED' | 'RECORD_FIELD_INVALID', message: string): Finding => ({
  severity: 'warning',
  code,
  message,
  path: '',
});
