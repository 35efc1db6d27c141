/** The command `blockwork-store`: takes arguments, says what happened, gives the exit code. */
import { parseArgs } from 'node:util';
import { isBlockworkError } from '@blockwork/core';
import { commands, type Surroundings } from './commands.js';
import { usage } from './usage.js';

const isGood = 0;
const isBad = 1;
const isMisunderstood = 2;

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
