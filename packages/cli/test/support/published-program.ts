/** The program as it is published: its manifest, its entry and its bundle, in a folder of their own. */
import { copyFile, cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { bundleCommandLine } from '../../../../scripts/command-line.mjs';

const own = fileURLToPath(new URL('../..', import.meta.url));

export interface Published {
  readonly dist: string;
  /** The file to run. */
  readonly program: string;
}

/** Writes it below the folder. */
export async function publishedProgram(folder: string): Promise<Published> {
  const published = join(folder, 'published');
  await mkdir(published);
  await copyFile(join(own, 'package.json'), join(published, 'package.json'));
  await cp(join(own, 'bin'), join(published, 'bin'), { recursive: true });
  await installPackages(join(published, 'node_modules'));
  const dist = join(published, 'dist');
  await bundleCommandLine(dist);
  return { dist, program: join(published, 'bin', 'blockwork.js') };
}

/** What the program depends on; the package with the templates, which stays outside of the bundle, from its sources. */
async function installPackages(folder: string): Promise<void> {
  const templates = 'create-blockwork';
  await mkdir(folder);
  for (const name of await readdir(join(own, 'node_modules'))) {
    if (name !== templates) await symlink(join(own, 'node_modules', name), join(folder, name), 'junction');
  }
  const source = join(own, '..', templates);
  await cp(join(source, 'templates'), join(folder, templates, 'templates'), { recursive: true });
  await copyFile(join(source, 'package.json'), join(folder, templates, 'package.json'));
  const bundle = await rolldown({ input: join(source, 'src', 'index.ts'), platform: 'node' });
  await bundle.write({ file: join(folder, templates, 'dist', 'index.js'), format: 'esm', codeSplitting: false });
  await bundle.close();
}
