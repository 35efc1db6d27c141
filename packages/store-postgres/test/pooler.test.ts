import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { openPostgresStore } from '../src/index.js';
import { freePort } from '../../../scripts/packages/free-port.mjs';
import { temporaryFolders } from '../../../test/support/folders.js';
import { describeWithDatabase } from '../../../test/support/postgres/database.js';
import { serverPrograms } from '../../../test/support/postgres/postgres-server.js';

const newFolder = temporaryFolders();
const program = await promisify(execFile)('pgbouncer', ['--version']).then(
  () => 'pgbouncer',
  () => null,
);

await describeWithDatabase('PgBouncer between the store and the server', (database) => {
  if (program === null) {
    it.skip('(skipped: pgbouncer is not installed)', () => undefined);
    return;
  }

  /** The address of the database behind a pooler. */
  async function pooled(mode: 'session' | 'transaction'): Promise<string> {
    const installed = await serverPrograms();
    const user = 'missing' in installed ? 'self' : installed.user;
    const folder = await newFolder();
    const port = await freePort();
    const target = new URL(database.address());
    const password = target.password === '' ? '' : ` password=${decodeURIComponent(target.password)}`;
    const settings = `[databases]
${database.name} = host=${target.hostname} port=${target.port || 5432} user=${target.username}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout
`;
    const file = join(folder, 'pgbouncer.ini');
    await writeFile(file, settings);
    if (user !== 'self') await Promise.all([folder, file].map((path) => chown(path, user.uid, user.gid)));
    const child = spawn('pgbouncer', [file], { stdio: ['ignore', 'ignore', 'pipe'], ...(user !== 'self' && user) });
    onTestFinished(async () => {
      const ended = once(child, 'exit');
      if (child.kill('SIGKILL')) await ended;
    });
    let log = '';
    for await (const chunk of child.stderr.iterator({ destroyOnReturn: false })) {
      log += String(chunk);
      if (log.includes('process up')) break;
    }
    if (!log.includes('process up')) throw new Error(`pgbouncer has not started: ${log}`);
    child.stderr.resume();
    return database.address({ host: `127.0.0.1:${port}` });
  }

  it('is refused with the reason if it gives each transaction another session', async () => {
    const opening = openPostgresStore({ address: await pooled('transaction') });
    await expect(opening).rejects.toThrow('a pooler gives each transaction another session');
  });

  it('is used if it keeps sessions', async () => {
    const store = await openPostgresStore({ address: await pooled('session') });
    await store.commit({ expect: { pooled: 0 }, changes: [] });
    expect(await store.revision('pooled')).toBe(1);
    await store.close();
  });
});
