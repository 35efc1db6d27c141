/** The page on several nodes, typed from its first command to its last: three nodes, a balancer, a standby, and both failures. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../scripts/packages/free-port.mjs';
import { snippetsOfPages } from '../docs/support/snippets.js';
import { programEnv } from '../support/build-program.js';
import { bundledProgram } from '../support/bundled-program.js';
import { serverPrograms, type ServerPrograms } from '../support/postgres/postgres-server.js';
import { isWhole } from '../support/repetitions.js';

const PAGE = 'docs/several-nodes.md';
const installed = await serverPrograms();
const hasPrograms = !('missing' in installed) && spawnSync('haproxy', ['-v']).status === 0;

/** The ports that the page names; of the programs beside it, any may be in use. */
const PORTS = ['5432', '5433', '3001', '3002', '3003', '8080'];

async function commandsOfPage(programs: string): Promise<string> {
  const snippets = (await snippetsOfPages()).filter(({ page, language }) => page === PAGE && language === 'sh');
  let text = snippets.map(({ code }) => code).join('');
  for (const port of PORTS) text = text.replaceAll(new RegExp(`\\b${port}\\b`, 'g'), String(await freePort()));
  // A minute is long for an operator, and may be short for three nodes on a machine that does much else.
  return text.replace('/usr/lib/postgresql/15/bin', programs).replaceAll('--retry 60 ', '--retry 3600 ');
}

interface Typed {
  readonly code: number | null;
  /** Of both streams, with the commands. */
  readonly printed: string;
}

/** Types the commands into one shell. Whatever they leave running ends with it. */
async function type(commands: string, folder: string, { user }: ServerPrograms): Promise<Typed> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const program = await bundledProgram(bin);
  await script(join(bin, 'blockwork'), `exec "${process.execPath}" "${program}" "$@"`);
  // The command line is here already.
  await script(join(bin, 'npm'), 'exit 0');
  const path = [bin, dirname(process.execPath), process.env['PATH']].join(delimiter);
  const cli = new URL('../../packages/cli/node_modules', import.meta.url).pathname;
  const NODE_PATH = `${programEnv.NODE_PATH}${delimiter}${cli}`;
  const env = { HOME: folder, PATH: path, NODE_PATH, BLOCKWORK_BLOCKED_MS: '0' };
  await writeFile(join(folder, 'commands'), commands);
  const child = spawn('bash', ['-euxo', 'pipefail', 'commands'], {
    ...{ cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    ...(user !== 'self' && user),
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const [code] = (await once(child, 'exit')) as [number | null];
  try {
    process.kill(-Number(child.pid), 'SIGKILL');
  } catch {
    // Nothing is left.
  }
  return { code, printed };
}

async function script(file: string, line: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${line}\n`);
  await chmod(file, 0o755);
}

describe.skipIf(!hasPrograms || !isWhole)('the page on several nodes', () => {
  it('leads from nothing to three nodes that lose neither their node nor their primary’s sends', async () => {
    if ('missing' in installed) throw new Error(installed.missing);
    const folder = await mkdtemp(join(tmpdir(), 'blockwork-several-nodes-'));
    try {
      const { user } = installed;
      if (user !== 'self') await chown(folder, user.uid, user.gid);
      const commands = await commandsOfPage(installed.programs);
      const { code, printed } = await type(commands, folder, installed);
      expect(code, printed).toBe(0);
      const sends = /^report (\d+)$/m.exec(commands)?.[1];
      expect(printed.match(/^\d+ reports(?= on \d+$)/gm), printed).toEqual(
        [1, 2, 3].map(() => `${String(sends)} reports`),
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  }, 900_000);
});
