/** How long a developer waits: `npm start`, `npm test` and `npm run check`, in a fresh clone of the last commit. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { note } from './support/measure.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const changed = 'packages/core/src/background/timer-queue.ts';
/** `BENCH_TESTS` takes a part of the tests. */
const tests = process.env.BENCH_TESTS === undefined ? [] : ['--', process.env.BENCH_TESTS];

/** Seconds of processor time of the programs that have ended, where the system says so: other load changes it little. */
function processorSeconds() {
  if (process.platform !== 'linux') return undefined;
  const [user, system] = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ').slice(13, 15);
  return (Number(user) + Number(system)) / 100;
}

/** Starts a program of the clone; `until` ends it once it has printed that. Prints how long it took. */
async function wait(title, clone, args, aim, until) {
  const [began, processor] = [performance.now(), processorSeconds()];
  const child = spawn('npm', args, { cwd: clone, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  let printed = '';
  let printedAfter;
  const read = (chunk) => {
    printed += chunk;
    if (printedAfter !== undefined || until?.test(printed) !== true) return;
    printedAfter = performance.now() - began;
    process.kill(-child.pid, 'SIGTERM');
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const [code] = await closed;
  if (until === undefined ? code !== 0 : printedAfter === undefined) console.log(printed.slice(-2000));
  const took = ((printedAfter ?? performance.now() - began) / 1000).toFixed(1);
  const spent = processor === undefined ? '' : `, ${(processorSeconds() - processor).toFixed(1)} s of processor time`;
  note(title, `${took} s${spent} (aim: ${aim} s on two idle processors)`);
}

const folder = await mkdtemp(join(tmpdir(), 'blockwork-waits-'));
try {
  const clone = join(folder, 'blockwork');
  spawnSync('git', ['clone', '--quiet', root, clone], { stdio: 'inherit' });
  await wait('npm start, to the printed address', clone, ['start', '--', '--port', '0'], 40, /https?:\/\/\S+/);
  await wait('npm test', clone, ['test', ...tests], 180);
  await appendFile(join(clone, changed), '\n// Changed.\n');
  const check = ['run', 'check'];
  await wait('npm run check for one file of core, the first time', clone, check, 'none');
  await appendFile(join(clone, changed), '// Changed again.\n');
  await wait('npm run check for one file of core', clone, check, 20);
} finally {
  await rm(folder, { recursive: true, force: true });
}
