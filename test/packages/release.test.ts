/** What `npm run release` writes, before it checks and packs. */
import { describe, expect, it } from 'vitest';
import { releasePlan } from '../../scripts/release/plan.mjs';

const first = `# Changelog

## [Unreleased]

### Added

- A door.

[Unreleased]: https://example.org/house/commits/main
`;

const manifest = '{\n  "name": "house",\n  "version": "0.1.0",\n  "private": true\n}\n';

const plan = (version: string, changelog = first, date = '2026-02-01') =>
  releasePlan({
    version,
    date,
    changelog,
    repository: 'https://example.org/house',
    manifests: new Map([['package.json', manifest]]),
  });

const changelogOf = (files: Map<string, string>) => files.get('CHANGELOG.md') ?? '';

describe('a release', () => {
  it('writes its version into every manifest, and nothing else', () => {
    expect(plan('0.2.0').get('package.json')).toBe(manifest.replace('0.1.0', '0.2.0'));
  });

  it('writes its version into the module that core knows it by', () => {
    expect(plan('0.2.0').get('packages/core/src/version.ts')).toContain("version = '0.2.0'");
  });

  it('moves the unreleased changes under its version and date', () => {
    expect(changelogOf(plan('0.1.0'))).toBe(`# Changelog

## [Unreleased]

## [0.1.0] - 2026-02-01

### Added

- A door.

[Unreleased]: https://example.org/house/compare/v0.1.0...HEAD
[0.1.0]: https://example.org/house/releases/tag/v0.1.0
`);
  });

  it('follows the one before it', () => {
    const released = changelogOf(plan('0.1.0'));
    const changed = released.replace('## [Unreleased]\n', (line) => `${line}\n### Fixed\n\n- The $& lock.\n`);
    expect(changelogOf(plan('0.2.0', changed, '2026-03-01'))).toBe(`# Changelog

## [Unreleased]

## [0.2.0] - 2026-03-01

### Fixed

- The $& lock.

## [0.1.0] - 2026-02-01

### Added

- A door.

[Unreleased]: https://example.org/house/compare/v0.2.0...HEAD
[0.2.0]: https://example.org/house/compare/v0.1.0...v0.2.0
[0.1.0]: https://example.org/house/releases/tag/v0.1.0
`);
  });

  it('without changes is refused', () => {
    expect(() => plan('0.2.0', changelogOf(plan('0.1.0')))).toThrow('no unreleased changes');
  });

  it.each(['0.1.0', '0.0.9', '0.1.0-beta.1'])('of %s is refused after 0.1.0', (version) => {
    expect(() => plan(version, changelogOf(plan('0.1.0')))).toThrow('is not higher than 0.1.0');
  });

  it.each(['1.0', 'v1.0.0', 'latest', '1.0.0+build'])('of %s is refused: it is no plain version', (version) => {
    expect(() => plan(version)).toThrow(`"${version}" is no version`);
  });
});
