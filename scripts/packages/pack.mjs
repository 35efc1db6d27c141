/** Packs packages of the workspace with pnpm, which writes versions into their manifests and adds the licence. */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pnpm } from '../pnpm.mjs';
import { step, StepFailed } from '../run.mjs';
import { removeStaleOutputs } from './outputs.mjs';

/** Resolves to the paths of the tarballs. The packages have to be built. */
export async function pack(packages, folder) {
  await mkdir(folder, { recursive: true });
  await Promise.all(packages.map((found) => removeStaleOutputs(found.folder)));
  const chosen = packages.map(({ manifest }) => `--filter=${manifest.name}`);
  await step('Packing', () =>
    pnpm([...chosen, '--recursive', 'pack', '--pack-destination', folder], { output: 'on failure' }),
  );
  const files = (await readdir(folder)).filter((file) => file.endsWith('.tgz')).sort();
  if (files.length !== packages.length)
    throw new StepFailed(`${packages.length} packages became ${files.length} files.`);
  return files.map((file) => join(folder, file));
}
