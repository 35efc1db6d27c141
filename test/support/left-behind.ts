/** Gives a run of tests a temporary folder and a name for its databases, and fails where its tests leave some of them behind. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

/** The beginning of the names of a run's databases: runs beside each other have others. */
export const databasesOf = (run: string): string => `blockwork_test_${run}_`;

/** Before the tests, and, by what it returns, after them. Workers take the environment as it is when they start. */
export async function setup(): Promise<() => Promise<void>> {
  const run = randomBytes(4).toString('hex');
  const folder = join(tmpdir(), `blockwork-run-${run}`);
  await mkdir(folder);
  // Servers that run as another user have folders in it.
  await chmod(folder, 0o711);
  process.env['TMPDIR'] = folder;
  process.env['BLOCKWORK_TEST_RUN'] = run;
  // Workers, and the browsers that end with them, are still there after the tests, but not at the end of this process.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  return async () => {
    const leftBehind = [...(await takeEntries(folder)), ...(await takeDatabases(run))];
    if (leftBehind.length === 0) return;
    // Vitest prints what goes wrong after the tests, and ends as if nothing had.
    process.exitCode = 1;
    throw new Error(`The tests left behind, and it is removed now: ${leftBehind.join(', ')}`);
  };
}

/** What running browsers have in it. */
const ofBrowsers = /^(playwright|org\.chromium\.)/;

/** Empties the folder of what is not a running browser's, and gives the paths of it. */
export async function takeEntries(folder: string): Promise<string[]> {
  const entries = (await readdir(folder)).filter((entry) => !ofBrowsers.test(entry));
  const paths = entries.map((entry) => join(folder, entry));
  await Promise.all(paths.map((path) => rm(path, { recursive: true, force: true })));
  return paths;
}

/** Drops the databases of the run on the server that the tests were given, and gives their names. */
export async function takeDatabases(run: string, server = process.env['BLOCKWORK_TEST_POSTGRES']): Promise<string[]> {
  if (server === undefined || server === '') return [];
  const client = new Client(server);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1)',
      [databasesOf(run)],
    );
    for (const { name } of rows) await client.query(`drop database if exists ${name} with (force)`);
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}
