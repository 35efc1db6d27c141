import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { openPostgresStore, printMigrations } from '../src/index.js';
import { describeWithDatabase } from '../../../test/support/postgres/database.js';

await describeWithDatabase('The schema of the store', (database) => {
  const address = database.address();
  const changes = [{ op: 'put', kind: 'token', partition: 'p', value: { id: 't' } as never }] as const;
  /** Every column, index and default, as the database describes them. */
  const describedIn = (schema: string): Promise<object[]> =>
    database.query(
      `select table_name, column_name, data_type, is_nullable, collation_name from information_schema.columns where table_schema = $1
       union all
       select tablename, indexname, replace(indexdef, $1 || '.', ''), null, null from pg_indexes where schemaname = $1
       order by 1, 2, 3`,
      [schema],
    );

  it('is created when the store is opened, and reused unchanged', async () => {
    const store = await openPostgresStore({ address });
    await store.commit({ expect: {}, changes });
    await store.close();
    const again = await openPostgresStore({ address, migrate: false });
    expect(await again.count('token', 'p')).toBe(1);
    await again.close();
  });

  it('has its own name, and shares a database with others', async () => {
    const [one, other] = await Promise.all(
      ['first_store', 'second_store'].map((schema) => openPostgresStore({ address, schema })),
    );
    await one?.commit({ expect: { k: 0 }, changes });
    expect([await one?.count('token', 'p'), await other?.count('token', 'p')]).toEqual([1, 0]);
    expect([await one?.revision('k'), await other?.revision('k')]).toEqual([1, 0]);
    await Promise.all([one?.close(), other?.close()]);
  });

  it('is the same if the printed SQL is run by hand', async () => {
    await database.query(printMigrations({ schema: 'by_hand' }));
    await (await openPostgresStore({ address, schema: 'by_program' })).close();
    const described = await describedIn('by_hand');
    expect(described.length).toBeGreaterThan(50);
    expect(described).toEqual(await describedIn('by_program'));
    await (await openPostgresStore({ address, schema: 'by_hand', migrate: false })).close();
  });

  it('is migrated from every earlier version, by the program and by the printed SQL', async () => {
    const from = async (version: number, schema: string): Promise<void> => {
      const whole = printMigrations({ schema });
      const end = whole.indexOf(`-- ${version + 1}:`);
      await database.query(end === -1 ? whole : `${whole.slice(0, end)}commit;`);
    };
    const newest = printMigrations().split('\n-- ').length - 1;
    for (let version = 1; version < newest; version += 1) {
      await from(version, `v${version}_program`);
      await (await openPostgresStore({ address, schema: `v${version}_program` })).close();
      await from(version, `v${version}_hand`);
      await database.query(printMigrations({ schema: `v${version}_hand`, from: version }));
      expect(await describedIn(`v${version}_program`)).toEqual(await describedIn('by_program'));
      expect(await describedIn(`v${version}_hand`)).toEqual(await describedIn('by_program'));
    }
  });

  it('gets a tally of existing documents', async () => {
    const schema = 'counted_later';
    const store = await openPostgresStore({ address, schema });
    const document = (id: string, type: string): object => ({
      id,
      type,
      dataType: 'vc-documents',
      option: {},
      document: {},
    });
    const documents = [document('a', 'x'), document('b', 'x'), document('c', 'y')];
    const puts = documents.map((value) => ({ op: 'put', kind: 'document', partition: 'p', value }));
    await store.commit({ expect: {}, changes: puts as never });
    await store.close();
    const later = ['tally', 'node', 'lease', 'history'].map((table) => `${schema}.${table}`).join();
    await database.query(`drop table ${later}; update ${schema}.schema_version set version = 1`);
    const again = await openPostgresStore({ address, schema });
    expect(await again.count('document', 'p', { path: 'type', op: 'eq', value: 'x' })).toBe(2);
    await again.close();
  });

  it('is refused if a newer program created it', async () => {
    await (await openPostgresStore({ address, schema: 'newer' })).close();
    await database.query('update newer.schema_version set version = version + 1');
    await expect(openPostgresStore({ address, schema: 'newer' })).rejects.toThrow(
      /which a newer program made.*update it/,
    );
  });

  it('is refused if it is older or missing, and must not be changed', async () => {
    await expect(openPostgresStore({ address, schema: 'nowhere', migrate: false })).rejects.toThrow(
      /"nowhere" is at version 0, this program needs \d+: migrate it first/,
    );
    expect(await describedIn('nowhere')).toEqual([]);
  });

  it('is left unchanged if a migration fails', async () => {
    await database.query('create schema broken; create table broken.document ()');
    await expect(openPostgresStore({ address, schema: 'broken', patienceMs: 0 })).rejects.toThrow('already exists');
    expect(await database.query(`select 1 from pg_tables where schemaname = 'broken'`)).toHaveLength(1);
  });

  it.each(['', 'Blockwork', 'a-b', 'x"y', '1st', 'pg_mine', 'a'.repeat(41)])(
    'is refused with an invalid name: %j',
    async (schema) => {
      await expect(openPostgresStore({ address, schema })).rejects.toMatchObject({ code: 'OPTION_INVALID' });
      expect(() => printMigrations({ schema })).toThrow('schema');
    },
  );

  describe('used by a role that may not change it', () => {
    const role = `blockwork_test_${randomUUID().replaceAll('-', '')}`;
    afterAll(() => database.query(`drop owned by ${role}; drop role ${role}`));

    it('serves reads and commits with the privileges listed in the guide', async () => {
      await database.query(printMigrations({ schema: 'guarded' }));
      await database.query(`create role ${role} login`);
      await database.query(`grant usage on schema guarded to ${role}`);
      await database.query(`grant select, insert, update, delete on all tables in schema guarded to ${role}`);
      await database.query(`revoke insert, update, delete on guarded.schema_version from ${role}`);
      const store = await openPostgresStore({
        address: database.address({ user: role }),
        schema: 'guarded',
        migrate: false,
      });
      await store.commit({ expect: { k: 0 }, changes });
      await store.commit({ expect: { k: 1 }, changes: [{ op: 'delete', kind: 'token', partition: 'p', id: 't' }] });
      expect([await store.revision('k'), await store.count('token', 'p')]).toEqual([2, 0]);
      await store.close();
    });

    it('reports that the role may not migrate it', async () => {
      await database.query('update guarded.schema_version set version = version - 1');
      await expect(openPostgresStore({ address: database.address({ user: role }), schema: 'guarded' })).rejects.toThrow(
        /at version \d+, this program needs \d+, but the connecting role may not migrate it \(permission denied.*\): migrate it with a role that may/,
      );
    });
  });
});
