/** Before the tests: bundles the programs of threads from their sources, since a thread cannot load TypeScript. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const blocks = fileURLToPath(new URL('../../packages/blocks', import.meta.url));

/** Inside the package, so that the bundles find what it depends on. `vitest.config.ts` leads the threads here. */
const bundles = join(blocks, 'node_modules', '.cache');

const programs = {
  'formula-worker': join(blocks, 'src', 'formulas', 'runner', 'formula-worker.ts'),
  'script-worker': join(blocks, 'src', 'scripts', 'script-worker.ts'),
};

export async function setup() {
  await mkdir(bundles, { recursive: true });
  await Promise.all(Object.entries(programs).map(([name, source]) => writeBundle(name, source)));
}

async function writeBundle(name, source) {
  const bundle = await rolldown({ input: source, external: [/^[^./]/], platform: 'node' });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  // Another run may be reading it.
  const fresh = join(bundles, `${name}.mjs.${process.pid}`);
  await writeFile(fresh, output[0].code);
  await rename(fresh, join(bundles, `${name}.mjs`));
}
