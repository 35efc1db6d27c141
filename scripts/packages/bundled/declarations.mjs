/** The declarations of a package as it is published: one file for each entry point, and those that entry points share. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isPackage } from '../../bundles/write.mjs';
import { entryFiles } from './entry-files.mjs';
import { isTable } from './libraries.mjs';

/** Rolls up what the compiler wrote, without what no entry point reaches, and resolves to the chunks. */
export async function writeDeclarations({ folder: source, manifest }, folder) {
  const [{ rolldown }, { dts }] = await Promise.all([import('rolldown'), import('rolldown-plugin-dts')]);
  const bundle = await rolldown({
    input: entryFiles(manifest, (name) => join(source, 'dist', `${name}.d.ts`)),
    platform: 'node',
    external: (name) => isPackage(name) && !isTable(name),
    checks: { pluginTimings: false },
    plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false, sourcemap: false })],
  });
  const { output } = await bundle.write({ dir: folder, format: 'es' });
  await bundle.close();
  // Where a namespace is exported, the bundler leaves its own code, which no declaration needs.
  const [declarations, code] = [output.filter(isDeclaration), output.filter((chunk) => !isDeclaration(chunk))];
  await Promise.all(code.map(({ fileName }) => rm(join(folder, fileName))));
  return declarations;
}

const isDeclaration = ({ fileName }) => fileName.endsWith('.d.ts');
