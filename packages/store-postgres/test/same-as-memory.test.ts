import { MemoryStore, type Json, type PolicyStore } from '@blockwork/core';
import type { ChangeSet, Condition, RecordQuery } from '@blockwork/core/adapter';
import fc from 'fast-check';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { openPostgresStore, verifyDatabase, type PostgresStore } from '../src/index.js';
import { describeWithDatabase, empty } from '../../../test/support/postgres/database.js';
import { times } from '../../../test/support/repetitions.js';

const partitions = ['p', 'P', '', '\ud800\0', 'p'.repeat(300), 'instance'];
const kinds = ['document', 'ledger-message', 'journal'] as const;
const keys = ['p', 'k', '__proto__'];
const long = 'x'.repeat(250);
/** More than two pieces of a scan. */
const MANY = 1700;

const partition = fc.constantFrom(...partitions);
const kind = fc.constantFrom(...kinds);
const id = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', '', '\udfff', long, `${long}y`);

/** Values that look alike, and values that columns represent incompletely. */
const value: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(
  ...[null, false, true, 0, 1, -1.5, 10, '', '1', 'a', 'b', 'A', '\0', '\ud83d\ude00', '\uff5e', '\udc00\ud800'],
  ...[long, `${long}z`, [], ['a'], ['a', null], [['b'], 1], [{ a: 1 }], {}, { a: 1 }, { b: [2] }],
);
/** Paths that have a column in some kind, and paths without. */
const columns = ['type', 'schema', 'option.status', 'hash', 'relationships', 'topicId', 'createDate'];
const path = fc.constantFrom(...columns, 'id', 'n', 'n.0', 'n.a', 'option.L');

const record = fc
  .record({
    id,
    members: fc.dictionary(
      fc.constantFrom('type', 'schema', 'hash', 'relationships', 'topicId', 'createDate', 'n'),
      value,
    ),
    status: value,
  })
  .map(({ id: of, members, status }) => ({ id: of, option: { status }, ...members }));

const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: fc.constant('put'), kind, partition, value: record }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('delete'), kind, partition, id }) },
);
/** The expected revision: the true one, or one off. */
const expectation = fc.record({ key: fc.constantFrom(...keys), off: fc.constantFrom(0, 0, 0, 0, 1, -1) });
const commit = fc.record({
  changes: fc.array(change, { maxLength: 5 }),
  expected: fc.array(expectation, { maxLength: 2 }),
});

const comparison: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ path, op: fc.constantFrom('eq' as const, 'ne' as const), value }),
  fc.record({ path, op: fc.constantFrom('gt' as const, 'gte' as const, 'lt' as const, 'lte' as const), value }),
  fc.record({ path, op: fc.constantFrom('in' as const, 'nin' as const), value: fc.array(value, { maxLength: 3 }) }),
);
const condition = fc.letrec<{ any: Condition }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 2 },
    { weight: 3, arbitrary: comparison },
    { weight: 1, arbitrary: fc.array(tie('any'), { maxLength: 3 }).map((all) => ({ all })) },
    { weight: 1, arbitrary: fc.array(tie('any'), { maxLength: 3 }).map((any) => ({ any })) },
    { weight: 1, arbitrary: tie('any').map((not) => ({ not })) },
  ),
})).any;
const query: fc.Arbitrary<RecordQuery> = fc.record(
  {
    where: condition,
    order: fc.record({ path, direction: fc.constantFrom('asc' as const, 'desc' as const) }),
    offset: fc.nat({ max: 4 }),
    limit: fc.nat({ max: 4 }),
  },
  { requiredKeys: [] },
);

type Step =
  | {
      readonly do: 'commit';
      readonly commits: readonly { changes: unknown[]; expected: { key: string; off: number }[] }[];
    }
  | {
      readonly do: 'ask';
      readonly query: RecordQuery;
      readonly kind: (typeof kinds)[number];
      readonly partition: string;
    };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('commit' as const),
      commits: fc.array(commit, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ask' as const), query, kind, partition }) },
);

/** If several keys conflict, any of them may be named. */
const outcome = async (committing: Promise<void>): Promise<unknown> =>
  committing.then(
    () => 'committed',
    (error: unknown) => (error as { code?: string }).code ?? error,
  );

/** The outcomes in the memory store of commits that are called concurrently, applied one after another. */
async function inTurn(store: PolicyStore, changeSets: readonly ChangeSet[]): Promise<unknown[]> {
  const outcomes: unknown[] = [];
  for (const changeSet of changeSets) outcomes.push(await outcome(store.commit(changeSet)));
  return outcomes;
}

await describeWithDatabase('A store on PostgreSQL', (database) => {
  let store: PostgresStore;
  beforeEach(async () => {
    store = await openPostgresStore({ address: database.address(), readConnections: 4 });
  });
  afterAll(() => store.close());

  async function follow(steps: readonly Step[]): Promise<void> {
    await empty(database);
    const memory = new MemoryStore();
    const same = async (ask: (one: PolicyStore) => Promise<unknown>): Promise<void> =>
      expect(await ask(store)).toEqual(await ask(memory));
    for (const now of steps) {
      if (now.do === 'ask') {
        const { kind: of, partition: from, query } = now;
        await Promise.all([same((one) => one.find(of, from, query)), same((one) => one.count(of, from, query.where))]);
        continue;
      }
      const revisions = new Map(await Promise.all(keys.map(async (key) => [key, await memory.revision(key)] as const)));
      const changeSets = now.commits.map(({ changes, expected }) => ({
        expect: Object.fromEntries(expected.map(({ key, off }) => [key, (revisions.get(key) ?? 0) + off])),
        changes,
      })) as ChangeSet[];
      const expected = await inTurn(memory, changeSets);
      expect(await Promise.all(changeSets.map((changeSet) => outcome(store.commit(changeSet))))).toEqual(expected);
    }
    await Promise.all([
      ...keys.map((key) => same((one) => one.revision(key))),
      ...partitions.flatMap((from) => kinds.map((of) => same((one) => one.find(of, from)))),
      ...partitions.map((from) => same((one) => one.count('document', from))),
    ]);
    expect(await verifyDatabase({ address: database.address() })).toMatchObject({ damage: [] });
  }

  it('behaves like the memory store after any history of sequential and concurrent commits', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 30, size: 'max' }), follow), {
      numRuns: times(10, 40),
    });
  }, 600_000);

  it('behaves like the memory store with more records than one statement reads', async () => {
    const records = fc.array(record, { minLength: 8, maxLength: 8 });
    const far = query.chain((query) =>
      fc
        .constantFrom({ offset: 0 }, { offset: 520 }, { offset: 700, limit: 900 })
        .map((range) => ({ ...query, ...range })),
    );
    const property = fc.asyncProperty(
      kind,
      records,
      fc.array(far, { minLength: 12, maxLength: 12 }),
      async (of, few, all) => {
        const changes = Array.from({ length: MANY }, (_, n) => ({
          op: 'put',
          kind: of,
          partition: 'p',
          value: { ...few[(n * n + (n >> 3)) % few.length], id: `r${String(n)}`, at: n % 97 },
        }));
        const questions = all.map((each) => ({ do: 'ask', kind: of, partition: 'p', query: each }) as const);
        await follow([{ do: 'commit', commits: [{ changes, expected: [] }] }, ...questions]);
      },
    );
    await fc.assert(property, { numRuns: times(3, 12) });
  }, 600_000);

  it('finds a null in a list at an indexed path, whatever the kind of record', async () => {
    const value = { id: 'a', option: { status: null }, relationships: ['a', null] };
    const put = { op: 'put', kind: 'ledger-message', partition: 'p', value };
    const where: Condition = { path: 'relationships', op: 'eq', value: null };
    await follow([
      { do: 'commit', commits: [{ changes: [put], expected: [] }] },
      { do: 'ask', kind: 'ledger-message', partition: 'p', query: { where } },
      { do: 'ask', kind: 'ledger-message', partition: 'p', query: { where: { not: where } } },
    ]);
  });
});
