/** The command `blockwork-store`: takes arguments, says what happened, gives the exit code. */
import { parseArgs } from 'node:util';
import { isBlockworkError } from '@blockwork/core';
import { commands, type Surroundings } from './commands.js';

const isGood = 0;
const isBad = 1;
const isMisunderstood = 2;

const usage = `blockwork-store: looks after the folder of a Blockwork file store.

  blockwork-store verify  <folder>             reads everything and says whether it is sound; changes nothing
  blockwork-store repair  <folder>             mends what can be mended without loss, and says what is damaged
  blockwork-store repair  <folder> --accept-loss
                                               gives up what cannot be read: it goes to the quarantine
  blockwork-store compact <folder>             makes the folder as small as it can be
  blockwork-store backup  <folder> <target>    copies the store into a new folder
  blockwork-store restore <backup> <folder>    copies a backup into a new folder
  blockwork-store  <folder> [file]      writes everything as lines of JSON, to standard output without a file
  blockwork-store import  <folder> [file]      makes a new store of such lines, of standard input without a file

While a process has the store open, verify, backup and work all the same; repair and compact are refused.

Ends with 0 when all is well, with 1 when it is not, and with 2 when the command was not understood.
`;

/** Never rejects but for a bug. */
export async function runCommand(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const misunderstood = (reason: string): number => {
    surroundings.warn(`blockwork-store: ${reason}\n\n${usage}`);
    return isMisunderstood;
  };
  const parsed = parse(argv);
  if (typeof parsed === 'string') return misunderstood(parsed);
  const { values, positionals } = parsed;
  const [name, ...paths] = positionals;
  if (values.help || name === 'help') {
    surroundings.say(usage);
    return isGood;
  }
  const command = name === undefined ? undefined : commands.get(name);
  if (command === undefined) return misunderstood(name === undefined ? 'say what to do' : `there is no "${name}"`);
  if (values['accept-loss'] && name !== 'repair') return misunderstood('--accept-loss is for repair only');
  if (paths.length < command.paths.least || paths.length > command.paths.most)
    return misunderstood(`"${name}" needs ${command.paths.names}`);
  try {
    return (await command.run(paths, { ...surroundings, acceptLoss: values['accept-loss'] })) ? isGood : isBad;
  } catch (error) {
    surroundings.warn(`blockwork-store: ${error instanceof Error ? error.message : String(error)}\n`);
    return isBlockworkError(error, 'OPTION_INVALID') ? isMisunderstood : isBad;
  }
}

interface Parsed {
  readonly values: { readonly help: boolean; readonly 'accept-loss': boolean };
  readonly positionals: readonly string[];
}

function parse(argv: readonly string[]): Parsed | string {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        'accept-loss': { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
