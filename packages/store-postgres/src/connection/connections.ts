/** The connections of one store: a pool for reads, one for commits, one for locks, and single ones on request. */
import { Pool, type Client, type ClientBase, type ClientConfig, type PoolClient, type QueryResultRow } from 'pg';
import type { ResolvedOptions } from '../options.js';
import type { Tables } from '../schema/tables.js';
import { failureKind, reasonOf, unavailable, UnusableAnswer } from './failures.js';
import { Hosts } from './hosts.js';
import { Patience } from './patience.js';
import { isOfStandby, ServerHistory } from './server-history.js';
import { commitSession } from './sessions.js';
import { PreparedNames, type Statement } from './statement.js';

/** Runs statements: a connection, or a transaction on one. */
export type Run = <R extends QueryResultRow>(statement: Statement) => Promise<R[]>;

/** Grace period in ms after the server's statement timeout; then the connection is considered broken. */
const GRACE_MS = 2000;
const IDLE_MS = 60_000;

const noTimeouts = { statement_timeout: 0, query_timeout: 0, idle_in_transaction_session_timeout: 0 };

const isGone = (error: unknown): boolean => ['lost', 'away'].includes(failureKind(error));

export class Connections {
  readonly patience: Patience;
  readonly history: ServerHistory;
  readonly #options: ResolvedOptions;
  readonly #hosts: Hosts;
  readonly #names = new PreparedNames();
  readonly #reads: Pool;
  readonly #commits: Pool;
  readonly #locks: Pool;

  constructor(options: ResolvedOptions, tables: Tables) {
    this.#options = options;
    this.#hosts = new Hosts(options.server.hosts, options.logger);
    this.history = new ServerHistory({ tables, ids: options.ids, logger: options.logger });
    this.patience = new Patience(options);
    this.#reads = this.#pool(options.readConnections, undefined);
    this.#commits = this.#pool(options.commitConnections, commitSession);
    this.#locks = this.#pool(options.lockConnections, commitSession);
  }

  /** One read, retried on another connection if its own fails. Rejects with `STORE_UNAVAILABLE`. */
  async read<R extends QueryResultRow>(statement: Statement): Promise<R[]> {
    return this.#repeated(this.#reads, (run) => run<R>(statement), isGone);
  }

  /**
   * Several read-only statements on one connection, retried as a whole. After a failure, a transaction may be open on the
   * connection, so it is closed.
   */
  async readWith<T>(work: (run: Run) => Promise<T>): Promise<T> {
    return this.#repeated(this.#reads, work, () => true);
  }

  /** `isUnusable`: whether the connection must be closed after a failure. */
  async #repeated<T>(pool: Pool, work: (run: Run) => Promise<T>, isUnusable: (error: unknown) => boolean): Promise<T> {
    const attempt = (): Promise<T> => this.#with(pool, work, isUnusable);
    const isWorthwhile = (error: unknown): boolean => failureKind(error) !== 'refused';
    try {
      return await this.patience.repeat(this.#options.patienceMs, attempt, isWorthwhile);
    } catch (error) {
      throw error instanceof UnusableAnswer ? error : unavailable(error);
    }
  }

  /** A connection for reads; rejects with the driver's error if none is available. Return it with `release`. */
  reader(): Promise<PoolClient> {
    return this.#connected(this.#reads);
  }

  /** A connection for commits, likewise. */
  committer(): Promise<PoolClient> {
    return this.#connected(this.#commits);
  }

  /** A connection for a transaction that holds locks and commits, likewise. */
  locker(): Promise<PoolClient> {
    return this.#connected(this.#locks);
  }

  /** A new connection that belongs to no pool; its statements may take as long as they need if it `hasNoTimeouts`. */
  async single({ hasNoTimeouts = false } = {}): Promise<Client> {
    const client = new this.#hosts.Client({ ...this.#config(), ...(hasNoTimeouts && noTimeouts) });
    client.on('error', (error) => this.#lost(error));
    await client.connect();
    return client;
  }

  /** Called with the failure of a new connection: if its server is a standby, the next connection goes to the next host. */
  onFailure(client: ClientBase, error: unknown): void {
    if (isOfStandby(error)) this.#hosts.failed(client, error);
  }

  /** Cancels the running statement of a connection of this user. */
  async cancel(processId: number): Promise<void> {
    await this.read({ text: 'select pg_cancel_backend($1::integer)', values: [processId] });
  }

  runOn(client: ClientBase): Run {
    return async <R extends QueryResultRow>({ text, values }: Statement) => {
      const name = this.#names.of(text);
      const { rows } = await client.query<R>({ ...(name !== undefined && { name }), text, values: [...values] });
      return rows;
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#reads, this.#commits, this.#locks].map((pool) => pool.end()));
  }

  async #with<T>(pool: Pool, work: (run: Run) => Promise<T>, isUnusable: (error: unknown) => boolean): Promise<T> {
    const client = await this.#connected(pool);
    let mustClose = false;
    try {
      return await work(this.runOn(client));
    } catch (error) {
      mustClose = isUnusable(error);
      throw error;
    } finally {
      client.release(mustClose);
    }
  }

  /** A connection in the present history; the others are closed. */
  async #connected(pool: Pool): Promise<PoolClient> {
    for (;;) {
      const client = await pool.connect();
      if (this.history.isPresent(client)) return client;
      client.release(true);
    }
  }

  #pool(max: number, session: string | undefined): Pool {
    const verify = (client: PoolClient, done: (error?: Error) => void): void => {
      this.history
        .identify(client)
        .then(() => (session === undefined ? undefined : client.query(session)))
        .then(
          () => done(),
          (error: unknown) => {
            this.onFailure(client, error);
            done(error as Error);
          },
        );
    };
    const { Client } = this.#hosts;
    const pool = new Pool({ ...this.#config(), Client, max, idleTimeoutMillis: IDLE_MS, verify });
    pool.on('error', (error) => this.#lost(error));
    // A broken connection emits an error here as well as rejecting its statement.
    pool.on('connect', (client) => client.on('error', (error) => this.#lost(error)));
    return pool;
  }

  #config(): ClientConfig {
    const { server, password, tls, connectMs, statementMs } = this.#options;
    return {
      database: server.database,
      user: server.user,
      password,
      ssl: tls,
      application_name: server.applicationName ?? 'blockwork',
      connectionTimeoutMillis: connectMs,
      statement_timeout: statementMs,
      query_timeout: statementMs + GRACE_MS,
      idle_in_transaction_session_timeout: statementMs + GRACE_MS,
      keepAlive: true,
      // The statements of a transaction are pipelined.
      pipeline: true,
    };
  }

  #lost(error: Error): void {
    this.#options.logger.debug('A connection to the database was lost.', { reason: reasonOf(error) });
  }
}
