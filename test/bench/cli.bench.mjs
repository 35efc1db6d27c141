/** The start of the command line, and of commands with what they load, against Node that starts and does nothing, and against the same unbundled. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inTurn, median, note, number, ratio, report } from './support/measure.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 15);
const program = fileURLToPath(new URL('../../packages/cli/bin/blockwork.js', import.meta.url));
const modules = new URL('../../packages/cli/dist/index.js', import.meta.url);

/** Milliseconds from the start of the process to its end. */
const start =
  (...args) =>
  () => {
    const began = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return performance.now() - began;
  };

const folder = mkdtempSync(join(tmpdir(), 'blockwork-bench-'));
start(program, 'new', join(folder, 'sunlight'))();
const policy = join(folder, 'sunlight', 'sunlight.policy.json');
const unbundled = join(folder, 'unbundled.mjs');
writeFileSync(unbundled, `import { main } from '${modules.href}';\nawait main();\n`);

const starts = [['--help'], ['--version'], ['token', '--help'], ['completion', 'bash']];
const works = [
  ['openapi'],
  ['validate', policy],
  ['graph', policy],
  ['explain', policy, 'root', '--as', 'owner'],
  ['diff', policy, policy],
];
const nameOf = ([first, second]) => `blockwork ${first}${second?.startsWith('--') === true ? ` ${second}` : ''}`;
const subjects = { bare: start('-e', '0') };
for (const args of [...starts, ...works]) subjects[nameOf(args)] = start(program, ...args);
const asModules = (args) => `${nameOf(args)}, as modules`;
for (const args of works) subjects[asModules(args)] = start(unbundled, ...args);

for (const run of Object.values(subjects)) run();
const result = await inTurn(rounds, subjects);
rmSync(folder, { recursive: true });
for (const [name, times] of Object.entries(result)) note(`milliseconds: ${name}`, number(median(times)));
// Bare Node starts in about 50 ms on a machine at rest, on which 150 ms are the aim.
for (const name of starts.map(nameOf)) {
  report(`${name} / bare node`, ratio(result[name], result.bare), '<= 3', (value) => value <= 3);
}
// What these load is their work: a prepared document, or the block types and, to check the formula of the template, a parser.
for (const name of works.map(nameOf)) {
  const { median: middle, low, high } = ratio(result[name], result.bare);
  note(`${name} / bare node`, `${number(middle)} [${number(low)} .. ${number(high)}]`);
}
for (const args of works) {
  const { median: middle, low, high } = ratio(result[nameOf(args)], result[asModules(args)]);
  note(`${nameOf(args)} / the same as modules`, `${number(middle)} [${number(low)} .. ${number(high)}]`);
}
