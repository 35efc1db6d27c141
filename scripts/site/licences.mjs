/** The licences of the libraries whose code comes with the site. */
import { copyFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { licencesOf } from '../bundles/licences.mjs';
import { root } from '../run.mjs';

/** It writes the scripts and styles of the API reference. */
const typedoc = dirname(createRequire(import.meta.url).resolve('typedoc/package.json'));

/** For the scripts of the pages and of the playground, given as chunks; those of the console in the playground have a file of their own. */
export async function writeLicences(folder, chunks) {
  await writeFile(join(folder, 'LICENSES.txt'), await licencesOf(chunks, { also: [typedoc], optional: true }));
  const console = join(root, 'packages', 'console', 'dist', 'app');
  await copyFile(join(console, 'licenses.md'), join(folder, 'playground', 'licenses.md'));
}
