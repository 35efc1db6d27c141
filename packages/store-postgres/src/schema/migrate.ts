/** Migrates the schema to the version of this program, exactly once even if several nodes start concurrently. */
import type { ClientBase } from 'pg';
import { BlockworkError, type Logger } from '@blockwork/core';
import { checkOptions, optionTypes, type OptionsOf } from '@blockwork/core/adapter';
import { createHash } from 'node:crypto';
import { reasonOf, sqlState } from '../connection/failures.js';
import { schemaOption } from '../options.js';
import { migrations } from './migrations/index.js';
import { tablesIn, type Tables } from './tables.js';

const newest = migrations.length;

const INSUFFICIENT_PRIVILEGE = '42501';

/** PostgreSQL compares text by bytes only with an explicit collation; other databases always do, and reject the clause. */
const BYTEWISE = 'text collate "C"';

const bootstrap = ({ schema, schemaVersion }: Tables): readonly string[] => [
  `create schema if not exists ${schema}`,
  `create table if not exists ${schemaVersion} (\n  only_row integer primary key check (only_row = 1),\n  version integer not null\n)`,
  `insert into ${schemaVersion} (only_row, version) values (1, 0) on conflict do nothing`,
];

const step = (tables: Tables, version: number, text: string): readonly string[] => [
  ...(migrations[version]?.statements(tables, text) ?? []),
  `update ${tables.schemaVersion} set version = ${version + 1}`,
];

const printShape = {
  /** Default `blockwork`. */
  schema: schemaOption,
  /** The current version. Default 0: the SQL then creates everything. */
  from: optionTypes.wholeNumber(0, newest),
};

export type PrintOptions = OptionsOf<typeof printShape>;

/** The SQL of all migrations after version `from`, as one transaction to be run by an administrator. */
export function printMigrations(options: PrintOptions = {}): string {
  checkOptions(options, printShape, 'printMigrations: ');
  const { schema, from = 0 } = options;
  const tables = tablesIn(schema);
  const steps = migrations
    .slice(from)
    .flatMap(({ title }, at) => [
      `-- ${from + at + 1}: ${title}`,
      ...step(tables, from + at, BYTEWISE).map((statement) => `${statement};`),
    ]);
  const first = from === 0 ? bootstrap(tables).map((statement) => `${statement};`) : [];
  return ['begin;', ...first, ...steps, 'commit;', ''].join('\n');
}

/** Migrates if `mayChange`; otherwise rejects if a migration is missing. Rejects for a schema of a newer version. */
export async function migrate(
  client: ClientBase,
  tables: Tables,
  mayChange: boolean,
  logger: Logger,
): Promise<{ readonly from: number; readonly to: number }> {
  const version = await versionIn(client, tables);
  assertNotNewer(version, tables);
  if (version === newest) return { from: version, to: newest };
  if (!mayChange) {
    throw refused(
      `the schema ${tables.schema} is at version ${version}, this program needs ${newest}: migrate it first`,
    );
  }
  await client.query('begin');
  try {
    const before = await locked(client, tables);
    assertNotNewer(before, tables);
    const text = await textType(client);
    for (let version = before; version < newest; version += 1) {
      for (const statement of step(tables, version, text)) await client.query(statement);
    }
    await client.query('commit');
    if (before < newest)
      logger.info('The schema was migrated.', { schema: tables.schemaName, from: before, to: newest });
    return { from: before, to: newest };
  } catch (error) {
    // On a broken connection the server rolls back itself; the first failure is the one to report.
    await client.query('rollback').catch(() => undefined);
    if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    const lacking = `the schema ${tables.schema} is at version ${version}, this program needs ${newest}`;
    throw refused(
      `${lacking}, but the connecting role may not migrate it (${reasonOf(error)}): migrate it with a role that may, for example by "store migrate"`,
    );
  }
}

/** The version, read under the lock; the advisory lock covers the case that the tables do not exist yet. */
async function locked(client: ClientBase, tables: Tables): Promise<number> {
  const lock = createHash('sha256').update(`blockwork ${tables.schema}`).digest().readBigInt64BE();
  await client.query('select pg_advisory_xact_lock($1)', [lock.toString()]);
  const existing = await client.query('select 1 from pg_catalog.pg_namespace where nspname = $1', [tables.schemaName]);
  // A role that may create tables in a schema may still lack the right to create the schema.
  for (const statement of bootstrap(tables).slice(existing.rows.length)) await client.query(statement);
  const { rows } = await client.query<{ version: number }>(`select version from ${tables.schemaVersion} for update`);
  return rows[0]?.version ?? 0;
}

async function versionIn(client: ClientBase, { schemaVersion }: Tables): Promise<number> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [
    schemaVersion,
  ]);
  if (rows[0]?.found !== true) return 0;
  const { rows: versions } = await client.query<{ version: number }>(`select version from ${schemaVersion}`);
  return versions[0]?.version ?? 0;
}

async function textType(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ version: string }>('select version()');
  return rows[0]?.version.startsWith('CockroachDB') === true ? 'text' : BYTEWISE;
}

function assertNotNewer(version: number, { schema }: Tables): void {
  if (version <= newest) return;
  throw refused(
    `the schema ${schema} is at version ${version}, which a newer program made; this one knows up to ${newest}: update it`,
  );
}

const refused = (reason: string): BlockworkError => new BlockworkError('STORE_UNAVAILABLE', { facts: { reason } });
