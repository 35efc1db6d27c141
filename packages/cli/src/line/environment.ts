/** Validated settings from the environment. A failure names every invalid variable and quotes no value. */
import { type z } from 'zod';
import { exitCodes } from './exit-codes.js';
import { CommandError } from './failure.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Throws `CommandError` with one line per invalid variable: its name, then the message. */
export function readEnvironment<Shape extends z.ZodObject>(shape: Shape, environment: Environment): z.infer<Shape> {
  // Empty counts as unset, as env files and compose files leave variables empty.
  const set = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const blank = Object.keys(shape.shape).filter((name) => set[name]?.trim() === '');
  if (blank.length > 0) throw refused(blank.map((name) => `${name} ${onlySpaces}.`));
  const read = shape.safeParse(set);
  if (read.success) return read.data;
  throw refused(read.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`));
}

const onlySpaces = 'contains only spaces. Give it a value, or unset it';

const refused = (wrong: readonly string[]): CommandError =>
  new CommandError(exitCodes.usage, wrong.join('\n'), 'OPTION_INVALID');
