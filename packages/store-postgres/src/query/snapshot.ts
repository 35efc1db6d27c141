/** Snapshot reads, in a transaction that sees nothing committed after its first statement. */
import type { PolicyStore } from '@blockwork/core';
import type { Connections, Run } from '../connection/connections.js';
import { unavailable } from '../connection/failures.js';
import type { Tables } from '../schema/tables.js';
import type { Anchors } from './anchors.js';
import { Cancellation } from './cancellation.js';
import { RecordReader } from './record-reader.js';

/** The reads of the port. */
export type SnapshotReader = Pick<PolicyStore, 'revision' | 'get' | 'find' | 'count'>;

export interface SnapshotOptions {
  /** Aborts the snapshot: the running statement is cancelled in the database, and the call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** `begin` is pipelined with the first statement. If `work` rejects, the read-only transaction is left open. */
export async function withinTransaction<T>(run: Run, work: (run: Run) => Promise<T>): Promise<T> {
  const [, result] = await Promise.all([
    run({ text: 'begin transaction isolation level repeatable read read only', values: [] }),
    work(run),
  ]);
  await run({ text: 'commit', values: [] });
  return result;
}

export async function snapshotOf<T>(
  connections: Connections,
  { tables, anchors }: { readonly tables: Tables; readonly anchors: Anchors },
  read: (reader: SnapshotReader) => Promise<T>,
  { signal }: SnapshotOptions,
): Promise<T> {
  signal?.throwIfAborted();
  const client = await connections.reader().catch((error: unknown) => {
    throw unavailable(error);
  });
  const cancellation = signal && new Cancellation(connections, signal);
  let isWhole = false;
  try {
    const result = await withinTransaction(withNamedFailures(connections.runOn(client)), (run) => {
      const inSnapshot = <A>(work: (one: Run) => Promise<A>): Promise<A> => work(run);
      // Gets the backend id first: later, it would queue behind the statement to be cancelled.
      const cancelled = cancellation?.of(run);
      const reading = read(new RecordReader({ tables, anchors, run, inSnapshot }));
      return cancelled === undefined ? reading : Promise.race([reading, cancelled]);
    });
    isWhole = true;
    return result;
  } catch (error) {
    // A cancelled statement fails one way or another.
    signal?.throwIfAborted();
    throw error;
  } finally {
    cancellation?.end();
    client.release(!isWhole);
  }
}

/** Converts driver errors into engine errors. */
const withNamedFailures =
  (run: Run): Run =>
  async (statement) => {
    try {
      return await run(statement);
    } catch (error) {
      throw unavailable(error);
    }
  };
