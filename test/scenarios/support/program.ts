/** Turns a file of this folder into a program, and runs it as a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** What the packages load only when they need it is not in the bundle. */
const env = { ...process.env, NODE_PATH: path('../../../packages/blocks/node_modules') };

/** Bundles `name` of this folder into `folder`, with the packages taken from their sources; gives the file to run. */
export async function buildProgram(name: string, folder: string): Promise<string> {
  const file = join(folder, `${name}.mjs`);
  const bundle = await rolldown({
    input: path(`./${name}.ts`),
    platform: 'node',
    tsconfig: path('../../../tsconfig.lint.json'),
  });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return file;
}

/**
 * Runs a program that speaks in lines of JSON, until it ends by itself, or until `isEnough` says of what was heard so far that
 * it is: then it is killed after `pause` milliseconds. Resolves with the lines, and with what went to the error output.
 */
export async function runUntil<Line>(
  file: string,
  args: readonly string[],
  isEnough: (lines: readonly Line[]) => boolean,
  pause: number,
): Promise<{ lines: Line[]; errors: string }> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
  const lines: Line[] = [];
  let errors = '';
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const kill = (): void => {
    if (isEnough(lines)) setTimeout(() => child.kill('SIGKILL'), pause);
  };
  kill();
  createInterface(child.stdout).on('line', (line) => {
    lines.push(JSON.parse(line) as Line);
    kill();
  });
  await once(child, 'close');
  return { lines, errors };
}
