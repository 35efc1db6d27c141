/** Runs snippets that are whole programs, each in a process of its own. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { programEnv } from '../../support/build-program.js';
import { moduleOf } from './snippet-modules.js';
import type { Snippet } from './snippets.js';

const run = promisify(execFile);

/** The address that pages listen at may be taken, and a server, or a connection that it keeps for more, would keep its program running. */
const anyPort = `import { Server } from 'node:net';
const { listen } = Server.prototype;
Server.prototype.listen = function (options, ...rest) {
  const anywhere = typeof options === 'number' ? 0 : { ...options, port: 0 };
  return listen.call(this.on('connection', (socket) => socket.unref()), anywhere, ...rest).unref();
};
`;

/** Bundles the programs into the folder; `run(n)` resolves to what the n-th prints, in that folder. */
export async function buildPrograms(
  snippets: readonly Snippet[],
  folder: string,
): Promise<(n: number) => Promise<string>> {
  const modules = new Map(snippets.map((snippet, n) => moduleOf(snippet, n)));
  const names = [...modules.keys()];
  const bundle = await rolldown({
    input: Object.fromEntries(names.map((path, n) => [`program-${n}`, path])),
    platform: 'node',
    external: ['pg-native'],
    logLevel: 'silent',
    tsconfig: fileURLToPath(new URL('../../../tsconfig.lint.json', import.meta.url)),
    plugins: [
      {
        name: 'snippets',
        resolveId: (id) => (modules.has(id) ? id : null),
        load: (id) => modules.get(id) ?? null,
      },
    ],
  });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs' });
  await bundle.close();
  const preload = join(folder, 'any-port.mjs');
  await writeFile(preload, anyPort);
  return async (n) => {
    const args = ['--import', pathToFileURL(preload).href, join(folder, `program-${n}.mjs`)];
    return (await run(process.execPath, args, { cwd: folder, env: programEnv })).stdout;
  };
}

/** What the page says that a program prints: `console.log(...); // this`, up to `...`. */
export const printedAsShown = ({ code }: Snippet): string[] =>
  [...code.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map(([, shown = '']) => (shown.split('...')[0] ?? '').trim());
