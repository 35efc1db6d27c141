/** A policy that has grown: what its first sends have stored, many times over, as copies of the rows. */
import pg from 'pg';
import { withoutIndexes } from './postgres-database.mjs';

/** Each row is written so many times more. `changed`: SQL of the columns that differ; the others are copied. */
async function multiply(database, { table, where, times, changed }) {
  await database.query(`${await copySql(database, table, changed)}, generate_series(1, ${times}) n where ${where}`);
}

/** The beginning of a statement that copies rows `r`. */
async function copySql(database, table, changed) {
  const { rows: columns } = await database.query(
    `select column_name as name from information_schema.columns where table_schema = 'blockwork' and table_name = '${table}'`,
  );
  const names = columns.map(({ name }) => name);
  const values = names.map((name) => changed[name] ?? `r.${name}`);
  return `insert into blockwork.${table} (${names.join(', ')}) select ${values.join(', ')} from blockwork.${table} r`;
}

/** A text that differs in each copy; it keeps its length, as in the JSON around it. */
const different = (column) => `left(r.${column}, -7) || lpad(to_hex(n), 7, '0')`;
const body = `replace(r.body, r.id, ${different('id')})`;
const place = 'r.place + n::bigint * 100000000000';

/** Ids of messages are moments in seconds: those of copies are earlier. */
const earlier = `lpad((left(r.id, 10)::bigint - n * 100000)::text, 10, '0') || substr(r.id, 11)`;
/** As the store encodes it, see its sort keys. */
const sortKey = (text) =>
  `decode('30' || regexp_replace(encode(convert_to(${text}, 'UTF8'), 'hex'), '(..)', '00\\1', 'g'), 'hex')`;

const documentKeys = ['id', 'hash', 'message_id', 'document_id', 'subject_id', 'subject_ref'];

/**
 * A function that copies one document of the policy `count` times, `ROWS_AT_ONCE` in a statement, by a connection that is
 * not the database's own: what the database does at least for as many sends.
 */
export async function bareInserts(database, policyId) {
  const client = new pg.Client(database.address);
  await client.connect();
  const random = (column) => `left(r.${column}, -32) || replace(gen_random_uuid()::text, '-', '')`;
  const changed = Object.fromEntries(documentKeys.map((name) => [name, random(name)]));
  const one = `(select * from blockwork.document where partition like '${policyId}%' limit 1)`;
  const copied = (
    await copySql(database, 'document', { ...changed, place: 'r.place + $1::bigint * 1000 + n' })
  ).replace('from blockwork.document r', `from ${one} r`);
  const text = `${copied}, generate_series(1, ${ROWS_AT_ONCE}) n`;
  let statements = 0;
  return {
    run: async (count) => {
      for (let left = count; left > 0; left -= ROWS_AT_ONCE) {
        await client.query({ name: 'copy', text, values: [(statements += 1)] });
      }
    },
    close: () => client.end(),
  };
}

const ROWS_AT_ONCE = 16;

/** `policyId`: the key of its partition. Its documents, the messages about them and what was minted become `times` as many. */
export async function growPolicy(database, policyId, times) {
  const copies = { times: times - 1, where: `partition like '${policyId}%'` };
  await withoutIndexes(database, 'document', () =>
    multiply(database, {
      ...copies,
      table: 'document',
      changed: { ...Object.fromEntries(documentKeys.map((name) => [name, different(name)])), body, place },
    }),
  );
  await database.query(`update blockwork.tally set n = n * ${times} where partition like '${policyId}%'`);
  await withoutIndexes(database, 'record', async () => {
    const ofKind = (kind, changed) =>
      multiply(database, { ...copies, table: 'record', where: `${copies.where} and kind = '${kind}'`, changed });
    await ofKind('block-entry', { id: different('id'), body, place });
    const copied = `replace(r.body, r.id, ${earlier})`;
    await ofKind('ledger-message', { id: earlier, k1: different('k1'), o1: sortKey(earlier), body: copied, place });
  });
  await database.query('vacuum analyze');
}
