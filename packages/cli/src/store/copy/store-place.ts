/** Where a store is, as a command is told: a folder, or the address of a database. */
import { stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import type { StoreSource } from '@blockwork/core/adapter';
import { openStoreSource } from '@blockwork/store-lowdb';
import { databaseSettings, isDatabase, type DatabaseSettings } from '../../database/database-settings.js';
import { databaseOptions, withVariables } from '../../database/open-database.js';
import type { Environment } from '../../line/environment.js';
import { exitCodes } from '../../line/exit-codes.js';
import { CommandError } from '../../line/failure.js';
import type { CopyTarget } from './copy-target.js';
import { openFolderCopy } from './folder-copy.js';

export type StorePlace = { readonly folder: string } | { readonly database: DatabaseSettings };

/** Keeps an address with its password out of the list of processes and the history of the shell. */
const FROM_ENVIRONMENT = 'postgres:';

/** Throws `CommandError` where no database is named. `argument`: what the place is called where its address is wrong. */
export function placeOf(text: string, environment: Environment, argument: string): StorePlace {
  if (text !== FROM_ENVIRONMENT && !isDatabase(text)) return { folder: folderOf(text) };
  const address = text === FROM_ENVIRONMENT ? environment['BLOCKWORK_DATABASE_URL'] : text;
  if (address !== undefined && isDatabase(address)) {
    // The address itself is in no message: it holds a password.
    const addressName = text === FROM_ENVIRONMENT ? 'BLOCKWORK_DATABASE_URL' : `The address given as ${argument}`;
    return { database: databaseSettings(address, environment, addressName) };
  }
  const message = `${FROM_ENVIRONMENT} stands for the database that BLOCKWORK_DATABASE_URL names, which is not set to postgres://...`;
  throw new CommandError(exitCodes.usage, message, 'OPTION_INVALID');
}

/** Refuses what was meant for an address: a folder of that name would be made, and hold the password in its name. */
function folderOf(text: string): string {
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(text) ?? [];
  if (scheme === undefined) return text;
  const message =
    `An address that begins with ${scheme}:// is not known here: a database is postgres://user:password@host:port/database. ` +
    `A folder of that name is ./${scheme}:...`;
  throw new CommandError(exitCodes.usage, message, 'OPTION_INVALID');
}

/** Throws `CommandError` where the copy would be a part of what it is a copy of. */
export async function assertApart(from: StorePlace, to: StorePlace): Promise<void> {
  if (!('folder' in from && 'folder' in to)) return;
  const [source, target] = [resolve(await storeIn(from.folder)), resolve(to.folder)];
  if (!target.startsWith(source + sep)) return;
  const message = `${target} is inside ${source}, which is copied: name a folder outside of it.`;
  throw new CommandError(exitCodes.usage, message, 'OPTION_INVALID');
}

/** The folder of the store in a data folder of the server; the folder itself if it is not one. */
export async function storeIn(folder: string): Promise<string> {
  const inside = join(folder, 'store');
  return (await stat(inside).catch(() => undefined))?.isDirectory() === true ? inside : folder;
}

/** `isTarget`: whether it is read to verify what was copied into it. */
export async function openSource(place: StorePlace, isTarget = false): Promise<StoreSource> {
  if ('folder' in place) return openStoreSource({ folder: isTarget ? place.folder : await storeIn(place.folder) });
  const options = await databaseOptions(place.database);
  const { openDatabaseSource } = await import('@blockwork/store-postgres');
  return withVariables(() => openDatabaseSource({ ...options, mayBeUnfinished: isTarget }), place.database);
}

export async function openTarget(place: StorePlace): Promise<CopyTarget> {
  if ('folder' in place) return openFolderCopy(place.folder);
  const options = await databaseOptions(place.database);
  const { openDatabaseCopy } = await import('@blockwork/store-postgres');
  return withVariables(() => openDatabaseCopy({ ...options, migrate: place.database.migrate }), place.database);
}
