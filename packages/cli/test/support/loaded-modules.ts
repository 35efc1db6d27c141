/** Which modules a command loads, from the process itself: V8 lists the scripts that it has compiled. */
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { programEnv } from '../../../../test/support/build-program.js';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const run = promisify(execFile);

/** Writes the modules of the command line into the folder, from the sources and none left out; gives the file to run. */
export async function buildCommandLine(folder: string): Promise<string> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('./command-process.ts', import.meta.url)),
    platform: 'node',
    external: ['pg-native'],
    tsconfig: path('../../../../tsconfig.lint.json'),
    treeshake: false,
    logLevel: 'silent',
  });
  const root = path('../../../..');
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    preserveModules: true,
    preserveModulesRoot: root,
  });
  await bundle.close();
  const entry = output.find((chunk) => chunk.type === 'chunk' && chunk.isEntry);
  if (entry === undefined) throw new Error('The program has no entry.');
  const file = join(folder, entry.fileName);
  await copyFile(path('../../package.json'), join(dirname(file), '../../package.json'));
  return file;
}

export interface Loaded {
  /** What the command prints. */
  readonly out: string;
  /** The names of all files that it loads. */
  readonly files: readonly string[];
  /** The packages whose modules it loads, and how many of each. */
  readonly packages: Readonly<Record<string, number>>;
}

/** Rejects where the command ends with another exit code than 0. `folder`: where it may leave files. */
export async function loadedBy(program: string, folder: string, argv: readonly string[]): Promise<Loaded> {
  const coverage = await mkdtemp(join(folder, 'loaded-'));
  const env = { ...programEnv, NODE_V8_COVERAGE: coverage, NODE_DISABLE_COMPILE_CACHE: '1' };
  const { stdout } = await run(process.execPath, [program, ...argv], { cwd: folder, env });
  const packages: Record<string, number> = {};
  const urls = await scriptsIn(coverage, pathToFileURL(await realpath(folder)).href);
  for (const url of urls) {
    const name = packageOf(url);
    packages[name] = (packages[name] ?? 0) + 1;
  }
  return { out: stdout, files: urls.map((url) => url.slice(url.lastIndexOf('/') + 1)), packages };
}

async function scriptsIn(coverage: string, root: string): Promise<string[]> {
  const texts = await Promise.all((await readdir(coverage)).map((name) => readFile(join(coverage, name), 'utf8')));
  const reports = texts.map((text) => JSON.parse(text) as { readonly result: readonly { readonly url: string }[] });
  const urls = reports.flatMap(({ result }) => result.map(({ url }) => url)).filter((url) => url.startsWith('file:'));
  return [...new Set(urls)].map((url) => (url.startsWith(root) ? url.slice(root.length) : url));
}

/** `packages/core/src/...` is `core`, and `.../node_modules/@scure/base/...` is `@scure/base`. */
function packageOf(url: string): string {
  const [, outside] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
  const [, own] = /\/packages\/([^/]+)\//.exec(url) ?? [];
  return outside ?? own ?? 'program';
}
