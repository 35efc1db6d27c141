/** Databases of the tests: made under names of their own, and dropped at the end of the file. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, describe, it } from 'vitest';
import { databasesOf } from '../left-behind.js';
import { postgresServer } from './postgres-server.js';

export class TestDatabase {
  readonly name: string;
  readonly #server: string;
  #client: Promise<Client> | undefined;

  /** `run`: the run of tests that it belongs to. */
  constructor(server: string, run = process.env['BLOCKWORK_TEST_RUN'] ?? 'alone') {
    this.#server = server;
    this.name = `${databasesOf(run)}${randomUUID().replaceAll('-', '')}`;
  }

  /** The address of the database; `changes` are made to it. */
  address(changes: { host?: string; user?: string; password?: string } = {}): string {
    const url = new URL(this.#server);
    url.pathname = `/${this.name}`;
    if (changes.host !== undefined) url.host = changes.host;
    if (changes.user !== undefined) url.username = changes.user;
    if (changes.password !== undefined) url.password = changes.password;
    return url.href;
  }

  /** Rows of one statement, as the user that the tests were given. */
  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    this.#client ??= connected(this.address());
    return (await (await this.#client).query<Row>(text, [...values])).rows;
  }

  async create(): Promise<void> {
    await withClient(this.#server, (client) =>
      client.query(`create database ${this.name} encoding 'UTF8' template template0`),
    );
  }

  async drop(): Promise<void> {
    await (await this.#client)?.end();
    await withClient(this.#server, (client) => client.query(`drop database if exists ${this.name} with (force)`));
  }
}

async function connected(address: string): Promise<Client> {
  const client = new Client(address);
  await client.connect();
  return client;
}

async function withClient<T>(address: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connected(address);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Declares tests that need a database of their own, or says that they are skipped and why. */
export async function describeWithDatabase(name: string, declare: (database: TestDatabase) => void): Promise<void> {
  const server = await postgresServer();
  if ('missing' in server) {
    describe(name, () => {
      it.skip(`(skipped: ${server.missing})`, () => undefined);
    });
    return;
  }
  const database = new TestDatabase(server.address);
  await database.create();
  afterAll(() => database.drop());
  describe(name, () => declare(database));
}

/** Removes every record, revision and lane: quicker than tables made anew. The history goes on. */
export async function empty(database: TestDatabase, schema = 'blockwork'): Promise<void> {
  const tables = await database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = $1 and table_name not in ('schema_version', 'history')`,
    [schema],
  );
  if (tables.length > 0) await database.query(tables.map(({ name }) => `delete from "${schema}"."${name}"`).join('; '));
}

/** Where the tally of documents says something else than the documents do. */
export const tallyDifferences = (database: TestDatabase): Promise<object[]> =>
  database.query(`select partition, data_type, schema, type, status, sum(n) from (
    select partition, data_type, schema, type, status, n from blockwork.tally
    union all
    select partition, coalesce(data_type, ''), coalesce(schema, ''), coalesce(type, ''), coalesce(status, ''), -count(*)
    from blockwork.document group by 1, 2, 3, 4, 5) as both_sides
    group by 1, 2, 3, 4, 5 having sum(n) <> 0`);
