/** Opening of a large file store: time, processor, the longest stall of the event loop, memory; and the reads that follow. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inTurn, median, note, number, report } from './support/measure.mjs';

const size = Number(process.env.BENCH_RECORDS ?? 1_000_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const fillProcess = fileURLToPath(new URL('support/fill-process.mjs', import.meta.url));
const openingProcess = fileURLToPath(new URL('support/opening-process.mjs', import.meta.url));

/** In processes of their own: the memory of the one that fills the folder slows no opening. */
async function run(program, folder) {
  const child = fork(program, [folder, String(size)], { execArgv: ['--expose-gc'] });
  const ended = once(child, 'exit');
  const [report] = await Promise.race([once(child, 'message'), ended]);
  const [code] = await ended;
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
  return report;
}

const base = await mkdtemp(join(tmpdir(), 'blockwork-opening-'));
try {
  const folder = join(base, 'store');
  await run(fillProcess, folder);
  const { all } = await inTurn(rounds, { all: () => run(openingProcess, folder) });
  const of = (value) => {
    const values = all.map(value);
    return { median: median(values), low: Math.min(...values), high: Math.max(...values) };
  };
  const tell = (name, value) => note(name, number(of(value).median));
  tell('ms of the processor', ({ opening }) => opening.processor);
  tell('longest stall in ms by the clock', ({ opening }) => opening.stall.ms);
  tell('resident bytes a record', ({ bytes }) => bytes);
  tell('resident bytes a record, after the reads', ({ afterReads }) => afterReads);
  tell('us a record read for the first time', ({ first }) => first);
  tell('us a record read again', ({ again }) => again);
  tell('ms of the first page by owner', ({ firstPage }) => firstPage.ms);
  tell('  longest stall in ms of the processor meanwhile', ({ firstPage }) => firstPage.stall.processor);
  tell('ms of the next page', ({ nextPage }) => nextPage.ms);
  const seconds = of(({ opening }) => opening.ms / 1000);
  report(`seconds to open ${size} records`, seconds, '< 5', (value) => value < 5);
  const stall = of(({ opening }) => opening.stall.processor);
  report('longest stall of the event loop in ms of the processor', stall, '<= 20', (value) => value <= 20);
} finally {
  await rm(base, { recursive: true });
}
