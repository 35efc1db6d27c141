/** Reads the whole content of a database as lines of JSON, from one snapshot. */
import { BlockworkError } from '@blockwork/core';
import { demandObject } from '@blockwork/core/adapter';
import type { StoreEnd, StoreHead, StoreSource } from '@blockwork/core/adapter';
import type { PostgresStoreOptions } from '../options.js';
import { assertNoCopy, assertNoNodes } from './copy-progress.js';
import { rowsOf, storedRevisions, storedTables } from './read-tables.js';
import { toolSession, withNamedFailures, type ToolSession } from './tool-session.js';

export interface SourceOptions extends PostgresStoreOptions {
  /** Whether nodes may run on it; their writes after the source was opened are not included. Default `false`. */
  readonly mayBeInUse?: boolean;
  /** Whether it may contain an unfinished copy, as when that is verified. Default `false`. */
  readonly mayBeUnfinished?: boolean;
}

/**
 * Opens the source, a snapshot as of now. Rejects with `STORE_LOCKED`, naming the nodes, while any run, and with
 * `STORE_UNAVAILABLE`.
 */
export async function openDatabaseSource(options: SourceOptions): Promise<StoreSource> {
  demandObject(options, 'openDatabaseSource', 'options', 'the address of a database');
  const { mayBeInUse = false, mayBeUnfinished = false, ...store } = options;
  const session = await toolSession({ ...store, migrate: false });
  const { client, tables } = session;
  try {
    await withNamedFailures(async () => {
      if (!mayBeUnfinished) await assertNoCopy(client, tables);
      if (!mayBeInUse) await assertNoNodes(client, tables, session.options);
      await client.query('begin transaction isolation level repeatable read read only');
      await client.query(`select 1 from ${tables.revision} limit 1`);
    });
  } catch (error) {
    await session.close();
    throw error;
  }
  return { lines: () => lines(session), close: () => session.close() };
}

async function* lines(session: ToolSession): AsyncGenerator<string> {
  const { client, tables } = session;
  const end = { records: 0, revisions: 0 };
  try {
    const revisions = await storedRevisions(client, tables);
    const commits = revisions.reduce((most, { revision }) => Math.max(most, revision), 0);
    yield JSON.stringify({ export: 'blockwork-store', version: 1, commits } satisfies StoreHead);
    for (const stored of await storedTables(client, tables)) {
      const { kind, partition } = stored;
      const head = `{"kind":${JSON.stringify(kind)},"partition":${JSON.stringify(partition)},"value":`;
      for await (const { body } of rowsOf(client, tables, stored)) {
        yield `${head}${body}}`;
        end.records += 1;
      }
    }
    for (const each of revisions) yield JSON.stringify(each);
    end.revisions = revisions.length;
  } catch (error) {
    throw error instanceof BlockworkError ? error : await failureOf(error);
  }
  yield JSON.stringify(end satisfies StoreEnd);
}

const failureOf = (error: unknown): Promise<unknown> =>
  withNamedFailures(() => Promise.reject(error as Error)).catch((named: unknown) => named);
