/** The PostgreSQL store: units a second against bare statements, and pages and totals of a million documents against a thousand. */
import { openPostgresStore } from '@blockwork/store-postgres';
import { inTurn, note, number, ratio, report, timePerCall } from './support/measure.mjs';
import { bareUnits, storeUnits } from './support/postgres-units.mjs';
import { fillPolicy, temporaryDatabase } from './support/postgres-database.mjs';

const address = process.env.BLOCKWORK_TEST_POSTGRES;
if (address === undefined) {
  console.log('Skipped: BLOCKWORK_TEST_POSTGRES does not say where a server is.');
  process.exit(0);
}
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const milliseconds = 1000 * Number(process.env.BENCH_SECONDS ?? 3);
const large = Number(process.env.BENCH_DOCUMENTS ?? 1_000_000);
const writers = 32;

const database = await temporaryDatabase(address);
const page = (policy, query, offset) => store.find('document', policy, { ...query, offset, limit: 10 });
const total = (policy, { where }) => store.count('document', policy, where);
const store = await openPostgresStore({ address: database.address });
try {
  await units();
  await pages();
} finally {
  await store.close();
  await database.drop();
}

async function units() {
  const bare = await bareUnits(database.address, writers);
  const result = await inTurn(rounds, {
    one: () => bare.rate(1, milliseconds),
    together: () => bare.rate(writers, milliseconds),
    store: () => storeUnits(store, writers, milliseconds),
  });
  await bare.close();
  const rates = Object.values(result).map((all) => number(Math.max(...all)));
  note(
    `units a second with ${writers} writers: one a statement / ${writers} a statement / the store`,
    rates.join(' / '),
  );
  report('the store / bare statements of one unit', ratio(result.store, result.one), '>= 0.5', (value) => value >= 0.5);
  const against = `the store / bare statements of ${writers} units`;
  report(against, ratio(result.store, result.together), '>= 0.5', (value) => value >= 0.5);
}

async function pages() {
  const began = performance.now();
  await fillPolicy(database, store, { small: 1000, large });
  note(`filling a policy with ${large} documents, in s`, number((performance.now() - began) / 1000));
  await sizes();
  const equal = (path, value) => ({ path, op: 'eq', value });
  const credentials = equal('dataType', 'vc-documents');
  const kind = [credentials, equal('schema', '#reading'), equal('type', 'report')];
  const queries = {
    'newest first': { where: credentials, order: { path: 'createDate', direction: 'desc' } },
    'of a schema and type': { where: { all: kind } },
    'with a status': { where: { all: [...kind, equal('option.status', 'Waiting')] } },
    'without a status': { where: { all: [...kind, { path: 'option.status', op: 'ne', value: 'Waiting' }] } },
  };
  await firstPage(queries['newest first']);
  for (const [name, query] of Object.entries(queries)) {
    await compare(`page of ten and total, ${name}`, (policy) =>
      Promise.all([page(policy, query, 0), total(policy, query)]),
    );
  }
  await ofOwner({ where: { all: [...kind, equal('owner', 'did:example:owner-7')] } });
  const query = queries['of a schema and type'];
  let turn = 0;
  await compare('pages that follow each other', (policy) => page(policy, query, 10 * (turn++ % 20)));
  await store.find('document', 'large', { ...query, offset: large / 2, limit: 10 });
  const far = async () => page('large', query, large / 2 + 10);
  note('page in the middle, where it follows the one before, in ms', number(await timePerCall(far)));
}

/** An owner's documents are not tallied: what their total costs depends on their number, and on nothing else. */
async function ofOwner(query) {
  await compare('page of ten, of an owner', (policy) => page(policy, query, 0));
  const owned = await total('large', query);
  const ms = await timePerCall(() => total('large', query), milliseconds / 6);
  note(`total of an owner's ${owned} documents, in ms`, number(ms));
}

async function sizes() {
  const { rows } = await database.query(
    `select count(*) as n, avg(octet_length(body)) as body, pg_total_relation_size('blockwork.document') as total
     from blockwork.document`,
  );
  const [{ n, body, total }] = rows;
  note(
    'bytes of a document: its JSON / in the database, with its indexes',
    `${number(Number(body))} / ${number(total / n)}`,
  );
}

async function compare(name, ask) {
  const result = await inTurn(rounds, {
    small: () => timePerCall(() => ask('small'), milliseconds / 6),
    large: () => timePerCall(() => ask('large'), milliseconds / 6),
  });
  report(`${name}: ${large} / 1000`, ratio(result.large, result.small), '<= 2', (value) => value <= 2);
  note('in ms', [result.small, result.large].map((times) => number(Math.min(...times))).join(' / '));
}

/** By a store that has just been opened: its connections know nothing yet. */
async function firstPage(query) {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const fresh = await openPostgresStore({ address: database.address });
    const began = performance.now();
    await Promise.all([
      fresh.find('document', 'large', { ...query, limit: 10 }),
      fresh.count('document', 'large', query.where),
    ]);
    times.push(performance.now() - began);
    await fresh.close();
  }
  report(
    `first page and total of ${large} after a start, in ms`,
    ratio(
      times,
      times.map(() => 1),
    ),
    '< 50',
    (ms) => ms < 50,
  );
}
