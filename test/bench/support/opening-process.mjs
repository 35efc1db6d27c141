/** A process of its own that opens a store and says what that cost, how long its event loop stood still, and how it reads then. */
import { openLowdbStore } from '@blockwork/store-lowdb';
import { StallWatch } from './stall-watch.mjs';

const [folder, size] = [process.argv[2], Number(process.argv[3])];
const partition = 'policy';

const resident = () => {
  for (let pass = 0; pass < 4; pass += 1) globalThis.gc();
  return process.memoryUsage().rss;
};

async function measured(run) {
  const stalls = new StallWatch();
  const used = process.cpuUsage();
  const began = performance.now();
  const value = await run();
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(used);
  return { value, cost: { ms, processor: (user + system) / 1000, stall: stalls.stop() } };
}

const before = resident();
const opening = await measured(() => openLowdbStore({ folder }));
const store = opening.value;
const bytes = (resident() - before) / size;

const reads = 20_000;
/** In another order than they were inserted. */
const idAt = (at) => `record-${(at * 7919) % size}`;
const readAll = (of) => async () => {
  for (let at = 0; at < reads; at += 1)
    if ((await store.get('document', partition, idAt(of(at)))) === undefined) throw new Error(`no record ${idAt(at)}`);
};
const where = { path: 'owner', op: 'eq', value: 'did:example:owner-1' };
const page = () => store.find('document', partition, { where, limit: 10 });

const microseconds = async (run) => ((await measured(run)).cost.ms * 1000) / reads;
const first = await microseconds(readAll((at) => at));
const again = await microseconds(readAll((at) => at % 1000));
const firstPage = (await measured(page)).cost;
const nextPage = (await measured(page)).cost;
const afterReads = (resident() - before) / size;
process.send({ opening: opening.cost, bytes, first, again, firstPage, nextPage, afterReads });
await store.close();
process.disconnect();
