import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PartedTable, type TableCut } from './parted-table.js';

const partBytes = 40;
const rowBytes = 10;
const newTable = (): PartedTable => new PartedTable('p', 'k', partBytes, (part, upTo) => `${part}-${upTo}`);

/** What a checkpoint does with a cut, without a disk. */
function write({ parts, changed }: TableCut, upTo: number, disk: Map<string, readonly unknown[]>): string[] {
  for (const part of changed) {
    const file = `${part.number}-${upTo}`;
    const rows = part.take();
    disk.set(file, rows);
    part.file = { file, records: rows.length, bytes: rows.length * rowBytes };
  }
  return parts.map(({ file }) => file?.file ?? 'none');
}

const read = (files: readonly string[], disk: ReadonlyMap<string, readonly unknown[]>): unknown[] =>
  files.flatMap((file) => disk.get(file) ?? ['missing']);

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('put' as const), id: fc.nat({ max: 30 }).map(String) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), id: fc.nat({ max: 30 }).map(String) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('cut' as const, 'write' as const, 'fail' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('compact' as const) }) },
);

describe('a table in parts', () => {
  it('writes with each cut exactly what it held at that moment, whatever changes before it is written', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
        const table = newTable();
        const expected = new Map<string, unknown>();
        const disk = new Map<string, readonly unknown[]>();
        let cut: { cut: TableCut; rows: unknown[]; upTo: number } | undefined;
        let n = 0;
        for (const now of steps) {
          n += 1;
          if (now.do === 'put') {
            table.put(now.id, n, rowBytes);
            expected.set(now.id, n);
          } else if (now.do === 'delete') {
            table.delete(now.id);
            expected.delete(now.id);
          } else if (now.do === 'cut' && cut === undefined) {
            cut = { cut: table.cut(), rows: [...expected.values()], upTo: n };
          } else if (now.do === 'write' && cut !== undefined) {
            expect(read(write(cut.cut, cut.upTo, disk), disk)).toEqual(cut.rows);
            cut = undefined;
          } else if (now.do === 'fail' && cut !== undefined) {
            table.giveBack(cut.cut);
            cut = undefined;
          } else if (now.do === 'compact') table.compact();
        }
        if (cut !== undefined) table.giveBack(cut.cut);
        expect(read(write(table.cut(), n + 1, disk), disk)).toEqual([...expected.values()]);
        expect(table.isEmpty).toBe(expected.size === 0);
      }),
      { numRuns: 500 },
    );
  });

  it('writes only the part that a record lies in', () => {
    const table = newTable();
    for (let n = 0; n < 40; n++) table.put(`r${n}`, n, rowBytes);
    const disk = new Map<string, readonly unknown[]>();
    expect(write(table.cut(), 1, disk)).toHaveLength(10);
    table.put('r17', 'new', rowBytes);
    table.put('r40', 40, rowBytes);
    const { changed, parts } = table.cut();
    expect([changed.length, parts.length]).toEqual([2, 11]);
  });

  it('cuts a part in two that has grown', () => {
    const table = newTable();
    const disk = new Map<string, readonly unknown[]>();
    for (let n = 0; n < 8; n++) table.put(`r${n}`, n, rowBytes);
    const first = table.cut();
    write(first, 1, disk);
    for (const part of first.parts) part.bytes = 3 * partBytes;
    table.put('r1', 'long', rowBytes);
    const files = write(table.cut(), 2, disk);
    expect(files).toHaveLength(3);
    expect(read(files, disk)).toEqual([0, 'long', 2, 3, 4, 5, 6, 7]);
  });

  it('names the files that are needed no more, also after a failure', () => {
    const table = newTable();
    const disk = new Map<string, readonly unknown[]>();
    for (let n = 0; n < 8; n++) table.put(`r${n}`, n, rowBytes);
    write(table.cut(), 1, disk);
    for (let n = 0; n < 4; n++) table.delete(`r${n}`);
    const failed = table.cut();
    expect(failed.orphans).toEqual(['1-1']);
    table.giveBack(failed);
    expect(table.cut().orphans).toEqual(['1-1']);
  });
});
