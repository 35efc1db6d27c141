/** A database for a benchmark, and policies with many documents in it. */
import pg from 'pg';
import { randomUUID } from 'node:crypto';

export async function temporaryDatabase(server) {
  const name = `blockwork_bench_${randomUUID().replaceAll('-', '')}`;
  const query = async (address, text) => {
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    try {
      return await client.query(text);
    } finally {
      await client.end();
    }
  };
  await query(server, `create database ${name} encoding 'UTF8' template template0`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    address: url.href,
    query: (text) => query(url.href, text),
    drop: () => query(server, `drop database ${name} with (force)`),
  };
}

/** About a kilobyte. */
const document = (at) => ({
  id: `document-${at}`,
  policyId: 'policy',
  dataType: 'vc-documents',
  schema: '#reading',
  type: 'report',
  owner: `did:example:owner-${at % 100}`,
  option: { status: at % 100 === 3 ? 'Waiting' : 'Approved' },
  document: { id: `urn:${at}`, text: 'x'.repeat(600), credentialSubject: [{ id: `subject-${at}`, ref: 'subject' }] },
  hash: `hash-${at}`,
  messageId: `message-${at}`,
  createDate: new Date(1_750_000_000_000 + at * 60_000).toISOString(),
  updateDate: '2026-01-01T00:00:00.000Z',
});

/** Runs the work without the indexes of the table, which are made quicker afterwards than kept meanwhile. */
export async function withoutIndexes(database, table, work) {
  const { rows: indexes } = await database.query(
    `select indexname as name, indexdef as definition from pg_indexes where schemaname = 'blockwork' and tablename = '${table}' and indexname not like '%pkey'`,
  );
  for (const { name } of indexes) await database.query(`drop index blockwork.${name}`);
  await work();
  for (const { definition } of indexes) await database.query(definition);
}

/** The first thousand of each policy through the store; the others as copies of their rows, which is much quicker. */
export async function fillPolicy(database, store, sizes) {
  for (const partition of Object.keys(sizes)) {
    const changes = Array.from({ length: 1000 }, (_, at) => ({
      op: 'put',
      kind: 'document',
      partition,
      value: document(at),
    }));
    await store.commit({ expect: {}, changes });
  }
  const { rows: columns } = await database.query(
    `select column_name as name from information_schema.columns where table_schema = 'blockwork' and table_name = 'document'`,
  );
  const own = ['id', 'place', 'body', 'created', 'hash', 'message_id', 'document_id', 'subject_id'];
  const same = columns.map(({ name }) => name).filter((name) => !own.includes(name));
  await withoutIndexes(database, 'document', async () => {
    for (const [partition, size] of Object.entries(sizes)) {
      await database.query(
        `insert into blockwork.document (${[...own, ...same].join(', ')})
         select id || '-' || n, place + n::bigint * 100000000, replace(body, '"id":"' || id, '"id":"' || id || '-' || n),
          created || decode(lpad(to_hex(n), 8, '0'), 'hex'), ${['hash', 'message_id', 'document_id', 'subject_id'].map((name) => `${name} || '-' || n`)},
          ${same.join(', ')}
         from blockwork.document, generate_series(1, ${Math.floor(size / 1000) - 1}) n where partition = '${partition}'`,
      );
      await database.query(`update blockwork.tally set n = n * ${size / 1000} where partition = '${partition}'`);
    }
  });
  await database.query('vacuum analyze');
}
