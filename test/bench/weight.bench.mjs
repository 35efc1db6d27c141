/** Importing the packages as they are published, against Node that starts and does nothing, and against the modules of the workspace. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages } from '../../scripts/packages/consumer.mjs';
import { pack } from '../../scripts/packages/pack.mjs';
import { embeddedMegabytes, MOST_MEGABYTES } from '../../scripts/packages/weight.mjs';
import { publicPackages } from '../../scripts/packages/workspace.mjs';
import { root } from '../../scripts/run.mjs';
import { inTurn, median, note, number, ratio, report } from './support/measure.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 10);
const aims = { '@blockwork/core': 150, '@blockwork/http-koa': 250 };
const others = ['@blockwork/core/block', '@blockwork/blocks', '@blockwork/client'];

const folder = mkdtempSync(join(tmpdir(), 'blockwork-bench-'));
const published = join(folder, 'published');
const tarballs = await pack(await publicPackages(), folder);
const megabytes = await embeddedMegabytes(join(folder, 'embedded'), tarballs);
await installPackages(published, tarballs);

/** The whole process, from its start to its end: milliseconds that pass, and those of processors. */
const start = (code, cwd) => () => {
  const spent = `${code}; const { user, system } = process.cpuUsage(); console.log((user + system) / 1000);`;
  const began = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', spent], {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return { wall: performance.now() - began, processor: Number(stdout) };
};

const subjects = { bare: start('0', published) };
const entries = [...Object.keys(aims), ...others];
const asModules = (entry) => `${entry}, as modules`;
for (const entry of entries) {
  subjects[entry] = start(`await import('${entry}')`, published);
  subjects[asModules(entry)] = start(`await import('${entry}')`, join(root, 'packages', 'cli'));
}

for (const run of Object.values(subjects)) run();
const results = await inTurn(rounds, subjects);
rmSync(folder, { recursive: true });

const times = (name, kind) => results[name].map((each) => each[kind]);
report(
  'core and blocks, installed, in MB',
  spread([megabytes]),
  `<= ${MOST_MEGABYTES}`,
  (size) => size <= MOST_MEGABYTES,
);
for (const name of Object.keys(results)) {
  const [wall, processor] = ['wall', 'processor'].map((kind) => number(median(times(name, kind))));
  note(`milliseconds, and of processors: ${name}`, `${wall}, ${processor}`);
}
for (const [entry, most] of Object.entries(aims)) {
  report(
    `${entry}, milliseconds of processors`,
    spread(times(entry, 'processor')),
    `<= ${most}`,
    (time) => time <= most,
  );
}
for (const entry of entries) {
  const { median: middle, low, high } = ratio(times(entry, 'processor'), times('bare', 'processor'));
  note(`${entry} / bare node`, `${number(middle)} [${number(low)} .. ${number(high)}]`);
  const modules = ratio(times(entry, 'processor'), times(asModules(entry), 'processor'));
  note(
    `${entry} / the same as modules`,
    `${number(modules.median)} [${number(modules.low)} .. ${number(modules.high)}]`,
  );
}

function spread(values) {
  return { median: median(values), low: Math.min(...values), high: Math.max(...values) };
}
