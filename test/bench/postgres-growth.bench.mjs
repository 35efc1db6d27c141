/** What a send costs as its policy grows: the node, the database, and the statements between them, by one client and by 32. */
import { standardBlocks } from '@blockwork/blocks';
import { createEngine, SeededKeys } from '@blockwork/core';
import { openPostgresStore } from '@blockwork/store-postgres';
import pg from 'pg';
import { BackendTime } from './support/backend-time.mjs';
import { formPolicy, mints, reading, stores } from './support/form-policy.mjs';
import { bareInserts, growPolicy } from './support/grown-policy.mjs';
import { inTurn, median, note, number, ratio, report } from './support/measure.mjs';
import { registry } from './support/policy.mjs';
import { temporaryDatabase } from './support/postgres-database.mjs';

const address = process.env.BLOCKWORK_TEST_POSTGRES;
if (address === undefined) {
  console.log('Skipped: BLOCKWORK_TEST_POSTGRES does not say where a server is.');
  process.exit(0);
}
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const SENDS = Number(process.env.BENCH_SENDS ?? 1000);
const LARGEST = Number(process.env.BENCH_DOCUMENTS ?? 1_000_000);
const SIZES = [100, 10_000, LARGEST];
/** Documents that are sent, and then copied. */
const SENT = 100;
const CLIENTS = 32;
const outcomes = { stores, mints };
const users = Array.from({ length: CLIENTS }, (_, at) => ({ did: `did:example:producer-${at}`, role: 'USER' }));
/** Statements by database. */
const statements = new Map();
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function counted(...args) {
  statements.set(this.database, (statements.get(this.database) ?? 0) + 1);
  return query.apply(this, args);
};

/** A database of its own, with one policy of this many documents. */
async function grown(documents, outcome) {
  const database = await temporaryDatabase(address);
  const open = async () =>
    createEngine({
      store: await openPostgresStore({ address: database.address }),
      blocks: standardBlocks(),
      keys: new SeededKeys(Buffer.alloc(32, 7)),
    });
  const first = await open();
  const policyId = (await first.importPolicy(registry, formPolicy('Grown', outcome))).policy.id;
  for (const user of users) await first.sendToBlock(user, policyId, { tag: 'role' }, { role: 'Producer' });
  for (let at = 0; at < SENT; at += 1) await first.sendToBlock(users[at % CLIENTS], policyId, { tag: 'form' }, reading);
  await first.close();
  await growPolicy(database, policyId, documents / SENT);
  const engine = await open();
  const subject = { database, engine, policyId, time: new BackendTime(database) };
  // It knows the policy, and the database has its plans.
  await send(subject, CLIENTS, SENDS / 2);
  return subject;
}

async function send({ engine, policyId }, clients, sends) {
  let left = sends;
  const client = async (user) => {
    while (left-- > 0) await engine.sendToBlock(user, policyId, { tag: 'form' }, reading);
  };
  await Promise.all(users.slice(0, clients).map(client));
}

/** Rows that statements were given by tables and indexes. */
const rowsRead = async ({ database }) => {
  const { rows } = await database.query(
    'select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) as n from pg_stat_user_tables',
  );
  return Number(rows[0].n);
};

/** Each for one send. */
async function cost(subject, clients) {
  const name = new URL(subject.database.address).pathname.slice(1);
  const rows = await rowsRead(subject);
  const [database, node, sent] = [await subject.time.read(), process.cpuUsage(), statements.get(name)];
  await send(subject, clients, SENDS);
  const { user, system } = process.cpuUsage(node);
  const asked = statements.get(name) - sent;
  return {
    node: (user + system) / SENDS,
    database: ((await subject.time.read()) - database) / SENDS,
    statements: asked / SENDS,
    rows: ((await rowsRead(subject)) - rows) / SENDS,
  };
}

/** Microseconds of the database for one document that is only inserted, into the same table with the same indexes. */
async function bareCost({ time, bare }) {
  // More than sends, since the time that the system tells has steps of 10 ms.
  const inserts = 4 * SENDS;
  const before = await time.read();
  await bare.run(inserts);
  return ((await time.read()) - before) / inserts;
}

async function compareBare(subjects) {
  for (const subject of subjects) {
    subject.bare = await bareInserts(subject.database, subject.policyId);
    await bareCost(subject);
  }
  const runs = SIZES.map((size, at) => [size, () => bareCost(subjects[at])]);
  const results = await inTurn(rounds, Object.fromEntries(runs));
  for (const { bare } of subjects) await bare.close();
  note('µs database for a bare insert', SIZES.map((size) => number(median(results[size]))).join(' / '));
  const { median: middle, low, high } = ratio(results[LARGEST], results[SIZES[0]]);
  const spread = `[${number(low)} .. ${number(high)}]`;
  note(`bare inserts: database, ${LARGEST} / ${SIZES[0]} documents`, `${number(middle)} ${spread}`);
}

for (const [name, outcome] of Object.entries(outcomes)) {
  const subjects = [];
  try {
    for (const size of SIZES) subjects.push(await grown(size, outcome));
    for (const clients of [1, CLIENTS]) {
      const runs = SIZES.map((size, at) => [size, () => cost(subjects[at], clients)]);
      const results = await inTurn(rounds, Object.fromEntries(runs));
      const of = (size, read) => results[size].map(read);
      const middle = (size, read) => number(median(of(size, read)));
      const who = `${name}, ${clients === 1 ? 'one client' : `${clients} clients`}`;
      for (const size of SIZES) {
        const all = ['node', 'database', 'statements', 'rows'].map((each) => middle(size, (cost) => cost[each]));
        note(`${who}, ${size} documents: µs node / µs database / statements / rows a send`, all.join(' / '));
      }
      for (const part of ['node', 'database']) {
        const both = ratio(
          of(LARGEST, (each) => each[part]),
          of(SIZES[0], (each) => each[part]),
        );
        report(`${who}: ${part}, ${LARGEST} / ${SIZES[0]} documents`, both, '<= 1.2', (value) => value <= 1.2);
      }
      const most = clients === 1 ? 1.5 : 0.2;
      const each = of(LARGEST, (cost) => cost.statements);
      const ones = each.map(() => 1);
      report(`${who}: statements a send, ${LARGEST}`, ratio(each, ones), `<= ${most}`, (value) => value <= most);
    }
    if (outcome === stores) await compareBare(subjects);
  } finally {
    for (const { engine } of subjects) await engine.close();
    for (const { database } of subjects) await database.drop();
  }
}
