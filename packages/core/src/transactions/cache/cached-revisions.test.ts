/** The revisions at which policies are cached: who may have written, and which tables are worth fetching. */
import { describe, expect, it } from 'vitest';
import type { Change } from '../../ports/index.js';
import type { RecordKind } from '../../records/index.js';
import { revisionKeys } from '../revision-keys.js';
import { PartialTable } from './partial-table.js';
import { RecordCaches } from './record-caches.js';
import { WholeTable } from './whole-table.js';

const P = revisionKeys.policy.of('p');
const Q = revisionKeys.policy.of('q');
const DEFINITION = revisionKeys.definition.of('p');
const record = (id: string) => ({ id });
const put = (id: string, kind: RecordKind = 'document', partition = 'p'): Change =>
  ({ op: 'put', kind, partition, value: record(id) }) as unknown as Change;
const readByMost = ['membership', 'block-state', 'document', 'completion'];
const readByUnits = [
  ...['token', 'ledger-token', 'ledger-relation', 'ledger-topic', 'ledger-message', 'document-usage'],
  ...['trial', 'schema', 'document-state', 'block-entry', 'invitation', 'journal-tree'],
];

/** Caches in which the policy is at revision 5, and this process its only writer. */
function cachesAt5(small = { records: 3, bytes: 1_000 }): RecordCaches {
  const caches = new RecordCaches({ keptRecordBytes: 1_000_000 }, small);
  caches.observed(P, 5);
  return caches;
}
const tables = (kind: RecordKind, table: WholeTable | PartialTable) => ({
  definition: 1,
  tables: new Map([[kind, table]]),
});

describe('the revision of a cached policy', () => {
  it('is presumed to be current once the store has told it', () => {
    const caches = cachesAt5();
    expect([caches.presumedRevision(P), caches.presumedRevision(Q)]).toEqual([5, undefined]);
  });

  it('is asked for once another process has written, until the store tells the same one again', () => {
    const caches = cachesAt5();
    caches.add(P, 5, tables('document', new WholeTable([record('a')])));
    caches.observed(P, 7);
    expect([caches.presumedRevision(P), caches.table(P, 7, 'document'), caches.definition(P, 7)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    caches.observed(P, 7);
    expect(caches.presumedRevision(P)).toBe(7);
  });

  it('does not go back for an answer that has been under way for longer', () => {
    const caches = cachesAt5();
    caches.add(P, 5, tables('document', new WholeTable([record('a')])));
    caches.observed(P, 4);
    expect([caches.presumedRevision(P), caches.definition(P, 5)]).toEqual([5, 1]);
  });

  it('may be moved by a commit of this process before that is told', () => {
    const caches = cachesAt5();
    const changeSet = { expect: { [P]: 5 }, changes: [put('a')] };
    caches.beginCommit([changeSet, { expect: { [P]: 6 }, changes: [] }]);
    caches.beginCommit([changeSet]);
    caches.observed(P, 6);
    caches.endCommit([changeSet]);
    caches.observed(P, 6);
    expect(caches.presumedRevision(P)).toBe(5);
    caches.endCommit([changeSet]);
    caches.observed(P, 6);
    expect([caches.presumedRevision(P), caches.definition(P, 6)]).toEqual([undefined, undefined]);
    caches.observed(P, 6);
    expect(caches.presumedRevision(P)).toBe(6);
    // An end too many does not outweigh the next beginning.
    caches.endCommit([changeSet]);
    caches.beginCommit([changeSet]);
    caches.observed(P, 9);
    expect(caches.presumedRevision(P)).toBe(6);
  });

  it('is asked for after a rejected commit', () => {
    const caches = cachesAt5();
    caches.observed(Q, 2);
    caches.assumeOtherWriters([{ [P]: 5, [DEFINITION]: 1 }]);
    expect([caches.presumedRevision(P), caches.presumedRevision(Q)]).toEqual([undefined, 2]);
  });

  it('follows a commit of this process, with the tables that it has written to', () => {
    const caches = cachesAt5();
    caches.add(P, 5, tables('document', new WholeTable([record('a')])));
    caches.committed({ expect: { [P]: 5 }, changes: [put('b'), put('c', 'document', 'q'), put('d', 'membership')] });
    expect(caches.presumedRevision(P)).toBe(6);
    expect(caches.table(P, 6, 'document')?.find({})).toEqual([record('a'), record('b')]);
    expect([caches.table(P, 5, 'document'), caches.definition(P, 6)]).toEqual([undefined, 1]);
  });

  it('is not moved by a commit that it is already beyond', () => {
    const caches = cachesAt5();
    caches.committed({ expect: { [P]: 4 }, changes: [put('b')] });
    expect(caches.presumedRevision(P)).toBe(5);
    caches.committed({ expect: { [Q]: 1 }, changes: [] });
    expect(caches.presumedRevision(Q)).toBeUndefined();
  });

  it.each([
    ['that expects a revision which this process has not seen', { [P]: 8 }, 9],
    ['that may have changed the definition', { [P]: 5, [DEFINITION]: 1 }, 6],
  ])('forgets what was cached after a commit %s', (_, expected, revision) => {
    const caches = cachesAt5();
    caches.add(P, 5, tables('document', new WholeTable([record('a')])));
    caches.committed({ expect: expected, changes: [put('b')] });
    expect([caches.presumedRevision(P), caches.table(P, revision, 'document'), caches.definition(P, revision)]).toEqual(
      [revision, undefined, undefined],
    );
  });

  it('is that of a record which was deleted as well', () => {
    const caches = cachesAt5();
    const deletion = { op: 'delete', kind: 'identity', partition: 'p', id: 'did:example:a' } as const;
    caches.committed({ expect: { [P]: 5 }, changes: [deletion] });
    expect([caches.presumedRevision(P), caches.identity('did:example:a')]).toEqual([6, undefined]);
  });
});

describe('the tables to fetch', () => {
  it('are, with the first one, those that nearly every request reads', () => {
    expect(cachesAt5().tablesToFetch(P, 5, 'timer')).toEqual(['timer', ...readByMost]);
    expect(cachesAt5().tablesToFetch(P, 5, 'document')).toEqual([
      'document',
      ...['membership', 'block-state', 'completion'],
    ]);
  });

  it('are, for the first unit, those that units read as well, and only once', () => {
    const caches = cachesAt5();
    expect(caches.tablesToFetch(P, 5, 'document', true)).toEqual([
      ...['document', 'membership', 'block-state', 'completion'],
      ...readByUnits,
    ]);
    caches.add(P, 5, tables('timer', new WholeTable([])));
    expect(caches.tablesToFetch(P, 5, 'document', true)).toEqual(['document']);
    expect(caches.tablesToFetch(P, 5, 'token')).toEqual(['token', 'ledger-token', 'ledger-relation']);
    expect(caches.tablesToFetch(P, 5, 'ledger-message')).toEqual(['ledger-message', 'ledger-topic', 'document-usage']);
  });

  it('are none that is there, or too large, or of another revision', () => {
    const caches = cachesAt5();
    caches.markTooLarge(P, 'membership');
    caches.add(P, 5, tables('completion', new PartialTable(1_000)));
    caches.add(P, 5, tables('token', new WholeTable([])));
    expect(caches.tablesToFetch(P, 5, 'membership')).toEqual([]);
    expect(caches.tablesToFetch(P, 5, 'completion')).toEqual(['completion']);
    expect(caches.tablesToFetch(P, 5, 'ledger-token')).toEqual(['ledger-token', 'ledger-relation']);
    expect(caches.tablesToFetch(P, 4, 'completion')).toEqual([]);
    expect(caches.tablesToFetch(Q, 5, 'completion')).toEqual([]);
    caches.markTooLarge(Q, 'completion');
  });

  it('are none while other processes write', () => {
    const caches = cachesAt5();
    caches.assumeOtherWriters([{ [P]: 5 }]);
    expect(caches.tablesToFetch(P, 5, 'document')).toEqual([]);
  });
});

describe('it pays to wait for a read that fills the cache', () => {
  const ordered = { order: { path: 'id', direction: 'desc' } } as const;

  it('of a table that is cached whole, once', () => {
    const caches = cachesAt5();
    expect(caches.isToFill(P, 5, 'document', {})).toBe(true);
    caches.add(P, 5, tables('document', new PartialTable(1_000)));
    expect(caches.isToFill(P, 5, 'document', {})).toBe(true);
    caches.add(P, 5, tables('document', new WholeTable([])));
    expect(caches.isToFill(P, 5, 'document', {})).toBe(false);
  });

  it('of a large table for a list in an order, if changes have not dropped it before', () => {
    const caches = cachesAt5();
    caches.markTooLarge(P, 'document');
    expect([caches.isToFill(P, 5, 'document', {}), caches.isToFill(P, 5, 'document', ordered)]).toEqual([false, true]);
    const table = new PartialTable(10_000);
    caches.add(P, 5, tables('document', table));
    expect(caches.isToFill(P, 5, 'document', ordered)).toBe(true);
    table.addList(ordered, [record('a')]);
    table.apply({ op: 'delete', kind: 'document', partition: 'p', id: 'a' });
    expect(caches.isToFill(P, 5, 'document', ordered)).toBe(false);
  });

  it('not while other processes write, nor at another revision', () => {
    const caches = cachesAt5();
    expect(caches.isToFill(P, 4, 'document', {})).toBe(false);
    caches.assumeOtherWriters([{ [P]: 5 }]);
    expect(caches.isToFill(P, 5, 'document', {})).toBe(false);
  });
});

describe('what was read of a policy', () => {
  it('is added to what is cached of the same table, never in place of the whole one', () => {
    const caches = cachesAt5();
    const [first, second] = [new PartialTable(10_000), new PartialTable(10_000)];
    first.addRecord('a', record('a'));
    second.addRecord('b', record('b'));
    caches.add(P, 5, tables('document', first));
    caches.add(P, 5, { definition: 2, tables: new Map([['document', second]]) });
    const table = caches.table(P, 5, 'document');
    expect([table?.get('a'), table?.get('b'), caches.definition(P, 5)]).toEqual([record('a'), record('b'), 1]);
    caches.add(P, 5, tables('document', new WholeTable([record('a')])));
    caches.add(P, 5, tables('document', second));
    expect([caches.table(P, 5, 'document')?.get('b'), caches.table(P, 5, 'document')?.get('a')]).toEqual([
      null,
      record('a'),
    ]);
  });

  it('is not cached at another revision', () => {
    const caches = cachesAt5();
    caches.add(P, 4, tables('document', new WholeTable([])));
    caches.add(Q, 5, tables('document', new WholeTable([])));
    expect([caches.table(P, 5, 'document'), caches.table(Q, 5, 'document')]).toEqual([undefined, undefined]);
  });

  it.each([
    ['records', { records: 2, bytes: 1_000 }],
    ['bytes', { records: 100, bytes: 2 * JSON.stringify(record('a')).length }],
  ])('stays cached whole with as many %s as a small table has at most, and not with more', (_, small) => {
    const caches = cachesAt5(small);
    caches.add(P, 5, tables('document', new WholeTable([record('a')])));
    caches.add(P, 5, tables('membership', new PartialTable(1_000)));
    caches.committed({ expect: { [P]: 5 }, changes: [put('b')] });
    expect(caches.table(P, 6, 'document')?.find({})).toHaveLength(2);
    caches.committed({ expect: { [P]: 6 }, changes: [put('c')] });
    expect([caches.table(P, 7, 'document'), caches.tablesToFetch(P, 7, 'document')]).toEqual([undefined, []]);
    expect(caches.table(P, 7, 'membership')).toBeDefined();
  });

  it.each([
    [
      'tables',
      (caches: RecordCaches) => {
        caches.add(Q, 5, tables('document', new WholeTable([{ id: 'x'.repeat(600) }])));
      },
    ],
    [
      'receipts of sends',
      (caches: RecordCaches) => {
        const changes = Array.from({ length: 4 }, (_unused, at) => put(String(at), 'send-receipt', 'q'));
        caches.committed({ expect: { [Q]: 5 }, changes });
      },
    ],
  ])('goes when the %s of another policy need the room', (_, grow) => {
    const caches = new RecordCaches({ keptRecordBytes: 2_500 });
    for (const key of [Q, P]) caches.observed(key, 5);
    expect([caches.presumedRevision(P), caches.presumedRevision(Q)]).toEqual([5, 5]);
    grow(caches);
    expect(caches.presumedRevision(P)).toBeUndefined();
    expect(caches.presumedRevision(Q)).toBeDefined();
  });
});

describe('a receipt', () => {
  const receipt = (id: string): Change => put(id, 'send-receipt');

  it('is known to be unwritten from a revision on that this process has seen, up to the present one', () => {
    const caches = cachesAt5();
    const isUnwritten = (id: string, since: number, revision = 6, kind: RecordKind = 'send-receipt'): boolean =>
      caches.isUnwritten(P, revision, kind, id, since);
    caches.committed({ expect: { [P]: 5 }, changes: [receipt('a'), put('b')] });
    expect([isUnwritten('a', 5), isUnwritten('b', 5), isUnwritten('b', 6)]).toEqual([false, true, true]);
    expect([isUnwritten('b', 4), isUnwritten('b', 7), isUnwritten('b', 5, 5)]).toEqual([false, false, false]);
    expect(isUnwritten('b', 5, 6, 'document')).toBe(false);
    // Of what other processes wrote meanwhile nothing is known.
    caches.observed(P, 9);
    expect([isUnwritten('c', 8, 9), isUnwritten('c', 9, 9), isUnwritten('a', 9, 9)]).toEqual([false, true, true]);
  });

  it('is remembered among the latest two thousand, in the order in which they were last written', () => {
    const caches = cachesAt5();
    caches.committed({ expect: { [P]: 5 }, changes: [receipt('first')] });
    caches.committed({ expect: { [P]: 6 }, changes: [receipt('second')] });
    caches.committed({ expect: { [P]: 7 }, changes: [receipt('first')] });
    const others = Array.from({ length: 1_998 }, (_, at) => receipt(String(at)));
    caches.committed({ expect: { [P]: 8 }, changes: others });
    expect(caches.isUnwritten(P, 9, 'send-receipt', 'new', 5)).toBe(true);
    caches.committed({ expect: { [P]: 9 }, changes: [receipt('one more')] });
    expect([6, 7].map((since) => caches.isUnwritten(P, 10, 'send-receipt', 'new', since))).toEqual([false, true]);
    expect(caches.isUnwritten(P, 10, 'send-receipt', 'first', 7)).toBe(false);
  });
});
