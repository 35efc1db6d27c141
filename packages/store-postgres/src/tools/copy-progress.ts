/**
 * Tracks the progress of a copy into a schema, in a table that exists until the copy is finished and keeps nodes from
 * starting.
 */
import { BlockworkError } from '@blockwork/core';
import type { ClientBase } from 'pg';
import { placeOf, type ServerAddress } from '../connection/address.js';
import type { Tables } from '../schema/tables.js';

export interface CopyProgress {
  /** Number of source lines copied so far. */
  readonly lines: number;
  /** SHA-256 of these lines, to detect that the source has changed. */
  readonly digest: string;
}

/** Rejects with `STORE_UNAVAILABLE` if the schema contains an unfinished copy. */
export async function assertNoCopy(client: ClientBase, tables: Tables): Promise<void> {
  if (!(await isCopying(client, tables))) return;
  const reason =
    `the schema ${tables.schema} holds a part of another store: a copy into it has not ended. ` +
    'Run the same copy again, which goes on where it stopped, or drop the schema';
  throw new BlockworkError('STORE_UNAVAILABLE', { facts: { reason } });
}

/** Rejects with `STORE_LOCKED`, naming the nodes that run on the schema. */
export async function assertNoNodes(
  client: ClientBase,
  tables: Tables,
  { server }: { readonly server: ServerAddress },
): Promise<void> {
  const text = `select facts from ${tables.node} where alive_until > clock_timestamp() order by since, id`;
  const { rows } = await client.query<{ facts: string }>(text);
  if (rows.length === 0) return;
  const names = rows.map(({ facts }) => (JSON.parse(facts) as { name: string }).name || 'one without a name');
  const facts = { folder: placeOf(server, tables.schemaName), holder: `nodes: ${names.join(', ')}` };
  throw new BlockworkError('STORE_LOCKED', { facts });
}

export async function isCopying(client: ClientBase, { copyProgress }: Tables): Promise<boolean> {
  const text = 'select to_regclass($1) is not null as found';
  return (await client.query<{ found: boolean }>(text, [copyProgress])).rows[0]?.found === true;
}

export async function readProgress(client: ClientBase, tables: Tables): Promise<CopyProgress | undefined> {
  if (!(await isCopying(client, tables))) return undefined;
  const text = `select lines, digest from ${tables.copyProgress}`;
  const { rows } = await client.query<{ lines: string; digest: string }>(text);
  return rows[0] && { lines: Number(rows[0].lines), digest: rows[0].digest };
}

export async function beginProgress(client: ClientBase, { copyProgress }: Tables, digest: string): Promise<void> {
  await client.query(
    `create table ${copyProgress} (only_row integer primary key check (only_row = 1), lines bigint not null, digest text not null)`,
  );
  await client.query(`insert into ${copyProgress} (only_row, lines, digest) values (1, 0, $1)`, [digest]);
}
