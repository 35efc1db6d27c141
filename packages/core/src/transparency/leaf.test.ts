/** Leaves of entries: the same for the entry as it is written and as a store gives it back, whatever is in it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainLeaf } from '../../../../test/support/journal-log.js';
import type { JournalEntry, Json } from '../records/index.js';
import { leafData, leafOf } from './leaf.js';
import { leafHash } from './merkle.js';

const entry: JournalEntry = {
  id: '000000000007',
  at: '2026-03-14T09:26:53.589Z',
  cause: { type: 'send', tag: 'form', did: 'did:example:alice', group: null },
  events: [{ source: 'form', output: 'RunEvent', target: 'save', input: 'RunEvent', did: 'did:example:alice' }],
  documents: { added: ['one'], changed: [], removed: [] },
  effects: [],
  warnings: [],
};
const withFacts = (facts: Json, message = ''): JournalEntry => ({
  ...entry,
  warnings: [{ tag: 'form', code: 'WARNING', message, facts }],
});

it('has a hash of what changed, and another one of everything else', () => {
  const leaf = leafOf(entry);
  const other = leafOf({ ...entry, cause: { type: 'importer' } });
  expect(other).toEqual({ ...leaf, course: other.course });
  expect(other.course).not.toBe(leaf.course);
  const changed = leafOf({ ...entry, effects: ['an effect'] });
  expect(changed).toEqual({ ...leaf, outcome: changed.outcome });
  expect(changed.outcome).not.toBe(leaf.outcome);
});

it('is the one that a plain computation gives, for any facts and texts, and after a way through JSON', () => {
  fc.assert(
    fc.property(fc.json(), fc.string({ unit: 'binary' }), (facts, message) => {
      const any = withFacts(JSON.parse(facts) as Json, message);
      const stored = JSON.parse(JSON.stringify(any)) as JournalEntry;
      expect(Buffer.from(leafHash(leafData(leafOf(any)))).toString('hex')).toBe(plainLeaf(stored).toString('hex'));
    }),
  );
});

it('exists for half of a surrogate pair, for keys that are numbers, and leaves out what JSON does not have', () => {
  const odd = withFacts({ 10: 'a', 9: ['b', null], '\ud800': '\udfff' }, 'half \ud83d');
  const given = { ...odd, traceparent: undefined } as unknown as JournalEntry;
  expect(leafOf(given)).toEqual(leafOf(JSON.parse(JSON.stringify(odd)) as JournalEntry));
  expect(Buffer.from(leafHash(leafData(leafOf(odd)))).toString('hex')).toBe(plainLeaf(odd).toString('hex'));
});
