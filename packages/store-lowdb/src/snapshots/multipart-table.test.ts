import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MultipartTable, type TableCapture } from './multipart-table.js';

const partBytes = 40;
const rowBytes = 10;
const newTable = (): MultipartTable => new MultipartTable('p', 'k', partBytes, (part, upTo) => `${part}-${upTo}`);

/** Writes a capture as a checkpoint does, to a map. */
function write({ parts, changed }: TableCapture, upTo: number, disk: Map<string, readonly unknown[]>): string[] {
  for (const part of changed) {
    const file = `${part.number}-${upTo}`;
    const rows = [...part.takeFrozen().values()];
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
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('capture' as const, 'write' as const, 'fail' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('compact' as const) }) },
);

describe('a multipart table', () => {
  it('captures exactly its content at that moment, whatever changes before the capture is written', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
        const table = newTable();
        const expected = new Map<string, unknown>();
        const disk = new Map<string, readonly unknown[]>();
        let open: { capture: TableCapture; rows: unknown[]; upTo: number } | undefined;
        let n = 0;
        for (const now of steps) {
          n += 1;
          if (now.do === 'put') {
            table.put(now.id, n, rowBytes);
            expected.set(now.id, n);
          } else if (now.do === 'delete') {
            table.delete(now.id);
            expected.delete(now.id);
          } else if (now.do === 'capture' && open === undefined) {
            open = { capture: table.capture(), rows: [...expected.values()], upTo: n };
          } else if (now.do === 'write' && open !== undefined) {
            expect(read(write(open.capture, open.upTo, disk), disk)).toEqual(open.rows);
            open = undefined;
          } else if (now.do === 'fail' && open !== undefined) {
            table.restore(open.capture);
            open = undefined;
          } else if (now.do === 'compact') table.compact();
        }
        if (open !== undefined) table.restore(open.capture);
        expect(read(write(table.capture(), n + 1, disk), disk)).toEqual([...expected.values()]);
        expect(table.isEmpty).toBe(expected.size === 0);
      }),
      { numRuns: 500 },
    );
  });

  it('writes only the part that contains a changed record', () => {
    const table = newTable();
    for (let n = 0; n < 40; n++) table.put(`r${n}`, n, rowBytes);
    const disk = new Map<string, readonly unknown[]>();
    expect(write(table.capture(), 1, disk)).toHaveLength(10);
    table.put('r17', 'new', rowBytes);
    table.put('r40', 40, rowBytes);
    const { changed, parts } = table.capture();
    expect([changed.length, parts.length]).toEqual([2, 11]);
  });

  it('splits a part that has grown too large', () => {
    const table = newTable();
    const disk = new Map<string, readonly unknown[]>();
    for (let n = 0; n < 8; n++) table.put(`r${n}`, n, rowBytes);
    const first = table.capture();
    write(first, 1, disk);
    for (const part of first.parts) part.bytes = 3 * partBytes;
    table.put('r1', 'long', rowBytes);
    const files = write(table.capture(), 2, disk);
    expect(files).toHaveLength(3);
    expect(read(files, disk)).toEqual([0, 'long', 2, 3, 4, 5, 6, 7]);
  });

  it('lists obsolete files, also after a failed write', () => {
    const table = newTable();
    const disk = new Map<string, readonly unknown[]>();
    for (let n = 0; n < 8; n++) table.put(`r${n}`, n, rowBytes);
    write(table.capture(), 1, disk);
    for (let n = 0; n < 4; n++) table.delete(`r${n}`);
    const failed = table.capture();
    expect(failed.orphans).toEqual(['1-1']);
    table.restore(failed);
    expect(table.capture().orphans).toEqual(['1-1']);
  });
});
