import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeJson } from '../files/checksummed-json.js';
import { Turns } from '../files/turns.js';
import { pack } from './packed-snapshot.js';
import { PackedRow } from './packed-row.js';
import { ParsedCache } from './parsed-cache.js';
import { MultipartTable, type TableCapture } from './multipart-table.js';

const partBytes = 40;
const rowBytes = 10;
const newTable = (): MultipartTable => new MultipartTable('p', 'k', partBytes, (part, upTo) => `${part}-${upTo}`);

/** Writes a capture as a checkpoint does, to a map. */
function write({ parts, changed }: TableCapture, upTo: number, disk: Map<string, readonly unknown[]>): string[] {
  for (const part of changed) {
    const file = `${part.number}-${upTo}`;
    const rows = Array.from(part.takeFrozen(), ([id, row]) =>
      row instanceof PackedRow ? (JSON.parse(row.textOf(id).text) as unknown) : row,
    );
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
  it('behaves the same whether its files were loaded parsed or packed', async () => {
    const change = fc.record({ put: fc.boolean(), id: fc.nat({ max: 30 }).map(String) });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 8 }), { maxLength: 6 }), fc.array(change), async (sizes, changes) => {
        const table = newTable();
        const expected = new Map<string, unknown>();
        const disk = new Map<string, readonly unknown[]>();
        for (const [at, size] of sizes.entries()) {
          // Some rows are also in the previous file, as if a crash had left an older one.
          const records = Array.from({ length: size }, (_, n) => ({ id: String(at * 6 + n), file: at }));
          const bytes = Buffer.concat([
            ...encodeJson({ partition: 'p', kind: 'k', part: at + 1, upTo: 0 }, { records }),
          ]);
          const { lines } = await pack(bytes, new ParsedCache(), new Turns());
          const file = { file: `${at + 1}-0`, records: size, bytes: size * rowBytes };
          table.loadPacked(file, at + 1, lines, true, () => 0);
          disk.set(file.file, records);
          for (const { id } of records) expected.delete(id);
          for (const record of records) expected.set(record.id, record);
        }
        for (const [n, { put, id }] of changes.entries()) {
          expect(table.has(id)).toBe(expected.has(id));
          if (put) table.put(id, n, rowBytes);
          else table.delete(id);
          if (put) expected.set(id, n);
          else expected.delete(id);
        }
        expect(Array.from(table.rows(), ([id]) => id)).toEqual([...expected.keys()]);
        expect(table.size).toBe(expected.size);
        expect(read(write(table.capture(), 1, disk), disk)).toEqual([...expected.values()]);
      }),
    );
  });

  it('keeps the last record of a repeated id in a hand-edited file', async () => {
    const table = newTable();
    const records = [{ id: 'a', n: 1 }, { id: 'b' }, { id: 'a', n: 2 }, { id: 'c' }];
    const bytes = Buffer.from(JSON.stringify({ partition: 'p', kind: 'k', part: 1, upTo: 0, records }, null, 1));
    const { lines } = await pack(bytes, new ParsedCache(), new Turns());
    table.loadPacked({ file: '1-0', records: 4, bytes: 40 }, 1, lines, true, () => 0);
    expect([table.size, Array.from(table.rows(), ([id]) => id)]).toEqual([3, ['b', 'a', 'c']]);
    const disk = new Map<string, readonly unknown[]>();
    expect(read(write(table.capture(), 1, disk), disk)).toEqual(records.slice(1));
  });

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

  it('lists obsolete files, even after a failed write', () => {
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
