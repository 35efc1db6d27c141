/** The command `blockwork-store`: parses arguments, runs a tool, returns the exit code. */
import { parseArgs } from 'node:util';
import { isBlockworkError } from '@blockwork/core';
import { commands, type CommandStreams } from './commands.js';

const exitCodes = { ok: 0, failed: 1, usage: 2 } as const;

const usage = `blockwork-store: maintains the folder of a Blockwork file store.

  blockwork-store verify  <folder>             checks that everything is readable; changes nothing
  blockwork-store repair  <folder>             repairs what is possible without loss, and lists what is damaged
  blockwork-store repair  <folder> --accept-loss
                                               gives up unreadable data, which goes to the quarantine
  blockwork-store compact <folder>             minimizes the size of the folder
  blockwork-store backup  <folder> <target>    copies the store to a new folder
  blockwork-store restore <backup> <folder>    copies a backup to a new folder
      --with-keys                              backup and restore: also the secret seed of the keys, the file key-seed
                                               beside the folder. Keep such a backup as secret as the seed
  blockwork-store export  <folder> [file]      writes everything as lines of JSON, to standard output by default
  blockwork-store import  <folder> [file]      creates a store from such lines, from standard input by default

While a process has the store open, verify, backup and export still work; repair and compact are refused.

Exit codes: 0 success, 1 failure or damage, 2 wrong usage.
`;

/** Rejects only in case of a bug. */
export async function runCommand(argv: readonly string[], streams: CommandStreams): Promise<number> {
  const wrongUsage = (reason: string): number => {
    streams.printError(`blockwork-store: ${reason}\n\n${usage}`);
    return exitCodes.usage;
  };
  const parsed = parse(argv);
  if (typeof parsed === 'string') return wrongUsage(parsed);
  const { values, positionals } = parsed;
  const [name, ...paths] = positionals;
  if (values.help || name === 'help') {
    streams.print(usage);
    return exitCodes.ok;
  }
  const command = name === undefined ? undefined : commands.get(name);
  if (command === undefined) return wrongUsage(name === undefined ? 'no command given' : `unknown command "${name}"`);
  if (values['accept-loss'] && name !== 'repair') return wrongUsage('--accept-loss is for repair only');
  if (values['with-keys'] && name !== 'backup' && name !== 'restore')
    return wrongUsage('--with-keys is for backup and restore only');
  if (paths.length < command.paths.min || paths.length > command.paths.max)
    return wrongUsage(`"${name}" needs ${command.paths.names}`);
  try {
    const isOk = await command.run(paths, {
      ...streams,
      acceptLoss: values['accept-loss'],
      withKeys: values['with-keys'],
    });
    return isOk ? exitCodes.ok : exitCodes.failed;
  } catch (error) {
    streams.printError(`blockwork-store: ${error instanceof Error ? error.message : String(error)}\n`);
    return isBlockworkError(error, 'OPTION_INVALID') ? exitCodes.usage : exitCodes.failed;
  }
}

interface ParsedArguments {
  readonly values: { readonly help: boolean; readonly 'accept-loss': boolean; readonly 'with-keys': boolean };
  readonly positionals: readonly string[];
}

/** Returns an error message if the arguments are invalid. */
function parse(argv: readonly string[]): ParsedArguments | string {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        'accept-loss': { type: 'boolean', default: false },
        'with-keys': { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
