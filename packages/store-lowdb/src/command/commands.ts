/** The subcommands: each runs a tool and reports its outcome. */
import { open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { explain } from '../files/failures.js';
import { invalidOption } from '../files/folder-option.js';
import type { Damage, TruncatedEnd } from '../recovery/open-report.js';
import { backupStore, keySeedBeside, restoreStore, type BackupReport } from '../tools/backup-store.js';
import { compactStore } from '../tools/compact-store.js';
import { exportStore, type ExportEnd } from '../tools/export-store.js';
import { importStore } from '../tools/import-store.js';
import { repairStore } from '../tools/repair-store.js';
import { verifyStore, type Verification } from '../tools/verify-store.js';

export interface CommandStreams {
  /** Standard output, for the requested result. */
  readonly print: (text: string) => void;
  /** Standard output, for large results: resolves when there is room for more. */
  readonly write: (text: string) => Promise<void>;
  /** Standard error, for everything else. */
  readonly printError: (text: string) => void;
  readonly input: AsyncIterable<Uint8Array>;
}

interface Command {
  readonly paths: { readonly min: number; readonly max: number; readonly names: string };
  /** Resolves to whether all is well. */
  readonly run: (
    paths: readonly string[],
    given: CommandStreams & { readonly acceptLoss: boolean; readonly withKeys: boolean },
  ) => Promise<boolean>;
}

const folderOnly = { min: 1, max: 1, names: 'a folder' };
const folderAndFile = { min: 1, max: 2, names: 'a folder and optionally a file' };

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const describe = ({ format, records, tables, commits, inJournal }: Verification): string =>
  `format ${format}, ${plural(records, 'record')} in ${plural(tables, 'table')}, ` +
  `${plural(commits, 'commit')} so far, ${inJournal} of them in the journal only`;

const describeDamage = (damage: readonly Damage[]): string =>
  damage
    .map(({ file, reason, table, records }) => {
      const of = table === undefined ? '' : ` (kind "${table.kind}" of "${table.partition}")`;
      const lost = records === undefined || records.length === 0 ? '' : `    lost records: ${records.join(', ')}\n`;
      return `  ${file}: ${reason}${of}\n${lost}`;
    })
    .join('');

const describeTruncation = ({ file, bytes, lastCommit, isConfirmed }: TruncatedEnd): string =>
  `  ${file} ends with ${plural(bytes, 'unreadable byte')} after commit ${lastCommit}, which go to the ` +
  `quarantine when the store is opened. ${isConfirmed ? 'No later commit was recorded as durable.' : 'Whether they were acknowledged is unknown.'}\n`;

const verify: Command['run'] = async ([folder = ''], { print, printError }) => {
  const found = await verifyStore({ folder });
  if (found.damage.length === 0) {
    print(`${folder} is intact: ${describe(found)}.\n`);
    if (found.truncated) print(describeTruncation(found.truncated));
    return true;
  }
  printError(`${folder} is DAMAGED: ${describe(found)}. Unreadable:\n${describeDamage(found.damage)}`);
  printError('Restore good copies of these files, for instance from a backup, or see "repair".\n');
  return false;
};

const repair: Command['run'] = async ([folder = ''], { print, printError, acceptLoss }) => {
  const { damage, truncated } = await repairStore({ folder, acceptLoss });
  if (truncated) print(describeTruncation(truncated));
  if (damage.length === 0) {
    print(`${folder} is intact.\n`);
    return true;
  }
  if (acceptLoss) {
    print(`${folder} is available again, without what was unreadable; the files are in its quarantine:\n`);
    print(describeDamage(damage));
    return true;
  }
  printError(`${folder} is still damaged:\n${describeDamage(damage)}`);
  printError('Restore good copies of these files and repair again, or give up their content with --accept-loss.\n');
  return false;
};

const compact: Command['run'] = async ([folder = ''], { print }) => {
  const { filesBefore, filesAfter } = await compactStore({ folder });
  print(`${folder} now has ${plural(filesAfter, 'file')}; before, it had ${filesBefore}.\n`);
  return true;
};

function reportCopy(target: string, report: BackupReport, { print, printError }: CommandStreams): boolean {
  print(`${target} has ${plural(report.files, 'file')}, ${report.bytes} bytes: ${describe(report)}.\n`);
  if (report.damage.length === 0) return true;
  printError(`The store is DAMAGED, and so is this copy. Unreadable:\n${describeDamage(report.damage)}`);
  return false;
}

const keysOf = (folder: string, { withKeys }: { readonly withKeys: boolean }): { keys?: string } =>
  withKeys ? { keys: keySeedBeside(folder) } : {};

const backup: Command['run'] = async ([folder = '', target = ''], streams) => {
  const report = await backupStore({ folder, target, ...keysOf(folder, streams) });
  if (streams.withKeys) streams.print(`${target} carries the seed of the keys: keep it secret.\n`);
  return reportCopy(target, report, streams);
};

const restore: Command['run'] = async ([from = '', folder = ''], streams) =>
  reportCopy(folder, await restoreStore({ backup: from, folder, ...keysOf(folder, streams) }), streams);

const exportCommand: Command['run'] = async ([folder = '', file], { write, printError }) => {
  const { records, revisions } = await (file === undefined
    ? exportStore({ folder, write })
    : exportToFile(folder, file));
  // Standard output may be the export itself.
  printError(`Exported ${plural(records, 'record')} and ${plural(revisions, 'revision')}.\n`);
  return true;
};

async function exportToFile(folder: string, file: string): Promise<ExportEnd> {
  const output = await open(file, 'wx', 0o600).catch((error: unknown) => {
    throw invalidOption('file', `${file} cannot be created: ${explain(error)}`);
  });
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

const importCommand: Command['run'] = async ([folder = '', file], { print, input }) => {
  const opened = file === undefined ? undefined : await openForReading(file);
  try {
    const { records, revisions } = await importStore({ folder, from: opened ?? input });
    print(`${folder} is now a store of ${plural(records, 'record')} and ${plural(revisions, 'revision')}.\n`);
    return true;
  } finally {
    opened?.destroy();
  }
};

async function openForReading(file: string): Promise<Readable> {
  const handle = await open(file).catch((error: unknown) => {
    throw invalidOption('file', `${file} cannot be read: ${explain(error)}`);
  });
  return handle.createReadStream();
}

export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['verify', { paths: folderOnly, run: verify }],
  ['repair', { paths: folderOnly, run: repair }],
  ['compact', { paths: folderOnly, run: compact }],
  ['backup', { paths: { min: 2, max: 2, names: 'a folder and a target' }, run: backup }],
  ['restore', { paths: { min: 2, max: 2, names: 'a backup and a folder' }, run: restore }],
  ['export', { paths: folderAndFile, run: exportCommand }],
  ['import', { paths: folderAndFile, run: importCommand }],
]);
