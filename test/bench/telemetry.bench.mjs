/** Telemetry: an engine that nobody listens to against one that cannot be listened to, and against those that are watched. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inTurn, note, number, ratio, report } from './support/measure.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 15);
const ms = Number(process.env.BENCH_SECONDS ?? 0.5) * 1000;
const program = fileURLToPath(new URL('support/telemetry-process.mjs', import.meta.url));
const kinds = ['without', 'silent', 'metrics', 'instruments', 'dropped', 'sampled', 'spans'];

const [blind, watched] = [fork(program, ['without']), fork(program, [])];
await Promise.all([once(blind, 'message'), once(watched, 'message')]);

/** Microseconds of processor time for one call. */
const measured = (kind, work) => async () => {
  const child = kind === 'without' ? blind : watched;
  child.send({ work, ms, kind });
  const [micros] = await once(child, 'message');
  return micros;
};

for (const [work, what] of [
  ['read', 'reading a page over HTTP (fetch handler)'],
  ['send', 'a send to a block, on files'],
]) {
  const subjects = Object.fromEntries(kinds.map((kind) => [kind, measured(kind, work)]));
  // Compiles what is hot.
  for (const run of Object.values(subjects)) await run();
  const result = await inTurn(rounds, subjects);
  for (const kind of kinds) note(`${what}: µs, ${kind}`, result[kind].map(number).join(' '));
  report(
    `${what}: nobody listens / cannot be listened to`,
    ratio(result.silent, result.without),
    '<= 1.01',
    (value) => value <= 1.01,
  );
  report(
    `${what}: metrics / nobody listens`,
    ratio(result.metrics, result.silent),
    '<= 1.05',
    (value) => value <= 1.05,
  );
  report(
    `${what}: metrics by instruments of the SDK / nobody listens`,
    ratio(result.instruments, result.silent),
    '<= 1.25',
    (value) => value <= 1.25,
  );
  report(
    `${what}: metrics and 1 % of the traces (sampleRatio) / nobody listens`,
    ratio(result.dropped, result.silent),
    '<= 1.05',
    (value) => value <= 1.05,
  );
  report(
    `${what}: metrics and 1 % of the spans / nobody listens`,
    ratio(result.sampled, result.silent),
    '<= 1.05',
    (value) => value <= 1.05,
  );
  report(
    `${what}: metrics and every span / nobody listens`,
    ratio(result.spans, result.silent),
    '<= 1.05',
    (value) => value <= 1.05,
  );
}
blind.disconnect();
watched.disconnect();
