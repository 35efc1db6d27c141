/** What a send costs the database: processor time of its backends and bytes of its log, for sends to one policy and spread over sixteen. */
import { standardBlocks } from '@blockwork/blocks';
import { createEngine, SeededKeys } from '@blockwork/core';
import { openPostgresStore } from '@blockwork/store-postgres';
import { BackendTime } from './support/backend-time.mjs';
import { formPolicy, mints, reading, stores } from './support/form-policy.mjs';
import { inTurn, median, note, number, ratio, report } from './support/measure.mjs';
import { registry } from './support/policy.mjs';
import { temporaryDatabase } from './support/postgres-database.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const SENDS = Number(process.env.BENCH_SENDS ?? 3000);
const CLIENTS = 32;
const POLICIES = 16;
const logPosition = async (database) =>
  Number((await database.query(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as at`)).rows[0].at);

const given = process.env.BLOCKWORK_TEST_POSTGRES;
if (given === undefined) console.log('Skipped: BLOCKWORK_TEST_POSTGRES does not say where a server is.');
else {
  const database = await temporaryDatabase(given);
  try {
    await measure(database);
  } finally {
    await database.drop();
  }
}

async function measure(database) {
  const time = new BackendTime(database);
  const store = await openPostgresStore({ address: database.address });
  const engine = createEngine({ store, blocks: standardBlocks(), keys: new SeededKeys(Buffer.alloc(32, 7)) });
  const users = Array.from({ length: CLIENTS }, (_, at) => ({ did: `did:example:producer-${at}`, role: 'USER' }));
  const publish = async (name, outcome) => {
    const { policy } = await engine.importPolicy(registry, formPolicy(name, outcome));
    for (const user of users) await engine.sendToBlock(user, policy.id, { tag: 'role' }, { role: 'Producer' });
    return policy.id;
  };
  const load = async (policyIds) => {
    const [database0, log0, own0] = [await time.read(), await logPosition(database), process.cpuUsage()];
    let next = 0;
    const client = async (user) => {
      while (next < SENDS) {
        const policyId = policyIds[next % policyIds.length];
        next += 1;
        await engine.sendToBlock(user, policyId, { tag: 'form' }, reading);
      }
    };
    // The pool closes connections that are idle.
    const watch = setInterval(() => void time.read(), 500);
    await Promise.all(users.map(client));
    clearInterval(watch);
    const { user, system } = process.cpuUsage(own0);
    return {
      database: ((await time.read()) - database0) / SENDS,
      node: (user + system) / SENDS,
      log: ((await logPosition(database)) - log0) / SENDS,
    };
  };
  const storing = [];
  for (let at = 0; at < POLICIES; at += 1) storing.push(await publish(`stores ${at}`, stores));
  const minting = [await publish('mints', mints)];
  await load(storing);
  const results = await inTurn(rounds, {
    one: () => load(storing.slice(0, 1)),
    many: () => load(storing),
    mints: () => load(minting),
  });
  await engine.close();
  const names = { one: 'storing, one policy', many: `storing, ${POLICIES} policies`, mints: 'minting, one policy' };
  for (const [kind, name] of Object.entries(names)) {
    const of = (read) => number(median(results[kind].map(read)));
    note(
      `${name}: µs of the database / of the node / bytes of log a send`,
      `${of((each) => each.database)} / ${of((each) => each.node)} / ${of((each) => each.log)}`,
    );
  }
  const cost = (kind) => results[kind].map((each) => each.database);
  const nodes = (kind) => results[kind].map((each) => each.node);
  report('the database / the node, processor time', ratio(cost('one'), nodes('one')), '<= 1', (value) => value <= 1);
  report(`${POLICIES} policies / one`, ratio(cost('many'), cost('one')), '<= 4', (value) => value <= 4);
}
