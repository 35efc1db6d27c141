/** Requests that another instance asks, approves, carries out and answers: over the memory link and over NATS, against bare JetStream. */
import { connect } from '@nats-io/transport-node';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inTurn, median, note, number, ratio, report } from './support/measure.mjs';
import { barePair, blockworkPair, servers } from './support/pair.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const count = Number(process.env.BENCH_APPROVALS ?? 1000);
/** So many fewer where each waits for the one before. */
const ALONE = 10;
const AT_ONCE = 100;
const folder = await mkdtemp(join(tmpdir(), 'blockwork-approvals-'));

const hasServer = await connect({ servers, timeout: 1000, reconnect: false }).then(
  async (connection) => (await connection.close(), true),
  () => false,
);

/** Conversations a second, and microseconds of processor time for one. */
const rate = (pair, number, atOnce) => async () => {
  const [began, before] = [performance.now(), process.cpuUsage()];
  await pair.run(number, atOnce);
  const { user, system } = process.cpuUsage(before);
  return { rate: number / ((performance.now() - began) / 1000), micros: (user + system) / number };
};
const ratesOf = (atOnce, number) =>
  inTurn(rounds, Object.fromEntries(Object.entries(pairs).map(([name, pair]) => [name, rate(pair, number, atOnce)])));

const pairs = {
  'memory link, memory store': await blockworkPair('memory', 'memory'),
  ...(hasServer && {
    'NATS, memory store': await blockworkPair('nats', 'memory'),
    'NATS, file store': await blockworkPair('nats', folder),
    'bare JetStream': await barePair(),
    'bare JetStream, each signed and verified': await barePair({ isSigned: true }),
    'bare JetStream, signed, each step on disk': await barePair({ isSigned: true, folder }),
  }),
};
for (const pair of Object.values(pairs)) await pair.run(200, AT_ONCE);
const within = (times) => (value) => value <= times;

/** `inFlight`: how many were asked at a time. */
function tell(inFlight, runs) {
  const all = (name, what) => runs[name].map((run) => run[what]);
  for (const name in runs) {
    const [each, micros] = ['rate', 'micros'].map((what) => number(median(all(name, what))));
    note(`${name}, ${inFlight}, a second / µs of processor time`, `${each} / ${micros}`);
  }
  if (!hasServer) return;
  const compare = (name, yardstick) => ratio(all(yardstick, 'rate'), all(name, 'rate'));
  for (const [store, name] of Object.entries({ 'in memory': 'NATS, memory store', 'of files': 'NATS, file store' })) {
    const what = `over NATS, store ${store}, ${inFlight}: times slower`;
    report(what, compare(name, 'bare JetStream'), '<= 3', within(3));
    const least = store === 'in memory' ? 'each signed and verified' : 'signed, each step on disk';
    report(`the same against bare JetStream, ${least}`, compare(name, `bare JetStream, ${least}`), '<= 3', within(3));
  }
}

tell('100 at once', await ratesOf(AT_ONCE, count));
tell('one by one', await ratesOf(1, count / ALONE));
if (!hasServer) console.log(`No NATS server answers at ${servers}: only the memory link was measured.`);
for (const pair of Object.values(pairs)) await pair.close();
await rm(folder, { recursive: true });
