/**
 * A lane runs statements sequentially and always determines the outcome of the last one. Each statement advances the lane's
 * row by one, or is rolled back. When an answer is lost, the lane tries to advance the row itself: whichever does so first,
 * the statement or the lane, decides whether the commit took effect.
 */
import { BlockworkError, type Ids, type Logger } from '@blockwork/core';
import type { PoolClient } from 'pg';
import type { Connections } from '../connection/connections.js';
import { failureKind, reasonOf, sqlState, type FailureKind } from '../connection/failures.js';
import { historyRowSql } from '../connection/server-history.js';
import type { Tables } from '../schema/tables.js';
import type { Cluster } from './cluster.js';
import type { CommitWriter } from './commit-statements.js';
import type { Unit } from './unit.js';

export interface LaneDeps {
  readonly connections: Connections;
  readonly writer: CommitWriter;
  readonly tables: Tables;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Milliseconds to retry a statement, and to determine its outcome. */
  readonly patienceMs: number;
  readonly outcomeMs: number;
}

/** The refused clusters by number, with the conflicting revisions if known. */
export type Refused = ReadonlyMap<number, readonly string[]>;

interface LaneRow {
  readonly number: string;
  readonly failed: string;
}

/** Some of the units expect revisions of another history than the present one. */
export class OtherHistory extends Error {}

/** The value of `failed` if the lane advanced its row itself. */
const FENCED = 'fenced';
/** Retries after serialization failures, even past the deadline: these show that the database is reachable. */
const CONFLICT_RETRIES = 10;
const DIVISION_BY_ZERO = '22012';
const QUERY_CANCELED = '57014';
/** SQLSTATE of warnings that have no class of their own. */
const WARNING = '01000';

export class Lane {
  readonly #deps: LaneDeps;
  /** The id of the database row; `null` until it is created. */
  #id: string | null = null;
  /** The history that the row was created in. */
  #history = '';
  /** The current number of the row. */
  #number = 0;

  constructor(deps: LaneDeps) {
    this.#deps = deps;
  }

  /** Commits the clusters. Nothing was changed if it rejects with the driver's error or `STORE_UNAVAILABLE`; after `COMMIT_UNKNOWN` the outcome is unknown. */
  async commit(clusters: readonly Cluster[]): Promise<Refused> {
    const { patience } = this.#deps.connections;
    const deadline = patience.deadline(this.#deps.patienceMs);
    for (let turn = 0; ; turn += 1) {
      const attempt = await this.#attempt(clusters);
      if ('refused' in attempt) return attempt.refused;
      const mayRetry = attempt.kind === 'again' && turn < CONFLICT_RETRIES;
      if (attempt.kind === 'refused' || (deadline.isOver() && !mayRetry)) throw attempt.error;
      // The other transaction's change is visible by now; back off only on repeated conflicts.
      if (attempt.kind !== 'again' || turn > 0) await patience.pause(turn);
    }
  }

  /** Creates the lane's row if needed, outside of the transaction that will commit. */
  async prepare(client: PoolClient): Promise<void> {
    await this.#ensureId(client);
  }

  /**
   * Commits the transaction of a connection that `prepare` was called with, which holds the locks of all revisions of the
   * clusters, and releases the connection, by `release` if it has succeeded. Nothing was changed if it rejects, except
   * with `COMMIT_UNKNOWN`.
   */
  async commitLocked(
    client: PoolClient,
    clusters: readonly Cluster[],
    release = (): void => client.release(),
  ): Promise<Refused> {
    try {
      this.#assertHistory(clusters);
      const refused = await this.#send(client, this.#id ?? '', clusters, true);
      release();
      this.#number += 1;
      return refused;
    } catch (error) {
      // Its transaction may be open.
      client.release(true);
      if (failureKind(error) === 'lost') {
        const outcome = await this.#afterLostAnswer(error);
        if ('refused' in outcome) return outcome.refused;
      }
      if (sqlState(error) !== DIVISION_BY_ZERO) throw error;
      await this.#resynchronize();
      throw new OtherHistory();
    }
  }

  /** Removes the lane's row. */
  async close(): Promise<void> {
    if (this.#id === null) return;
    const client = await this.#deps.connections.committer();
    try {
      await client.query(`delete from ${this.#deps.tables.lane} where id = $1`, [this.#id]);
    } finally {
      client.release();
    }
  }

  async #attempt(clusters: readonly Cluster[]): Promise<{ refused: Refused } | { kind: FailureKind; error: unknown }> {
    const { connections } = this.#deps;
    let client: PoolClient | undefined;
    let isSent = false;
    try {
      client = await connections.committer();
      this.#assertHistory(clusters);
      const id = await this.#ensureId(client);
      isSent = true;
      const refused = await this.#send(client, id, clusters);
      client.release();
      this.#number += 1;
      return { refused };
    } catch (error) {
      const kind = failureKind(error);
      client?.release(kind === 'lost' || kind === 'away');
      if (error instanceof OtherHistory) return { kind: 'refused', error };
      if (isSent && kind === 'lost') return this.#afterLostAnswer(error);
      if (sqlState(error) === DIVISION_BY_ZERO) return { kind: await this.#resynchronize(), error };
      return { kind, error };
    }
  }

  async #send(client: PoolClient, id: string, clusters: readonly Cluster[], isLocked = false): Promise<Refused> {
    const { connections, writer } = this.#deps;
    const { statements, outcome } = writer.statements(
      id,
      this.#number + 1,
      connections.history.row,
      clusters,
      isLocked,
    );
    const run = connections.runOn(client);
    const answers = await confirmed(client, () =>
      Promise.allSettled(statements.map((statement) => run<{ cluster: string | null; name: string }>(statement))),
    );
    for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
    const refused = new Map<number, string[]>();
    const answer = answers[outcome];
    for (const { cluster, name } of answer?.status === 'fulfilled' ? answer.value : []) {
      if (cluster !== null) refused.set(Number(cluster), [...(refused.get(Number(cluster)) ?? []), name]);
    }
    return refused;
  }

  /** The id of the lane's row, which is created on first use in a history. */
  async #ensureId(client: PoolClient): Promise<string> {
    const { connections, ids, tables } = this.#deps;
    const history = connections.history.id;
    if (this.#id !== null && history === this.#history) return this.#id;
    const id = ids.uuid();
    const text = `insert into ${tables.lane} (id, number, failed, used_at) values ($1, 0, '', statement_timestamp())`;
    await client.query(text, [id]);
    this.#number = 0;
    this.#history = history;
    return (this.#id = id);
  }

  async #afterLostAnswer(error: unknown): Promise<{ refused: Refused } | { kind: FailureKind; error: unknown }> {
    const { logger } = this.#deps;
    const row = await this.#determineOutcome(error);
    if (row === null) this.#id = null;
    else this.#number += 1;
    const isDone = row !== null && row.failed !== FENCED;
    logger.warn('The answer to a commit was lost.', { reason: reasonOf(error), outcome: isDone ? 'done' : 'not done' });
    if (!isDone) return { kind: 'lost', error };
    const clusters = row.failed === '' ? [] : row.failed.split(',').map(Number);
    return { refused: new Map(clusters.map((cluster) => [cluster, []])) };
  }

  /**
   * Returns the lane's row after its advance, by the statement or by this call; `null` if the present history is another
   * one, which lacks the statement. Waits for a statement still running.
   */
  async #determineOutcome(cause: unknown): Promise<LaneRow | null> {
    const { connections, outcomeMs } = this.#deps;
    const isWorthwhile = (error: unknown): boolean =>
      failureKind(error) !== 'refused' || sqlState(error) === QUERY_CANCELED;
    try {
      return await connections.patience.repeat(outcomeMs, () => this.#fence(), isWorthwhile);
    } catch (error) {
      // The statement may still be executed, so the row must not be used again.
      this.#id = null;
      const lost = `the connection was lost after the commit was sent (${reasonOf(cause)})`;
      const reason = `${lost}, and its outcome could not be determined (${reasonOf(error)})`;
      throw new BlockworkError('COMMIT_UNKNOWN', { facts: { reason }, cause: error });
    }
  }

  /**
   * Writes the row even if the statement has advanced it: where commits wait for standbys, this one then waits until
   * they have both, so that what counts as done outlives a failover.
   */
  async #fence(): Promise<LaneRow | null> {
    const { connections, tables } = this.#deps;
    const client = await connections.committer();
    try {
      const fence = `update ${tables.lane} set used_at = statement_timestamp(), number = $2::bigint,
 failed = case when number = $2::bigint then failed else '${FENCED}' end
 where id = $1 and number in ($2::bigint - 1, $2::bigint) returning number, failed`;
      const { rows } = await confirmed(client, () => client.query<LaneRow>(fence, [this.#id, this.#number + 1]));
      const row = rows[0] ?? null;
      if (row === null && connections.history.id === this.#history) throw new Error('its record is gone');
      client.release();
      return row;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  async #row(client: PoolClient): Promise<LaneRow | undefined> {
    const text = `select number, failed from ${this.#deps.tables.lane} where id = $1`;
    return (await client.query<LaneRow>(text, [this.#id])).rows[0];
  }

  /** Handles a statement rolled back because the row was not where this node left it, or the history is another one. */
  async #resynchronize(): Promise<FailureKind> {
    const { connections, tables } = this.#deps;
    const client = await connections.committer();
    try {
      const text = `select ${historyRowSql(tables)} as history`;
      const history = (await client.query<{ history: string | null }>(text)).rows[0]?.history;
      if (history !== connections.history.row) {
        connections.history.suspect();
        return 'away';
      }
      const row = await this.#row(client);
      if (Number(row?.number) === this.#number) {
        const reason =
          'transactions do not see one moment: connections must keep their session, and have no pooler between that does not';
        throw new BlockworkError('STORE_UNAVAILABLE', { facts: { reason } });
      }
      this.#id = null;
      connections.history.lost('the database has lost commits of this node');
      return 'again';
    } finally {
      client.release();
    }
  }

  /** Throws `OtherHistory`. */
  #assertHistory(clusters: readonly Cluster[]): void {
    const { history } = this.#deps.connections;
    if (clusters.some(({ units }) => units.some((unit) => isOfOther(unit, history.id)))) throw new OtherHistory();
  }
}

/** Whether the unit expects revisions of another history. */
export const isOfOther = ({ history }: Pick<Unit, 'history'>, present: string): boolean =>
  history !== undefined && history !== present;

/**
 * Runs a statement that commits. The server warns if it stopped waiting for its standbys: the commit would be lost with
 * the server, so it counts as unanswered.
 */
async function confirmed<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  const codes: (string | undefined)[] = [];
  const onNotice = ({ code }: { readonly code?: string | undefined }): void => {
    codes.push(code);
  };
  client.on('notice', onNotice);
  try {
    const answer = await work();
    if (codes.includes(WARNING)) throw new Error('the commit was not confirmed by the standby servers');
    return answer;
  } finally {
    client.off('notice', onNotice);
  }
}
