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
  const read = shape.safeParse(set);
  if (read.success) return read.data;
  const wrong = read.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`);
  throw new CommandError(exitCodes.usage, wrong.join('\n'), 'OPTION_INVALID');
}
