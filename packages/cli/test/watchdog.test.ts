/** The watchdog of the server, over processes whose event loop is blocked. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { buildProgram, programEnv } from '../../../test/support/build-program.js';
import { temporaryFolders } from '../../../test/support/folders.js';

const newFolder = temporaryFolders();
let [program, thread] = ['', ''];

beforeAll(async () => {
  const folder = await newFolder();
  thread = await buildProgram(new URL('../src/serve/watchdog/watchdog-thread.ts', import.meta.url), folder);
  program = await buildProgram(new URL('./support/watched-process.ts', import.meta.url), folder);
});

const children = new Set<ChildProcess>();

/** A process whose loop is blocked ends for nothing else. */
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

interface Watched {
  readonly process: ChildProcess;
  /** Resolves once standard error has this text. */
  readonly says: (text: string) => Promise<string>;
  readonly ended: Promise<unknown[]>;
}

async function watched(endMs = 0): Promise<Watched> {
  const child = fork(program, [thread, String(endMs)], { env: programEnv, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  children.add(child);
  let output = '';
  const { stderr } = child;
  stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const says = async (text: string): Promise<string> => {
    while (!output.includes(text)) if (stderr !== null) await once(stderr, 'data');
    return output;
  };
  const ended = once(child, 'exit');
  await once(child, 'message');
  return { process: child, says, ended };
}

it.each(['callsWithoutEnd', 'promisesWithoutEnd'])(
  'a loop that is blocked by %s is logged with its stack, and a stop signal ends the process',
  async (command) => {
    const { process: child, says, ended } = await watched();
    child.send(command);
    expect(await says('\n')).toContain('The event loop is blocked');
    expect(await says(command)).toMatch(/blockedMs=\d+ stack=\[/);
    child.kill('SIGTERM');
    expect(await ended).toEqual([null, 'SIGTERM']);
  },
);

it('a loop that stays blocked ends the process', async () => {
  const { process: child, says, ended } = await watched(1_500);
  child.send('callsWithoutEnd');
  await says('The process ends, because its event loop was blocked for too long.');
  expect(await ended).toEqual([null, 'SIGKILL']);
});

it('a loop that runs again is said to, and stop signals are requests to stop as before', async () => {
  const { process: child, says, ended } = await watched();
  child.send('briefly');
  await says('The event loop runs again.');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
