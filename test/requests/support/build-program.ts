/** Turns a file of this folder into a program that starts quickly as a process of its own, with the packages taken from their sources. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Bundles `name` into `folder`; gives the file to run. */
export async function buildProgram(name: string, folder: string): Promise<string> {
  const file = join(folder, `${name}.mjs`);
  const bundle = await rolldown({
    input: path(`./${name}.mjs`),
    platform: 'node',
    tsconfig: path('../../../tsconfig.lint.json'),
  });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return file;
}
