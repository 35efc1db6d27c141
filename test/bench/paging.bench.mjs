/** One page of ten, in process: at a thousand documents and at a million, at the beginning and at the end. */
import { createEngine } from '@blockwork/core';
import { inTurn, note, number, ratio, report, timePerCall } from './support/measure.mjs';
import { addReadings, gridPolicy, registry } from './support/policy.mjs';

const large = Number(process.env.BENCH_DOCUMENTS ?? 1_000_000);

async function open(count) {
  const engine = createEngine();
  const { policy } = await engine.importPolicy(registry, gridPolicy);
  await addReadings(engine, policy.id, count);
  const page = (at) => engine.readBlock(registry, policy.id, { tag: 'grid' }, { page: String(at), itemsPerPage: '10' });
  const began = performance.now();
  const { totalCount } = await page(0);
  if (totalCount !== count) throw new Error(`The grid shows ${totalCount} documents, not ${count}.`);
  note(`the very first page of ${count} documents, in ms`, number(performance.now() - began));
  return page;
}

const small = await open(1000);
const big = await open(large);
const last = (count) => count / 10 - 1;
for (const page of [small, big]) await timePerCall(() => page(0), 1000);

const result = await inTurn(5, {
  smallFirst: () => timePerCall(() => small(0)),
  bigFirst: () => timePerCall(() => big(0)),
  smallLast: () => timePerCall(() => small(last(1000))),
  bigLast: () => timePerCall(() => big(last(large))),
});
note(
  'one page, in ms: first of 1,000 / first of all / last of all',
  [result.smallFirst, result.bigFirst, result.bigLast].map((times) => number(Math.min(...times))).join(' / '),
);
report(
  `first page of ${large} documents / of 1,000`,
  ratio(result.bigFirst, result.smallFirst),
  '<= 2',
  (value) => value <= 2,
);
report(
  `last page of ${large} documents / of 1,000`,
  ratio(result.bigLast, result.smallLast),
  '<= 2',
  (value) => value <= 2,
);
report(
  `last page of ${large} documents / first of them`,
  ratio(result.bigLast, result.bigFirst),
  '<= 1.2',
  (value) => value <= 1.2,
);
report(`a page of ${large} documents, in ms`, ratio(result.bigLast, [1, 1, 1, 1, 1]), '< 1', (value) => value < 1);
