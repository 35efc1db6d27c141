/** The start of the command line, against Node that starts and does nothing. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inTurn, median, note, number, ratio, report } from './support/measure.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 15);
const program = fileURLToPath(new URL('../../packages/cli/bin/blockwork.js', import.meta.url));

/** Milliseconds from the start of the process to its end. */
const start =
  (...args) =>
  () => {
    const began = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return performance.now() - began;
  };
const subjects = { bare: start('-e', '0'), help: start(program, '--help'), token: start(program, 'token', '--help') };
for (const run of Object.values(subjects)) run();
const result = await inTurn(rounds, subjects);
const middles = Object.values(result).map((times) => number(median(times)));
note('milliseconds: bare node / blockwork --help / blockwork token --help', middles.join(' / '));
// Bare Node starts in about 50 ms on a machine at rest, on which 150 ms are the aim.
report('blockwork --help / bare node', ratio(result.help, result.bare), '<= 3', (value) => value <= 3);
report('blockwork token --help / bare node', ratio(result.token, result.bare), '<= 3', (value) => value <= 3);
