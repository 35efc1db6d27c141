/** Parses the database address without ever quoting it in an error, because it contains a password. */
import type { BlockworkError } from '@blockwork/core';
import { invalidOption } from '@blockwork/core/adapter';
import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';

export interface Host {
  /** A name, an IP address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

export interface ServerAddress {
  /** In the order in which they are tried; at least one. */
  readonly hosts: readonly [Host, ...Host[]];
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
const parameters = ['host', 'port', 'sslmode', 'application_name', 'target_session_attrs'];
/** Values of `target_session_attrs` that mean the primary, which is the only server that is ever used. */
const targets = ['read-write', 'primary'];
const HOSTS_AT_MOST = 16;
const PORT = 5432;

/** Throws `OPTION_INVALID` with a reason that never quotes the address. */
export function parseAddress(address: unknown): ServerAddress {
  const { url, authority } = urlOf(address);
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined)
    throw invalid(`its parameter ${JSON.stringify(unknown)} is none of ${parameters.join(', ')}`);
  const mode = url.searchParams.get('sslmode');
  if (mode !== null && !Object.hasOwn(tlsModes, mode)) {
    throw invalid(`its sslmode must be one of ${Object.keys(tlsModes).join(', ')}`);
  }
  const target = url.searchParams.get('target_session_attrs');
  if (target !== null && !targets.includes(target)) {
    throw invalid(`its target_session_attrs must be ${targets.join(' or ')}, since only the primary is used`);
  }
  return {
    hosts: hostsOf(url, authority),
    database: decoded(url.pathname.slice(1)),
    user: decoded(url.username),
    password: decoded(url.password),
    tls: mode === null ? undefined : tlsModes[mode],
    applicationName: url.searchParams.get('application_name') ?? undefined,
  };
}

/** For display and logs: the location, without credentials. */
export const placeOf = ({ hosts, database }: ServerAddress, schema: string): string =>
  `${hosts.map(inWords).join(',')}${database === undefined ? '' : `/${database}`}, schema ${schema}`;

export const inWords = ({ host, port }: Host): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Whether the connection stays on this machine. */
export const isLocal = ({ host }: Pick<Host, 'host'>): boolean =>
  isAbsolute(host) || host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** `authority`: the hosts with their ports as they stand in the address, which `URL` takes only one of. */
function urlOf(address: unknown): { url: URL; authority: string } {
  const parts = typeof address === 'string' ? /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/is.exec(address) : null;
  const [, scheme = '', server = '', rest = ''] = parts ?? [];
  const at = server.lastIndexOf('@') + 1;
  const authority = server.slice(at);
  // A single host stays, so that whatever is wrong with it is found.
  const single = authority.includes(',') ? 'localhost' : authority;
  const url = parts === null ? null : parsed(scheme + server.slice(0, at) + single + rest);
  if (url === null) {
    throw invalid('it must have the form postgres://user:password@host:port/database, with %XX for special characters');
  }
  return { url, authority };
}

/** No cause: the error of `URL` quotes the whole text. */
function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** `host1:port1,host2:port2`, or the parameters `host=a,b` and `port=1,2`; one port counts for all hosts. */
function hostsOf(url: URL, authority: string): [Host, ...Host[]] {
  const hostList = url.searchParams.get('host');
  const hosts =
    hostList === null ? authority.split(',').map(hostOf) : hostList.split(',').map((host) => ({ host, port: null }));
  const ports = url.searchParams.get('port')?.split(',') ?? (hostList !== null && url.port !== '' ? [url.port] : []);
  if (hosts.length > HOSTS_AT_MOST) throw invalid(`it must have at most ${String(HOSTS_AT_MOST)} hosts`);
  if (ports.length > 1 && ports.length !== hosts.length) throw invalid('it must have one port, or one for each host');
  const [first, ...others] = hosts.map(({ host, port }, at) => ({
    host: host || 'localhost',
    port: portOf(ports[at] ?? ports[0]) ?? port ?? PORT,
  }));
  return [first ?? { host: 'localhost', port: PORT }, ...others];
}

function hostOf(text: string): { host: string; port: number | null } {
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(text) ?? [undefined, undefined, 'none'];
  return { host: decoded(host)?.replace(/^\[(.*)\]$/, '$1') ?? '', port: portOf(port) ?? null };
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535) throw invalid('a port in it is no number from 1 to 65535');
  return port;
}

function decoded(text: string): string | undefined {
  if (text === '') return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid('a % in it is not followed by two hex digits');
  }
}

const invalid = (reason: string): BlockworkError => invalidOption('postgres store: address', reason);
