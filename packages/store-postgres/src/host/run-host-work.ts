/** Runs host work in the transaction of a lock, within its time. */
import { BlockworkError, type Ids, type Timers } from '@blockwork/core';
import type { HostWork } from '@blockwork/core/adapter';
import { DatabaseError, type PoolClient } from 'pg';
import type { Connections } from '../connection/connections.js';
import { sqlState } from '../connection/failures.js';
import { afterHost, cleanSession, forHost, type HostState } from '../connection/sessions.js';
import type { Tables } from '../schema/tables.js';
import { HostClient, refused } from './host-client.js';

export interface HostWorkDeps {
  readonly connections: Connections;
  readonly tables: Tables;
  readonly ids: Ids;
  readonly timers: Timers;
  /** Milliseconds that host work may take. */
  readonly hostWorkMs: number;
}

/** For the program, not for the store: `error` is what the send rejects with. */
export class HostError extends Error {
  constructor(readonly error: unknown) {
    super();
  }
}

/** After this time, the database ends a transaction whose process stands still. */
const GRACE_MS = 1000;
const DIVISION_BY_ZERO = '22012';
const IN_FAILED_TRANSACTION = '25P02';
/** The program may succeed if it tries again: serialization_failure, deadlock_detected. */
const AGAIN: readonly unknown[] = ['40001', '40P01'];

/**
 * Leaves the transaction open for the commit. If it rejects, the transaction is rolled back and its connection
 * released: with a `HostError`, or with the driver's error if it can be tried again.
 */
export async function runHostWork(deps: HostWorkDeps, client: PoolClient, work: HostWork): Promise<void> {
  const run = deps.connections.runOn(client);
  const mark = deps.ids.uuid();
  const host = new HostClient(client);
  try {
    const [before] = await run<HostState>(forHost(mark, deps.hostWorkMs + GRACE_MS));
    await inTime(deps, () => work(host.client).catch(rethrow));
    host.end();
    const [after] = await run<HostState>(afterHost(mark)).catch((error: unknown) => {
      if (sqlState(error) === DIVISION_BY_ZERO) throw new HostError(refused('it was ended'));
      // A statement failed whose error the work did not pass on.
      if (sqlState(error) === IN_FAILED_TRANSACTION) rethrow(host.failure ?? error);
      throw error;
    });
    if (after?.readOnly !== 'off') throw new HostError(refused('it was set read only, so the send cannot be written'));
    if (after.role !== before?.role) throw new HostError(refused('its role was changed; change it back at the end'));
  } catch (error) {
    host.end();
    throw await rolledBack(client, error);
  }
}

/** Returns the connection to its pool as it was. */
export function endHostWork(client: PoolClient): void {
  client.query(cleanSession).then(
    () => client.release(),
    () => client.release(true),
  );
}

/** Whether the commit failed because of a constraint of the program's tables that was deferred until then. */
export const isConstraintOfHost = (error: unknown, { schemaName }: Tables): boolean =>
  error instanceof DatabaseError && error.code?.startsWith('23') === true && error.schema !== schemaName;

function rethrow(error: unknown): never {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (AGAIN.includes(sqlState(cause))) throw cause;
  }
  throw new HostError(error);
}

/** Rejects with `HOST_WORK_TOO_LONG` when the time is up. */
async function inTime({ timers, hostWorkMs }: HostWorkDeps, work: () => Promise<void>): Promise<void> {
  let cancel = (): void => undefined;
  const overdue = new Promise<never>((_, reject) => {
    const error = new BlockworkError('HOST_WORK_TOO_LONG', { facts: { limit: hostWorkMs } });
    cancel = timers.after(hostWorkMs, () => reject(new HostError(error)));
  });
  try {
    await Promise.race([work(), overdue]);
  } finally {
    cancel();
  }
}

/** The error, unless the connection was lost: then that is what failed. */
async function rolledBack(client: PoolClient, error: unknown): Promise<unknown> {
  if (error instanceof HostError && isTooLong(error.error)) {
    // A statement may still be running.
    client.release(true);
    return error;
  }
  try {
    await client.query('rollback');
    endHostWork(client);
    return error;
  } catch (lost) {
    client.release(true);
    return lost;
  }
}

const isTooLong = (error: unknown): boolean => error instanceof BlockworkError && error.code === 'HOST_WORK_TOO_LONG';
