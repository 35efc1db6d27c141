import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DamagedContent, decodeJson, encodeJson } from '../files/checksummed-json.js';
import { Turns } from '../files/turns.js';
import { IdHash } from './id-hash.js';
import { pack } from './packed-snapshot.js';
import { PackedTable, PositionIndex } from './packed-table.js';
import { ParsedCache } from './parsed-cache.js';

interface Row {
  readonly id: string;
}

const head = { partition: 'p', kind: 'document', part: 1, upTo: 7 };
const fileOf = (records: readonly object[]): Buffer => Buffer.concat([...encodeJson(head, { records })]);
const packed = (bytes: Buffer, cache = new ParsedCache()) => pack(bytes, cache, new Turns());

const id = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.constantFrom(
    '',
    '"',
    '\\',
    '\\u0061',
    'a',
    '\ud800',
    '\udc00',
    '\ufffd',
    'é',
    'e\u0301',
    '\0',
    '__proto__',
    '"id":"x',
  ),
);

/** A hash with a single value, so that all ids collide. */
class EqualHashes extends IdHash {
  override ofText(): number {
    return 7;
  }

  override ofBytes(): number {
    return 7;
  }
}
const row = fc
  .tuple(
    id,
    fc.json().map((text): unknown => JSON.parse(text)),
    fc.boolean(),
  )
  // The id is not always the first member of a record.
  .map(([own, other, isFirst]): Row =>
    isFirst ? ({ id: own, other } as Row) : ({ other, inner: { id: 'no' }, id: own } as Row),
  );
const rows = fc.uniqueArray(row, { selector: (one) => one.id, maxLength: 40 });

async function tableOf(
  files: readonly (readonly Row[])[],
  { cache, hash }: { cache?: ParsedCache; hash?: IdHash } = {},
): Promise<PackedTable> {
  const table = new PackedTable(0, hash);
  for (const records of files) table.add((await packed(fileOf(records), cache)).lines);
  return table;
}

describe('a packed file', () => {
  it('returns each record by its id and at its position, unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (records) => {
        const expected = (decodeJson(fileOf(records)) as { records: Row[] }).records;
        const table = await tableOf([records]);
        expect(table.length).toBe(expected.length);
        for (const [position, record] of expected.entries()) {
          expect(table.positionOf(record.id)).toBe(position);
          const entry = table.entryAt(position);
          expect([entry.seq, entry.value]).toEqual([position, record]);
          expect(entry.bytes).toBe(Buffer.byteLength(JSON.stringify(record)));
          expect(table.textOf(record.id)).toBe(JSON.stringify(record));
        }
        expect(table.positionOf('of no record')).toBe(-1);
      }),
    );
  });

  it('returns its ids if only these are kept', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (records) => {
        const { lines } = await packed(fileOf(records));
        const table = new PackedTable(records.length);
        table.add(lines.idsOnly());
        const expected = [...lines.ids()];
        expect(expected.map((own) => table.positionOf(own))).toEqual(expected.map((_, at) => at));
        expect([...lines.idsOnly().ids()]).toEqual(expected);
      }),
    );
  });

  it('may be hand-edited, in any layout', async () => {
    const records = [{ name: 'b', id: 'one' }, { id: 'two' }];
    const byHand = Buffer.from(JSON.stringify({ ...head, records }, null, 2));
    const { lines, ...table } = await packed(byHand);
    expect(table).toEqual(head);
    expect([...lines.ids()]).toEqual(['one', 'two']);
    expect(lines.valueAt(0)).toEqual(records[0]);
  });

  it.each([
    [
      'its checksum does not match its content',
      Buffer.from(
        fileOf([{ id: 'one' }])
          .toString()
          .replace('one', 'two'),
      ),
    ],
    ['it is not JSON', fileOf([{ id: 'one' }]).subarray(0, 30)],
    ['it is not a JSON object', Buffer.from('[]')],
    ['it is not a snapshot', Buffer.concat([...encodeJson({ partition: 'p' }, { records: [] })])],
    ['one of its records has no id', fileOf([{ id: 'one' }, { id: 2 }])],
    ['one of its records is not an object', Buffer.from(JSON.stringify({ ...head, records: ['one'] }))],
  ])('is damaged if %s', async (reason, bytes) => {
    await expect(packed(bytes)).rejects.toThrow(new DamagedContent(reason));
  });

  it('lets the event loop run while it is read', async () => {
    let turns = 0;
    const counted = Object.assign(new Turns(), { next: async () => void (turns += 1) });
    const records = Array.from({ length: 30_000 }, (_, at) => ({ id: `r${at}`, text: 'x'.repeat(100) }));
    await pack(fileOf(records), new ParsedCache(), counted);
    expect(turns).toBeGreaterThan(3);
  });
});

describe('a packed table', () => {
  const seed = fc.integer({ min: 0, max: 2 ** 32 - 1 });
  const hash = fc.oneof(
    seed.map((one) => new IdHash(one)),
    fc.constant(new EqualHashes()),
  );

  it('finds the same records whatever the hashes of their ids are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rows, { maxLength: 4 }), fc.array(id), hash, async (files, others, chosen) => {
        const table = await tableOf(files, { hash: chosen });
        const expected = new Map<string, readonly [position: number, record: Row]>();
        const superseded = new Set<number>();
        for (const [position, record] of files.flat().entries()) {
          const before = expected.get(record.id);
          if (before !== undefined) superseded.add(before[0]);
          expected.set(record.id, [position, JSON.parse(JSON.stringify(record)) as Row]);
        }
        for (const [own, [position, record]] of expected) {
          expect(table.positionOf(own)).toBe(position);
          expect(table.entryAt(position).value).toEqual(record);
        }
        for (const other of others) expect(table.positionOf(other)).toBe(expected.get(other)?.[0] ?? -1);
        expect(new Set(table.superseded)).toEqual(superseded);
      }),
    );
  });

  it('compares ids exactly if their hashes are equal', async () => {
    const record = { id: 'a', b: 'c', id2: 'a\\' };
    const table = await tableOf([[record]], { hash: new EqualHashes() });
    const text = JSON.stringify(record);
    const begin = text.indexOf('a');
    for (let end = begin; end <= text.length; end += 1)
      expect(table.positionOf(text.slice(begin, end))).toBe(end === begin + 1 ? 0 : -1);
  });

  it('hashes ids with a different seed each time', () => {
    const hashes = Array.from({ length: 8 }, () => new IdHash().ofText('one'));
    expect(new Set(hashes).size).toBeGreaterThan(1);
  });

  it('hashes a text like its bytes', () => {
    fc.assert(
      fc.property(seed, fc.string({ unit: 'grapheme-ascii' }), (own, ascii) => {
        const bytes = Buffer.from(`"${ascii}"`);
        expect(new IdHash(own).ofBytes(bytes, 1, bytes.length - 1)).toBe(new IdHash(own).ofText(ascii));
      }),
    );
  });

  it('contains the last record of an id that occurs in several files', async () => {
    const files = [[{ id: 'one' }, { id: 'two', n: 1 }], [{ id: 'two', n: 2 }]];
    const table = await tableOf(files);
    expect(table.positionOf('two')).toBe(2);
    expect([...table.superseded]).toEqual([1]);
    expect(table.entryAt(2).value).toEqual({ id: 'two', n: 2 });
  });

  it('parses a record once, and again after the cache has dropped it', async () => {
    const records = Array.from({ length: 100 }, (_, at) => ({ id: `r${at}` }));
    const table = await tableOf([records], { cache: new ParsedCache(400) });
    const first = table.entryAt(0).value;
    expect(table.entryAt(0).value).toBe(first);
    expect(records.map((_, at) => table.entryAt(at).value)).toEqual(records);
    expect(table.entryAt(0).value).toEqual(first);
    expect(table.entryAt(0).value).not.toBe(first);
  });
});

describe('an index of positions', () => {
  it('finds all positions, even with equal hashes and more of them than expected', () => {
    const index = new PositionIndex(2);
    const hashOf = (position: number): number => position % 7;
    for (let position = 0; position < 200; position += 1)
      expect(index.set(hashOf(position), position, (other) => other === position)).toBe(-1);
    for (let position = 0; position < 200; position += 1)
      expect(index.find(hashOf(position), (other) => other === position)).toBe(position);
    expect(index.find(3, () => false)).toBe(-1);
    expect(index.set(3, 500, (other) => other === 3)).toBe(3);
    expect(index.find(3, (other) => other === 500)).toBe(500);
  });
});
