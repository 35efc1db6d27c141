/** Opens a store: connects, checks that the database is suitable, and creates missing tables. */
import type { ClientBase } from 'pg';
import { Connections } from './connection/connections.js';
import { failureKind, unavailable } from './connection/failures.js';
import { assertSessions } from './connection/pooler.js';
import { deliversNotifications } from './notifier/notifications.js';
import { resolveOptions, type PostgresStoreOptions } from './options.js';
import { PostgresStore } from './postgres-store.js';
import { assertFit } from './schema/fit.js';
import { migrate } from './schema/migrate.js';
import { tablesIn, type Tables } from './schema/tables.js';
import { assertNoCopy } from './tools/copy-progress.js';

/**
 * Opens the store in a schema of the database, creating it if needed. Any number of processes may have it open. Rejects with
 * `OPTION_INVALID`, or with `STORE_UNAVAILABLE` and the reason if the database cannot be reached or used.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const resolved = resolveOptions(options);
  const tables = tablesIn(resolved.schema);
  const connections = new Connections(resolved, tables);
  const prepare = async (): Promise<boolean> => {
    const client = await connections.single({ hasNoTimeouts: true });
    try {
      await assertSessions(client, () => connections.single({ hasNoTimeouts: true }));
      await assertFit(client);
      await migrate(client, tables, resolved.migrate, resolved.logger);
      await connections.history.identify(client);
      await assertNoCopy(client, tables);
      await removeOldLanes(client, tables);
      return await deliversNotifications(client, `blockwork_probe_${resolved.ids.uuid()}`);
    } catch (error) {
      connections.onFailure(client, error);
      throw error;
    } finally {
      await client.end();
    }
  };
  try {
    const isWorthwhile = (error: unknown): boolean => failureKind(error) !== 'refused';
    const hasNotifications = await connections.patience.repeat(resolved.patienceMs, prepare, isWorthwhile);
    if (!hasNotifications) {
      const effect = 'nodes poll for each other’s work';
      resolved.logger.warn('The database delivers no notifications (LISTEN and NOTIFY).', { effect });
    }
    return new PostgresStore(connections, tables, resolved, hasNotifications);
  } catch (error) {
    await connections.close();
    throw unavailable(error);
  }
}

/** Removes lanes of processes that did not close their store. A process still running creates a new lane. */
async function removeOldLanes(client: ClientBase, { lane }: Tables): Promise<void> {
  await client.query(`delete from ${lane} where used_at < statement_timestamp() - interval '30 days'`);
}
