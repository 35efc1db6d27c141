/** Bundles sources of the workspace with rolldown. */
import { isAbsolute, join } from 'node:path';
import { root } from '../run.mjs';

export const isOwn = (name) => name.startsWith('@blockwork/') && name !== '@blockwork/console';
export const isPackage = (name) => /^[^.\0]/.test(name) && !isAbsolute(name);
export const packageOf = (name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)[0];

/** Another text for the module whose path ends so. */
export function substitute(path, code) {
  return { name: path, load: (id) => (id.replaceAll('\\', '/').endsWith(`/${path}`) ? code : null) };
}

/**
 * Writes the entries, which are paths by name, into the folder, and resolves to the chunks. `isOutside` says of what is imported
 * whether it stays an import, `platform` what it may need; the rest are options of the output.
 */
export async function write(
  input,
  { folder, plugins = [], isOutside = isPackage, platform = 'node', format = 'esm', ...output },
) {
  // It is installed by the step before this one.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input,
    platform,
    external: (name) => isOutside(name),
    tsconfig: join(root, 'tsconfig.lint.json'),
    plugins,
  });
  const written = await bundle.write({
    dir: folder,
    format,
    comments: { annotation: false, jsdoc: false },
    ...output,
  });
  await bundle.close();
  return written.output.filter(({ type }) => type === 'chunk');
}

/** Writes a module that is loaded when it is first used, and at once: so it is no ES module, and one file. */
export const writeOnDemand = (folder, name, source) =>
  write(
    { [name]: source },
    { folder, format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false, isOutside: () => false },
  );
