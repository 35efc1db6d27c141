/** The settings of the link to other instances, from the environment. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { readEnvironment, type Environment } from '../line/environment.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';

export interface LinkSettings {
  /** The id of this instance among its peers. */
  readonly instance: string;
  /** Seed of the message signing key; if `undefined`, one is generated and kept in the data folder. */
  readonly instanceKey: string | undefined;
  /** File of the trusted peers and the streams shared with them; if `undefined`, no peer is trusted. */
  readonly peers: string | undefined;
  /** `host:port` of one or more NATS servers. */
  readonly servers: readonly string[];
  /** Taken from the address; never part of a message or a log line. */
  readonly login: NatsLogin;
  /** Whether to encrypt connections even if the server does not require it. */
  readonly encrypts: boolean;
  /** Files for encryption, and for the login with a key. */
  readonly files: NatsFiles;
  readonly stream: string | undefined;
  /** For a stream that does not exist yet. */
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
  .transform((path) => resolve(path))
  .optional();

const split = (list: string): string[] => list.split(/[\s,]+/).filter((address) => address !== '');

const isNats = (text: string): boolean => {
  if (!/^(nats|tls):\/\//.test(text) || !URL.canParse(text)) return false;
  const { hostname, pathname, search, hash } = new URL(text);
  return hostname !== '' && ['', '/'].includes(pathname) && search === '' && hash === '';
};

/** All servers of a cluster share one login. */
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
    'must have the form nats://user:password@host:port, or tls://...; separate several servers of a cluster by commas',
  )
  .refine(
    (list) => !split(list).every(isNats) || areOneCluster(list),
    'must have the same scheme, user and password for all servers',
  );

const variables = z.object({
  BLOCKWORK_INSTANCE: z
    .string('must be set with BLOCKWORK_NATS_URL: the id of this instance among its peers')
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

/** The names of the variables that need a link. */
export const linkVariables: readonly string[] = Object.keys(variables.shape);

/** Throws `CommandError` for each link variable that is set without a link, since it would be silently ignored. */
export function assertNoLinkIsMeant(environment: Environment): void {
  const set = linkVariables.filter((name) => (environment[name] ?? '') !== '');
  if (set.length === 0) return;
  const why = 'needs BLOCKWORK_NATS_URL, the address of the link to other instances, which is not set';
  throw new CommandError(exitCodes.usage, set.map((name) => `${name} ${why}.`).join('\n'), 'OPTION_INVALID');
}

/** Throws `CommandError` naming the invalid variables. */
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

/** A name without a password is a token, as in NATS clients. */
function loginOf(url: URL | undefined): NatsLogin {
  const [user, pass] = [decoded(url?.username ?? ''), decoded(url?.password ?? '')];
  if (user === '') return null;
  return pass === '' ? { token: user } : { user, pass };
}

/** Text that is not percent-encoded is kept unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
