/** Bundles a test program, so that it starts quickly as a process of its own. */
import { basename, delimiter, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
/** For the program's process: what the packages load on demand is not in the bundle, nor is the thread that watches a server. */
export const programEnv = {
  ...process.env,
  NODE_PATH: ['blocks', 'http', 'http-koa'].map((name) => path(`../../packages/${name}/node_modules`)).join(delimiter),
  BLOCKWORK_BLOCKED_MS: '0',
};

/** Bundles `source` into `folder`, with the packages taken from their sources; gives the file to run. */
export async function buildProgram(source: URL, folder: string): Promise<string> {
  const input = fileURLToPath(source);
  const file = join(folder, `${basename(input, extname(input))}.mjs`);
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: ['pg-native'],
    logLevel: 'silent',
    tsconfig: path('../../tsconfig.lint.json'),
  });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return file;
}
