/** Migrates a schema to the version of this program, for deployments whose nodes may not do so. */
import { demandObject } from '@blockwork/core/adapter';
import type { PostgresStoreOptions } from '../options.js';
import { toolSession } from './tool-session.js';

/**
 * Resolves to the versions before and after, which are equal if nothing was missing. Rejects with `STORE_UNAVAILABLE`,
 * for instance for a newer schema.
 */
export async function migrateDatabase(
  options: PostgresStoreOptions,
): Promise<{ readonly from: number; readonly to: number }> {
  demandObject(options, 'migrateDatabase', 'options', 'the address of a database');
  const session = await toolSession({ ...options, migrate: true });
  await session.close();
  return session.schema;
}
