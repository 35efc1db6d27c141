/** Bundles the page of the console from its sources, where they changed since the last time. */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { root, runNode, StepFailed } from './run.mjs';

const folder = join(root, 'packages', 'console');
const config = join(folder, 'vite.config.mjs');
const stamp = join(folder, 'dist', '.app-build');
const app = join(folder, 'dist', 'app');

/** Compressed bytes of script, and files of it for the first screen: browsers ask for six files at a time. */
const MOST = { first: 130_000, all: 300_000, files: 4 };

/** Resolves to what was done. */
export async function bundleConsole() {
  const wanted = await fingerprint();
  if ((await readFile(stamp, 'utf8').catch(() => '')) === wanted) return 'up to date';
  const vite = join(folder, 'node_modules', 'vite', 'bin', 'vite.js');
  const code = await runNode([vite, 'build', '--logLevel', 'error', '--config', config], {
    output: 'on failure',
    // Under a test runner it is `test`, and React would be bundled for developers.
    env: { NODE_ENV: 'production' },
  });
  if (code !== 0) throw new StepFailed('The console cannot be bundled; the reason is above.');
  const sizes = await checkedSizes();
  await writeFile(stamp, wanted);
  return `bundled, ${sizes}`;
}

/** Resolves to the sizes in words. Throws where the page would load more than it may. */
async function checkedSizes() {
  const page = await readFile(join(app, 'index.html'), 'utf8');
  const names = (await readdir(join(app, 'assets'))).filter((name) => name.endsWith('.js'));
  const sizes = await Promise.all(
    names.map(async (name) => ({ name, bytes: gzipSync(await readFile(join(app, 'assets', name))).length })),
  );
  const sum = (files) => files.reduce((total, { bytes }) => total + bytes, 0);
  const firstFiles = sizes.filter(({ name }) => page.includes(name));
  const first = sum(firstFiles);
  const all = sum(sizes);
  const words = `first screen ${inKb(first)} of script, all ${inKb(all)}`;
  if (firstFiles.length > MOST.files) {
    const names = firstFiles.map(({ name }) => name).join(', ');
    throw new StepFailed(
      `The first screen of the console comes in ${firstFiles.length} files of script (${names}); it may have ${MOST.files}: add what it shares with other screens to the group "base" in vite.config.mjs.`,
    );
  }
  if (first <= MOST.first && all <= MOST.all) return words;
  throw new StepFailed(
    `The console is too large: ${words}, compressed. It may have ${inKb(MOST.first)} and ${inKb(MOST.all)}: load what few need with the screen that needs it.`,
  );
}

const inKb = (bytes) => `${Math.round(bytes / 1000)} kB`;

/** One hash over the sources of the page, the client that is bundled into it, and what is installed. */
async function fingerprint() {
  const hash = createHash('sha256');
  for (const file of [join(root, 'pnpm-lock.yaml'), config, fileURLToPath(import.meta.url)])
    hash.update(await readFile(file));
  for (const sources of [join(folder, 'app'), join(root, 'packages', 'client', 'src')]) {
    const entries = await readdir(sources, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    for (const file of files.sort()) hash.update(file.slice(root.length)).update(await readFile(file));
  }
  return hash.digest('hex');
}
