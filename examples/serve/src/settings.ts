/** The settings of the server, from the environment: all with a default, all checked before anything is started. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { StartupError } from './startup-error.js';

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

const folder = (fallback: string): z.ZodType<string, string | undefined> =>
  z
    .string()
    .default(fallback)
    .transform((path) => resolve(path));

/** What each variable may hold. A message follows the name of its variable. */
const environment = z.object({
  BLOCKWORK_PORT: z
    .string()
    .default('3000')
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, 'must be a port, 0 to 65535 (0: any free one)')
    .transform(Number),
  BLOCKWORK_HOST: z.string().default('127.0.0.1'),
  BLOCKWORK_DATA: folder('.blockwork'),
  BLOCKWORK_JWT_SECRET: z
    .string()
    .refine((text) => Buffer.byteLength(text) >= 32, 'must have at least 32 bytes (256 bits)')
    .optional(),
  BLOCKWORK_POLICIES: folder(fileURLToPath(new URL('../policies', import.meta.url))),
  BLOCKWORK_OWNER: z.string().max(500, 'must have at most 500 characters').default('did:example:registry'),
  BLOCKWORK_LOG: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
});

export interface Settings {
  readonly port: number;
  readonly host: string;
  /** Folder of the store and of the few files beside it. */
  readonly data: string;
  /** `undefined`: one is made, and kept in the data folder. */
  readonly secret: string | undefined;
  /** Folder whose policies are loaded. */
  readonly policies: string;
  /** The identity that owns them. */
  readonly owner: string;
  readonly log: (typeof logLevels)[number];
}

/** @throws StartupError, with one line for each variable that is wrong. */
export function readSettings(variables: Readonly<Record<string, string | undefined>>): Settings {
  // Set to nothing counts as not set: that is how a line of an env file or a compose file leaves one out.
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''));
  const read = environment.safeParse(set);
  if (!read.success) {
    throw new StartupError(read.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`).join('\n'));
  }
  const { data } = read;
  return {
    port: data.BLOCKWORK_PORT,
    host: data.BLOCKWORK_HOST,
    data: data.BLOCKWORK_DATA,
    secret: data.BLOCKWORK_JWT_SECRET,
    policies: data.BLOCKWORK_POLICIES,
    owner: data.BLOCKWORK_OWNER,
    log: data.BLOCKWORK_LOG,
  };
}
