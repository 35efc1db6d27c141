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
  /** Where it is, for people. */
  readonly place: string;
  /** Brings what earlier versions kept beside the store into it. */
  readonly takeOver: (engine: PolicyEngine) => Promise<void>;
}

/** Rejects with a failure that says what to set or to repair. */
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

/** What a database refuses that was reached says by itself what to do: only failures of the driver have a cause. */
const databaseAway = ({ message, cause }: Error, { addressName }: DatabaseSettings): Error =>
  startupError(
    cause === undefined ? message : `${message} See that the database runs, and that ${addressName} is right.`,
  );
