/** `blockwork store copy`, `migrate`, and `verify` of a database, over real folders and databases. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine, type PolicyStore } from '@blockwork/core';
import type { Change } from '@blockwork/core/adapter';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { openPostgresStore } from '@blockwork/store-postgres';
import { block, documents } from '@blockwork/testing';
import { beforeAll, expect, it } from 'vitest';
import { buildProgram } from '../../../test/support/build-program.js';
import { temporaryFolders } from '../../../test/support/folders.js';
import { describeWithDatabase } from '../../../test/support/postgres/database.js';
import type { CopyProgress } from '../src/store/copy/copy-store.js';
import { run as runLine, runJson, type Ended } from './support/run.js';
import { times } from '../../../test/support/repetitions.js';

/** A soak copies as many as a store of files holds well. */
const MANY = times(3_000, 3_000, 100_000);

const newFolder = temporaryFolders();
const owner = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const policy = {
  id: 'registry',
  name: 'Registry',
  policyRoles: ['Installer'],
  config: block('interfaceContainerBlock', 'root', {
    children: [block('policyRolesBlock', 'roles', { roles: ['Installer'], permissions: ['NO_ROLE'] })],
  }),
};
const strange = ['', 'a\0b', '\ud800', '__proto__', 'é\u{1f33b}', '\\e', '\\0041', 'x'.repeat(300), ' line\u2028 '];

/** Places, keys and texts of all kinds, with records that were overwritten, removed and put again. */
async function fill(store: PolicyStore, many: number): Promise<void> {
  const engine = createEngine({ store });
  await engine.importPolicy(owner, policy, { documents: documents(50), origin: 'registry.policy' });
  await engine.program.documents.add('registry', documents(3));
  const token = (id: string, partition: string): Change =>
    ({ op: 'put', kind: 'token', partition, value: { id, tokenId: id, names: strange, n: -0, ok: null } }) as never;
  for (const text of strange) {
    await store.commit({ expect: Object.fromEntries([[text, 0]]), changes: strange.map((id) => token(id, text)) });
  }
  await store.commit({
    expect: {},
    changes: [token('z', 'unguarded'), token('a', 'unguarded'), token('z', 'unguarded')],
  });
  await store.commit({ expect: { '\ud800': 1 }, changes: [{ op: 'delete', kind: 'token', partition: '', id: '' }] });
  await store.commit({ expect: {}, changes: [token('', '')] });
  for (let at = 0; at < many; at += 500) {
    const some = Array.from({ length: Math.min(500, many - at) }, (_, position) => at + position);
    const put = (n: number): Change =>
      ({
        op: 'put',
        kind: 'document',
        partition: 'many',
        value: { id: `document-${n}`, type: `t${n % 7}`, option: {}, document: { id: n, text: 'x'.repeat(700) } },
      }) as never;
    await store.commit({ expect: { many: at / 500 }, changes: some.map(put) });
  }
  await engine.close();
}

const run = (...argv: string[]): Promise<Ended> => runLine(['store', ...argv]);

/** Everything but the first line, which counts commits. */
async function linesOf(folder: string): Promise<string[]> {
  return (await run('export', folder)).out.trimEnd().split('\n').slice(1);
}

await describeWithDatabase('Copies between files and a database', (database) => {
  let filled: string;
  let lines: readonly string[];
  let program: string;
  let schemas = 0;

  /** A schema that nobody has used; tools and stores take it from the address's environment. */
  const newDatabase = (): { readonly env: Readonly<Record<string, string>>; readonly schema: string } => {
    const schema = `copy_${(schemas += 1)}`;
    return { schema, env: { BLOCKWORK_DATABASE_URL: database.address(), BLOCKWORK_DATABASE_SCHEMA: schema } };
  };
  const copy = (from: string, to: string, env: Readonly<Record<string, string>>): Promise<Ended> =>
    runLine(['store', 'copy', from, to], { env });
  const newStore = async (): Promise<string> => join(await newFolder(), 'data', 'store');

  beforeAll(async () => {
    filled = await newStore();
    await fill(await openLowdbStore({ folder: filled }), MANY);
    lines = await linesOf(filled);
    program = await buildProgram(new URL('./support/copy-process.ts', import.meta.url), await newFolder());
  });

  /** Kills the copy once so many lines are at the target for good; resolves with how many it had told of. */
  async function killed(from: string, to: string, env: Readonly<Record<string, string>>, at: number): Promise<number> {
    const child = fork(program, [from, to], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const ended = once(child, 'exit');
    let progress = 0;
    child.on('message', (message: CopyProgress | 'ended') => {
      if (message === 'ended') throw new Error('It ended before it was killed.');
      if (message.step === 'copied') progress = message.lines;
      if (progress >= at) child.kill('SIGKILL');
    });
    await ended;
    return progress;
  }

  it('give an equal store there and back', async () => {
    const { env, schema } = newDatabase();
    const there = await copy(filled, 'postgres:', env);
    expect(there).toMatchObject({ code: 0, err: '' });
    expect(there.out).toMatch(/^Copied \d+ records and \d+ revisions; each was verified against the original\.\n$/);
    expect(await runLine(['store', 'verify', 'postgres:'], { env })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^The database is intact: version \d+, \d+ records in \d+ tables, \d+ revisions\.\n$/),
    });

    const back = await newStore();
    expect(await copy('postgres:', back, env)).toMatchObject({ code: 0, err: '' });
    expect(await linesOf(back)).toEqual(lines);
    expect(await readdir(join(back, '..'))).toEqual(['store']);

    const store = await openPostgresStore({ address: database.address(), schema });
    const engine = createEngine({ store });
    await engine.program.documents.add('registry', documents(1));
    expect(await store.count('document', 'registry')).toBe(54);
    const [last] = (await store.find('document', 'registry')).slice(-1);
    expect(lines.some((line) => line.includes(`"id":"${String(last?.id)}"`))).toBe(false);
    await engine.close();
    expect(await runLine(['store', 'verify', 'postgres:'], { env })).toMatchObject({ code: 0 });
  });

  it('go on where they were killed, in both directions', async () => {
    const { env, schema } = newDatabase();
    const progress = await killed(filled, 'postgres:', env, 1000);
    const half = await runLine(['store', 'verify', 'postgres:'], { env });
    expect(half).toMatchObject({ code: 1, err: expect.stringContaining('is incomplete') });
    await expect(openPostgresStore({ address: database.address(), schema })).rejects.toThrow('Run the same copy again');
    expect(await copy('postgres:', await newStore(), env)).toMatchObject({
      code: 3,
      err: expect.stringContaining('a copy into it has not ended'),
    });
    const resumed = (await runJson(['store', 'copy', filled, 'postgres:'], { env })) as { resumedAt: number };
    expect(resumed.resumedAt).toBeGreaterThanOrEqual(progress);
    expect(await runLine(['store', 'verify', 'postgres:'], { env })).toMatchObject({ code: 0 });

    const back = await newStore();
    const toldBack = await killed('postgres:', back, env, 1000);
    await expect(stat(join(back, 'store.json'))).rejects.toThrow('ENOENT');
    const resumedBack = (await runJson(['store', 'copy', 'postgres:', back], { env })) as { resumedAt: number };
    expect(resumedBack.resumedAt).toBeGreaterThanOrEqual(toldBack);
    expect(await linesOf(back)).toEqual(lines);
  });

  it('do not go on when the store was changed since', async () => {
    const { env } = newDatabase();
    const changing = await newStore();
    await fill(await openLowdbStore({ folder: changing }), 1500);
    await killed(changing, 'postgres:', env, 1000);
    const store = await openLowdbStore({ folder: changing });
    await store.commit({
      expect: {},
      changes: [{ op: 'delete', kind: 'document', partition: 'many', id: 'document-3' }],
    });
    await store.close();
    expect(await copy(changing, 'postgres:', env)).toMatchObject({
      code: 3,
      err: expect.stringContaining('has changed since: empty the target and start over'),
    });
  });

  it('do not go on with a store that holds less than what they have brought', async () => {
    const { env } = newDatabase();
    await killed(filled, 'postgres:', env, 1000);
    const small = await newStore();
    await fill(await openLowdbStore({ folder: small }), 0);
    expect(await copy(small, 'postgres:', env)).toMatchObject({
      code: 3,
      err: expect.stringContaining('has changed since: empty the target and start over'),
    });
    const back = await newStore();
    await mkdir(join(back, '..'), { recursive: true });
    await writeFile(`${back}.copying`, lines.map((line) => `${line}\n`).join(''));
    expect(await copy(small, back, env)).toMatchObject({
      code: 1,
      err: expect.stringContaining('Delete that file and start over'),
    });
    await expect(stat(join(back, 'store.json'))).rejects.toThrow('ENOENT');
  });

  it('go on after the last line was written, and after the folder was made', async () => {
    const small = await newStore();
    await fill(await openLowdbStore({ folder: small }), 0);
    const { env } = newDatabase();
    expect(await copy(small, 'postgres:', env)).toMatchObject({ code: 0 });
    const back = await newStore();
    expect(await copy('postgres:', back, env)).toMatchObject({ code: 0 });
    const { out } = await run('export', back);
    // The head is that of the database, which counts commits differently.
    const { out: head } = await runLine(['store', 'export', back]);
    expect(head).toBe(out);
    await writeFile(`${back}.copying`, out);
    expect(await copy('postgres:', back, env)).toMatchObject({
      code: 0,
      out: expect.stringContaining('of them earlier'),
    });
    await rm(join(back, 'store.json'));
    await writeFile(`${back}.copying`, `${out}{"half`);
    expect(await copy('postgres:', back, env)).toMatchObject({
      code: 0,
      out: expect.stringContaining('of them earlier'),
    });
    expect(await linesOf(back)).toEqual(await linesOf(small));
  });

  it('say which secrets of the server the nodes of the database need, with the key of a linked instance', async () => {
    const folder = await newStore();
    await (await openLowdbStore({ folder })).close();
    const secrets = join(folder, '..');
    await writeFile(join(secrets, 'key-seed'), 'secret');
    const alone = await copy(folder, 'postgres:', newDatabase().env);
    expect(alone).toMatchObject({ code: 0, err: expect.stringContaining('BLOCKWORK_KEY_SEED') });
    expect(alone.err).not.toContain('BLOCKWORK_INSTANCE_KEY');
    await writeFile(join(secrets, 'instance-key'), 'secret');
    const linked = await copy(folder, 'postgres:', newDatabase().env);
    expect(linked.err).toContain(`${join(secrets, 'instance-key')} as BLOCKWORK_INSTANCE_KEY`);
  });

  it('replace nothing', async () => {
    const { env, schema } = newDatabase();
    const store = await openPostgresStore({ address: database.address(), schema });
    await store.commit({ expect: { k: 0 }, changes: [] });
    await store.close();
    expect(await copy(filled, 'postgres:', env)).toMatchObject({
      code: 3,
      err: expect.stringContaining('is not empty'),
    });
    const folder = await newFolder();
    await writeFile(join(folder, 'mine.txt'), 'mine');
    for (const staged of [false, true]) {
      if (staged) await writeFile(`${folder}.copying`, '');
      const refused = await copy('postgres:', folder, env);
      expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('is not empty: it contains mine.txt') });
    }
    await rm(`${folder}.copying`);
  });

  it.each(['mysql://me:hidden@host/x', 'POSTGRES://me:hidden@host/x', 'postgress://me:hidden@host/x'])(
    'make no folder of what was meant for an address: %s',
    async (address) => {
      for (const places of [
        [filled, address],
        [address, await newFolder()],
      ] as const) {
        const refused = await copy(...places, {});
        expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('are not supported') });
        expect(refused.err).not.toContain('hidden');
      }
    },
  );

  it('are no part of what they are copies of', async () => {
    for (const inside of ['copy', join('deep', 'copy')]) {
      const refused = await copy(filled, join(filled, inside), {});
      expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('name a folder outside it') });
    }
    expect(await copy(filled, `${filled}-copy`, {})).toMatchObject({ code: 0 });
    await rm(`${filled}-copy`, { recursive: true });
  });

  it('take no store that is in use', async () => {
    const { env, schema } = newDatabase();
    const folder = await newStore();
    const files = await openLowdbStore({ folder });
    expect(await copy(folder, 'postgres:', env)).toMatchObject({ code: 3, err: expect.stringContaining('in use by') });
    await files.close();
    const store = await openPostgresStore({ address: database.address(), schema });
    await store.coordination.renew({ id: 'n1', name: 'north', version: '1' }, 60_000);
    expect(await copy('postgres:', await newStore(), env)).toMatchObject({
      code: 3,
      err: expect.stringContaining('north'),
    });
    expect(await copy(filled, 'postgres:', env)).toMatchObject({ code: 3, err: expect.stringContaining('north') });
    await store.close();
  });

  it('name what is missing', async () => {
    expect(await run('copy', filled, 'postgres:')).toMatchObject({
      code: 2,
      err: expect.stringContaining('BLOCKWORK_DATABASE_URL'),
    });
    const { env } = newDatabase();
    expect(await copy(await newStore(), 'postgres:', env)).toMatchObject({
      code: 3,
      err: expect.stringContaining('is not a store'),
    });
    const away = 'postgres://me:hunter2@127.0.0.1:1/nowhere';
    const refused = await run('copy', filled, away);
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('ECONNREFUSED') });
    expect(refused.err).not.toContain('hunter2');
  });

  it('find records and totals that are not right', async () => {
    const small = await newStore();
    await fill(await openLowdbStore({ folder: small }), 20);
    const { env, schema } = newDatabase();
    expect(await copy(small, 'postgres:', env)).toMatchObject({ code: 0 });
    await database.query(`update ${schema}.document set type = 'sother' where id = 'document-3'`);
    await database.query(`update ${schema}.record set body = 'nothing' where kind = 'policy'`);
    await database.query(`update ${schema}.tally set n = n + 1 where partition = 'registry'`);
    const { code, err } = await runLine(['store', 'verify', 'postgres:'], { env });
    expect(code).toBe(1);
    expect(err).toContain('document document-3 of "many": the column type is not what the record says');
    expect(err).toContain('policy registry of "instance": it is not JSON, or has no id');
    expect(err).toContain('document  of "registry": the totals are not those of the documents');
  });

  it('migrate a schema once, or print how', async () => {
    const { env, schema } = newDatabase();
    const migrate = (...argv: string[]): Promise<Ended> => runLine(['store', 'migrate', ...argv], { env });
    const printed = await migrate('--print');
    expect(printed.out).toContain(`create table "${schema}".revision`);
    expect((await migrate('--print', '--from', '1')).out).not.toContain(`create table "${schema}".revision`);
    expect(await migrate('--print', '--from', '99')).toMatchObject({ code: 2, err: expect.stringContaining('--from') });
    expect(await database.query('select 1 from pg_namespace where nspname = $1', [schema])).toEqual([]);
    expect((await migrate()).out).toMatch(/^The schema was migrated from version 0 to \d+\.\n$/);
    expect((await migrate(database.address())).out).toMatch(/^The schema is already at version \d+\.\n$/);
    expect(await migrate('a-folder')).toMatchObject({
      code: 2,
      err: expect.stringContaining('is not a database address'),
    });
  });

  it('create the views for reporting, or print how', async () => {
    const { env, schema } = newDatabase();
    const views = (...argv: string[]): Promise<Ended> => runLine(['store', 'views', ...argv], { env });
    expect((await views('--print')).out).toContain(`create or replace view "${schema}_report".documents`);
    expect((await views('--print', '--into', 'figures')).out).toContain(`create or replace view "figures".documents`);
    const { code, out } = await views('--into', `${schema}_figures`);
    expect([code, out]).toEqual([0, expect.stringContaining(`${schema}_figures has the views policies, documents,`)]);
    expect(await database.query(`select * from ${schema}_figures.mints`)).toEqual([]);
    expect(await views('--into', 'No Schema')).toMatchObject({ code: 2, err: expect.stringContaining('into') });
  });
});
