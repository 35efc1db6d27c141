/** How many files and functions of the packages one send and one read go through, as V8 counts them. */
import { Session } from 'node:inspector/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { createEngine, MemoryStore } from '@blockwork/core';
import { chainBlocks, chainPolicy } from './support/chain.mjs';
import { note, report } from './support/measure.mjs';
import { addReadings, gridPolicy, registry } from './support/policy.mjs';

/** Enough for everything that is worked out once and kept. */
const CALLS_BEFORE = 50;

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** What ran since it was last asked for: the files of the packages with the number of their functions. */
async function ranSince() {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result.flatMap(({ url, functions }) => {
    const ran = functions.filter(({ ranges }) => ranges[0].count > 0).length;
    return url.includes('/packages/') && ran > 0 ? [{ file: url.replace(/.*\/packages\//, ''), ran }] : [];
  });
}

async function pathOf(call) {
  for (let n = 0; n < CALLS_BEFORE; n += 1) await call();
  // What the calls before left to be done later.
  await turn();
  await ranSince();
  await call();
  return ranSince();
}

const engine = createEngine({ store: new MemoryStore(), blocks: chainBlocks });
const { policy } = await engine.importPolicy(registry, chainPolicy(10, true));
const { policy: grid } = await engine.importPolicy(registry, gridPolicy);
await addReadings(engine, grid.id, 100);
const document = { owner: 'did:example:user', document: { credentialSubject: [{ site: 'Roof', hours: 12.5 }] } };
const paths = {
  'a send through ten blocks': await pathOf(() =>
    engine.sendToBlock(registry, policy.id, { tag: 'block-0' }, document),
  ),
  'a read from the cache': await pathOf(() => engine.readBlockText(registry, grid.id, { tag: 'grid' })),
};
await engine.close();

const most = { 'a send through ten blocks': 70, 'a read from the cache': 14 };
for (const [name, path] of Object.entries(paths)) {
  const files = path.length;
  const only = { median: files, low: files, high: files };
  report(`files of ${name}`, only, `<= ${String(most[name])}`, (count) => count <= most[name]);
  note(`functions of ${name}`, String(path.reduce((sum, { ran }) => sum + ran, 0)));
}
