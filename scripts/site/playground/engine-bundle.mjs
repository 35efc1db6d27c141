/** Bundles the engine for a page: its sources, with what a page has in the place of each module of Node.js. */
import { copyFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { substitute } from '../../bundles/write.mjs';
import { root } from '../../run.mjs';

const sources = join(root, 'packages', 'playground', 'src');
const platform = (name) => join(sources, 'platform', `${name}.ts`);

/** The file that stands for a module of Node.js. A member that it lacks fails the build. */
const standIns = {
  'node:buffer': 'buffer',
  'node:crypto': 'crypto',
  'node:diagnostics_channel': 'diagnostics-channel',
  'node:events': 'events',
  'node:module': 'module',
  'node:net': 'net',
  'node:os': 'os-and-url',
  'node:querystring': 'querystring',
  'node:timers/promises': 'timers-promises',
  'node:url': 'os-and-url',
  'node:util': 'util',
  'node:v8': 'v8',
  'node:zlib': 'zlib',
  piscina: 'piscina',
  ...Object.fromEntries(
    ['dns', 'fs', 'fs/promises', 'http', 'https', 'path', 'perf_hooks', 'stream', 'stream/promises'].map((name) => [
      `node:${name}`,
      'absent',
    ]),
  ),
};

const standingIn = {
  name: 'stand-ins',
  resolveId: (id) => (Object.hasOwn(standIns, id) ? platform(standIns[id]) : null),
};

const programs = {
  formula: join(root, 'packages', 'blocks', 'src', 'formulas', 'runner', 'formula-worker.ts'),
  script: join(root, 'packages', 'blocks', 'src', 'scripts', 'script-worker.ts'),
};

/** Modules made of text: a worker for each program of a thread. */
const taskWorkers = {
  name: 'task-workers',
  resolveId: (id) => (id.startsWith('task:') ? `\0${id}` : null),
  load: (id) => {
    const [, program] = /^\0task:(.+)$/.exec(id) ?? [];
    if (program === undefined) return null;
    const from = (path) => JSON.stringify(path);
    return `import { runTasks } from ${from(join(sources, 'engine', 'task-worker.ts'))};
      import program from ${from(programs[program])};
      runTasks(program);`;
  },
};

const replaced = [
  substitute(
    'blocks/src/threads/programs.ts',
    `export const programs = {
       formula: new URL('formula-worker.js', globalThis.location.href),
       script: new URL('script-worker.js', globalThis.location.href),
     };`,
  ),
  substitute('blocks/src/formulas/values/library.ts', `export { loadParts } from './parser-alone.js';`),
  substitute(
    'core/src/defaults/system-timers.ts',
    `export { systemTimers } from ${JSON.stringify(platform('system-timers'))};`,
  ),
];

const entries = {
  engine: join(sources, 'engine', 'worker.ts'),
  'formula-worker': 'task:formula',
  'script-worker': 'task:script',
};

/** Writes the worker with the engine, those of its threads, and the sandbox of scripts. Resolves to the chunks. */
export async function bundleEngine(folder) {
  const written = await Promise.all(
    Object.entries(entries).map(([name, input]) =>
      bundled(name, input, folder, { Buffer: [platform('buffer'), 'Buffer'] }),
    ),
  );
  const blocks = createRequire(join(root, 'packages', 'blocks', 'package.json'));
  await copyFile(blocks.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'), join(folder, 'emscripten-module.wasm'));
  return written;
}

/** The script of the page itself. */
export const bundlePage = (folder) => bundled('page', join(sources, 'page', 'page.ts'), folder);

async function bundled(name, input, folder, inject = {}) {
  const bundle = await rolldown({
    input: { [name]: input },
    platform: 'browser',
    tsconfig: join(root, 'tsconfig.lint.json'),
    plugins: [standingIn, taskWorkers, ...replaced],
    transform: { inject },
  });
  const { output } = await bundle.write({ dir: folder, format: 'esm', minify: true, codeSplitting: false });
  await bundle.close();
  return output[0];
}
