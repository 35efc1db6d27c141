/** `blockwork store ...`: each command runs a tool of the file store and reports its outcome. */
import { open, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  backupStore,
  compactStore,
  exportStore,
  importStore,
  keySeedBeside,
  readJournal,
  repairStore,
  restoreStore,
  verifyStore,
  type BackupReport,
} from '@blockwork/store-lowdb';
import { printResult, type CommandInput, type CommandRun } from '../line/command.js';
import { exitCodes, type ExitCode } from '../line/exit-codes.js';
import type { Io } from '../line/io.js';
import { placeOf } from './copy/store-place.js';
import { copy, migrate, verifyDatabase } from './database-tools.js';
import { describe, describeDamage, describeTimers, describeTruncation, plural } from './describe.js';

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
  ...{ verify, repair, compact, backup, restore, journal, copy, migrate },
  export: exportCommand,
  import: importCommand,
};
export type StoreTool = keyof typeof storeTools;
