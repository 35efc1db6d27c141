/** What the command can do: each a tool, and what it says of the outcome. */
import { open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { explain } from '../files/failures.js';
import type { Damage } from '../recovery/open-report.js';
import { backupStore, restoreStore, type BackupReport } from '../tools/backup-store.js';
import { compactStore } from '../tools/compact-store.js';
import { exportStore } from '../tools/export-store.js';
import { importStore } from '../tools/import-store.js';
import { repairStore } from '../tools/repair-store.js';
import { invalidOption } from '../files/folder-option.js';
import { verifyStore, type Verification } from '../tools/verify-store.js';

export interface Surroundings {
  /** Standard output, for what was asked for. */
  readonly say: (text: string) => void;
  /** The same, for much of it: resolves when there is room for more. */
  readonly pour: (text: string) => Promise<void>;
  /** Standard error, for everything else. */
  readonly warn: (text: string) => void;
  readonly input: AsyncIterable<Uint8Array>;
}

interface Command {
  readonly paths: { readonly least: number; readonly most: number; readonly names: string };
  /** Whether all is well. */
  readonly run: (paths: readonly string[], given: Surroundings & { readonly acceptLoss: boolean }) => Promise<boolean>;
}

const folderOnly = { least: 1, most: 1, names: 'one folder' };
const folderAndFile = { least: 1, most: 2, names: 'a folder, and perhaps a file' };

const s = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const describe = ({ format, records, tables, commits, inJournal }: Verification): string =>
  `format ${format}, ${s(records, 'record')} in ${s(tables, 'table')}, ${s(commits, 'commit')} so far, ` +
  `${inJournal} of them in the journal only`;

const listed = (damage: readonly Damage[]): string =>
  damage
    .map(({ file, reason, table }) => {
      const what = table === undefined ? '' : ` (kind "${table.kind}" of "${table.partition}")`;
      return `  ${file}: ${reason}${what}\n`;
    })
    .join('');

async function verify([folder = '']: readonly string[], { say, warn }: Surroundings): Promise<boolean> {
  const found = await verifyStore({ folder });
  if (found.damage.length === 0) {
    say(`${folder} is sound: ${describe(found)}.\n`);
    if (found.torn)
      say(`  ${found.torn.file} has a half-written end, which opening cuts off; nothing acknowledged is in it.\n`);
    return true;
  }
  warn(`${folder} is DAMAGED: ${describe(found)}. What cannot be read:\n${listed(found.damage)}`);
  warn('Put good copies of these files back, from a backup for instance, or see "repair".\n');
  return false;
}

const repair: Command['run'] = async ([folder = ''], { say, warn, acceptLoss }) => {
  const { damage } = await repairStore({ folder, acceptLoss });
  if (damage.length === 0) {
    say(`${folder} is in order.\n`);
    return true;
  }
  if (acceptLoss) {
    say(
      `${folder} is served again, without what could not be read; the files are in its quarantine:\n${listed(damage)}`,
    );
    return true;
  }
  warn(`${folder} is still damaged:\n${listed(damage)}`);
  warn('Put good copies of these files back and repair again; or give up what is in them with --accept-loss.\n');
  return false;
};

const compact: Command['run'] = async ([folder = ''], { say }) => {
  const { filesBefore, filesAfter } = await compactStore({ folder });
  say(`${folder} has ${s(filesAfter, 'file')} now; it had ${filesBefore}.\n`);
  return true;
};

function tellOfCopy(target: string, report: BackupReport, { say, warn }: Surroundings): boolean {
  say(`${target} has ${s(report.files, 'file')}, ${report.bytes} bytes: ${describe(report)}.\n`);
  if (report.damage.length === 0) return true;
  warn(`The store is DAMAGED, and so is this copy of it. What cannot be read:\n${listed(report.damage)}`);
  return false;
}

const backup: Command['run'] = async ([folder = '', target = ''], given) =>
  tellOfCopy(target, await backupStore({ folder, target }), given);

const restore: Command['run'] = async ([from = '', folder = ''], given) =>
  tellOfCopy(folder, await restoreStore({ backup: from, folder }), given);

const exportIt: Command['run'] = async ([folder = '', file], { pour, warn }) => {
  const tell = ({ records, revisions }: { records: number; revisions: number }): boolean => {
    // Standard output may be the export itself.
    warn(`Exported ${s(records, 'record')} and ${s(revisions, 'revision')}.\n`);
    return true;
  };
  if (file === undefined) return tell(await exportStore({ folder, write: pour }));
  const output = await open(file, 'wx').catch((error: unknown) => {
    throw invalidOption('file', `${file} cannot be made: ${explain(error)}`);
  });
  try {
    const end = await exportStore({ folder, write: (text) => output.appendFile(text) });
    await output.sync();
    return tell(end);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await output.close();
  }
};

const importIt: Command['run'] = async ([folder = '', file], { say, input }) => {
  const opened = file === undefined ? undefined : await readable(file);
  try {
    const { records, revisions } = await importStore({ folder, from: opened ?? input });
    say(`${folder} is a store of ${s(records, 'record')} and ${s(revisions, 'revision')} now.\n`);
    return true;
  } finally {
    opened?.destroy();
  }
};

async function readable(file: string): Promise<Readable> {
  const handle = await open(file).catch((error: unknown) => {
    throw invalidOption('file', `${file} cannot be read: ${explain(error)}`);
  });
  return handle.createReadStream();
}

export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['verify', { paths: folderOnly, run: verify }],
  ['repair', { paths: folderOnly, run: repair }],
  ['compact', { paths: folderOnly, run: compact }],
  ['backup', { paths: { least: 2, most: 2, names: 'a folder and a target' }, run: backup }],
  ['restore', { paths: { least: 2, most: 2, names: 'a backup and a folder' }, run: restore }],
  ['export', { paths: folderAndFile, run: exportIt }],
  ['import', { paths: folderAndFile, run: importIt }],
]);
