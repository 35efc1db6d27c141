/** What a release writes: the version into manifests, and the unreleased changes under it into the changelog. */
import semver from 'semver';
import { releasedChangelog, releasedVersions } from './changelog.mjs';

/**
 * Resolves to the new text of each file by its path. Throws with the reason where there is nothing to release, or not under
 * this version.
 *
 * @param {{ version: string, date: string, repository: string, changelog: string, manifests: Map<string, string> }} release
 * @returns {Map<string, string>}
 */
export function releasePlan({ version, date, repository, changelog, manifests }) {
  assertNext(version, releasedVersions(changelog));
  const released = releasedChangelog(changelog, { version, date, repository });
  const versioned = [...manifests].map(([path, text]) => [path, withVersion(text, version)]);
  const module = ['packages/core/src/version.ts', versionModule(version)];
  return new Map([...versioned, module, ['CHANGELOG.md', released]]);
}

/** Versions are those of semver, and each is higher than all before it. */
function assertNext(version, released) {
  if (semver.valid(version) !== version) throw new Error(`"${version}" is no version such as 1.2.3 or 1.2.3-beta.1.`);
  const [highest] = semver.rsort([...released]);
  if (highest !== undefined && !semver.gt(version, highest)) {
    throw new Error(`${version} is not higher than ${highest}, which CHANGELOG.md names as released.`);
  }
}

const withVersion = (manifest, version) => `${JSON.stringify({ ...JSON.parse(manifest), version }, null, 2)}\n`;

const versionModule = (version) => `/**
 * The version of this package, shown in the list of nodes. Updated by releases. Where the package is bundled, the commit follows as
 * build metadata, for instance \`0.1.0+495a52161c07\`: two builds of one version can be told apart.
 */
export const version = '${version}';
`;
