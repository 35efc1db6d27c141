/** Parses the database address without ever quoting it in an error, because it contains a password. */
import type { BlockworkError } from '@blockwork/core';
import { invalidOption } from '@blockwork/core/adapter';
import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string | undefined;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** The TLS setting of the address; `undefined` if it has none. */
  readonly tls: boolean | undefined;
  readonly applicationName: string | undefined;
}

/** Values of `sslmode`. Every encrypting mode also verifies, since unverified encryption does not stop an impostor. */
const tlsModes: Readonly<Record<string, boolean>> = {
  disable: false,
  require: true,
  'verify-ca': true,
  'verify-full': true,
};
const known = ['host', 'sslmode', 'application_name'];

/** Throws `OPTION_INVALID` with a reason that never quotes the address. */
export function parseAddress(address: unknown): ServerAddress {
  const url = urlOf(address);
  const unknown = [...url.searchParams.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw invalid(`its parameter ${JSON.stringify(unknown)} is none of ${known.join(', ')}`);
  const mode = url.searchParams.get('sslmode');
  if (mode !== null && !Object.hasOwn(tlsModes, mode)) {
    throw invalid(`its sslmode must be one of ${Object.keys(tlsModes).join(', ')}`);
  }
  const host = url.searchParams.get('host') ?? (hostOf(url) || 'localhost');
  if (host.includes(',')) throw invalid('it must have one host: one that always leads to the primary server');
  return {
    host,
    port: url.port === '' ? 5432 : Number(url.port),
    database: decoded(url.pathname.slice(1)),
    user: decoded(url.username),
    password: decoded(url.password),
    tls: mode === null ? undefined : tlsModes[mode],
    applicationName: url.searchParams.get('application_name') ?? undefined,
  };
}

/** For display and logs: the location, without credentials. */
export const placeOf = ({ host, port, database }: ServerAddress, schema: string): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}${database === undefined ? '' : `/${database}`}, schema ${schema}`;

/** Whether the connection stays on this machine. */
export const isLocal = (host: string): boolean =>
  isAbsolute(host) || host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

function urlOf(address: unknown): URL {
  const url = typeof address === 'string' ? parsed(address) : null;
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw invalid('it must have the form postgres://user:password@host:port/database, with %XX for special characters');
  }
  return url;
}

/** No cause: the error of `URL` quotes the whole text. */
function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

const hostOf = (url: URL): string => decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1');

function decoded(text: string): string | undefined {
  if (text === '') return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid('a % in it is not followed by two hex digits');
  }
}

const invalid = (reason: string): BlockworkError => invalidOption('postgres store: address', reason);
