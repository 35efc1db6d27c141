import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Entries } from './entries.js';
import type { Entry } from './entry.js';
import type { PackedRecords } from './packed-records.js';

const recordOf = (id: string, n = 0): Entry['value'] & { n: number } => ({ id, n });

const packedOf = (ids: readonly string[], superseded: readonly number[] = []): PackedRecords => ({
  length: ids.length,
  superseded: new Set(superseded),
  positionOf: (id) => ids.lastIndexOf(id),
  entryAt: (seq) => ({ seq, value: recordOf(ids[seq] ?? '') }),
});

const step = fc.record({ op: fc.constantFrom('put', 'put', 'delete'), at: fc.nat({ max: 12 }) });

describe('the entries of a table with packed records', () => {
  it('are those of a Map, through whatever is put and deleted; a list stays as it was', () => {
    fc.assert(
      fc.property(fc.nat({ max: 8 }), fc.array(step), (count, steps) => {
        const ids = Array.from({ length: count }, (_, at) => `r${at}`);
        const entries = new Entries(packedOf(ids));
        const expected = new Map(ids.map((id, seq): [string, Entry] => [id, { seq, value: recordOf(id) }]));
        let next = count;
        for (const [n, { op, at }] of steps.entries()) {
          const id = `r${at}`;
          const before = [entries.list(), [...expected.values()]] as const;
          if (op === 'delete') {
            entries.delete(id);
            expected.delete(id);
          } else {
            const entry = { seq: expected.get(id)?.seq ?? next++, value: recordOf(id, n + 1) };
            entries.set(id, entry);
            expected.set(id, entry);
          }
          const all = [...expected.values()];
          expect(entries.get(id)).toEqual(expected.get(id));
          expect([...entries.values()]).toEqual(all);
          expect(entries.size).toBe(all.length);
          const [list, model] = before;
          expect([...list]).toEqual(model);
          expect(list).toHaveLength(model.length);
          for (let from = 0; from <= model.length; from += 3)
            expect(list.slice(from, from + 4)).toEqual(model.slice(from, from + 4));
        }
      }),
    );
  });

  it('are without the positions whose record has a later one', () => {
    const entries = new Entries(packedOf(['one', 'two', 'one'], [0]));
    expect(entries.size).toBe(2);
    expect([...entries.values()].map(({ seq }) => seq)).toEqual([1, 2]);
    expect(entries.get('one')?.seq).toBe(2);
    expect(Array.from(entries.list(), ({ value }) => value.id)).toEqual(['two', 'one']);
  });
});
