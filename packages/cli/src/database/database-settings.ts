/** The settings of a database, from the environment. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { readEnvironment, type Environment } from '../line/environment.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';

export interface DatabaseSettings {
  /** Contains a password: never part of a message or a log line. */
  readonly address: string;
  /** The address's name in error messages: the variable, or the argument of a command. */
  readonly addressName: string;
  readonly schema: string | undefined;
  readonly readConnections: number | undefined;
  readonly statementMs: number | undefined;
  /** Milliseconds that a call waits for an unavailable database. */
  readonly patienceMs: number | undefined;
  /** File with the CA certificates that verify the server; Node's own if absent. */
  readonly ca: string | undefined;
  /** Whether missing parts of the schema are created. */
  readonly migrate: boolean;
}

const whole = (most: number): z.ZodType<number | undefined, string | undefined> =>
  z
    .string()
    .refine((text) => /^[1-9]\d{0,9}$/.test(text) && Number(text) <= most, `must be a whole number, 1 to ${most}`)
    .transform(Number)
    .optional();

const variables = z.object({
  BLOCKWORK_DATABASE_SCHEMA: z.string().optional(),
  BLOCKWORK_DATABASE_CONNECTIONS: whole(1000),
  BLOCKWORK_DATABASE_STATEMENT_MS: whole(2 ** 31 - 1),
  BLOCKWORK_DATABASE_PATIENCE_MS: whole(2 ** 31 - 1),
  BLOCKWORK_DATABASE_CA: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  BLOCKWORK_DATABASE_MIGRATE: z.enum(['true', 'false'], 'must be true or false').default('true'),
});

/** The names of the variables that need a database. */
export const databaseVariables: readonly string[] = Object.keys(variables.shape);

export const databaseAddress = z
  .string()
  .refine((text) => isDatabase(text), 'must be written postgres://user:password@host:port/database');

/** Whether the text is a database address rather than a folder. */
export const isDatabase = (text: string): boolean => /^postgres(ql)?:\/\//.test(text);

/** Otherwise a server whose address is missing or misspelled would start on files. Throws `CommandError`. */
export function assertNoDatabaseIsMeant(environment: Environment): void {
  const set = databaseVariables.filter((name) => (environment[name] ?? '') !== '');
  if (set.length === 0) return;
  const why = 'needs BLOCKWORK_DATABASE_URL, the address of the database, which is not set';
  throw new CommandError(exitCodes.usage, set.map((name) => `${name} ${why}.`).join('\n'), 'OPTION_INVALID');
}

/** Throws `CommandError` naming the invalid variables. `addressName`: the source of the address. */
export function databaseSettings(
  address: string,
  environment: Environment,
  addressName = 'BLOCKWORK_DATABASE_URL',
): DatabaseSettings {
  const read = readEnvironment(variables, environment);
  return {
    address,
    addressName,
    schema: read.BLOCKWORK_DATABASE_SCHEMA,
    readConnections: read.BLOCKWORK_DATABASE_CONNECTIONS,
    statementMs: read.BLOCKWORK_DATABASE_STATEMENT_MS,
    patienceMs: read.BLOCKWORK_DATABASE_PATIENCE_MS,
    ca: read.BLOCKWORK_DATABASE_CA,
    migrate: read.BLOCKWORK_DATABASE_MIGRATE === 'true',
  };
}
