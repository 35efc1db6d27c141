/** The store of the server: a folder of files for one process, or a database for any number of them. */
import { join } from 'node:path';
import { isBlockworkError } from '@blockwork/core/block';
import type { Logger, PolicyEngine, PolicyStore } from '@blockwork/core';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { openDatabase } from '../database/open-database.js';
import { takeOverLoadedFiles } from './loaded-files.js';
import type { Settings } from './settings.js';
import { startupError } from './startup-error.js';
import type { DatabaseSettings } from '../database/database-settings.js';

export interface OpenedStore {
  readonly store: PolicyStore;
  /** Its location, for display. */
  readonly place: string;
  /** Migrates data that earlier versions kept next to the store. */
  readonly takeOver: (engine: PolicyEngine) => Promise<void>;
}

/** Rejects with a failure that names the setting or the repair needed. */
export async function openStore({ data, database }: Settings, logger: Logger): Promise<OpenedStore> {
  if (database !== undefined) {
    const store = await openDatabase(database, logger).catch((error: unknown) => {
      throw isBlockworkError(error, 'STORE_UNAVAILABLE') ? databaseAway(error, database) : error;
    });
    return { store, place: store.place, takeOver: () => Promise.resolve() };
  }
  const store = await openLowdbStore({ folder: join(data, 'store'), logger });
  return { store, place: data, takeOver: (engine) => takeOverLoadedFiles(engine, data) };
}

/** Refusals of a reachable database already name the remedy; only driver failures have a cause. */
const databaseAway = ({ message, cause }: Error, { addressName }: DatabaseSettings): Error =>
  startupError(
    cause === undefined ? message : `${message} Check that the database is running and that ${addressName} is correct.`,
  );
