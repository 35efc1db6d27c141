/** The store of the server: a folder of files for one process, or a database for any number of them. */
import { join } from 'node:path';
import type { Logger, PolicyEngine, PolicyStore } from '@blockwork/core';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { openDatabase } from '../database/open-database.js';
import { takeOverLoadedFiles } from './loaded-files.js';
import type { Settings } from './settings.js';

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
    const store = await openDatabase(database, logger);
    return { store, place: store.place, takeOver: () => Promise.resolve() };
  }
  const store = await openLowdbStore({ folder: join(data, 'store'), logger });
  return { store, place: data, takeOver: (engine) => takeOverLoadedFiles(engine, data) };
}
