/** The store of the server: a folder of files for one process, or a database for any number of them. */
import type { Logger, PolicyEngine, PolicyStore } from '@blockwork/core';
import { isBlockworkError } from '@blockwork/core/block';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { DatabaseSettings } from '../database/database-settings.js';
import { openDatabase } from '../database/open-database.js';
import type { Settings } from './settings.js';
import { startupError } from './startup-error.js';

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

const content = z.record(z.string(), z.object({ policyId: z.string(), documents: z.number().default(0) }));

/** Moves the content of the file into the engine's store. */
async function takeOverLoadedFiles(engine: PolicyEngine, folder: string): Promise<void> {
  const path = join(folder, 'loaded.json');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return;
  const { origins } = engine.program;
  for (const [file, { policyId, documents }] of Object.entries(parse(text, path))) {
    if ((await origins.get(file)) === undefined) await origins.note({ id: file, policyId, documents });
  }
  await rm(path);
}

function parse(text: string, path: string): z.infer<typeof content> {
  try {
    return content.parse(JSON.parse(text));
  } catch {
    throw startupError(`${path} is damaged. Delete it; policies are then loaded again beside those in the store.`);
  }
}
