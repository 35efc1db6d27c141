/** Which files are read for stored rows, and which are cached. */
import { SimulatedDisk } from '@blockwork/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { JsonText } from '../files/checksummed-json.js';
import { layoutOf } from '../files/layout.js';
import { SnapshotFile } from './snapshot-file.js';
import { StoredRow, StoredRows } from './stored-rows.js';

/** Counts the reads of each file. */
class CountingDisk extends SimulatedDisk {
  readonly reads: string[] = [];

  override read(path: string): Promise<Buffer | undefined> {
    this.reads.push(path);
    return super.read(path);
  }
}

const names = ['a', 'b', 'c'];
const record = (file: string, n: number) => ({ id: `${file}${n}`, text: `é "${n}"` });
const page = (file: string, ...ns: number[]): [string, unknown][] => {
  const row = new StoredRow(file);
  return ns.map((n) => [`${file}${n}`, row]);
};

describe('rows in files', () => {
  let disk: CountingDisk;
  let size = 0;
  const open = (cacheBytes?: number): StoredRows => new StoredRows(disk, layoutOf('/store'), cacheBytes);

  beforeEach(async () => {
    disk = new CountingDisk();
    for (const name of names) {
      const file = new SnapshotFile(disk, `/store/${name}`);
      const records = [0, 1, 2].map((n) => record(name, n));
      await file.write({ partition: 'p', kind: 'journal', part: 1, upTo: 3, records });
      size = file.size;
    }
    disk.reads.length = 0;
  });

  it('are read once if pages of several files are read in turn', async () => {
    const rows = open();
    for (const n of [0, 1, 2])
      for (const name of names) expect(await rows.resolve(page(name, n))).toEqual([record(name, n)]);
    expect(disk.reads).toEqual(names.map((name) => `/store/${name}`));
  });

  it('are read once for concurrent readers', async () => {
    const rows = open();
    await Promise.all([rows.resolve(page('a', 0)), rows.resolve(page('a', 1)), rows.resolveListed(page('a', 2))]);
    expect(disk.reads).toHaveLength(1);
  });

  it('are cached up to a number of bytes, beyond which the least recently read are dropped', async () => {
    const rows = open(2 * size);
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await rows.resolve(page(name, 0));
    expect(disk.reads.map((path) => path.at(-1))).toEqual(['a', 'b', 'c', 'b']);
  });

  it('are cached for the last file even if that exceeds the limit', async () => {
    const rows = open(1);
    for (const name of ['a', 'a', 'b', 'b', 'a']) await rows.resolve(page(name, 0));
    expect(disk.reads.map((path) => path.at(-1))).toEqual(['a', 'b', 'a']);
  });

  it('belong to the caller', async () => {
    const rows = open();
    const [first] = (await rows.resolve(page('a', 0))) as { text: string }[];
    first!.text = 'changed';
    expect(await rows.resolve(page('a', 0))).toEqual([record('a', 0)]);
  });

  it('that no checkpoint has written yet belong to the caller, too', async () => {
    const rows = open();
    const unwritten: [string, unknown][] = [
      ['x', new JsonText(JSON.stringify(record('x', 1)))],
      ['y', record('y', 1)],
    ];
    const read = (await rows.resolve(unwritten)) as { text: string }[];
    for (const row of read) row.text = 'changed';
    expect(await rows.resolve(unwritten)).toEqual([record('x', 1), record('y', 1)]);
    expect(await rows.resolveListed(unwritten)).toEqual(unwritten.map(([, row]) => row));
  });

  it('are rewritten unchanged, in order with rows in memory', async () => {
    const [row] = page('b', 1);
    const listed = await open().resolveListed([['x', { id: 'x' }], row!, ...page('a', 2)]);
    expect(listed).toEqual([
      { id: 'x' },
      new JsonText(JSON.stringify(record('b', 1))),
      new JsonText(JSON.stringify(record('a', 2))),
    ]);
  });

  it('are read again after a file was missing or damaged', async () => {
    const rows = open();
    const bytes = (await disk.read('/store/a'))!;
    disk.put('/store/a', Buffer.from(bytes.toString().replace('"text"', '"tuxt"')));
    await expect(rows.resolve(page('a', 0))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await disk.remove('/store/a');
    expect(await rows.resolve(page('a', 0))).toBeUndefined();
    await expect(rows.resolveListed(page('a', 0))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    disk.put('/store/a', bytes);
    expect(await rows.resolve(page('a', 0))).toEqual([record('a', 0)]);
  });

  it('are damaged if their file does not contain them', async () => {
    const missing = open().resolveListed(page('a', 7));
    await expect(missing).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringMatching(/\/store\/a.*"a7"/) as string,
    });
  });
});
