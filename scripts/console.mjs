/** Bundles the page of the console from its sources, where they changed since the last time. */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, runNode, StepFailed } from './run.mjs';

const folder = join(root, 'packages', 'console');
const config = join(folder, 'vite.config.mjs');
const stamp = join(folder, 'dist', '.app-build');

/** Resolves to what was done. */
export async function bundleConsole() {
  const wanted = await fingerprint();
  if ((await readFile(stamp, 'utf8').catch(() => '')) === wanted) return 'up to date';
  const vite = join(folder, 'node_modules', 'vite', 'bin', 'vite.js');
  const code = await runNode([vite, 'build', '--logLevel', 'error', '--config', config], { output: 'on failure' });
  if (code !== 0) throw new StepFailed('The console cannot be bundled; the reason is above.');
  await writeFile(stamp, wanted);
  return 'bundled';
}

/** One hash over the sources of the page, the client that is bundled into it, and what is installed. */
async function fingerprint() {
  const hash = createHash('sha256');
  for (const file of [join(root, 'pnpm-lock.yaml'), config]) hash.update(await readFile(file));
  for (const sources of [join(folder, 'app'), join(root, 'packages', 'client', 'src')]) {
    const entries = await readdir(sources, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    for (const file of files.sort()) hash.update(file.slice(root.length)).update(await readFile(file));
  }
  return hash.digest('hex');
}
