/** Reads and writes CHANGELOG.md, which has the form of https://keepachangelog.com. */

const heading = /^## \[(.+?)\].*$/gm;
const unreleasedLink = /^\[Unreleased\]: .*$/m;

/** The versions that have a section, newest first. */
export const releasedVersions = (text) =>
  [...text.matchAll(heading)].map(([, name]) => name).filter((name) => name !== 'Unreleased');

/** The changelog with all unreleased changes under a version and a date. */
export function releasedChangelog(text, { version, date, repository }) {
  if (unreleasedChanges(text) === '') throw new Error('CHANGELOG.md has no unreleased changes.');
  if (!unreleasedLink.test(text)) throw new Error('CHANGELOG.md has no line that begins with "[Unreleased]: ".');
  const [previous] = releasedVersions(text);
  const since =
    previous === undefined
      ? `${repository}/releases/tag/v${version}`
      : `${repository}/compare/v${previous}...v${version}`;
  return text
    .replace('## [Unreleased]\n', () => `## [Unreleased]\n\n## [${version}] - ${date}\n`)
    .replace(unreleasedLink, () => `[Unreleased]: ${repository}/compare/v${version}...HEAD\n[${version}]: ${since}`);
}

/** What stands between the heading of the unreleased changes and what follows them. */
export function unreleasedChanges(text) {
  const [, rest] = text.split('## [Unreleased]\n');
  if (rest === undefined) throw new Error('CHANGELOG.md has no heading "## [Unreleased]".');
  return rest.split(/^(?:## |\[.+?\]: )/m)[0].trim();
}
