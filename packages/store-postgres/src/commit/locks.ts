/**
 * Locks on revisions: the transaction that will commit holds them from its start. Processes wait for them in the queue of
 * an advisory lock, which the database serves in order of arrival; the locks on the rows of the revisions keep out commits
 * of processes that take no lock. The database ends the transaction of a process that is dead or stands still.
 */
import { BlockworkError } from '@blockwork/core';
import type { ChangeSet, HostWork, LockRequest, RevisionLock } from '@blockwork/core/adapter';
import type { PoolClient } from 'pg';
import { createHash } from 'node:crypto';
import { nameOf } from '../codec/name.js';
import type { Run } from '../connection/connections.js';
import { failureKind, unavailable } from '../connection/failures.js';
import { HistoryMoved, historyRowSql } from '../connection/server-history.js';
import { endHostWork, HostError, isConstraintOfHost, runHostWork, type HostWorkDeps } from '../host/run-host-work.js';
import { clustersOf } from './cluster.js';
import { Lane, OtherHistory, type LaneDeps } from './lane.js';
import { unitOf, type Unit } from './unit.js';

export interface LocksDeps extends LaneDeps, HostWorkDeps {
  /** Commits without a lock. */
  readonly commit: (changeSets: readonly ChangeSet[]) => Promise<void>;
  /** Milliseconds to wait for a lock. */
  readonly lockWaitMs: number;
  /** Milliseconds after which the database ends an idle transaction that holds a lock. */
  readonly lockIdleMs: number;
}

interface Claim {
  readonly isFree: boolean;
}

interface RevisionRow {
  readonly key: string;
  readonly number: string;
}

/** Snapshots would show the revisions as they were before the wait. */
const begin = 'begin isolation level read committed';

export class Locks {
  readonly #deps: LocksDeps;
  /** Lanes that no lock uses at present. */
  readonly #lanes: Lane[] = [];
  readonly #inUse = new Set<Promise<void>>();

  constructor(deps: LocksDeps) {
    this.#deps = deps;
  }

  /** Implements `PolicyStore.lock`. */
  async lock(request: LockRequest): Promise<RevisionLock | null> {
    const { connections, patienceMs } = this.#deps;
    const isWorthwhile = (error: unknown): boolean => failureKind(error) !== 'refused';
    try {
      return await connections.patience.repeat(patienceMs, () => this.#attempt(request), isWorthwhile);
    } catch (error) {
      throw unavailable(error);
    }
  }

  /** Resolves when no lock is held. */
  async idle(): Promise<void> {
    await Promise.all(this.#inUse);
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }

  async #attempt(request: LockRequest): Promise<RevisionLock | null> {
    const { connections } = this.#deps;
    const lane = this.#lanes.pop() ?? new Lane(this.#deps);
    const end = this.#used(lane);
    let client: PoolClient | undefined;
    try {
      client = await connections.locker();
      await lane.prepare(client);
      const lock = await this.#take(connections.runOn(client), request, { lane, client, end });
      if (lock !== null) return lock;
      await client.query('rollback');
      client.release();
      end();
      return null;
    } catch (error) {
      client?.release(true);
      end();
      throw error;
    }
  }

  /** Returns the function that ends the use of the lane. */
  #used(lane: Lane): () => void {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = () => {
        this.#lanes.push(lane);
        this.#inUse.delete(ended);
        resolve();
      };
    });
    this.#inUse.add(ended);
    return end;
  }

  /** In one round trip, since the statements are pipelined. `null` if one of the revisions has no row yet. */
  async #take(run: Run, request: LockRequest, lock: Pick<HeldLock, 'lane' | 'client' | 'end'>): Promise<Lock | null> {
    const { connections, tables, commit, lockIdleMs, lockWaitMs, ids, timers, hostWorkMs } = this.#deps;
    const history = connections.history.id;
    const keys = new Map([...request.keys, ...(request.alsoRead ?? [])].map((key) => [nameOf(key), key]));
    const names = request.keys.map(nameOf);
    const queue = numberOf(`${tables.schemaName}\n${request.queue}`);
    const settings = [`${lockWaitMs}ms`, `${lockIdleMs}ms`];
    const [, [claim], , locked, rows] = await Promise.all([
      run({ text: begin, values: [] }),
      run<Claim>({ text: claimSql, values: [...settings, queue] }),
      run({ text: 'select pg_advisory_xact_lock($1::bigint)', values: [queue] }),
      run<RevisionRow>({
        text: `select r.key from ${tables.revision} r where r.key = any($1::text[]) order by r.key for update`,
        values: [names],
      }),
      run<RevisionRow & { readonly history: string | null }>({
        text: `select k.key, coalesce(r.number, 0) as number, ${historyRowSql(tables)} as history
 from unnest($1::text[]) as k(key) left join ${tables.revision} r on r.key = k.key`,
        values: [[...keys.keys()]],
      }),
    ]);
    if (rows.some((row) => row.history !== connections.history.row) || connections.history.id !== history) {
      connections.history.suspect();
      throw new HistoryMoved();
    }
    if (locked.length !== new Set(names).size) return null;
    const revisions = new Map(rows.map(({ key, number }) => [keys.get(key) ?? '', Number(number)]));
    const hasWaited = claim?.isFree !== true;
    const host = { connections, tables, ids, timers, hostWorkMs };
    return new Lock({ ...lock, commit, host, names: new Set(names), revisions, history, hasWaited });
  }
}

/** Also tells whether the lock is free. It is then held, and the wait that follows is none. */
const claimSql = `select set_config('lock_timeout', $1, true), set_config('idle_in_transaction_session_timeout', $2, true),
 pg_try_advisory_xact_lock($3::bigint) as "isFree"`;

interface HeldLock extends Pick<LocksDeps, 'commit'> {
  readonly lane: Lane;
  readonly client: PoolClient;
  readonly host: HostWorkDeps;
  readonly names: ReadonlySet<string>;
  readonly revisions: ReadonlyMap<string, number>;
  readonly history: string;
  readonly hasWaited: boolean;
  /** Called once, when the lock has ended. */
  readonly end: () => void;
}

class Lock implements RevisionLock {
  readonly #held: HeldLock;
  readonly revisions: ReadonlyMap<string, number>;
  readonly history: string;
  readonly hasWaited: boolean;
  #isOver = false;

  constructor(lock: HeldLock) {
    this.#held = lock;
    this.revisions = lock.revisions;
    this.history = lock.history;
    this.hasWaited = lock.hasWaited;
  }

  async commit(changeSets: readonly ChangeSet[], work?: HostWork): Promise<void> {
    const { lane, client, names, end } = this.#held;
    const unit = unitOf(changeSets, { resolve: () => undefined, reject: () => undefined });
    if (work !== undefined) return this.#commitWithHost(unit, work);
    if ([...unit.revisions].some((name) => !names.has(name))) return this.#commitUnlocked(changeSets);
    this.#use();
    try {
      const refused = await lane.commitLocked(client, clustersOf([unit]));
      if (refused.size > 0) throw conflict(unit);
    } catch (error) {
      throw this.#failure(error);
    } finally {
      end();
    }
  }

  /**
   * The work comes first: the transaction fails as a whole if one of its statements has failed, even if it went on.
   * The revisions are locked, so the commit will find those that are expected.
   */
  async #commitWithHost(unit: Unit, work: HostWork): Promise<void> {
    const { lane, client, host, names, end } = this.#held;
    this.#use();
    try {
      const isExpected = unit.expected.every(({ key, number }) => this.revisions.get(key) === number);
      if (!isExpected || [...unit.revisions].some((name) => !names.has(name))) {
        await rollBack(client);
        throw conflict(unit);
      }
      await runHostWork(host, client, work);
      const refused = await lane.commitLocked(client, clustersOf([unit]), () => endHostWork(client));
      if (refused.size > 0) throw conflict(unit);
    } catch (error) {
      if (error instanceof HostError) throw error.error;
      throw isConstraintOfHost(error, host.tables) ? error : this.#failure(error);
    } finally {
      end();
    }
  }

  /** Only what is locked is safe in a transaction that sees more than one moment. */
  async #commitUnlocked(changeSets: readonly ChangeSet[]): Promise<void> {
    await this.release();
    await this.#held.commit(changeSets);
  }

  async release(): Promise<void> {
    const { client, end } = this.#held;
    this.#use();
    try {
      await client.query('commit');
      client.release();
    } catch (error) {
      client.release(true);
      throw this.#failure(error);
    } finally {
      end();
    }
  }

  /** Throws `CONFLICT` if it was used before. */
  #use(): void {
    if (this.#isOver) throw this.#ended();
    this.#isOver = true;
  }

  #ended(): BlockworkError {
    const [key = ''] = this.revisions.keys();
    return new BlockworkError('CONFLICT', { facts: { key } });
  }

  /** What was not committed because the transaction is over, or because of another one, can be tried again. */
  #failure(error: unknown): BlockworkError {
    if (error instanceof BlockworkError) return error;
    const isOver = error instanceof OtherHistory || failureKind(error) !== 'refused';
    return isOver ? this.#ended() : unavailable(error);
  }
}

/** Ends the transaction, with its connection if that is lost. */
async function rollBack(client: PoolClient): Promise<void> {
  try {
    await client.query('rollback');
  } catch (error) {
    client.release(true);
    throw error;
  }
  client.release();
}

const conflict = ({ expected }: Unit): BlockworkError =>
  new BlockworkError('CONFLICT', { facts: { key: expected[0]?.key ?? '' } });

/** A number of 64 bits, as advisory locks are named by. Two queues that share one only wait for each other. */
const numberOf = (text: string): string => createHash('sha256').update(text).digest().readBigInt64BE().toString();
