/** Live events: subscribers that are cut off at random and resume while units are committed, against the same units without subscribers. */
import { randomBytes } from 'node:crypto';
import { createClient } from '@blockwork/client';
import { createEngine } from '@blockwork/core';
import { createPolicyServer, signDevelopmentToken } from '@blockwork/http-koa';
import { wholeNumbers } from '../support/random-numbers.mjs';
import { chainBlocks, chainPolicy } from './support/chain.mjs';
import { median, note, number, report } from './support/measure.mjs';
import { registry } from './support/policy.mjs';

const units = Number(process.env.BENCH_UNITS ?? 10_000);
const subscribers = Number(process.env.BENCH_SUBSCRIBERS ?? 100);
const seed = Number(process.env.BENCH_SEED ?? Date.now() % 1_000_000);
const document = { owner: 'did:example:user', document: { credentialSubject: [{ site: 'Roof', hours: 12.5 }] } };

async function world() {
  const engine = createEngine({ blocks: chainBlocks });
  const { policy } = await engine.importPolicy(registry, chainPolicy(1, true));
  const send = () => engine.sendToBlock(registry, policy.id, { tag: 'block-0' }, document);
  return { engine, policyId: policy.id, send };
}

/** Milliseconds of all units; `between` is called after every hundredth. */
async function sendAll({ send }, between = () => undefined) {
  const began = performance.now();
  for (let n = 1; n <= units; n += 1) {
    await send();
    if (n % 100 === 0) between();
  }
  return performance.now() - began;
}

/** Follows until it has every unit, cut off after 1 to 1,000 events again and again. Gives what it missed or got out of order. */
async function follow({ engine, policyId }, after, draw) {
  let position = after;
  let expected = Number(after) + 1;
  let faults = 0;
  const last = Number(after) + units;
  while (expected <= last) {
    let left = draw(1000);
    for await (const event of engine.events(registry, { policyId, after: position })) {
      position = event.id;
      if (event.type === 'open') continue;
      if (event.type !== 'unit' || event.revision !== expected) faults += 1;
      expected = Number(event.id) + 1;
      left -= 1;
      if (left === 0 || expected > last) break;
    }
  }
  return faults;
}

const alone = await world();
const without = await sendAll(alone);
await alone.engine.close();

const busy = await world();
// The first unit follows the import; from here on each revision is a unit.
await busy.send();
const opening = busy.engine.events(registry, { policyId: busy.policyId });
const { value: open } = await opening.next();
await opening.return();
const draw = wholeNumbers(seed);
const following = Array.from({ length: subscribers }, () => follow(busy, open.id, wholeNumbers(draw(1_000_000_000))));
let heap = 0;
const withThem = await sendAll(busy, () => (heap = Math.max(heap, process.memoryUsage().heapUsed)));
const faults = (await Promise.all(following)).reduce((sum, each) => sum + each, 0);
note(`units that ${subscribers} subscribers missed, repeated or got out of order (seed ${seed})`, String(faults));
note('most megabytes of heap while they follow', number(heap / 1024 ** 2));
note(`milliseconds of ${units} units: with subscribers / without`, `${number(withThem)} / ${number(without)}`);

/** Milliseconds from the acknowledged commit to its event, 200 times, in order. `next` resolves with the next event. */
async function latencies(next) {
  const milliseconds = [];
  for (let n = 0; n < 200; n += 1) {
    const event = next();
    await busy.send();
    const committed = performance.now();
    await event;
    milliseconds.push(performance.now() - committed);
  }
  return milliseconds.sort((a, b) => a - b);
}
const reportLatency = (where, latencies) =>
  report(
    `milliseconds from a commit to its event, ${where}`,
    { median: median(latencies), low: latencies[0], high: latencies.at(-1) },
    '<= 50',
    (value) => value <= 50,
  );

const live = busy.engine.events(registry, { policyId: busy.policyId });
await live.next();
reportLatency('in process', await latencies(() => live.next()));
await live.return();

const secret = randomBytes(32);
const server = createPolicyServer(busy.engine, { auth: { secret } });
const { url } = await server.listen({ port: 0 });
const client = createClient({ url, token: signDevelopmentToken(secret, registry) });
const streamed = client.policy(busy.policyId).events();
await streamed.next();
reportLatency('over HTTP', await latencies(() => streamed.next()));
await streamed.return();
await server.close();
await busy.engine.close();
