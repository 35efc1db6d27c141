/** What units that are not durable yet have changed: by table and record, from the first of them to the last. */
import { expect, it } from 'vitest';
import type { Change, ChangeSet } from '../ports/index.js';
import type { RecordKind } from '../records/index.js';
import { UndurableChanges } from './undurable-changes.js';

const put = (id: string, n = 0, kind: RecordKind = 'document', partition = 'p'): Change =>
  ({ op: 'put', kind, partition, value: { id, n } }) as unknown as Change;
const remove = (id: string): Change => ({ op: 'delete', kind: 'document', partition: 'p', id });
const unitOf = (...changes: readonly Change[]): ChangeSet => ({ expect: {}, changes });

function added(...units: readonly ChangeSet[]): UndurableChanges {
  const changes = new UndurableChanges();
  for (const unit of units) changes.add(unit, new Set());
  return changes;
}

it('a record is known by its kind, its partition and its id', () => {
  const changes = added(unitOf(put('a', 1), put('a', 2, 'membership'), put('a', 3, 'document', 'q'), remove('b')));
  expect([
    changes.get('document', 'p', 'a'),
    changes.get('membership', 'p', 'a'),
    changes.get('document', 'q', 'a'),
    changes.get('document', 'p', 'b'),
    changes.get('document', 'q', 'b'),
    changes.get('trial', 'p', 'a'),
  ]).toEqual([{ id: 'a', n: 1 }, { id: 'a', n: 2 }, { id: 'a', n: 3 }, null, undefined, undefined]);
  expect(changes.changedIn('document', 'p').map(({ id }) => id)).toEqual(['a', 'b']);
  expect(changes.changedIn('membership', 'p').map(({ id }) => id)).toEqual(['a']);
  expect(changes.changedIn('trial', 'p')).toEqual([]);
  expect(changes.size).toBe(4);
});

it('the last value of a record counts, and all of them may be what the store shows', () => {
  const first = put('a', 1);
  const changes = new UndurableChanges();
  changes.add(unitOf(first, put('b', 1)), new Set([first]));
  changes.add(unitOf(remove('b')), new Set());
  changes.add(unitOf(put('a', 2)), new Set());
  expect(changes.changedIn('document', 'p')).toEqual([
    {
      id: 'a',
      value: { id: 'a', n: 2 },
      versions: [
        { id: 'a', n: 1 },
        { id: 'a', n: 2 },
      ],
      isCreated: true,
      isRenewed: false,
    },
    { id: 'b', value: null, versions: [{ id: 'b', n: 1 }, null], isCreated: false, isRenewed: false },
  ]);
});

it('a record that was removed and put again is renewed, and one that was only removed is not', () => {
  const changes = added(unitOf(put('a'), put('b')), unitOf(remove('a'), remove('b')), unitOf(put('a', 1)));
  expect(changes.changedIn('document', 'p').map(({ id, isRenewed }) => [id, isRenewed])).toEqual([
    ['a', true],
    ['b', false],
  ]);
});

it('a unit that is durable takes only its own changes away', () => {
  const [first, second] = [unitOf(put('a', 1), put('b', 1)), unitOf(put('a', 2), remove('c'))];
  const changes = added(first, second);
  changes.remove(first);
  expect([
    changes.size,
    changes.get('document', 'p', 'a'),
    changes.get('document', 'p', 'b'),
    changes.get('document', 'p', 'c'),
  ]).toEqual([2, { id: 'a', n: 2 }, undefined, null]);
  expect(changes.changedIn('document', 'p').map(({ id, versions }) => [id, versions.length])).toEqual([
    ['a', 1],
    ['c', 1],
  ]);
  changes.remove(unitOf(put('a', 2), put('elsewhere', 1, 'trial')));
  expect(changes.get('document', 'p', 'a')).toEqual({ id: 'a', n: 2 });
});

it('once all units are durable, or none of them will be, nothing is changed', () => {
  const [first, second] = [unitOf(put('a', 1)), unitOf(put('a', 2))];
  const changes = added(first, second);
  changes.remove(first);
  changes.remove(second);
  expect([changes.size, changes.get('document', 'p', 'a'), changes.changedIn('document', 'p')]).toEqual([
    0,
    undefined,
    [],
  ]);
  changes.add(first, new Set());
  changes.clear();
  expect([changes.size, changes.get('document', 'p', 'a'), changes.changedIn('document', 'p')]).toEqual([
    0,
    undefined,
    [],
  ]);
});

it('the record that was created last is known until no change of its table is left', () => {
  const [first, second] = [put('a'), put('b')];
  const [one, two] = [unitOf(first), unitOf(put('a', 1), second, put('a', 2))];
  const changes = new UndurableChanges();
  const last = () => changes.lastCreatedIn('document', 'p');
  const seen = [last()];
  changes.add(one, new Set([first]));
  seen.push(last());
  changes.add(two, new Set([second]));
  seen.push(last());
  changes.remove(one);
  seen.push(last());
  changes.remove(two);
  seen.push(last(), changes.lastCreatedIn('membership', 'p'));
  expect(seen).toEqual([undefined, 'a', 'b', 'b', undefined, undefined]);
});
