/** Installs the packages of the workspace, when what they were installed from is no longer what is written. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pnpm, pnpmVersion } from './pnpm.mjs';
import { root, step } from './run.mjs';

const stamp = join(root, 'node_modules', '.blockwork-install');

export async function install() {
  await step('Packages', async () => {
    const wanted = await fingerprint();
    if ((await readFile(stamp, 'utf8').catch(() => '')) === wanted) return 'up to date';
    // A different layout left behind by another version may be replaced without a prompt.
    await pnpm(['install', '--frozen-lockfile', '--config.confirmModulesPurge=false'], { output: 'on failure' });
    await mkdir(join(root, 'node_modules'), { recursive: true });
    await writeFile(stamp, wanted);
    return `installed with pnpm ${pnpmVersion}`;
  });
}

/** One hash over the lockfile and every manifest; packages with native parts also depend on the machine. */
async function fingerprint() {
  const hash = createHash('sha256').update(`${pnpmVersion} ${process.platform} ${process.arch}`);
  for (const file of [
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'package.json',
    'test/package.json',
    ...(await manifests()),
  ]) {
    hash.update(`\n${file}\n`).update(await readFile(join(root, file)).catch(() => ''));
  }
  return hash.digest('hex');
}

async function manifests() {
  const packageManifests = [];
  for (const folder of ['packages', 'examples']) {
    for (const name of (await readdir(join(root, folder))).sort())
      packageManifests.push(`${folder}/${name}/package.json`);
  }
  return packageManifests;
}
