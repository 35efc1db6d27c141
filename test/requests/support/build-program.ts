/** Turns a file of this folder into a program that starts quickly as a process of its own, with the packages taken from their sources. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const packages = ['core', 'link-nats', 'store-lowdb'];

/** Bundles `name` into `folder`; gives the file to run. */
export async function buildProgram(name: string, folder: string): Promise<string> {
  const file = join(folder, `${name}.mjs`);
  const bundle = await rolldown({
    input: path(`./${name}.mjs`),
    platform: 'node',
    tsconfig: path('../../../tsconfig.base.json'),
    resolve: {
      alias: Object.fromEntries(
        packages.map((each) => [`@blockwork/${each}`, path(`../../../packages/${each}/src/index.ts`)]),
      ),
    },
  });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return file;
}
