/** The options of the store and their validation. */
import { randomIds, silentLogger, systemClock, systemTimers } from '@blockwork/core';
import { optionTypes, parseOptions, type OptionsOf, type ResolvedOptions as Resolved } from '@blockwork/core/adapter';
import type { ConnectionOptions } from 'node:tls';
import { isLocal, parseAddress, type ServerAddress } from './connection/address.js';

export const DEFAULT_SCHEMA = 'blockwork';

const isSchemaName = (value: unknown): boolean =>
  typeof value === 'string' && /^[a-z_][a-z0-9_]{0,39}$/.test(value) && !value.startsWith('pg_');

/** Valid schema names. */
export const schemaOption = optionTypes.satisfying<string>(
  isSchemaName,
  'must be 1 to 40 small letters, digits and underscores, and not begin with a digit or pg_',
);

const shape = {
  /**
   * `postgres://user:password@host:port/database`, or several `host:port` with commas between them, of which the primary is
   * used. Supports `sslmode` (`disable`, `require`, `verify-ca`, `verify-full`; all but the first fully verify the server),
   * `application_name`, `target_session_attrs` (`read-write`, `primary`), and `host` with `port`, also for the folder of a
   * Unix socket.
   */
  address: optionTypes.text,
  /** Provides the password for each new connection, for passwords that expire. Default: the password in the address. */
  password: optionTypes.as<() => string | Promise<string>>(optionTypes.function),
  /**
   * TLS options, for example `{ ca }`; `false` disables TLS. Default: as in the address; if that has none, connections that leave
   * the machine are encrypted and the server is verified.
   */
  tls: optionTypes.satisfying<boolean | ConnectionOptions>(
    (value) => typeof value === 'boolean' || (typeof value === 'object' && value !== null),
    'must be true, false, or an object with the options of a TLS connection',
  ),
  /** The schema of the tables. Several stores can share a database, each in its own schema. Default `blockwork`. */
  schema: schemaOption.default(DEFAULT_SCHEMA),
  /** Whether to create missing tables on opening. Set it to `false` for a role without that privilege. Default `true`. */
  migrate: optionTypes.flag.default(true),
  /** Maximum number of connections for reads. Default 8. */
  readConnections: optionTypes.wholeNumber(1, 1000).default(8),
  /** Number of connections for commits. Queued commits share a round trip, so few are needed. Default 2. */
  commitConnections: optionTypes.wholeNumber(1, 64).default(2),
  /**
   * Maximum number of connections that hold or wait for the lock of a policy to which several nodes write. Default 8.
   */
  lockConnections: optionTypes.wholeNumber(1, 1000).default(8),
  /** Time in ms to wait for the lock of a policy. Default 30,000. */
  lockWaitMs: optionTypes.milliseconds(1).default(30_000),
  /** Time in ms after which the database takes the lock of a policy from a node that is dead or stands still. Default 5000. */
  lockIdleMs: optionTypes.milliseconds(1).default(5000),
  /**
   * Time in ms that a function given as `commitWith` may take. The policy takes no other sends meanwhile. Default 5000.
   */
  hostWorkMs: optionTypes.milliseconds(1).default(5000),
  /** Timeout in ms to connect or to wait for a free connection. Default 5000. */
  connectMs: optionTypes.milliseconds(1).default(5000),
  /** Statement timeout in ms. Default 30,000. */
  statementMs: optionTypes.milliseconds(1).default(30_000),
  /** Time in ms that a call waits for an unavailable database before it is refused. Default 5000. */
  patienceMs: optionTypes.milliseconds(0).default(5000),
  /** Time in ms to determine the outcome of a commit whose answer was lost. Default 60,000. */
  outcomeMs: optionTypes.milliseconds(1).default(60_000),
  /** Logs lost connections and their recovery. Default: no logging. */
  logger: optionTypes.logger.default(() => silentLogger),
  clock: optionTypes.clock.default(() => systemClock),
  timers: optionTypes.timers.default(() => systemTimers),
  ids: optionTypes.ids.default(() => randomIds),
};

export type PostgresStoreOptions = OptionsOf<typeof shape, 'address'>;

export interface ResolvedOptions extends Omit<Resolved<typeof shape>, 'address' | 'password' | 'tls'> {
  readonly server: ServerAddress;
  readonly password: string | (() => string | Promise<string>) | undefined;
  readonly tls: boolean | ConnectionOptions;
}

/** Throws `OPTION_INVALID`, naming the option. */
export function resolveOptions(options: PostgresStoreOptions): ResolvedOptions {
  const { address, ...resolved } = parseOptions<typeof shape, 'address'>(options, shape, 'postgres store: ');
  const server = parseAddress(address);
  return {
    ...resolved,
    server,
    password: resolved.password ?? server.password,
    tls: resolved.tls ?? server.tls ?? !server.hosts.every(isLocal),
  };
}
