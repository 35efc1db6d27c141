/** `blockwork store migrate` and `copy`, and `verify` for a database. */
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { keySeedBeside } from '@blockwork/store-lowdb';
import { databaseOptions, withVariables } from '../database/open-database.js';
import type { DatabaseSettings } from '../database/database-settings.js';
import { printResult, textOption, type CommandInput, type CommandRun } from '../line/command.js';
import { exitCodes, type ExitCode } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';
import { withProgress, type Io } from '../line/io.js';
import { copyStore } from './copy/copy-store.js';
import { placeOf, storeIn, type StorePlace } from './copy/store-place.js';
import { plural } from './describe.js';

export const migrate: CommandRun = async (input, io) => {
  const { printMigrations, migrateDatabase } = await import('@blockwork/store-postgres');
  if (input.options['print'] === true) {
    const schema = io.env['BLOCKWORK_DATABASE_SCHEMA'];
    const print = (): string => printMigrations({ ...(schema && { schema }), from: versionOption(input) });
    const sql = await withVariables(() => Promise.resolve(print()));
    await printResult(input, io, { value: { sql }, text: () => sql });
    return exitCodes.ok;
  }
  const database = databaseIn(placeOf(input.args[0] ?? 'postgres:', io.env, '[database]'));
  const options = await databaseOptions(database);
  const value = await withVariables(() => migrateDatabase(options), database);
  const text = (): string =>
    value.from === value.to
      ? `The schema is already at version ${value.to}.\n`
      : `The schema was migrated from version ${value.from} to ${value.to}.\n`;
  await printResult(input, io, { value, text });
  return exitCodes.ok;
};

function versionOption(input: CommandInput): number {
  const text = textOption(input, 'from') ?? '0';
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new CommandError(
    exitCodes.usage,
    '--from must be the current schema version, a whole number.',
    'OPTION_INVALID',
  );
}

function databaseIn(place: StorePlace): DatabaseSettings {
  if ('database' in place) return place.database;
  const message = `${place.folder} is not a database address of the form postgres://user:password@host:port/database.`;
  throw new CommandError(exitCodes.usage, message, 'OPTION_INVALID');
}

export const copy: CommandRun = async (input, io) => {
  const [from, to] = input.args.map((text, at) => placeOf(text, io.env, at === 0 ? '<from>' : '<to>'));
  if (from === undefined || to === undefined) throw new CommandError(exitCodes.usage, 'Two locations are required.');
  const value = await withProgress(io, (show) =>
    copyStore(from, to, ({ step, lines }) => show(`${step}: ${lines.toLocaleString('en')} lines`)),
  );
  const text = (): string => {
    const resumed = value.resumedAt === 0 ? '' : ` (${plural(value.resumedAt, 'line')} of them earlier)`;
    const copied = `${plural(value.records, 'record')} and ${plural(value.revisions, 'revision')}`;
    return `Copied ${copied}${resumed}; each was verified against the original.\n`;
  };
  await printResult(input, io, { value, text });
  if ('folder' in from && 'database' in to) await remindOfSecrets(from.folder, io);
  return exitCodes.ok;
};

/** Reminds of the secrets that a server keeps outside its store. */
async function remindOfSecrets(folder: string, io: Io): Promise<void> {
  const seed = keySeedBeside(resolve(await storeIn(folder)));
  if ((await stat(seed).catch(() => undefined)) === undefined) return;
  const data = dirname(seed);
  io.printError(
    `Secrets are not copied. Give every node the content of ${seed} as BLOCKWORK_KEY_SEED, without which the identities cannot sign, and ` +
      `that of ${data}/jwt-secret as BLOCKWORK_JWT_SECRET, to keep tokens valid.\n`,
  );
  if ((await stat(join(data, 'instance-key')).catch(() => undefined)) === undefined) return;
  io.printError(
    `Give them that of ${data}/instance-key as BLOCKWORK_INSTANCE_KEY as well: without it, peers do not know this instance again.\n`,
  );
}

export async function verifyDatabase(database: DatabaseSettings, input: CommandInput, io: Io): Promise<ExitCode> {
  const postgres = await import('@blockwork/store-postgres');
  const options = await databaseOptions(database);
  const value = await withVariables(() => postgres.verifyDatabase(options), database);
  const { schemaVersion, records, tables, revisions, damage, isUnfinished } = value;
  const found = `version ${schemaVersion}, ${plural(records, 'record')} in ${plural(tables, 'table')}, ${plural(revisions, 'revision')}`;
  if (input.json) await printResult(input, io, { value, text: () => '' });
  if (isUnfinished)
    io.printError('A copy into the database is incomplete: no server starts on it. Run the same copy again.\n');
  if (damage.length > 0) {
    const lines = damage.map(
      ({ kind, partition, id, reason }) => `  ${kind} ${id ?? ''} of "${partition}": ${reason}\n`,
    );
    io.printError(`The database is DAMAGED: ${found}. Errors:\n${lines.join('')}`);
  } else if (!input.json) await io.write(`The database is ${isUnfinished ? 'correct so far' : 'intact'}: ${found}.\n`);
  return damage.length > 0 || isUnfinished ? exitCodes.found : exitCodes.ok;
}
