import type { DocumentRecord } from '@blockwork/core';
import type { Change } from '@blockwork/core/adapter';
import { afterEach, expect, it } from 'vitest';
import { openPostgresStore, type PostgresStore } from '../src/index.js';
import { addOne, counted, partition } from './support/counter.js';
import { temporaryFolders } from '../../../test/support/folders.js';
import { describeWithDatabase, empty, tallyDifferences } from '../../../test/support/postgres/database.js';
import { buildNode } from './support/processes.js';

const newFolder = temporaryFolders();

await describeWithDatabase('Several nodes over one database', (database) => {
  const opened: PostgresStore[] = [];
  const nodes = async (count: number): Promise<PostgresStore[]> => {
    const all = await Promise.all(
      Array.from({ length: count }, () => openPostgresStore({ address: database.address(), readConnections: 2 })),
    );
    opened.push(...all);
    return all;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
    expect(await tallyDifferences(database)).toEqual([]);
    await empty(database);
  });

  it('create the tables once when processes start at the same time, and lose no update', async () => {
    const run = await buildNode(await newFolder());
    const additions = 12;
    await Promise.all([1, 2, 3, 4].map(() => run(database.address(), additions)));
    const [store] = (await nodes(1)) as [PostgresStore];
    expect(await counted(store)).toBe(4 * additions);
    expect(await store.revision(partition)).toBe(4 * additions);
    expect(await store.count('document', partition)).toBe(4 * additions + 1);
  });

  it('let exactly one of several conflicting commits succeed', async () => {
    const stores = await nodes(3);
    const each = 3;
    const writers = stores.flatMap((store, node) => [0, 1, 2, 3].map((writer) => ({ store, by: `${node}-${writer}` })));
    await Promise.all(
      writers.map(async ({ store, by }) => {
        for (let n = 0; n < each; n += 1) await addOne(store, by);
      }),
    );
    expect(await Promise.all(stores.map(counted))).toEqual(stores.map(() => writers.length * each));
  });

  it('never deadlock, whichever keys and records they change together', async () => {
    const stores = await nodes(3);
    const keys = ['a', 'b', 'c'];
    let done = 0;
    const attempt = async (store: PostgresStore, turn: number): Promise<void> => {
      const some = [keys[turn % 3] ?? '', keys[(turn * 2 + 1) % 3] ?? ''];
      const revisions = await Promise.all(some.map(async (key) => [key, await store.revision(key)] as const));
      const changes = [...some].map((key) => put(key, `shared-${turn % 4}`, turn));
      await store.commit({ expect: Object.fromEntries(revisions), changes }).then(
        () => (done += 1),
        (error: unknown) => expect(error).toMatchObject({ code: 'CONFLICT' }),
      );
    };
    await Promise.all(
      stores.flatMap((store, node) =>
        [0, 1, 2].map(async (writer) => {
          for (let turn = 0; turn < 8; turn += 1) await attempt(store, turn + node + writer);
        }),
      ),
    );
    expect(done).toBeGreaterThan(0);
  });

  it('give every record a unique place, in commit order', async () => {
    const stores = (await nodes(2)) as [PostgresStore, PostgresStore];
    const expected: string[] = [];
    for (let n = 0; n < 20; n += 1) {
      const store = n % 2 === 0 ? stores[0] : stores[1];
      const expect = n % 3 === 0 ? { p: await store.revision('p') } : {};
      await store.commit({ expect, changes: [put('p', `d${n}`, n), put('instance', `i${n}`, n)] });
      expected.push(String(n));
    }
    for (const store of stores) {
      expect((await store.find('document', 'p')).map(({ id }) => id)).toEqual(expected.map((n) => `d${n}`));
      expect((await store.find('document', 'instance')).map(({ id }) => id)).toEqual(expected.map((n) => `i${n}`));
    }
  });

  it('preserve the order of a policy if the database clock is set back', async () => {
    const [store] = (await nodes(1)) as [PostgresStore];
    await store.commit({ expect: { p: 0 }, changes: [put('p', 'first', 1)] });
    // As if it had been written an hour later than it is now.
    const hour = 3_600_000_000 * 4096;
    await database.query(`update blockwork.revision set place = place + ${hour}`);
    await database.query(`update blockwork.document set place = place + ${hour}`);
    await store.commit({ expect: { p: 1 }, changes: [put('p', 'second', 2), put('p', 'third', 3)] });
    await store.commit({ expect: { p: 2 }, changes: [put('p', 'fourth', 4)] });
    expect((await store.find('document', 'p')).map(({ id }) => id)).toEqual(['first', 'second', 'third', 'fourth']);
  });

  it('write concurrently to one partition without conflicts, if they expect no revision', async () => {
    const stores = await nodes(3);
    await Promise.all(
      stores.map(async (store, node) => {
        for (let n = 0; n < 10; n += 1)
          await store.commit({ expect: {}, changes: [put('p', `${n}`, node), put('p', `${node}-${n}`, n)] });
      }),
    );
    expect(await stores[0]?.count('document', 'p')).toBe(10 + 30);
    expect(await stores[0]?.revision('p')).toBe(0);
  });

  it('reject a commit that cannot be written without affecting others in its statement', async () => {
    const [store] = (await nodes(1)) as [PostgresStore];
    await database.query(`alter table blockwork.record add constraint no_poison check (id <> 'poison')`);
    const token = (id: string): Change => ({ op: 'put', kind: 'token', partition: id, value: { id } as never });
    const outcomes = await Promise.allSettled(
      ['a', 'poison', 'b'].map((id) => store.commit({ expect: {}, changes: [token(id)] })),
    );
    await database.query('alter table blockwork.record drop constraint no_poison');
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { code: 'STORE_UNAVAILABLE' } });
    expect(await store.count('token', 'poison')).toBe(0);
  });
});

function put(partition: string, id: string, n: number): Change {
  const value = { id, policyId: partition, dataType: 'vc-documents', type: `t${n % 3}`, option: {}, document: { n } };
  return { op: 'put', kind: 'document', partition, value: value as unknown as DocumentRecord };
}
