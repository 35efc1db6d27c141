import type { Json } from '@blockwork/core';
import type { Change } from '@blockwork/core/adapter';
import { expect, it } from 'vitest';
import { openDatabaseCopy, openDatabaseSource, openPostgresStore, verifyDatabase } from '../src/index.js';
import { describeWithDatabase } from '../../../test/support/postgres/database.js';

const lists: Json[] = [[], [[]], [{}], ['a'], ['', null], [['b'], 1], 'a', null];
/** Records with a list at one or two indexed paths. */
const changes = lists.flatMap((list, n): Change[] => [
  {
    op: 'put',
    kind: 'document',
    partition: 'p',
    value: { id: `${n}`, type: list, option: { status: ['x'] } } as never,
  },
  { op: 'put', kind: 'ledger-message', partition: 'p', value: { id: `${n}`, relationships: list } as never },
]);

await describeWithDatabase('A verified database', (database) => {
  it('is intact whatever lists its records contain, and so is its copy', async () => {
    const address = database.address();
    const store = await openPostgresStore({ address });
    await store.commit({ expect: { p: 0 }, changes });
    await store.close();
    expect(await verifyDatabase({ address })).toMatchObject({ records: changes.length, damage: [] });
    const [source, copy] = [
      await openDatabaseSource({ address }),
      await openDatabaseCopy({ address, schema: 'copied' }),
    ];
    await copy.take(source.lines(), () => undefined);
    await copy.finish();
    await Promise.all([source.close(), copy.close()]);
    expect(await verifyDatabase({ address, schema: 'copied' })).toMatchObject({ records: changes.length, damage: [] });
  });

  it('is intact if it has empty arrays for empty lists', async () => {
    await database.query(`update copied.record set elements = '{}' where elements is null`);
    expect(await verifyDatabase({ address: database.address(), schema: 'copied' })).toMatchObject({ damage: [] });
  });

  it('is damaged if a list lacks the keys of its elements', async () => {
    await database.query(`update copied.record set elements = null where id = '3'`);
    expect(await verifyDatabase({ address: database.address(), schema: 'copied' })).toMatchObject({
      damage: [{ kind: 'ledger-message', id: '3', reason: 'the column elements is not what the record says' }],
    });
  });
});
