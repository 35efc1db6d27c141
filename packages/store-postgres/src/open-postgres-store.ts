/** Opens a store: connects, looks whether the database is fit for it, and makes the tables that are missing. */
import type { ClientBase } from 'pg';
import { Connections } from './connection/connections.js';
import { failureKind, unavailable } from './connection/failures.js';
import { carriesNotifications } from './doorbell/notifications.js';
import { resolveOptions, type PostgresStoreOptions } from './options.js';
import { PostgresStore } from './postgres-store.js';
import { assertFit } from './schema/fit.js';
import { migrate } from './schema/migrate.js';
import { tablesIn, type Tables } from './schema/tables.js';
import { assertNoCopy } from './tools/copy-progress.js';

/**
 * Opens the store in a schema of the database, and makes it where there is none. Any number of processes may have it open. Rejects with
 * `OPTION_INVALID`, and with `STORE_UNAVAILABLE` when the database cannot be reached or cannot be used, saying why.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const resolved = resolveOptions(options);
  const tables = tablesIn(resolved.schema);
  const connections = new Connections(resolved);
  const prepare = async (): Promise<boolean> => {
    const client = await connections.single({ isUnhurried: true });
    try {
      await assertFit(client);
      await migrate(client, tables, resolved.migrate, resolved.logger);
      await assertNoCopy(client, tables);
      await removeOldLanes(client, tables);
      return await carriesNotifications(client, `blockwork_probe_${resolved.ids.uuid()}`);
    } finally {
      await client.end();
    }
  };
  try {
    const isWorthwhile = (error: unknown): boolean => failureKind(error) !== 'refused';
    const hasNotifications = await connections.patience.repeat(resolved.patienceMs, prepare, isWorthwhile);
    if (!hasNotifications) {
      const effect = 'nodes look for each other’s work now and then, and do not pass sends on to each other';
      resolved.logger.warn('The database delivers no notifications (LISTEN and NOTIFY).', { effect });
    }
    return new PostgresStore(connections, tables, resolved, hasNotifications);
  } catch (error) {
    await connections.close();
    throw unavailable(error);
  }
}

/** Of processes that did not close their store. One that still runs makes itself a new lane. */
async function removeOldLanes(client: ClientBase, { lane }: Tables): Promise<void> {
  await client.query(`delete from ${lane} where used_at < statement_timestamp() - interval '30 days'`);
}
