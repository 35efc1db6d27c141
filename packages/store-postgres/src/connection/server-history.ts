/**
 * Which history the connected server is in. It is determined once for each connection, which ends with its server
 * process, and compared with the row of the history by every read of revisions and every commit, since the rows of a
 * running server may be replaced too.
 */
import type { Ids, Logger } from '@blockwork/core';
import type { HistoryChange, StoreHistory } from '@blockwork/core/adapter';
import type { ClientBase } from 'pg';
import type { Tables } from '../schema/tables.js';
import { sqlState } from './failures.js';

/** What identifies a history, from the widest to the narrowest; empty texts for what the server does not tell. */
interface Identity {
  /** The database cluster. */
  readonly system: string;
  /** Increases when a standby is promoted, or a backup recovered. */
  readonly timeline: string;
  /** The row of the history, which ends with each recovery of the server; and its table, which ends with a restored dump. */
  readonly row: string;
  /** When the server was started: what was put in its place meanwhile may have been stopped properly. */
  readonly started: string;
}

const reasons: readonly (readonly [part: keyof Identity, reason: string])[] = [
  ['system', 'the address leads to another database system'],
  ['timeline', 'the server is on another timeline: a standby was promoted, or a backup recovered'],
  ['row', 'the server has recovered from a crash, or its tables were restored'],
  ['started', 'the server was restarted'],
];

/** undefined_function, insufficient_privilege, feature_not_supported */
const untold = ['42883', '42501', '0A000'];

const facts = `select pg_is_in_recovery() as "isStandby", (pg_control_system()).system_identifier::text as system,
 case when pg_is_in_recovery() then '' else substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) end as timeline,
 extract(epoch from pg_postmaster_start_time())::text as started`;

/** The server takes no writes, so its answers may be old. */
class StandbyServer extends Error {
  constructor() {
    super('the server is a standby, which takes no writes');
  }
}

/** Also if it refuses a write (read_only_sql_transaction). */
export const isOfStandby = (error: unknown): boolean => error instanceof StandbyServer || sqlState(error) === '25006';

/** What a connection reads or writes is not in the history that it was opened in. */
export class HistoryMoved extends Error {
  constructor() {
    super('the history of the database has changed');
  }
}

/** SQL of the text that identifies the row. */
export const historyRowSql = ({ history }: Pick<Tables, 'history'>): string =>
  `(select h.id || '/' || h.tableoid::text from ${history} h where h.only_row = 1)`;

export interface ServerHistoryDeps {
  readonly tables: Tables;
  readonly ids: Ids;
  readonly logger: Logger;
}

export class ServerHistory implements StoreHistory {
  readonly #deps: ServerHistoryDeps;
  readonly #listeners = new Set<(change: HistoryChange) => void>();
  readonly #clients = new WeakMap<ClientBase, number>();
  #identity: Identity | undefined;
  /** Incremented when the connections so far may be in another history. */
  #generation = 0;
  /** Incremented when commits are gone without another sign of it. */
  #losses = 0;
  #hasFacts = true;

  constructor(deps: ServerHistoryDeps) {
    this.#deps = deps;
  }

  get id(): string {
    const { system = '', timeline = '', row = '', started = '' } = this.#identity ?? {};
    return [system, timeline, row, started, this.#losses].join(' ');
  }

  /** The row of the present history. */
  get row(): string {
    return this.#identity?.row ?? '';
  }

  subscribe(listener: (change: HistoryChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Whether the connection was opened in the present history. */
  isPresent(client: ClientBase): boolean {
    return this.#clients.get(client) === this.#generation;
  }

  /** Called on each new connection, before its first use. Rejects with `StandbyServer`, and with the driver's errors. */
  async identify(client: ClientBase): Promise<void> {
    const generation = this.#generation;
    const facts = await this.#readFacts(client);
    const identity = { ...facts, row: await this.#readRow(client) };
    // Another connection was opened meanwhile, in a history that may be newer.
    if (generation !== this.#generation && !isSame(identity, this.#identity)) throw new HistoryMoved();
    if (!isSame(identity, this.#identity)) this.#moveTo(identity);
    this.#clients.set(client, this.#generation);
  }

  /** Makes the store open new connections, because the present ones show signs of another history. */
  suspect(): void {
    this.#generation += 1;
  }

  /** Records that commits are gone, though the server shows no other sign of it. */
  lost(reason: string): void {
    const from = this.id;
    this.#losses += 1;
    this.#announce(from, reason);
  }

  #moveTo(identity: Identity): void {
    const [from, before] = [this.id, this.#identity];
    this.#identity = identity;
    this.#generation += 1;
    if (before === undefined) return;
    const [, reason = ''] = reasons.find(([part]) => before[part] !== identity[part]) ?? [];
    this.#announce(from, reason);
  }

  #announce(from: string, reason: string): void {
    const to = this.id;
    for (const listener of this.#listeners) {
      try {
        listener({ from, to, reason });
      } catch (error) {
        this.#deps.logger.error('A listener to changes of the history failed.', { error });
      }
    }
  }

  async #readFacts(client: ClientBase): Promise<Omit<Identity, 'row'>> {
    const nothing = { system: '', timeline: '', started: '' };
    if (!this.#hasFacts) return nothing;
    try {
      const { rows } = await client.query<Omit<Identity, 'row'> & { isStandby: boolean }>(facts);
      if (rows[0] === undefined) return nothing;
      const { isStandby, ...identity } = rows[0];
      if (isStandby) throw new StandbyServer();
      return identity;
    } catch (error) {
      if (!untold.includes(sqlState(error) ?? '')) throw error;
      this.#hasFacts = false;
      return nothing;
    }
  }

  /** Writes the row if the server has removed it. */
  async #readRow(client: ClientBase): Promise<string> {
    const { tables, ids } = this.#deps;
    const read = async (): Promise<string | null | undefined> =>
      (await client.query<{ row: string | null }>(`select ${historyRowSql(tables)} as row`)).rows[0]?.row;
    const row = await read();
    if (row) return row;
    const text = `insert into ${tables.history} (only_row, id) values (1, $1) on conflict (only_row) do nothing`;
    await client.query(text, [ids.uuid()]);
    return (await read()) ?? '';
  }
}

const isSame = (one: Identity, other: Identity | undefined): boolean =>
  other !== undefined && reasons.every(([part]) => one[part] === other[part]);
