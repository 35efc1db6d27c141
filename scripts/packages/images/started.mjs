/** Starts what a container would run, waits for its health check, and asks it to stop. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { capture } from '../../run.mjs';
import { freePort } from '../free-port.mjs';
import { startOf } from './dockerfile.mjs';

const patience = 60_000;

/** Where the base images have Node, and the roots of the paths that an image names. */
const node = '/nodejs/bin/node';

/** Resolves to problems. `folders`: `{ '/app': ..., '/data': ... }`; nothing in the first may change. */
export async function startProblems(instructions, folders, options = {}) {
  const { command, healthCheck, env } = startOf(instructions);
  const here = (text) => Object.entries(folders).reduce((text, [from, to]) => text.replace(from, to), text);
  const args = [...command, ...(options.args ?? [])].filter((word) => word !== node).map(here);
  const variables = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, here(value)]));
  const environment = {
    ...process.env,
    ...variables,
    BLOCKWORK_HOST: '127.0.0.1',
    BLOCKWORK_PORT: String(await freePort()),
  };
  const app = folders['/app'];
  const before = options.isReadOnly === true ? await changesBelow(app) : '';
  const child = spawn(process.execPath, args, { cwd: options.cwd ?? app, env: environment });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const ended = once(child, 'close');
  const isHealthy = await healthy(child, healthCheck, environment);
  child.kill('SIGTERM');
  const [code] = await ended;
  if (!isHealthy) return [`it never became healthy, and printed:\n${printed}`];
  if (code !== 0) return [`asked to stop, it ended with ${code}, and printed:\n${printed}`];
  if (options.isReadOnly === true && (await changesBelow(app)) !== before) return ['it changed its own files'];
  return [];
}

async function healthy(child, [, ...args], env) {
  for (const until = Date.now() + patience; Date.now() < until && child.exitCode === null; await pause(200)) {
    const { code } = await capture(process.execPath, args, { env });
    if (code === 0) return true;
  }
  return false;
}

async function changesBelow(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const times = await Promise.all(files.map(async (file) => `${file} ${(await stat(file)).mtimeMs}`));
  return times.sort().join('\n');
}
