/** The options of the store, checked. */
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
   * `postgres://user:password@host:port/database`. Understands `sslmode` (`disable`, `require`, `verify-ca`, `verify-full`; all but the
   * first verify the server in full), `application_name`, and `host` for the folder of a Unix socket.
   */
  readonly address: string;
  /** The password of each new connection, for passwords that expire. That of the address when absent. */
  readonly password?: () => string | Promise<string>;
  /**
   * How TLS is done, for instance `{ ca }`; `false` for none. When absent, the address decides; when that says nothing, connections
   * that leave the machine are encrypted and the server is verified.
   */
  readonly tls?: boolean | ConnectionOptions;
  /** The schema that holds the tables; `blockwork` when absent. Several stores can share a database, each in its schema. */
  readonly schema?: string;
  /** Whether missing tables are made when the store is opened; `true` when absent. `false` for a role that may not. */
  readonly migrate?: boolean;
  /** Connections for reads at most; 8 when absent. */
  readonly readConnections?: number;
  /** Connections for commits; 2 when absent. Commits that wait share a round trip, so few are needed. */
  readonly commitConnections?: number;
  /** Milliseconds to connect, or to wait for a free connection, at most; 5000 when absent. */
  readonly connectMs?: number;
  /** Milliseconds that a statement may take; 30,000 when absent. */
  readonly statementMs?: number;
  /** Milliseconds that a call waits for a database that is away before it is refused; 5000 when absent. */
  readonly patienceMs?: number;
  /** Milliseconds to determine the outcome of a commit whose answer was lost; 60,000 when absent. */
  readonly outcomeMs?: number;
  /** Hears of lost connections and of what was done about them. Silent when absent. */
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

/** The name of a schema that the store may have. */
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
