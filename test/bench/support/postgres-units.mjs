/** One unit of work as the engine commits it: three documents, an entry of the journal, one revision moved; by the store, and by bare statements. */
import { printMigrations } from '@blockwork/store-postgres';
import pg from 'pg';

const text = 'x'.repeat(600);
const document = (id) => ({
  id,
  policyId: 'policy',
  dataType: 'vc-documents',
  schema: '#reading',
  type: 'report',
  owner: 'did:example:owner',
  option: { status: 'Approved' },
  document: { id: `urn:${id}`, text, credentialSubject: [{ id: `subject-${id}` }] },
  createDate: '2026-01-01T00:00:00.000Z',
  updateDate: '2026-01-01T00:00:00.000Z',
});
const entry = (number) => ({
  id: String(number).padStart(12, '0'),
  at: '2026-01-01T00:00:00.000Z',
  cause: {},
  events: [],
});

let runs = 0;

/** Units a second of so many writers, each with a policy of its own. */
async function unitsOfWriters(writers, milliseconds, commit) {
  const run = (runs += 1);
  const began = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const policy = `policy-${run}-${writer}`;
      for (let number = 0; performance.now() - began < milliseconds; number += 1) {
        const documents = [0, 1, 2].map((at) => document(`${number}-${at}`));
        await commit({ policy, number, documents, entry: entry(number) });
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - began) / 1000);
}

export const storeUnits = (store, writers, milliseconds) =>
  unitsOfWriters(writers, milliseconds, ({ policy, number, documents, entry: journal }) => {
    const put = (kind, value) => ({ op: 'put', kind, partition: policy, value });
    const changes = [...documents.map((value) => put('document', value)), put('journal', journal)];
    return store.commit({ expect: { [policy]: number }, changes });
  });

/** What anybody would write for it with `pg`, into the same tables with the same indexes. */
const statement = `with unit as (
  select * from unnest($1::text[], $2::bigint[]) as u(policy, number)),
moved as (
  insert into bare.revision as r (key, number, place) select policy, number + 1, 0 from unit order by policy
  on conflict (key) do update set number = excluded.number where r.number = excluded.number - 1 returning key),
ok as (
  select 1 / (case when (select count(*) from moved) = (select count(*) from unit) then 1 else 0 end) as one),
documents as (
  insert into bare.document (partition, id, place, data_type, schema, type, status, owner, document_id, subject_id, created, unsorted, body)
  select d.* from ok, unnest($3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
   $12::text[], $13::bytea[], $14::boolean[], $15::text[]) as d
  on conflict (partition, id) do update set body = excluded.body returning 1)
insert into bare.record (partition, kind, id, place, o1, unsorted, body)
select j.policy, 'journal', j.id, j.place, j.id::bytea, false, j.body
from ok, unnest($1::text[], $16::text[], $17::bigint[], $18::text[]) as j(policy, id, place, body)`;

export async function bareUnits(address, connections) {
  const pool = new pg.Pool({ connectionString: address, max: connections });
  await pool.query(printMigrations({ schema: 'bare' }));
  /** So many units in one statement; as many connections as there are statements. */
  const rate = (together, milliseconds) => {
    let pending = [];
    const flush = async (units) => {
      const documents = units.flatMap((unit) => unit.documents.map((value, at) => ({ ...unit, value, at })));
      const of = (read) => documents.map(read);
      await pool.query({
        name: 'unit',
        text: statement,
        values: [
          units.map(({ policy }) => policy),
          units.map(({ number }) => number),
          ...[of(({ policy }) => policy), of(({ value }) => value.id), of(({ number, at }) => number * 10 + at)],
          ...['dataType', 'schema', 'type'].map((name) => of(({ value }) => value[name])),
          ...[of(({ value }) => value.option.status), of(({ value }) => value.owner)],
          ...[of(({ value }) => value.document.id), of(({ value }) => value.document.credentialSubject[0].id)],
          ...[
            of(({ value }) => Buffer.from(value.createDate)),
            of(() => false),
            of(({ value }) => JSON.stringify(value)),
          ],
          units.map(({ entry: { id } }) => id),
          units.map(({ number }) => number),
          units.map(({ entry: value }) => JSON.stringify(value)),
        ],
      });
      for (const { resolve } of units) resolve();
    };
    return unitsOfWriters(connections, milliseconds, (unit) => {
      if (together === 1) return flush([{ ...unit, resolve: () => undefined }]);
      return new Promise((resolve, reject) => {
        if (pending.length === 0) {
          setImmediate(() => {
            const units = pending;
            pending = [];
            flush(units).catch(reject);
          });
        }
        pending.push({ ...unit, resolve });
      });
    });
  };
  return { rate, close: () => pool.end() };
}
