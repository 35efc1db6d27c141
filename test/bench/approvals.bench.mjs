/** Requests that another instance asks, approves, carries out and answers: over the memory link and over NATS, against bare JetStream. */
import { connect } from '@nats-io/transport-node';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inTurn, note, number, ratio, report } from './support/measure.mjs';
import { barePair, blockworkPair, servers } from './support/pair.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const count = Number(process.env.BENCH_APPROVALS ?? 1000);
const AT_ONCE = 100;
const folder = await mkdtemp(join(tmpdir(), 'blockwork-approvals-'));

const hasServer = await connect({ servers, timeout: 1000, reconnect: false }).then(
  async (connection) => (await connection.close(), true),
  () => false,
);

/** Conversations a second. */
const rate = (pair) => async () => {
  const began = performance.now();
  await pair.run(count, AT_ONCE);
  return count / ((performance.now() - began) / 1000);
};

const pairs = {
  'memory link, memory store': await blockworkPair('memory', 'memory'),
  ...(hasServer && {
    'NATS, memory store': await blockworkPair('nats', 'memory'),
    'NATS, file store': await blockworkPair('nats', folder),
    'bare JetStream': await barePair(),
  }),
};
for (const pair of Object.values(pairs)) await pair.run(200, AT_ONCE);
const rates = await inTurn(rounds, Object.fromEntries(Object.entries(pairs).map(([name, pair]) => [name, rate(pair)])));

for (const [name, values] of Object.entries(rates)) {
  const sorted = [...values].sort((a, b) => a - b);
  note(`${name}, a second`, number(sorted[Math.floor(sorted.length / 2)]));
}
if (hasServer) {
  const bare = rates['bare JetStream'];
  const slower = (name) => ratio(bare, rates[name]);
  const within = (times) => (value) => value <= times;
  report('approvals over NATS, store in memory: times slower', slower('NATS, memory store'), '<= 3', within(3));
  report('approvals over NATS, store of files: times slower', slower('NATS, file store'), '<= 3', within(3));
} else {
  console.log(`No NATS server answers at ${servers}: only the memory link was measured.`);
}
for (const pair of Object.values(pairs)) await pair.close();
await rm(folder, { recursive: true });
