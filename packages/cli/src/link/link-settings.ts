/** The settings of the link to other instances, from the environment. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { readEnvironment, type Environment } from '../line/environment.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';

export interface LinkSettings {
  /** What other instances know this one by. */
  readonly instance: string;
  /** Seed of the key that messages are signed with; `undefined`: one is made, and kept in the data folder. */
  readonly instanceKey: string | undefined;
  /** File that names the peers and the streams that are shared with them; `undefined`: nobody is believed. */
  readonly peers: string | undefined;
  /** `host:port` of one or more servers of NATS. */
  readonly servers: readonly string[];
  /** From the address: it is in no message and no log. */
  readonly login: NatsLogin;
  /** Whether connections are encrypted even where the server does not ask for it. */
  readonly encrypts: boolean;
  /** Files for encryption, and for the login with a key. */
  readonly files: NatsFiles;
  readonly stream: string | undefined;
  /** Of a stream that is not there yet. */
  readonly newStream: { readonly replicas?: number; readonly keepMs?: number; readonly keepBytes?: number };
}

export type NatsLogin = { readonly user: string; readonly pass: string } | { readonly token: string } | null;

export interface NatsFiles {
  readonly credentials: string | undefined;
  readonly ca: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

const DAY = 86_400_000;

const whole = (least: number, most: number): z.ZodType<number | undefined, string | undefined> =>
  z
    .string()
    .refine(
      (text) => /^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most,
      `must be a whole number, ${least} to ${most}`,
    )
    .transform(Number)
    .optional();

const path = z
  .string()
  .transform((given) => resolve(given))
  .optional();

const split = (list: string): string[] => list.split(/[\s,]+/).filter((address) => address !== '');

const isNats = (text: string): boolean => {
  if (!/^(nats|tls):\/\//.test(text) || !URL.canParse(text)) return false;
  const { hostname, pathname, search, hash } = new URL(text);
  return hostname !== '' && ['', '/'].includes(pathname) && search === '' && hash === '';
};

/** All of a cluster, so one login. */
const areOneCluster = (list: string): boolean => {
  const urls = split(list).map((address) => new URL(address));
  return (
    new Set(urls.map(({ protocol, username, password }) => JSON.stringify([protocol, username, password]))).size === 1
  );
};

export const natsAddress = z
  .string()
  .refine(
    (list) => split(list).length > 0 && split(list).every(isNats),
    'must be written nats://user:password@host:port, or tls:// in place of nats://; several servers of a cluster are divided by commas',
  )
  .refine(
    (list) => !split(list).every(isNats) || areOneCluster(list),
    'must have the same scheme, user and password for all servers',
  );

const variables = z.object({
  BLOCKWORK_INSTANCE: z
    .string('must be set with BLOCKWORK_NATS_URL: what other instances know this one by')
    .max(200, 'must have at most 200 characters'),
  BLOCKWORK_INSTANCE_KEY: z
    .string()
    .refine((text) => Buffer.from(text, 'base64url').length === 32, 'must be 32 bytes in base64')
    .optional(),
  BLOCKWORK_PEERS: path,
  BLOCKWORK_NATS_CREDENTIALS: path,
  BLOCKWORK_NATS_CA: path,
  BLOCKWORK_NATS_CERTIFICATE: path,
  BLOCKWORK_NATS_KEY: path,
  BLOCKWORK_NATS_STREAM: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'must be 1 to 100 letters, digits, underscores and hyphens')
    .optional(),
  BLOCKWORK_NATS_REPLICAS: whole(1, 5),
  BLOCKWORK_NATS_KEEP_DAYS: whole(0, 36_525),
  BLOCKWORK_NATS_KEEP_BYTES: whole(0, 1e15 - 1),
});

/** Throws `CommandError` for each variable of a link that is set although there is none: it would be ignored, whoever set it. */
export function assertNoLinkIsMeant(environment: Environment): void {
  const set = Object.keys(variables.shape).filter((name) => (environment[name] ?? '') !== '');
  if (set.length === 0) return;
  const why = 'needs BLOCKWORK_NATS_URL, the address of the link to other instances, which is not set';
  throw new CommandError(exitCodes.usage, set.map((name) => `${name} ${why}.`).join('\n'), 'OPTION_INVALID');
}

/** Throws `CommandError`, naming the variables that are wrong. */
export function linkSettings(addresses: string, environment: Environment): LinkSettings {
  const read = readEnvironment(variables, environment);
  const urls = split(addresses).map((address) => new URL(address));
  return {
    instance: read.BLOCKWORK_INSTANCE,
    instanceKey: read.BLOCKWORK_INSTANCE_KEY,
    peers: read.BLOCKWORK_PEERS,
    servers: urls.map(({ host, port }) => (port === '' ? `${host}:4222` : host)),
    login: loginOf(urls[0]),
    encrypts: urls[0]?.protocol === 'tls:',
    files: {
      credentials: read.BLOCKWORK_NATS_CREDENTIALS,
      ca: read.BLOCKWORK_NATS_CA,
      certificate: read.BLOCKWORK_NATS_CERTIFICATE,
      key: read.BLOCKWORK_NATS_KEY,
    },
    stream: read.BLOCKWORK_NATS_STREAM,
    newStream: {
      ...(read.BLOCKWORK_NATS_REPLICAS !== undefined && { replicas: read.BLOCKWORK_NATS_REPLICAS }),
      ...(read.BLOCKWORK_NATS_KEEP_DAYS !== undefined && { keepMs: read.BLOCKWORK_NATS_KEEP_DAYS * DAY }),
      ...(read.BLOCKWORK_NATS_KEEP_BYTES !== undefined && { keepBytes: read.BLOCKWORK_NATS_KEEP_BYTES }),
    },
  };
}

/** A name without a password is a token, as clients of NATS take it. */
function loginOf(url: URL | undefined): NatsLogin {
  const [user, pass] = [decoded(url?.username ?? ''), decoded(url?.password ?? '')];
  if (user === '') return null;
  return pass === '' ? { token: user } : { user, pass };
}

/** What is no percent-encoding stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
