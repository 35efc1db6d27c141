/** The packages that are published, as their manifests say, and the entry points of each. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../run.mjs';

/** @returns {Promise<{ folder: string, manifest: Record<string, any> }[]>} */
export async function publicPackages() {
  const folders = (await readdir(join(root, 'packages'))).sort().map((name) => join(root, 'packages', name));
  const packages = await Promise.all(folders.map(async (folder) => ({ folder, manifest: await manifestOf(folder) })));
  return packages.filter(({ manifest }) => manifest.private !== true);
}

export const manifestOf = async (folder) => JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));

/** What a program can import from a package: every key of `exports` that leads to code. */
export function entryPoints({ name, exports }) {
  const keys = Object.keys(exports).filter((key) => key !== './package.json');
  const patterns = keys.filter((key) => key.includes('*'));
  if (patterns.length > 0)
    throw new Error(`${name} exports ${patterns.join(', ')}: name each subpath, so that each is tried.`);
  return keys.map((key) => name + key.slice(1));
}

/** The oldest Node that the packages promise to run on, as a full version. */
export function oldestNode(manifests) {
  const ranges = [...new Set(manifests.map(({ engines }) => engines?.node))];
  const [, minor] = /^>=(\d+\.\d+)$/.exec(ranges[0] ?? '') ?? [];
  if (ranges.length !== 1 || minor === undefined) {
    throw new Error(`All packages name one range of Node, ">=major.minor". They name: ${ranges.join(', ')}.`);
  }
  return `${minor}.0`;
}
