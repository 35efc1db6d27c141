/** Opens a store: connects, looks whether the database is fit for it, and makes the tables that are missing. */
import { BlockworkError } from '@blockwork/core';
import { Connections } from './connection/connections.js';
import { failureKind, unavailable } from './connection/failures.js';
import { resolveOptions, type PostgresStoreOptions } from './options.js';
import { PostgresStore } from './postgres-store.js';
import { migrate } from './schema/migrate.js';
import { tablesIn, type Tables } from './schema/tables.js';

/**
 * Opens the store in a schema of the database, and makes it where there is none. Any number of processes may have it open. Rejects with
 * `OPTION_INVALID`, and with `STORE_UNAVAILABLE` when the database cannot be reached or cannot be used, saying why.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const resolved = resolveOptions(options);
  const tables = tablesIn(resolved.schema);
  const connections = new Connections(resolved);
  const prepare = async (): Promise<void> => {
    const client = await connections.single({ isUnhurried: true });
    try {
      await assertFit(client);
      await migrate(client, tables, resolved.migrate, resolved.logger);
      await removeOldLanes(client, tables);
    } finally {
      await client.end();
    }
  };
  try {
    await connections.patience.repeat(resolved.patienceMs, prepare, (error) => failureKind(error) !== 'refused');
    return new PostgresStore(connections, tables, resolved);
  } catch (error) {
    await connections.close();
    throw unavailable(error);
  }
}

type Client = Awaited<ReturnType<Connections['single']>>;

async function assertFit(client: Client): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>(`select current_setting('server_encoding') as encoding`);
  const encoding = rows[0]?.encoding;
  if (encoding === 'UTF8') return;
  const reason = `the database has the encoding ${String(encoding)}; it must be UTF8`;
  throw new BlockworkError('STORE_UNAVAILABLE', { facts: { reason } });
}

/** Of processes that did not close their store. One that still runs makes itself a new lane. */
async function removeOldLanes(client: Client, { lane }: Tables): Promise<void> {
  await client.query(`delete from ${lane} where used_at < statement_timestamp() - interval '30 days'`);
}
