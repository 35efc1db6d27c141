/** The options of the store and their validation. */
import {
  randomIds,
  silentLogger,
  systemClock,
  systemTimers,
  type Clock,
  type Ids,
  type Logger,
  type Timers,
} from '@blockwork/core';
import { checkOptions, optionTypes, type OptionShape } from '@blockwork/core/adapter';
import type { ConnectionOptions } from 'node:tls';
import { isLocal, parseAddress, type ServerAddress } from './connection/address.js';

export interface PostgresStoreOptions {
  /**
   * `postgres://user:password@host:port/database`. Supports `sslmode` (`disable`, `require`, `verify-ca`, `verify-full`; all but the
   * first fully verify the server), `application_name`, and `host` for the folder of a Unix socket.
   */
  readonly address: string;
  /** Provides the password for each new connection, for passwords that expire. Default: the password in the address. */
  readonly password?: () => string | Promise<string>;
  /**
   * TLS options, for example `{ ca }`; `false` disables TLS. Default: as in the address; if that has none, connections that leave
   * the machine are encrypted and the server is verified.
   */
  readonly tls?: boolean | ConnectionOptions;
  /** The schema of the tables. Several stores can share a database, each in its own schema. Default `blockwork`. */
  readonly schema?: string;
  /** Whether to create missing tables on opening. Set it to `false` for a role without that privilege. Default `true`. */
  readonly migrate?: boolean;
  /** Maximum number of connections for reads. Default 8. */
  readonly readConnections?: number;
  /** Number of connections for commits. Queued commits share a round trip, so few are needed. Default 2. */
  readonly commitConnections?: number;
  /** Timeout in ms to connect or to wait for a free connection. Default 5000. */
  readonly connectMs?: number;
  /** Statement timeout in ms. Default 30,000. */
  readonly statementMs?: number;
  /** Time in ms that a call waits for an unavailable database before it is refused. Default 5000. */
  readonly patienceMs?: number;
  /** Time in ms to determine the outcome of a commit whose answer was lost. Default 60,000. */
  readonly outcomeMs?: number;
  /** Logs lost connections and their recovery. Default: no logging. */
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly timers?: Timers;
  readonly ids?: Ids;
}

export interface ResolvedOptions extends Required<Omit<PostgresStoreOptions, 'address' | 'password' | 'tls'>> {
  readonly server: ServerAddress;
  readonly password: string | (() => string | Promise<string>) | undefined;
  readonly tls: boolean | ConnectionOptions;
}

const isSchemaName = (value: unknown): boolean =>
  typeof value === 'string' && /^[a-z_][a-z0-9_]{0,39}$/.test(value) && !value.startsWith('pg_');

/** Valid schema names. */
export const schemaOption = optionTypes.satisfying(
  isSchemaName,
  'must be 1 to 40 small letters, digits and underscores, and not begin with a digit or pg_',
);

const shape: OptionShape<PostgresStoreOptions> = {
  address: optionTypes.text,
  password: optionTypes.function,
  tls: optionTypes.satisfying(
    (value) => typeof value === 'boolean' || (typeof value === 'object' && value !== null),
    'must be true, false, or an object with the options of a TLS connection',
  ),
  schema: schemaOption,
  migrate: optionTypes.flag,
  readConnections: optionTypes.wholeNumber(1, 1000),
  commitConnections: optionTypes.wholeNumber(1, 64),
  connectMs: optionTypes.milliseconds(1),
  statementMs: optionTypes.milliseconds(1),
  patienceMs: optionTypes.milliseconds(0),
  outcomeMs: optionTypes.milliseconds(1),
  logger: optionTypes.logger,
  clock: optionTypes.clock,
  timers: optionTypes.timers,
  ids: optionTypes.ids,
};

/** Throws `OPTION_INVALID`, naming the option. */
export function resolveOptions(options: PostgresStoreOptions): ResolvedOptions {
  checkOptions(options, shape, 'postgres store: ');
  const server = parseAddress(options.address);
  return {
    server,
    password: options.password ?? server.password,
    tls: options.tls ?? server.tls ?? !isLocal(server.host),
    schema: options.schema ?? DEFAULT_SCHEMA,
    migrate: options.migrate ?? true,
    readConnections: options.readConnections ?? 8,
    commitConnections: options.commitConnections ?? 2,
    connectMs: options.connectMs ?? 5000,
    statementMs: options.statementMs ?? 30_000,
    patienceMs: options.patienceMs ?? 5000,
    outcomeMs: options.outcomeMs ?? 60_000,
    logger: options.logger ?? silentLogger,
    clock: options.clock ?? systemClock,
    timers: options.timers ?? systemTimers,
    ids: options.ids ?? randomIds,
  };
}

export const DEFAULT_SCHEMA = 'blockwork';
