/** Opens the session of a database tool: one connection without timeouts, to a schema of the current version. */
import type { Client } from 'pg';
import { Connections } from '../connection/connections.js';
import { unavailable } from '../connection/failures.js';
import { resolveOptions, type PostgresStoreOptions, type ResolvedOptions } from '../options.js';
import { assertFit } from '../schema/fit.js';
import { migrate } from '../schema/migrate.js';
import { tablesIn, type Tables } from '../schema/tables.js';

export interface ToolSession {
  readonly client: Client;
  readonly tables: Tables;
  readonly options: ResolvedOptions;
  /** The versions of the schema before and after opening. */
  readonly schema: { readonly from: number; readonly to: number };
  close(): Promise<void>;
}

/**
 * Rejects with `OPTION_INVALID`, and with `STORE_UNAVAILABLE`, also if the schema needs a migration and `migrate` is
 * `false`.
 */
export async function toolSession(storeOptions: PostgresStoreOptions): Promise<ToolSession> {
  const options = resolveOptions(storeOptions);
  const tables = tablesIn(options.schema);
  const connections = new Connections(options, tables);
  try {
    const client = await connections.single({ hasNoTimeouts: true });
    const close = async (): Promise<void> => {
      await client.end();
      await connections.close();
    };
    try {
      await assertFit(client);
      const schema = await migrate(client, tables, options.migrate, options.logger);
      return { client, tables, options, schema, close };
    } catch (error) {
      await client.end();
      throw error;
    }
  } catch (error) {
    await connections.close();
    throw unavailable(error);
  }
}

/** Converts driver errors into engine errors. */
export async function withNamedFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unavailable(error);
  }
}
