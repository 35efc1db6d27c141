/** The commands below `blockwork store`. */
import type { ArgumentSpec, CommandSpec } from '../line/command.js';
import type { StoreTool } from './store-tools.js';

const folder: ArgumentSpec = { name: '<folder>', description: 'folder of the store' };
const keys = {
  flags: '--with-keys',
  description:
    'also copy the secret keys, the files key-seed and instance-key next to the folder; keep such a backup secret',
};

const tool =
  (name: StoreTool): NonNullable<CommandSpec['load']> =>
  async () => ({
    run: (await import('./store-tools.js')).storeTools[name],
  });

/** While a server has the store open, verify, backup, export and journal work; repair and compact are refused. */
export const storeCommands: readonly CommandSpec[] = [
  {
    name: 'verify',
    summary: 'check that everything is readable and, in a database, that keys and totals are correct; read-only',
    arguments: [{ name: '<store>', description: 'folder of the store, or a database as in "copy"' }],
    load: tool('verify'),
  },
  {
    name: 'repair',
    summary: 'repair what can be repaired without loss, and list the damage',
    arguments: [folder],
    options: [{ flags: '--accept-loss', description: 'move unreadable data to quarantine and continue without it' }],
    load: tool('repair'),
  },
  { name: 'compact', summary: 'minimize the size of the folder', arguments: [folder], load: tool('compact') },
  {
    name: 'backup',
    summary: 'copy the store to a new folder',
    arguments: [folder, { name: '<target>', description: 'folder for the copy, empty or missing' }],
    options: [keys],
    load: tool('backup'),
  },
  {
    name: 'restore',
    summary: 'copy a backup to a new folder',
    arguments: [{ name: '<backup>', description: 'folder written by "backup"' }, folder],
    options: [keys],
    load: tool('restore'),
  },
  {
    name: 'export',
    summary: 'export everything as JSON lines',
    arguments: [folder, { name: '[file]', description: 'a new file (default: standard output)' }],
    load: tool('export'),
  },
  {
    name: 'journal',
    summary: 'print the journal of a policy as JSON lines: archived entries, then later ones',
    arguments: [folder, { name: '<policy>', description: 'id of the policy' }],
    load: tool('journal'),
  },
  {
    name: 'import',
    summary: 'create a store from exported lines',
    arguments: [folder, { name: '[file]', description: 'the lines (default: standard input)' }],
    load: tool('import'),
  },
  {
    name: 'copy',
    summary: 'copy a store between files and a database and verify every record; resumes after an interruption',
    arguments: [
      {
        name: '<from>',
        description:
          'folder of a store or of a server, postgres://user:password@host:port/database, or "postgres:" for $BLOCKWORK_DATABASE_URL',
      },
      { name: '<to>', description: 'as <from>; empty, missing, or left by an interrupted copy' },
    ],
    examples: ['store copy .blockwork postgres:', 'store copy postgres: backup/store'],
    load: tool('copy'),
  },
  {
    name: 'migrate',
    summary: 'create the tables of a database, or migrate them to this version',
    arguments: [{ name: '[database]', description: 'as in "copy" (default: $BLOCKWORK_DATABASE_URL)' }],
    options: [
      { flags: '--print', description: 'print the SQL without running it' },
      { flags: '--from <version>', description: 'with --print: the current schema version', default: '0' },
    ],
    examples: ['store migrate', 'store migrate --print > blockwork.sql'],
    load: tool('migrate'),
  },
  {
    name: 'views',
    summary: 'create the views of a database for reporting tools, or update them',
    arguments: [{ name: '[database]', description: 'as in "copy" (default: $BLOCKWORK_DATABASE_URL)' }],
    options: [
      {
        flags: '--into <schema>',
        description: 'the schema of the views (default: that of the store with _report behind it)',
      },
      { flags: '--print', description: 'print the SQL without running it' },
    ],
    examples: ['store views', 'store views --print > report.sql'],
    load: tool('views'),
  },
];
