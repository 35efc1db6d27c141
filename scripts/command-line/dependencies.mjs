/** What the command line loads has to be what its package depends on, or it is found by luck only. */
import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { isOwn, isPackage, packageOf } from '../bundles/write.mjs';
import { manifestOf } from '../packages/workspace.mjs';
import { StepFailed } from '../run.mjs';

/** Throws where the package lacks what its bundle loads, or names what neither the bundle nor its modules load. */
export async function checkDependencies(chunks, folder) {
  const { dependencies } = await manifestOf(folder);
  const files = new Set(chunks.map(({ fileName }) => fileName));
  const names = chunks
    .flatMap(namesIn)
    .filter((name) => isPackage(name) && !name.startsWith('node:') && !files.has(name) && !isBuiltin(name));
  const loaded = new Set(names.map(packageOf));
  const missing = [...loaded].filter((name) => !(name in dependencies));
  const imported = await importedBy(join(folder, 'src'));
  const unused = Object.keys(dependencies).filter((name) => !isOwn(name) && !loaded.has(name) && !imported.has(name));
  if (missing.length > 0)
    throw new StepFailed(`Add to the dependencies of packages/cli, whose bundle loads them: ${missing.join(', ')}.`);
  if (unused.length > 0)
    throw new StepFailed(`Remove from the dependencies of packages/cli, which loads none of: ${unused.join(', ')}.`);
}

/** What a file loads: packages and other files, at its start or on demand. */
function namesIn({ imports, dynamicImports, code }) {
  const onDemand = code.matchAll(/createRequire\(import\.meta\.url\)(?:\.resolve)?\(["']([^"']+)["']\)/g);
  return [...imports, ...dynamicImports, ...[...onDemand].map(([, name]) => name)];
}

/** The packages that the sources in a folder import. */
async function importedBy(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sources = entries.filter(({ name }) => /(?<!\.test)\.ts$/.test(name));
  const texts = await Promise.all(sources.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')));
  const names = texts.flatMap((text) =>
    [...text.matchAll(/(?:from |import\()'([^'.][^']*)'/g)].map(([, name]) => name),
  );
  return new Set(names.map(packageOf));
}
