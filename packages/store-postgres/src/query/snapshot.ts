/** Reads of one moment: a transaction that sees nothing of what is committed after its first statement. */
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
  /** Ends it early: the statement that runs is cancelled in the database, and the snapshot rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Sent together with the first statement; what changes nothing can be left open until the next one closes it. */
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
      const atOneMoment = <A>(work: (one: Run) => Promise<A>): Promise<A> => work(run);
      // Asks first of all who it is: later it would wait for what it is to end.
      const cancelled = cancellation?.of(run);
      const reading = read(new RecordReader({ tables, anchors, run, atOneMoment }));
      return cancelled === undefined ? reading : Promise.race([reading, cancelled]);
    });
    isWhole = true;
    return result;
  } catch (error) {
    // What was cancelled fails in one way or another.
    signal?.throwIfAborted();
    throw error;
  } finally {
    cancellation?.end();
    client.release(!isWhole);
  }
}

/** Failures of the driver as those of the engine. */
const withNamedFailures =
  (run: Run): Run =>
  async (statement) => {
    try {
      return await run(statement);
    } catch (error) {
      throw unavailable(error);
    }
  };
