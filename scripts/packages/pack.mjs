/** Packs packages of the workspace: pnpm writes versions into their manifests and adds the licence, then each is bundled. */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pnpm } from '../pnpm.mjs';
import { buildOfflineSite } from '../site/offline.mjs';
import { capture, step, StepFailed } from '../run.mjs';
import { bundlePackage } from './bundled/package.mjs';
import { removeStaleOutputs } from './outputs.mjs';

/** Resolves to the paths of the tarballs, which are put into `folder/tarballs`. The packages have to be built. */
export async function pack(packages, folder) {
  const [compiled, bundled, tarballs] = ['compiled', 'bundled', 'tarballs'].map((name) => join(folder, name));
  await Promise.all([compiled, bundled, tarballs].map((path) => mkdir(path, { recursive: true })));
  await Promise.all(packages.map((workspacePackage) => removeStaleOutputs(workspacePackage.folder)));
  const server = packages.find(({ manifest }) => manifest.name === '@blockwork/cli');
  if (server !== undefined) await step('Documentation', () => buildOfflineSite(join(server.folder, 'dist', 'site')));
  const chosen = packages.map(({ manifest }) => `--filter=${manifest.name}`);
  await step('Packing', () =>
    pnpm([...chosen, '--recursive', 'pack', '--pack-destination', compiled], { output: 'on failure' }),
  );
  await step('Bundling', async () => {
    // One after the other: each takes all processors.
    for (const workspacePackage of packages) {
      const { name, version } = workspacePackage.manifest;
      const file = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
      const unpacked = join(bundled, name.replace('/', '-'));
      await mkdir(unpacked);
      await succeed('tar', ['-xzf', join(compiled, file), '-C', unpacked, '--strip-components=1']);
      await bundlePackage(workspacePackage, unpacked);
      await succeed('npm', ['pack', '--ignore-scripts', '--pack-destination', tarballs], unpacked);
    }
  });
  const files = (await readdir(tarballs)).filter((file) => file.endsWith('.tgz')).sort();
  if (files.length !== packages.length)
    throw new StepFailed(`${packages.length} packages became ${files.length} files.`);
  return files.map((file) => join(tarballs, file));
}

async function succeed(command, args, cwd) {
  const { code, output } = await capture(command, args, { cwd });
  if (code !== 0) throw new StepFailed(`"${command} ${args.join(' ')}" failed:\n${output}`);
}
