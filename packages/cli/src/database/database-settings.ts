/** The settings of a database, from the environment. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { readEnvironment, type Environment } from '../line/environment.js';

export interface DatabaseSettings {
  /** Holds a password: it is in no message and no log. */
  readonly address: string;
  /** What the address is called where it is wrong: the variable, or the argument of a command. */
  readonly addressName: string;
  readonly schema: string | undefined;
  readonly readConnections: number | undefined;
  readonly statementMs: number | undefined;
  /** Milliseconds that a call waits for a database that is away. */
  readonly patienceMs: number | undefined;
  /** File with the certificates of the authorities that the server is verified by; those of Node when absent. */
  readonly ca: string | undefined;
  /** Whether what the schema lacks is made. */
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

export const databaseAddress = z
  .string()
  .refine((text) => isDatabase(text), 'must be written postgres://user:password@host:port/database');

/** Whether it is the address of a database, and not a folder. */
export const isDatabase = (text: string): boolean => /^postgres(ql)?:\/\//.test(text);

/** Throws `CommandError`, naming the variables that are wrong. `addressName`: where the address comes from. */
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
