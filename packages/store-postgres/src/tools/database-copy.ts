/** Copies another store into a database in atomic batches, so that an interrupted copy can resume. */
import { createHash, type Hash } from 'node:crypto';
import { BlockworkError } from '@blockwork/core';
import { demandObject } from '@blockwork/core/adapter';
import type { RecordKind, StoreEnd } from '@blockwork/core/adapter';
import { rowOf } from '../codec/row.js';
import { placeOf } from '../connection/address.js';
import { sqlState } from '../connection/failures.js';
import type { PostgresStoreOptions } from '../options.js';
import { assertNoNodes, beginProgress, readProgress, type CopyProgress } from './copy-progress.js';
import { countDocuments, insertRevisions, insertRows, type CopiedRevision, type CopiedRow } from './copy-rows.js';
import { toolSession, withNamedFailures, type ToolSession } from './tool-session.js';

const WAIT_MS = 5000;
const LOCK_NOT_AVAILABLE = '55P03';

/** Limits of a batch. */
const BATCH_LINES = 1000;
const BATCH_CHARACTERS = 2 ** 22;

interface Batch {
  readonly rows: CopiedRow[];
  readonly revisions: CopiedRevision[];
  characters: number;
}

const newBatch = (): Batch => ({ rows: [], revisions: [], characters: 0 });

/**
 * Prepares the schema for a copy. Rejects with `STORE_LOCKED` while nodes run on it or another process copies into it,
 * and with `STORE_UNAVAILABLE`, also if it contains anything but an unfinished copy.
 */
export async function openDatabaseCopy(options: PostgresStoreOptions): Promise<DatabaseCopy> {
  demandObject(options, 'openDatabaseCopy', 'options', 'the address of a database');
  const session = await toolSession(options);
  try {
    return new DatabaseCopy(session, await withNamedFailures(() => prepare(session)));
  } catch (error) {
    await session.close();
    throw error;
  }
}

async function prepare(session: ToolSession): Promise<CopyProgress> {
  const { client, tables, options } = session;
  await lockForCopy(session);
  await assertNoNodes(client, tables, options);
  const progress = await readProgress(client, tables);
  if (progress !== undefined) return progress;
  await assertEmpty(session);
  const digest = createHash('sha256').digest('hex');
  await beginProgress(client, tables, digest);
  return { lines: 0, digest };
}

/**
 * Locks the schema until the connection ends. Waits, since the server may not have noticed yet that a process was
 * killed.
 */
async function lockForCopy({ client, tables, options }: ToolSession): Promise<void> {
  const lock = createHash('sha256').update(`blockwork copy ${tables.schema}`).digest().readBigInt64BE();
  await client.query(`set lock_timeout = ${WAIT_MS}`);
  try {
    await client.query('select pg_advisory_lock($1)', [lock.toString()]);
  } catch (error) {
    if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
    const facts = { folder: placeOf(options.server, tables.schemaName), holder: 'another process that copies into it' };
    throw new BlockworkError('STORE_LOCKED', { facts });
  }
  await client.query('set lock_timeout = 0');
}

async function assertEmpty({ client, tables }: ToolSession): Promise<void> {
  const { record, document, revision } = tables;
  const some = [record, document, revision].map((table) => `exists (select 1 from ${table})`).join(' or ');
  const { rows } = await client.query<{ some: boolean }>(`select ${some} as some`);
  if (rows[0]?.some !== true) return;
  const reason = `the schema ${tables.schema} is not empty, and a copy replaces nothing: name another, or drop it`;
  throw new BlockworkError('STORE_UNAVAILABLE', { facts: { reason } });
}

export class DatabaseCopy {
  readonly #session: ToolSession;
  readonly #known: CopyProgress;
  readonly #hash: Hash = createHash('sha256');
  #lines = 0;
  #batch = newBatch();

  constructor(session: ToolSession, progress: CopyProgress) {
    this.#session = session;
    this.#known = progress;
  }

  /** Number of lines that an interrupted copy has written; 0 for a new copy. */
  get resumesAt(): number {
    return this.#known.lines;
  }

  /**
   * Copies all lines of a source; those already written are only compared. `report` receives the number of lines
   * durably written. Rejects with `STORE_UNAVAILABLE`, also if the source is a different one or has changed.
   */
  async take(lines: AsyncIterable<string>, report: (lines: number) => void): Promise<StoreEnd> {
    let last = '{}';
    for await (const line of lines) {
      last = line;
      this.#lines += 1;
      this.#hash.update(line).update('\n');
      if (this.#lines <= this.#known.lines) this.#compare();
      else this.#add(line);
      if (
        this.#batch.rows.length + this.#batch.revisions.length >= BATCH_LINES ||
        this.#batch.characters >= BATCH_CHARACTERS
      ) {
        await withNamedFailures(() => this.#write());
        report(this.#lines);
      }
    }
    if (this.#lines < this.#known.lines) throw changed();
    const end = JSON.parse(last) as Partial<StoreEnd>;
    if (end.records === undefined || end.revisions === undefined) throw refused('its last line is missing');
    await withNamedFailures(() => this.#write());
    report(this.#lines);
    return { records: end.records, revisions: end.revisions };
  }

  /** Turns the schema into a store that nodes can run on. Call it only after the copy was verified. */
  async finish(): Promise<void> {
    const { client, tables } = this.#session;
    await withNamedFailures(async () => {
      await client.query('begin');
      await client.query(`delete from ${tables.tally}`);
      await countDocuments(client, tables);
      await client.query(`drop table ${tables.copyProgress}`);
      await client.query('commit');
      await client.query(`analyze ${tables.record}, ${tables.document}, ${tables.revision}, ${tables.tally}`);
    });
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  #compare(): void {
    if (this.#lines < this.#known.lines || this.#hash.copy().digest('hex') === this.#known.digest) return;
    throw changed();
  }

  #add(text: string): void {
    const place = this.#lines;
    const line = JSON.parse(text) as Record<string, unknown>;
    if ('value' in line) {
      const { kind, partition, value } = line as { kind: RecordKind; partition: string; value: { id: string } };
      this.#batch.rows.push({ row: rowOf(kind, partition, value), place });
    } else if ('key' in line) {
      const { key, revision } = line as { key: string; revision: number };
      this.#batch.revisions.push({ key, revision, place });
    } else if (place === 1 && line['version'] !== 1) throw refused('its form is unknown');
    this.#batch.characters += text.length;
  }

  /** Writes the batch and the progress in one transaction. */
  async #write(): Promise<void> {
    const { client, tables } = this.#session;
    const { rows, revisions } = this.#batch;
    if (this.#lines <= this.#known.lines) return;
    await client.query('begin');
    await insertRows(client, tables, rows);
    await insertRevisions(client, tables, revisions);
    const digest = this.#hash.copy().digest('hex');
    await client.query(`update ${tables.copyProgress} set lines = $1, digest = $2`, [this.#lines, digest]);
    await client.query('commit');
    this.#batch = newBatch();
  }
}

const refused = (reason: string): BlockworkError =>
  new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: `the source cannot be copied: ${reason}` } });

const changed = (): BlockworkError =>
  refused('it is not the store that the copy started from, or has changed since: empty the target and start over');
