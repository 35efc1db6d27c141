/** Before the tests: bundles the programs of worker threads from their sources, since a thread cannot load TypeScript. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const blocks = fileURLToPath(new URL('../packages/blocks', import.meta.url));

/** Where the bundle of the script thread lies: inside the package, so that it finds what the package depends on. */
export const scriptWorker = join(blocks, 'node_modules', '.cache', 'script-worker.mjs');

export async function setup() {
  const bundle = await rolldown({
    input: join(blocks, 'src', 'scripts', 'script-worker.ts'),
    external: [/^[^./]/],
    platform: 'node',
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  await mkdir(dirname(scriptWorker), { recursive: true });
  // Another run may be reading it.
  const fresh = `${scriptWorker}.${process.pid}`;
  await writeFile(fresh, output[0].code);
  await rename(fresh, scriptWorker);
}
