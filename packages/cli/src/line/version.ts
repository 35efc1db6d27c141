/** The version of this package, read from its manifest, and that of this very build. */
import { readFileSync } from 'node:fs';
import { build } from './build.js';

function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '';
}

/** With the commit as build metadata, for instance `0.1.0+495a52161c07`. */
export const buildVersion = (): string => (build === '' ? packageVersion() : `${packageVersion()}+${build}`);
