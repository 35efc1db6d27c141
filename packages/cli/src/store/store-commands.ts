/** The commands below `blockwork store`. */
import type { ArgumentSpec, CommandSpec } from '../line/command.js';
import type { StoreTool } from './store-tools.js';

const folder: ArgumentSpec = { name: '<folder>', description: 'folder of the store' };
const keys = {
  flags: '--with-keys',
  description: 'also copy the secret seed of the keys, the file key-seed beside the folder; keep such a backup secret',
};

const tool =
  (name: StoreTool): NonNullable<CommandSpec['load']> =>
  async () => ({
    run: (await import('./store-tools.js')).storeTools[name],
  });

/** While a server has the store open, verify, backup, export and journal still work; repair and compact are refused. */
export const storeCommands: readonly CommandSpec[] = [
  {
    name: 'verify',
    summary: 'check that everything is readable, and in a database that its keys and totals are right; changes nothing',
    arguments: [{ name: '<store>', description: 'folder of the store, or a database as in "copy"' }],
    load: tool('verify'),
  },
  {
    name: 'repair',
    summary: 'repair what is possible without loss, and list what is damaged',
    arguments: [folder],
    options: [{ flags: '--accept-loss', description: 'give up unreadable data, which goes to the quarantine' }],
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
    arguments: [{ name: '<backup>', description: 'folder that backup wrote' }, folder],
    options: [keys],
    load: tool('restore'),
  },
  {
    name: 'export',
    summary: 'write everything as lines of JSON',
    arguments: [folder, { name: '[file]', description: 'a new file (default: standard output)' }],
    load: tool('export'),
  },
  {
    name: 'journal',
    summary: 'print the journal of a policy as lines of JSON: what is archived, then what came after it',
    arguments: [folder, { name: '<policy>', description: 'id of the policy' }],
    load: tool('journal'),
  },
  {
    name: 'import',
    summary: 'create a store from such lines',
    arguments: [folder, { name: '[file]', description: 'the lines (default: standard input)' }],
    load: tool('import'),
  },
  {
    name: 'copy',
    summary:
      'copy a store to a new place, from files to a database or back, and compare every record; goes on where it was interrupted',
    arguments: [
      {
        name: '<from>',
        description:
          'folder of a store or of a server, postgres://user:password@host:port/database, or "postgres:" for $BLOCKWORK_DATABASE_URL',
      },
      { name: '<to>', description: 'likewise; empty or missing, or what an interrupted copy left' },
    ],
    examples: ['store copy .blockwork postgres:', 'store copy postgres: backup/store'],
    load: tool('copy'),
  },
  {
    name: 'migrate',
    summary: 'make the tables of a database, or bring them up to this version',
    arguments: [{ name: '[database]', description: 'as in "copy" (default: $BLOCKWORK_DATABASE_URL)' }],
    options: [
      { flags: '--print', description: 'print the SQL, for somebody else to run, and change nothing' },
      { flags: '--from <version>', description: 'with --print: the version that is there', default: '0' },
    ],
    examples: ['store migrate', 'store migrate --print > blockwork.sql'],
    load: tool('migrate'),
  },
];
