/** Telemetry: an engine that nobody listens to against one that cannot be listened to, and against those that are watched. */
import { MemoryStore } from '@blockwork/core';
import autocannon from 'autocannon';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inTurn, median, note, number, ratio, report } from './support/measure.mjs';
import { playScenario, realPolicies, scenarioNames } from './support/real-policies.mjs';
import { telemetryListeners } from './support/telemetry-listeners.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 15);
const ms = Number(process.env.BENCH_SECONDS ?? 0.5) * 1000;
const program = fileURLToPath(new URL('support/telemetry-process.mjs', import.meta.url));
const kinds = ['without', 'silent', 'metrics', 'instruments', 'dropped', 'sampled', 'bare', 'spans'];

const [blind, watched, anew] = [fork(program, ['without']), fork(program, []), fork(program, ['anew'])];
const [, [place], [anewPlace]] = await Promise.all([blind, watched, anew].map((child) => once(child, 'message')));

/** Microseconds of processor time for one call. */
const measured = (kind, work) => async () => {
  const child = kind === 'without' ? blind : watched;
  child.send({ work, ms, kind });
  const [micros] = await once(child, 'message');
  return micros;
};

const aims = [
  ['metrics', 'metrics', 1.05],
  ['instruments', 'metrics by instruments of the SDK', 1.25],
  ['dropped', 'metrics and 1 % of the traces (sampleRatio)', 1.05],
  ['sampled', 'metrics and 1 % of the spans', 1.05],
  ['spans', 'metrics and every span', 1.15],
];

async function compare(what, subjects) {
  // Compiles what is hot.
  for (const run of Object.values(subjects)) await run();
  const result = await inTurn(rounds, subjects);
  for (const kind in subjects) note(`${what}: µs, ${kind}`, result[kind].map(number).join(' '));
  const reportRatio = (name, of, to, aim) =>
    report(`${what}: ${name}`, ratio(of, to), `<= ${aim}`, (value) => value <= aim);
  if (result.without) reportRatio('nobody listens / cannot be listened to', result.silent, result.without, 1.01);
  for (const [kind, name, aim] of aims)
    if (result[kind]) reportRatio(`${name} / nobody listens`, result[kind], result.silent, aim);
  const [metrics, bare, spans] = ['metrics', 'bare', 'spans'].map((kind) => median(result[kind]));
  note(`${what}: µs of spans, of which the SDK takes`, `${number(spans - metrics)} ${number(bare - metrics)}`);
  if (!result.alone) return;
  note(`${what}: µs of the same spans by the SDK alone`, number(median(result.alone)));
  const least = result.silent.map((micros, round) => micros + result.alone[round]);
  reportRatio('the same spans by the SDK alone / nobody listens', least, result.silent, 1.15);
}

for (const [work, what] of [
  ['read', 'reading a page over HTTP (fetch handler)'],
  ['send', 'a send to a block, on files'],
])
  await compare(what, {
    ...Object.fromEntries(kinds.map((kind) => [kind, measured(kind, work)])),
    alone: measured('silent', `${work} alone`),
  });

/** Without an engine, whose own time differs by more from round to round than a span takes. */
const listeners = await inTurn(rounds, {
  metrics: measured('metrics', 'listeners'),
  spans: measured('spans', 'listeners'),
  alone: measured('silent', 'listeners alone'),
});
const ofSpans = listeners.spans.map((micros, round) => micros - listeners.metrics[round]);
note(
  'the two spans of a read, µs: by us / by the SDK alone',
  [ofSpans, listeners.alone].map(median).map(number).join(' / '),
);
report('spans, by us / by the SDK alone', ratio(ofSpans, listeners.alone), '<= 2', (value) => value <= 2);

/** What an operator has: a Koa server on a socket, with clients in another process. Microseconds of its processor time for one request. */
const served = (child, kind, request) => async () => {
  child.send({ serve: kind });
  await once(child, 'message');
  const { requests, non2xx } = await autocannon({ ...request, connections: 16, duration: Math.max(1, ms / 1000) });
  child.send({});
  const [micros] = await once(child, 'message');
  if (non2xx > 0) throw new Error(`${non2xx} requests failed.`);
  return micros / requests.total;
};
const readOf = ({ origin, policyId, token }) => ({
  url: `${origin}/api/v1/policies/${policyId}/tag/grid/blocks`,
  headers: { authorization: `Bearer ${token}` },
});
const send = {
  url: `${place.origin}/api/v1/policies/${place.policyId}/tag/pages/blocks`,
  method: 'POST',
  headers: { authorization: `Bearer ${place.registryToken}`, 'content-type': 'application/json' },
  body: JSON.stringify({ itemsPerPage: 10, page: 1 }),
};
for (const [what, child, request] of [
  ['a Koa server, a page that is kept', watched, readOf(place)],
  ['a Koa server, a page worked out anew', anew, readOf(anewPlace)],
  ['a Koa server, a send on files', watched, send],
]) {
  const wanted = ['silent', 'metrics', 'dropped', 'bare', 'spans'];
  await compare(what, Object.fromEntries(wanted.map((kind) => [kind, served(child, kind, request)])));
}
blind.disconnect();
watched.disconnect();
anew.disconnect();

/** What policies do, from choosing a role to minted tokens, in memory. Microseconds of wall time for one send or read. */
const real = realPolicies();
if (real === null)
  console.log('Real policies: skipped, BLOCKWORK_REAL_POLICIES and BLOCKWORK_SCENARIOS are not both set.');
else {
  const names = await scenarioNames(real);
  const played = (kind) => async () => {
    let [spent, actions] = [0, 0];
    const measured = async (_, action) => {
      const began = performance.now();
      try {
        return await action();
      } finally {
        spent += performance.now() - began;
        actions += 1;
      }
    };
    const watch = (engine) => telemetryListeners(engine)[kind]();
    for (const name of names) await playScenario(real, name, { store: new MemoryStore(), measured, watch });
    return (spent * 1000) / actions;
  };
  const wanted = ['silent', 'metrics', 'dropped', 'bare', 'spans'];
  await compare('scenarios of real policies', Object.fromEntries(wanted.map((kind) => [kind, played(kind)])));
}
