/** Verdaccio, a registry that npm publishes to and installs from, as a process on this machine. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { freePort } from '../packages/free-port.mjs';
import { capture, root, StepFailed } from '../run.mjs';

const VERSION = '6.2.9';
const cache = join(root, 'node_modules', '.cache', 'blockwork');
const usual = process.env.npm_config_registry ?? 'https://registry.npmjs.org/';

/** For a registry that does not answer; it does within seconds. */
const ATTEMPTS = 600;

/** The folder of the program: fetched once, then kept below `node_modules`. */
export async function verdaccioProgram() {
  const folder = join(cache, `verdaccio-${VERSION}`);
  const program = join(folder, 'node_modules', 'verdaccio', 'bin', 'verdaccio');
  const isThere = async () => (await capture(process.execPath, [program, '--version'])).code === 0;
  if (await isThere()) return program;
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(join(cache, 'unfinished-'));
  const manifest = {
    private: true,
    dependencies: { verdaccio: VERSION },
    // Its audit, which is switched off below, names a tag that not every registry has.
    overrides: { 'node-fetch': '2.7.0' },
  };
  await writeFile(join(unfinished, 'package.json'), JSON.stringify(manifest));
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', '--no-package-lock'];
  const { code, output } = await capture('npm', args, { cwd: unfinished });
  if (code !== 0) throw new StepFailed(`Verdaccio ${VERSION} could not be installed.\n${output}`);
  await rm(folder, { recursive: true, force: true });
  await rename(unfinished, folder);
  if (await isThere()) return program;
  throw new StepFailed(`${program} does not run.`);
}

/**
 * Resolves when it answers. Packages of ours are only what is published to it; others come from the usual registry and are
 * kept in the folder, or only from there if `isSealed`.
 */
export async function openVerdaccio(program, folder, { isSealed = false } = {}) {
  const url = `http://127.0.0.1:${await freePort()}/`;
  await mkdir(folder, { recursive: true });
  const configuration = join(folder, isSealed ? 'sealed.yaml' : 'open.yaml');
  await writeFile(configuration, JSON.stringify(settings(folder, isSealed)));
  const child = spawn(process.execPath, [program, '--config', configuration, '--listen', url], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // It sets this itself for what it starts; a proxy would be asked for packages of this machine.
    env: { ...process.env, NO_PROXY: '127.0.0.1' },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text));
  const close = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, 'close');
  };
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (child.exitCode !== null) break;
    if (await answers(url)) return { url, close };
    await after(100);
  }
  await close();
  throw new StepFailed(`Verdaccio does not answer:\n${printed}`);
}

const answers = (url) =>
  fetch(new URL('-/ping', url)).then(
    ({ ok }) => ok,
    () => false,
  );

function settings(folder, isSealed) {
  const ours = { access: '$all', publish: '$authenticated' };
  const others = isSealed ? { access: '$all' } : { access: '$all', proxy: 'usual' };
  return {
    storage: join(folder, 'storage'),
    auth: { htpasswd: { file: join(folder, 'users'), max_users: 1 } },
    // In place of what an uplink would be asked for again, what is stored is good for as long as this takes.
    uplinks: isSealed ? {} : { usual: { url: usual, cache: true, maxage: '1d', timeout: '120s' } },
    packages: { '@blockwork/*': ours, 'create-blockwork': ours, '**': others },
    middlewares: { audit: { enabled: false } },
    web: { enable: false },
    max_body_size: '50mb',
    log: { type: 'stdout', format: 'json', level: 'error' },
  };
}

/** Makes the only user, and resolves to the line of an `.npmrc` that says who publishes. */
export async function signUp(url) {
  const response = await fetch(new URL('-/user/org.couchdb.user:publisher', url), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'publisher', password: randomUUID() }),
  });
  const { token, error } = await response.json();
  if (token === undefined) throw new StepFailed(`Verdaccio makes no user: ${error}`);
  return `//${new URL(url).host}/:_authToken=${token}\n`;
}
