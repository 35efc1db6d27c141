/** The location of a store in a command: a folder, or the address of a database. */
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

/** Keeps an address with a password out of process lists and shell histories. */
const FROM_ENVIRONMENT = 'postgres:';

/** Throws `CommandError` if the variable names no database. `argument`: the location's name in error messages. */
export function placeOf(text: string, environment: Environment, argument: string): StorePlace {
  if (text !== FROM_ENVIRONMENT && !isDatabase(text)) return { folder: folderOf(text) };
  const address = text === FROM_ENVIRONMENT ? environment['BLOCKWORK_DATABASE_URL'] : text;
  if (address !== undefined && isDatabase(address)) {
    // The address itself never appears in a message, since it contains a password.
    const addressName = text === FROM_ENVIRONMENT ? 'BLOCKWORK_DATABASE_URL' : `The address in ${argument}`;
    return { database: databaseSettings(address, environment, addressName) };
  }
  const message = `${FROM_ENVIRONMENT} stands for the address in BLOCKWORK_DATABASE_URL, which is not set to postgres://...`;
  throw new CommandError(exitCodes.usage, message, 'OPTION_INVALID');
}

/** Refuses mistyped addresses, which would create a folder with the password in its name. */
function folderOf(text: string): string {
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(text) ?? [];
  if (scheme === undefined) return text;
  const message =
    `Addresses with ${scheme}:// are not supported: a database is postgres://user:password@host:port/database. ` +
    `For a folder of that name, write ./${scheme}:...`;
  throw new CommandError(exitCodes.usage, message, 'OPTION_INVALID');
}

/** Throws `CommandError` if the target is inside the source. */
export async function assertApart(from: StorePlace, to: StorePlace): Promise<void> {
  if (!('folder' in from && 'folder' in to)) return;
  const [source, target] = [resolve(await storeIn(from.folder)), resolve(to.folder)];
  if (!target.startsWith(source + sep)) return;
  const message = `${target} is inside ${source}, the source of the copy: name a folder outside it.`;
  throw new CommandError(exitCodes.usage, message, 'OPTION_INVALID');
}

/** The store folder inside a server's data folder; the folder itself if it is not a data folder. */
export async function storeIn(folder: string): Promise<string> {
  const inside = join(folder, 'store');
  return (await stat(inside).catch(() => undefined))?.isDirectory() === true ? inside : folder;
}

/** `isTarget`: whether it is read in order to verify a copy into it. */
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
