/** Removes compiled files whose source is gone: the compiler leaves them behind, and they would be published. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The outputs that no source compiles to; both are paths below their folders. What the bundler wrote is not the compiler's. */
export function staleOutputs(sources, outputs) {
  const expected = new Set(sources.flatMap((file) => compiled(file)));
  return outputs.filter((file) => !file.endsWith('.tsbuildinfo') && !isBundled(file) && !expected.has(file));
}

/** The page of the console, the command line and its documentation, with the notes of what they were bundled from. */
const isBundled = (file) => /^(?:app|bundle|site)\/|^\.(?:app|bundle)-build$/.test(file);

/** The files of a bundle that its note does not name, as paths below `dist`: those of the bundle before it. */
export function staleBundle(name, note, outputs) {
  const named = new Set(note.files.map((file) => `${name}/${file}`));
  return outputs.filter((file) => file.startsWith(`${name}/`) && !named.has(file));
}

const compiled = (file) => {
  const base = file.replace(/\.tsx?$/, '');
  return [`${base}.js`, `${base}.js.map`, `${base}.d.ts`];
};

export async function removeStaleOutputs(folder) {
  const dist = join(folder, 'dist');
  const sources = (await filesIn(join(folder, 'src'))).filter((file) => !file.endsWith('.test.ts'));
  const outputs = await filesIn(dist);
  const stale = staleOutputs(sources, outputs);
  for (const name of ['app', 'bundle']) {
    if (!outputs.includes(`.${name}-build`)) continue;
    const note = JSON.parse(await readFile(join(dist, `.${name}-build`), 'utf8'));
    stale.push(...staleBundle(name, note, outputs));
  }
  await Promise.all(stale.map((file) => rm(join(dist, file))));
}

async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
}
