/** Migrates the blocks of a policy to the newest version of the format. */
import type { Ids } from '../../../ports/index.js';
import type { BlockSource } from '../../../records/index.js';
import { compareVersions, fullVersion, NEWEST_CODE_VERSION, OLDEST_CODE_VERSION } from './code-version.js';
import type { Finding } from '../../model/finding.js';
import { accountType } from './account-type.js';
import { blockNames } from './block-names.js';
import { dependencyLinks } from './dependency-links.js';
import { historyAddon } from './history-addon.js';
import { linksOfOptions } from './links-of-options.js';
import { revokeColumns } from './revoke-columns.js';
import { selectorButtons } from './selector-buttons.js';
import type { MigratingPolicy, MigrationStep } from './step.js';
import { pathOf } from '../../model/tree-walk.js';
import { quote } from '../../model/quote.js';

/** Oldest first; each step relies on the previous ones. */
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
  /** Whether `dependencies` mean what they mean in the reference; if so they become links. */
  readonly dependenciesRefresh: boolean;
  readonly ids: Ids;
  readonly findings: Finding[];
}

/**
 * Changes the blocks in place.
 * @returns their version afterwards: the newest known one, or the policy's own if that is newer.
 */
export function migrate(root: BlockSource, { written, dependenciesRefresh, ids, findings }: MigrationOptions): string {
  const policy: MigratingPolicy = {
    root,
    ids,
    report: (position, message) => {
      const { id, tag } = position.block;
      findings.push({
        ...remark('MIGRATED', message),
        path: pathOf(position),
        block: id,
        ...(tag === '' ? {} : { tag }),
      });
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
    const message = `The codeVersion ${quote(written)} is not a version; the policy is read as the oldest version.`;
    findings.push(remark('RECORD_FIELD_INVALID', message));
    return OLDEST_CODE_VERSION;
  }
  if (compareVersions(version, NEWEST_CODE_VERSION) > 0) {
    const message = `The policy is written in version ${version}, newer than ${NEWEST_CODE_VERSION}; it is read without migration.`;
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
