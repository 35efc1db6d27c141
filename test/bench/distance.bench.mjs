/** Real policies on a database a millisecond away: what a send and a read take, from choosing a role to tokens minted. */
import { MemoryStore } from '@blockwork/core';
import { openPostgresStore } from '@blockwork/store-postgres';
import { inProcess, openScenarioWorld, runScenario } from '@blockwork/testing';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { median, note, number, ratio, report } from './support/measure.mjs';
import { temporaryDatabase } from './support/postgres-database.mjs';

const {
  BLOCKWORK_TEST_POSTGRES: given,
  BLOCKWORK_REAL_POLICIES: policies,
  BLOCKWORK_SCENARIOS: scenarios,
} = process.env;
if ([given, policies, scenarios].includes(undefined)) {
  console.log('Skipped: BLOCKWORK_TEST_POSTGRES, BLOCKWORK_REAL_POLICIES and BLOCKWORK_SCENARIOS are not all set.');
  process.exit(0);
}
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const within = (milliseconds) => (value) => value <= milliseconds;

const database = await temporaryDatabase(given);
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
  for (let round = 0; round < rounds; round += 1) {
    const [near, taken] = [noTimes(), noTimes()];
    for (const name of await names()) {
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
  note(`a ${kind} in memory, median in ms`, number(median(here.flatMap((taken) => taken[kind]))));
report('a send of a real policy, median in ms', ratio(sends, ones(sends)), '<= 5', within(5));
report('a read of a real policy, median in ms', ratio(reads, ones(reads)), '<= 2.5', within(2.5));

async function names() {
  const files = await readdir(scenarios);
  const scripts = files.filter((file) => file.endsWith('.json') && !file.startsWith('edge-') && file !== 'index.json');
  return scripts.map((file) => file.slice(0, -'.json'.length));
}

/** A scenario in tables of its own; what it takes to look at the end is not counted. */
async function play(name, taken, store) {
  const [policy, script] = await Promise.all([
    readFile(join(policies, `${name}.policy`)),
    readFile(join(scenarios, `${name}.json`), 'utf8'),
  ]);
  const timed =
    (kind, action) =>
    async (...args) => {
      const began = performance.now();
      try {
        return await action(...args);
      } finally {
        taken[kind].push(performance.now() - began);
      }
    };
  const world = await openScenarioWorld(new Uint8Array(policy), { store, access: (bench) => measured(bench, timed) });
  const { failures } = await runScenario(JSON.parse(script), world);
  await world.close();
  if (failures.length > 0) throw new Error(`The scenario ${name} fails: ${JSON.stringify(failures[0])}`);
}

async function measured(bench, timed) {
  const { read, send, external } = inProcess(bench);
  return { read: timed('read', read), send: timed('send', send), external };
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
