/** Opens a store in a database according to the settings. The driver is loaded only here, when needed. */
import { readFile } from 'node:fs/promises';
import type { Logger } from '@blockwork/core';
import { isBlockworkError } from '@blockwork/core/block';
import type { PostgresStore, PostgresStoreOptions } from '@blockwork/store-postgres';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';
import type { DatabaseSettings } from './database-settings.js';

/** Rejects with `CommandError` for an invalid setting, or with `STORE_UNAVAILABLE`; neither reveals the address. */
export async function openDatabase(settings: DatabaseSettings, logger?: Logger): Promise<PostgresStore> {
  const { openPostgresStore } = await import('@blockwork/store-postgres');
  const options = { ...(await databaseOptions(settings)), migrate: settings.migrate };
  return withVariables(() => openPostgresStore({ ...options, ...(logger !== undefined && { logger }) }), settings);
}

/** The options shared by everything that uses the database. */
export async function databaseOptions(settings: DatabaseSettings): Promise<PostgresStoreOptions> {
  const { address, schema, readConnections, statementMs, patienceMs, ca } = settings;
  return {
    address,
    ...(schema !== undefined && { schema }),
    ...(readConnections !== undefined && { readConnections }),
    ...(statementMs !== undefined && { statementMs }),
    ...(patienceMs !== undefined && { patienceMs }),
    ...(ca !== undefined && { tls: { ca: await certificates(ca, address) } }),
  };
}

async function certificates(path: string, address: string): Promise<string> {
  if (/[?&]sslmode=disable(&|$)/.test(address)) {
    const message =
      'BLOCKWORK_DATABASE_CA requires an encrypted connection, but the database address has sslmode=disable. Remove one of them.';
    throw new CommandError(exitCodes.usage, message, 'OPTION_INVALID');
  }
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    const message = `BLOCKWORK_DATABASE_CA names ${path}, which cannot be read (${code}).`;
    throw new CommandError(exitCodes.unreadable, message, 'NOT_STARTED');
  }
}

const variableOf: Readonly<Record<string, string>> = {
  'postgres store: schema': 'BLOCKWORK_DATABASE_SCHEMA',
  'printMigrations: schema': 'BLOCKWORK_DATABASE_SCHEMA',
  'printMigrations: from': '--from',
};

/** Runs `work`; errors name the variable behind an invalid option, and the source of the address. */
export async function withVariables<T>(
  work: () => Promise<T>,
  { addressName }: Pick<DatabaseSettings, 'addressName'> = { addressName: 'BLOCKWORK_DATABASE_URL' },
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isBlockworkError(error, 'OPTION_INVALID')) throw error;
    const { option, reason } = error.facts;
    const isAddress = option === 'postgres store: address';
    const variable = isAddress ? addressName : (variableOf[String(option)] ?? String(option));
    throw new CommandError(exitCodes.usage, `${variable} is invalid: ${String(reason)}.`, 'OPTION_INVALID');
  }
}
