/** `blockwork store ...`: each command runs a tool of the file store and reports its outcome. */
import {
  type BackupReport,
  backupStore,
  compactStore,
  exportStore,
  importStore,
  keySeedBeside,
  readJournal,
  repairStore,
  restoreStore,
  verifyStore,
} from '@blockwork/store-lowdb';
import { open, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { DatabaseSettings } from '../database/database-settings.js';
import { databaseOptions, withVariables } from '../database/open-database.js';
import { type CommandInput, type CommandRun, printResult, textOption } from '../line/command.js';
import { type ExitCode, exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';
import { type Io, withProgress } from '../line/io.js';
import { copyStore } from './copy/copy-store.js';
import { placeOf, storeIn, type StorePlace } from './copy/store-place.js';
import { describe, describeDamage, describeTimers, describeTruncation, plural } from './describe.js';

const migrate: CommandRun = async (input, io) => {
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

const views: CommandRun = async (input, io) => {
  const { createReportingViews, printReportingViews } = await import('@blockwork/store-postgres');
  const into = textOption(input, 'into');
  if (input.options['print'] === true) {
    const schema = io.env['BLOCKWORK_DATABASE_SCHEMA'];
    const print = (): string => printReportingViews({ ...(schema && { schema }), ...(into && { into }) });
    const sql = await withVariables(() => Promise.resolve(print()));
    await printResult(input, io, { value: { sql }, text: () => sql });
    return exitCodes.ok;
  }
  const database = databaseIn(placeOf(input.args[0] ?? 'postgres:', io.env, '[database]'));
  const options = await databaseOptions(database);
  const value = await withVariables(() => createReportingViews({ ...options, ...(into && { into }) }), database);
  const text = (): string => `The schema ${value.schema} has the views ${value.views.join(', ')}.\n`;
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

const copy: CommandRun = async (input, io) => {
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

async function verifyDatabase(database: DatabaseSettings, input: CommandInput, io: Io): Promise<ExitCode> {
  const postgres = await import('@blockwork/store-postgres');
  const options = await databaseOptions(database);
  const value = await withVariables(() => postgres.verifyDatabase(options), database);
  const { schemaVersion, records, tables, revisions, damage, isUnfinished } = value;
  const summary = `version ${schemaVersion}, ${plural(records, 'record')} in ${plural(tables, 'table')}, ${plural(revisions, 'revision')}`;
  if (input.json) await printResult(input, io, { value, text: () => '' });
  if (isUnfinished)
    io.printError('A copy into the database is incomplete: no server starts on it. Run the same copy again.\n');
  if (damage.length > 0) {
    const lines = damage.map(
      ({ kind, partition, id, reason }) => `  ${kind} ${id ?? ''} of "${partition}": ${reason}\n`,
    );
    io.printError(`The database is DAMAGED: ${summary}. Errors:\n${lines.join('')}`);
  } else if (!input.json)
    await io.write(`The database is ${isUnfinished ? 'correct so far' : 'intact'}: ${summary}.\n`);
  return damage.length > 0 || isUnfinished ? exitCodes.found : exitCodes.ok;
}

const verify: CommandRun = async (input, io) => {
  const [folder = ''] = input.args;
  const place = placeOf(folder, io.env, '<store>');
  if ('database' in place) return verifyDatabase(place.database, input, io);
  const value = await verifyStore({ folder });
  const { damage, truncated } = value;
  if (damage.length === 0) {
    const end = truncated ? describeTruncation(truncated) : '';
    await printResult(input, io, { value, text: () => `${folder} is intact: ${describe(value)}.\n${end}` });
    return exitCodes.ok;
  }
  if (input.json) await printResult(input, io, { value, text: () => '' });
  io.printError(`${folder} is DAMAGED: ${describe(value)}. Unreadable:\n${describeDamage(damage)}`);
  io.printError('Restore intact copies of these files, for example from a backup, or see "repair".\n');
  return exitCodes.found;
};

const repair: CommandRun = async (input, io) => {
  const [folder = ''] = input.args;
  const acceptLoss = input.options['acceptLoss'] === true;
  const value = await repairStore({ folder, acceptLoss });
  const { damage, truncated } = value;
  const end = truncated ? describeTruncation(truncated) : '';
  if (damage.length === 0 || acceptLoss) {
    const state =
      damage.length === 0
        ? `${folder} is intact.\n`
        : `${folder} is available again without the unreadable data; the files are in its quarantine:\n${describeDamage(damage)}${describeTimers(damage)}`;
    await printResult(input, io, { value, text: () => `${end}${state}` });
    return exitCodes.ok;
  }
  await printResult(input, io, { value, text: () => end });
  io.printError(`${folder} is still damaged:\n${describeDamage(damage)}`);
  io.printError(
    'Restore intact copies of these files and repair again, or abandon their content with --accept-loss.\n',
  );
  return exitCodes.found;
};

const compact: CommandRun = async (input, io) => {
  const [folder = ''] = input.args;
  const value = await compactStore({ folder });
  const text = (): string =>
    `${folder} now has ${plural(value.filesAfter, 'file')}; before, it had ${value.filesBefore}.\n`;
  await printResult(input, io, { value, text });
  return exitCodes.ok;
};

async function reportCopy(input: CommandInput, io: Io, target: string, report: BackupReport): Promise<ExitCode> {
  const text = (): string =>
    `${target} has ${plural(report.files, 'file')}, ${report.bytes} bytes: ${describe(report)}.\n`;
  await printResult(input, io, { value: report, text });
  if (report.damage.length === 0) return exitCodes.ok;
  io.printError(`The store and this copy are DAMAGED. Unreadable:\n${describeDamage(report.damage)}`);
  return exitCodes.found;
}

const withKeys = ({ options }: CommandInput): boolean => options['withKeys'] === true;
const keysOf = (folder: string, input: CommandInput): { keys?: string } =>
  withKeys(input) ? { keys: keySeedBeside(folder) } : {};

const backup: CommandRun = async (input, io) => {
  const [folder = '', target = ''] = input.args;
  const report = await backupStore({ folder, target, ...keysOf(folder, input) });
  if (withKeys(input)) io.printError(`${target} contains secret keys: keep it secret.\n`);
  return reportCopy(input, io, target, report);
};

const restore: CommandRun = async (input, io) => {
  const [from = '', folder = ''] = input.args;
  return reportCopy(input, io, folder, await restoreStore({ backup: from, folder, ...keysOf(folder, input) }));
};

const exportCommand: CommandRun = async (input, io) => {
  const [folder = '', file] = input.args;
  const value = await (file === undefined ? exportStore({ folder, write: io.write }) : exportToFile(folder, file));
  const text = `Exported ${plural(value.records, 'record')} and ${plural(value.revisions, 'revision')}.\n`;
  // Standard output may be the export itself.
  if (file === undefined || !input.json) io.printError(text);
  else await printResult(input, io, { value, text: () => text });
  return exitCodes.ok;
};

const journal: CommandRun = async (input, io) => {
  const [folder = '', policyId = ''] = input.args;
  const entries = await readJournal({ folder, policyId, write: io.write });
  io.printError(`Journal entries: ${entries}.\n`);
  return exitCodes.ok;
};

async function exportToFile(folder: string, file: string): ReturnType<typeof exportStore> {
  const output = await open(file, 'wx', 0o600);
  try {
    const end = await exportStore({ folder, write: (text) => output.appendFile(text) });
    await output.sync();
    return end;
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await output.close();
  }
}

const importCommand: CommandRun = async (input, io) => {
  const [folder = '', file] = input.args;
  const opened: Readable | undefined = file === undefined ? undefined : (await open(file)).createReadStream();
  const isNew = (await stat(folder).catch(() => undefined)) === undefined;
  try {
    const value = await importStore({ folder, from: opened ?? io.input });
    const text = (): string =>
      `${folder} is now a store of ${plural(value.records, 'record')} and ${plural(value.revisions, 'revision')}.\n`;
    await printResult(input, io, { value, text });
    return exitCodes.ok;
  } catch (error) {
    // A store that began meanwhile keeps its folder, which is not empty then.
    if (isNew) for (const path of [join(folder, 'lock'), folder]) await rmdir(path).catch(() => undefined);
    throw error;
  } finally {
    opened?.destroy();
  }
};

export const storeTools = {
  ...{ verify, repair, compact, backup, restore, journal, copy, migrate, views },
  export: exportCommand,
  import: importCommand,
};
export type StoreTool = keyof typeof storeTools;
