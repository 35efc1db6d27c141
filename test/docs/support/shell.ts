/** Runs shell snippets: in a folder with the files that pages speak of, with the server and the programs that they call. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundledProgram } from '../../support/bundled-program.js';
import { programEnv } from '../../support/build-program.js';

const run = promisify(execFile);
const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** The servers that pages name; all of them are the one of the test. */
const named = /https:\/\/policies\.example\.org|http:\/\/127\.0\.0\.1:3000|(?<!\/)localhost:3000/g;

export interface Shell {
  /** What the snippet prints. Rejects where a command of it fails, or a server refuses. */
  run(code: string): Promise<string>;
}

/** `env`: the variables that the pages take for granted, such as a token. */
export async function openShell(folder: string, url: string, env: Readonly<Record<string, string>>): Promise<Shell> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const program = await bundledProgram(bin);
  await script(join(bin, 'blockwork'), `exec "${process.execPath}" "${program}" "$@"`);
  await script(join(bin, 'npx'), 'shift; exec blockwork "$@"');
  // Nothing leaves this machine, whatever a page names.
  const here = "--fail-with-body -sS --noproxy '*' --resolve '*:80:127.0.0.1' --resolve '*:443:127.0.0.1'";
  await script(join(bin, 'curl'), `PATH=\${PATH#*:} exec curl ${here} "$@"`);
  // Beside the blocks, the command line has packages of its own that a bundle does not hold.
  const NODE_PATH = `${programEnv.NODE_PATH}${delimiter}${path('../../../packages/cli/node_modules')}`;
  const variables = { ...programEnv, ...env, NODE_PATH, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };
  return {
    run: async (code) => {
      const lines = code.replaceAll(named, url);
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', lines], { cwd: folder, env: variables });
      return stdout;
    },
  };
}

async function script(file: string, line: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${line}\n`);
  await chmod(file, 0o755);
}
