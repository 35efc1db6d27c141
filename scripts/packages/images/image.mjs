/** Tries deploy/Dockerfile with the packed packages: its commands in an empty folder, then what it starts, and its health check. */
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { capture, root } from '../../run.mjs';
import { commandsOf, instructionsOf } from './dockerfile.mjs';
import { startProblems } from './started.mjs';

/** Resolves to problems. `folder` is made. */
export async function imageProblems(folder, tarballs) {
  const instructions = instructionsOf(await readFile(join(root, 'deploy', 'Dockerfile'), 'utf8'));
  const below = ['/app', '/data', '/policies'].map((path) => [path, join(folder, path)]);
  const folders = { ...Object.fromEntries(below), '/packages': dirname(tarballs[0]) };
  await mkdir(folders['/app'], { recursive: true });
  const here = (text) => Object.entries(folders).reduce((text, [from, to]) => text.replaceAll(from, to), text);
  const variables = instructions.filter(({ name }) => name === 'ARG').map(({ rest }) => here(rest));
  // Most of it was fetched a moment ago.
  const env = { npm_config_prefer_offline: 'true' };
  for (const command of commandsOf(instructions)) {
    const script = `set -e\n${variables.join('\n')}\n${here(command)}`;
    const { code, output } = await capture('sh', ['-c', script], { cwd: folders['/app'], env });
    if (code !== 0) return [`RUN ${command}\nended with ${code}:\n${output}`];
  }
  return startProblems(instructions, folders, { cwd: folders['/data'], isReadOnly: true });
}
