/** Removes compiled files whose source is gone: the compiler leaves them behind, and they would be published. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The outputs that no source compiles to; both are paths below their folders. What the bundler wrote is not the compiler's. */
export function staleOutputs(sources, outputs) {
  const expected = new Set(sources.flatMap((file) => compiled(file)));
  return outputs.filter((file) => !file.endsWith('.tsbuildinfo') && !isBundled(file) && !expected.has(file));
}

/** The page of the console with the note of what it was bundled from, and the command line. */
const isBundled = (file) => file.startsWith('app/') || file === '.app-build' || file.startsWith('bundle/');

const compiled = (file) => {
  const base = file.replace(/\.ts$/, '');
  return [`${base}.js`, `${base}.js.map`, `${base}.d.ts`];
};

export async function removeStaleOutputs(folder) {
  const dist = join(folder, 'dist');
  const sources = (await filesIn(join(folder, 'src'))).filter((file) => !file.endsWith('.test.ts'));
  await Promise.all(staleOutputs(sources, await filesIn(dist)).map((file) => rm(join(dist, file))));
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
