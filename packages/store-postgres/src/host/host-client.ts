/**
 * The client that host work gets: an ordinary client of the driver, whose statements are all in the transaction of the
 * send. It refuses what would end that transaction.
 */
import { BlockworkError } from '@blockwork/core';
import type { PoolClient, QueryConfig, QueryResult } from 'pg';
import { copiesThroughClient, endOfTransaction } from './transaction-control.js';

const clients = new WeakSet<object>();

/** Whether host work was given it by this store. */
export const isHostClient = (transaction: unknown): transaction is PoolClient =>
  typeof transaction === 'object' && transaction !== null && clients.has(transaction);

export class HostClient {
  /** What the work is given. */
  readonly client: PoolClient;
  readonly #connection: PoolClient;
  #isOver = false;
  #failure: Error | undefined;

  constructor(connection: PoolClient) {
    this.#connection = connection;
    const refuse = (name: string) => (): never => {
      throw refused(`"${name}" is not for a client in a transaction of the engine`);
    };
    const own: Partial<Record<PropertyKey, unknown>> = {
      query: (...statement: unknown[]) => this.#query(statement),
      // Called by query builders that take the client for one of a pool.
      release: () => undefined,
      // Whoever writes to it goes round the client.
      connection: undefined,
      ...Object.fromEntries(['connect', 'end', 'setTypeParser'].map((name) => [name, refuse(name)])),
    };
    this.client = new Proxy(connection, {
      get(target, name) {
        if (name in own) return own[name];
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    clients.add(this.client);
  }

  /** The error of the first statement that failed. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Refuses all further statements. */
  end(): void {
    this.#isOver = true;
  }

  async #query([statement, values, callback]: readonly unknown[]): Promise<QueryResult> {
    if (this.#isOver) throw refused('it has ended, so await each statement in the function');
    if (typeof values === 'function' || typeof callback === 'function') {
      throw refused('callbacks are not supported, so await the result');
    }
    const config = configOf(statement, values);
    const end = endOfTransaction(config.text);
    if (end !== null) throw refused(`${end} would end or begin a transaction; a savepoint may do`);
    if (copiesThroughClient(config.text)) throw refused('data cannot be copied through the client; insert it');
    try {
      return await this.#connection.query(config);
    } catch (error) {
      this.#failure ??= error as Error;
      throw error;
    }
  }
}

/** One statement by the extended protocol, which takes no second one after a semicolon. */
function configOf(statement: unknown, values: unknown): QueryConfig {
  const config = typeof statement === 'string' ? { text: statement } : (statement as Partial<QueryConfig> | null);
  if (typeof config?.text !== 'string' || 'submit' in config) {
    throw refused('only statements as text are supported, no cursors or streams');
  }
  const all = { ...config, text: config.text, queryMode: 'extended' };
  // Prepared statements of the store have names, too.
  const name = config.name === undefined ? {} : { name: `host ${config.name}` };
  return { ...all, ...name, ...(Array.isArray(values) && { values }) };
}

export const refused = (reason: string): BlockworkError =>
  new BlockworkError('HOST_STATEMENT_REFUSED', { facts: { reason } });
