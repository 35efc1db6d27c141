/** Settings from the environment, checked: a failure names every variable that is wrong, and quotes none. */
import { type z } from 'zod';
import { exitCodes } from './exit-codes.js';
import { CommandError } from './failure.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Throws `CommandError` with one line for each variable that is wrong. A message follows the name of its variable. */
export function readEnvironment<Shape extends z.ZodObject>(shape: Shape, environment: Environment): z.infer<Shape> {
  // Set to nothing counts as not set: that is how a line of an env file or a compose file leaves one out.
  const set = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const blank = Object.keys(shape.shape).filter((name) => set[name]?.trim() === '');
  if (blank.length > 0) throw refused(blank.map((name) => `${name} ${onlySpaces}.`));
  const read = shape.safeParse(set);
  if (read.success) return read.data;
  throw refused(read.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`));
}

const onlySpaces = 'holds nothing but spaces. Give it a value, or leave it out';

const refused = (wrong: readonly string[]): CommandError =>
  new CommandError(exitCodes.usage, wrong.join('\n'), 'OPTION_INVALID');
