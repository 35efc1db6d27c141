/** The options of the store, checked. */
import {
  BlockworkError,
  randomIds,
  silentLogger,
  systemClock,
  systemTimers,
  type Clock,
  type Ids,
  type Logger,
  type Timers,
} from '@blockwork/core';
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
  /** Milliseconds to find out what became of a commit whose answer was lost; 60,000 when absent. */
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

/** Throws `OPTION_INVALID` with the name of the option. */
export function resolveOptions(options: PostgresStoreOptions): ResolvedOptions {
  const server = parseAddress(options.address);
  return {
    server,
    password: options.password ?? server.password,
    tls: options.tls ?? server.tls ?? !isLocal(server.host),
    schema: schemaName(options.schema),
    migrate: options.migrate ?? true,
    readConnections: whole('readConnections', options.readConnections ?? 8, 1, 1000),
    commitConnections: whole('commitConnections', options.commitConnections ?? 2, 1, 64),
    connectMs: whole('connectMs', options.connectMs ?? 5000, 1),
    statementMs: whole('statementMs', options.statementMs ?? 30_000, 1),
    patienceMs: whole('patienceMs', options.patienceMs ?? 5000, 0),
    outcomeMs: whole('outcomeMs', options.outcomeMs ?? 60_000, 1),
    logger: options.logger ?? silentLogger,
    clock: options.clock ?? systemClock,
    timers: options.timers ?? systemTimers,
    ids: options.ids ?? randomIds,
  };
}

/** `blockwork` when absent. */
export function schemaName(schema = 'blockwork'): string {
  if (/^[a-z_][a-z0-9_]{0,39}$/.test(schema) && !schema.startsWith('pg_')) return schema;
  throw invalid(
    'schema',
    'it must be 1 to 40 small letters, digits and underscores, and not begin with a digit or pg_',
  );
}

/** What `setTimeout` can wait. */
const LONGEST_MS = 2 ** 31 - 1;

function whole(option: string, value: number, least: number, most = LONGEST_MS): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw invalid(option, `it must be a whole number from ${least} to ${most}`);
}

const invalid = (option: string, reason: string): BlockworkError =>
  new BlockworkError('OPTION_INVALID', { facts: { option: `postgres store: ${option}`, reason } });
