/** A policy that mints with each send against one that only stores, by one client and by 32, on PostgreSQL and on files. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { standardBlocks } from '@blockwork/blocks';
import { createEngine, SeededKeys } from '@blockwork/core';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { openPostgresStore } from '@blockwork/store-postgres';
import pg from 'pg';
import { formPolicy, mints, reading, stores } from './support/form-policy.mjs';
import { inTurn, median, note, number, ratio, report } from './support/measure.mjs';
import { registry } from './support/policy.mjs';
import { temporaryDatabase } from './support/postgres-database.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const milliseconds = 1000 * Number(process.env.BENCH_SECONDS ?? 3);
const CLIENTS = 32;
let statements = 0;
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function counted(...args) {
  statements += 1;
  return query.apply(this, args);
};

async function measure(name, store) {
  const engine = createEngine({ store, blocks: standardBlocks(), keys: new SeededKeys(Buffer.alloc(32, 7)) });
  const users = Array.from({ length: CLIENTS }, (_, at) => ({ did: `did:example:producer-${at}`, role: 'USER' }));
  const load = async (policyId, clients) => {
    const [began, before] = [performance.now(), statements];
    let sends = 0;
    const client = async (user) => {
      while (performance.now() < began + milliseconds) {
        await engine.sendToBlock(user, policyId, { tag: 'form' }, reading);
        sends += 1;
      }
    };
    await Promise.all(users.slice(0, clients).map(client));
    return { rate: sends / ((performance.now() - began) / 1000), statements: (statements - before) / sends };
  };
  const ids = {};
  for (const [kind, outcome] of Object.entries({ stores, mints })) {
    ids[kind] = (await engine.importPolicy(registry, formPolicy(kind, outcome))).policy.id;
    for (const user of users) await engine.sendToBlock(user, ids[kind], { tag: 'role' }, { role: 'Producer' });
    await load(ids[kind], CLIENTS);
  }
  const result = await inTurn(rounds, {
    one: () => load(ids.mints, 1),
    mints: () => load(ids.mints, CLIENTS),
    stores: () => load(ids.stores, CLIENTS),
  });
  await engine.close();
  const of = (kind, read) => result[kind].map(read);
  const inWords = (read) => ['one', 'mints', 'stores'].map((kind) => number(median(of(kind, read)))).join(' / ');
  note(
    `${name}: mints by one client / mints by ${CLIENTS} / stores by ${CLIENTS}, a second`,
    inWords((each) => each.rate),
  );
  if (statements > 0)
    note(
      `${name}: statements a send, in the same order`,
      inWords((each) => each.statements),
    );
  const rates = (kind) => of(kind, (each) => each.rate);
  report(`${name}: minting / storing`, ratio(rates('mints'), rates('stores')), '>= 0.5', (value) => value >= 0.5);
  report(`${name}: ${CLIENTS} clients / one`, ratio(rates('mints'), rates('one')), '>= 1', (value) => value >= 1);
}

const folder = await mkdtemp(join(tmpdir(), 'blockwork-bench-'));
try {
  await measure('files', await openLowdbStore({ folder }));
} finally {
  await rm(folder, { recursive: true });
}
const address = process.env.BLOCKWORK_TEST_POSTGRES;
if (address === undefined) console.log('PostgreSQL skipped: BLOCKWORK_TEST_POSTGRES does not say where a server is.');
else {
  const database = await temporaryDatabase(address);
  try {
    await measure('PostgreSQL', await openPostgresStore({ address: database.address }));
  } finally {
    await database.drop();
  }
}
