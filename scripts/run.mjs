/** What every script here needs: where the workspace is, how to run a program in it, how to say what takes how long. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Blockwork needs Node 20.19 or newer; this is ${process.versions.node}. Install one from https://nodejs.org.`,
  );
  process.exit(1);
}

/** A step that failed in a way that is explained to the reader: its message is all that they need. */
export class StepFailed extends Error {}

/** Runs a program and resolves to its exit code. What it prints is shown `always`, `on failure` only, or `never`. */
export async function run(command, args, { cwd = root, env = {}, output = 'always' } = {}) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: output === 'always' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    // On Windows npx is a batch file, which only a shell can start.
    shell: process.platform === 'win32' && command === 'npx',
  });
  const printed = [];
  child.stdout?.on('data', (chunk) => printed.push(chunk));
  child.stderr?.on('data', (chunk) => printed.push(chunk));
  const [code] = await once(child, 'close');
  if (output === 'on failure' && code !== 0) process.stderr.write(`\n${Buffer.concat(printed).toString()}\n`);
  return code ?? 1;
}

/**
 * Runs a program and resolves to its exit code and what it printed, `output` being both of its streams as they came. One that
 * runs longer than `timeout`, in milliseconds, is ended.
 */
export async function capture(command, args, { cwd = root, env = {}, timeout } = {}) {
  const shell = process.platform === 'win32' && command === 'npm';
  const stdio = ['ignore', 'pipe', 'pipe'];
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, shell, timeout, stdio });
  const printed = { stdout: [], output: [] };
  child.stdout.on('data', (chunk) => [printed.stdout, printed.output].forEach((chunks) => chunks.push(chunk)));
  child.stderr.on('data', (chunk) => printed.output.push(chunk));
  const [code, signal] = await once(child, 'close');
  const text = (chunks) => Buffer.concat(chunks).toString();
  return { code: code ?? 1, signal, stdout: text(printed.stdout), output: text(printed.output) };
}

/** The same for a JavaScript program of the workspace, with the Node that runs this. */
export const runNode = (args, options) => run(process.execPath, args, options);

/** Runs a program installed in the workspace, by the path of its JavaScript file below `node_modules`. */
export const runTool = (path, args, options) => runNode([`${root}node_modules/${path}`, ...args], options);

/** Says what is being done, does it, and says how long it took. `action` may return what to add to the line. */
export async function step(title, action) {
  const began = performance.now();
  process.stdout.write(`${title} ... `);
  const remark = await action();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${typeof remark === 'string' ? remark : 'done'} (${seconds} s)`);
}

/** Ends the process after a script: with what it returned, or with the reason why it could not go on. */
export async function main(script) {
  try {
    process.exitCode = await script(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.error(`\n${error.message}`);
    process.exitCode = 1;
  }
}
