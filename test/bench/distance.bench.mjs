/** Real policies on a database a millisecond away: what a send and a read take, from choosing a role to tokens minted. */
import { MemoryStore } from '@blockwork/core';
import { openPostgresStore } from '@blockwork/store-postgres';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { median, note, number, ratio, report } from './support/measure.mjs';
import { temporaryDatabase } from './support/postgres-database.mjs';
import { playScenario, realPolicies, scenarioNames } from './support/real-policies.mjs';

const { BLOCKWORK_TEST_POSTGRES: address } = process.env;
const real = realPolicies();
if (!address || real === null) {
  console.log('Skipped: BLOCKWORK_TEST_POSTGRES, BLOCKWORK_REAL_POLICIES and BLOCKWORK_SCENARIOS are not all set.');
  process.exit(0);
}
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
/** Rounds in memory that are not measured. */
const warmUps = 5;
const within = (milliseconds) => (value) => value <= milliseconds;

const database = await temporaryDatabase(address);
const proxy = fork(fileURLToPath(new URL('support/distant-database.mjs', import.meta.url)), [database.address]);
const [port] = await once(proxy, 'message');
const distant = new URL(database.address);
distant.host = `127.0.0.1:${port}`;

let schemas = 0;
const noTimes = () => ({ send: [], read: [] });
const here = [];
const sends = [];
const reads = [];
const trips = [];
try {
  // Compiles what is hot, as in a server that has run for a while.
  for (let round = 0; round < warmUps; round += 1)
    for (const name of await scenarioNames(real)) await play(name, noTimes(), new MemoryStore());
  for (let round = 0; round < rounds; round += 1) {
    const [near, taken] = [noTimes(), noTimes()];
    for (const name of await scenarioNames(real)) {
      await play(name, near, new MemoryStore());
      await play(name, taken, await openPostgresStore({ address: distant.href, schema: `s${(schemas += 1)}` }));
    }
    here.push(near);
    sends.push(median(taken.send));
    reads.push(median(taken.read));
    trips.push(await roundTrip());
    if (round === 0) note('sends / reads of a round', `${taken.send.length} / ${taken.read.length}`);
  }
} finally {
  proxy.disconnect();
  await database.drop();
}
const ones = (values) => values.map(() => 1);
note('an empty question, in ms', number(median(trips)));
for (const kind of ['send', 'read'])
  note(`a ${kind} in memory, median in ms`, number(median(here.flatMap((times) => times[kind]))));
report('a send of a real policy, median in ms', ratio(sends, ones(sends)), '<= 5', within(5));
report('a read of a real policy, median in ms', ratio(reads, ones(reads)), '<= 2.5', within(2.5));

/** Plays a scenario in tables of its own. */
async function play(name, times, store) {
  const measured = async (kind, action) => {
    const began = performance.now();
    try {
      return await action();
    } finally {
      times[kind].push(performance.now() - began);
    }
  };
  await playScenario(real, name, { store, measured });
}

async function roundTrip() {
  const client = new pg.Client({ connectionString: distant.href });
  await client.connect();
  const times = [];
  for (let at = 0; at < 200; at += 1) {
    const began = performance.now();
    await client.query({ name: 'one', text: 'select 1' });
    times.push(performance.now() - began);
  }
  await client.end();
  return median(times);
}
