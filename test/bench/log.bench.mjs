/** The log of a journal: a send that signs and stores a document, with and without the leaf of its entry in the same commit. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { standardBlocks } from '@blockwork/blocks';
import { createEngine, MemoryStore, SeededKeys, serviceIds } from '@blockwork/core';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { openPostgresStore } from '@blockwork/store-postgres';
import { formPolicy, reading, stores } from './support/form-policy.mjs';
import { inTurn, note, number, ratio, report } from './support/measure.mjs';
import { registry } from './support/policy.mjs';
import { temporaryDatabase } from './support/postgres-database.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 15);
const milliseconds = 1000 * Number(process.env.BENCH_SECONDS ?? 1);
const CLIENTS = 32;

const policy = formPolicy('Readings', stores);

/** Units of work are only carried out, and not completed. */
const withoutLog = (container) => {
  const parts = ['store', 'limits', 'source', 'clock', 'timers', 'commitListeners', 'recordCaches'];
  container.rebind(serviceIds.executor).toDynamicValue((context) => {
    const [store, limits, source, clock, timers, commits, caches] = parts.map((name) => context.get(serviceIds[name]));
    return new serviceIds.executor({ store, limits, source, commits, caches, batchTimes: { clock, timers } });
  });
};

/** Processor time of this process for one send, in microseconds, and sends a second. */
async function sender(store, configure) {
  const keys = new SeededKeys(Buffer.alloc(32, 7));
  const engine = createEngine({ store, blocks: standardBlocks(), keys, ...(configure && { configure }) });
  const { id } = (await engine.importPolicy(registry, policy)).policy;
  const users = Array.from({ length: CLIENTS }, (_, at) => ({ did: `did:example:producer-${at}`, role: 'USER' }));
  for (const user of users) await engine.sendToBlock(user, id, { tag: 'role' }, { role: 'Producer' });
  const run = async () => {
    const [began, before] = [performance.now(), process.cpuUsage()];
    let sends = 0;
    const client = async (user) => {
      while (performance.now() < began + milliseconds) {
        await engine.sendToBlock(user, id, { tag: 'form' }, reading);
        sends += 1;
      }
    };
    await Promise.all(users.map(client));
    const { user, system } = process.cpuUsage(before);
    return { cpu: (user + system) / sends, rate: sends / ((performance.now() - began) / 1000) };
  };
  return { run, close: () => engine.close() };
}

async function compare(name, open) {
  const [without, logged] = [await sender(await open('without'), withoutLog), await sender(await open('logged'))];
  // Compiles what is hot.
  for (const { run } of [without, logged]) await run();
  const result = await inTurn(rounds, { without: without.run, logged: logged.run });
  await without.close();
  await logged.close();
  for (const kind of ['without', 'logged']) {
    note(`${name}: µs of processor time for a send, ${kind}`, result[kind].map(({ cpu }) => number(cpu)).join(' '));
  }
  const of = (kind, read) => result[kind].map(read);
  const cpu = ({ cpu: micros }) => micros;
  const time = ({ rate }) => 1 / rate;
  report(
    `${name}: with a log / without, processor time`,
    ratio(of('logged', cpu), of('without', cpu)),
    '<= 1.05',
    atMost,
  );
  report(`${name}: with a log / without, time`, ratio(of('logged', time), of('without', time)), '<= 1.05', atMost);
}

const atMost = (value) => value <= 1.05;

await compare('memory', () => new MemoryStore());
const folder = await mkdtemp(join(tmpdir(), 'blockwork-bench-'));
try {
  await compare('files', (name) => openLowdbStore({ folder: join(folder, name) }));
} finally {
  await rm(folder, { recursive: true });
}
const given = process.env.BLOCKWORK_TEST_POSTGRES;
if (given === undefined) console.log('PostgreSQL skipped: BLOCKWORK_TEST_POSTGRES does not say where a server is.');
else {
  const databases = [];
  try {
    await compare('PostgreSQL', async () => {
      databases.push(await temporaryDatabase(given));
      return openPostgresStore({ address: databases.at(-1).address });
    });
  } finally {
    for (const database of databases) await database.drop();
  }
}
