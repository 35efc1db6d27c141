import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLowdbStore, type LowdbStoreOptions } from '../src/index.js';
import { temporaryFolders } from '../../../test/support/folders.js';

const newFolder = temporaryFolders();

describe('the options', () => {
  const wrong: [string, unknown, RegExp][] = [
    ['folder', '', /lowdb store: folder cannot be used: it must be the path of a folder/],
    ['folder', undefined, /folder/],
    ['folder', 'a\0b', /folder/],
    ['durability', 'always', /durability cannot be used: it must be one of fsync, os, none/],
    ['checkpointBytes', 0, /checkpointBytes/],
    ['checkpointBytes', Number.NaN, /checkpointBytes/],
    ['logger', { warn: () => undefined }, /logger cannot be used: it must have the methods debug, info, warn, error/],
    ['clock', null, /clock cannot be used: it must have the method now/],
    ['fileSystem', null, /fileSystem cannot be used: it must be an object/],
    ['durabilty', 'fsync', /durabilty cannot be used: there is no such option \(did you mean "durability"\?\)/],
    ['segmentBytes', 1.5, /segmentBytes cannot be used: it must be a positive whole number of bytes/],
  ];

  it.each(wrong)('are validated, naming the option: %s = %j', async (option, value, message) => {
    const options = { folder: await newFolder(), [option]: value } as unknown as LowdbStoreOptions;
    await expect(openLowdbStore(options)).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      message: expect.stringMatching(message),
    });
  });

  it('may name a folder that does not exist yet, nor its parents', async () => {
    const folder = join(await newFolder(), 'a', 'b');
    await (await openLowdbStore({ folder })).close();
    expect((await readdir(folder)).sort()).toEqual(['journal', 'lock', 'snapshots', 'store.json']);
  });

  it('may not name a file as the folder', async () => {
    const file = join(await newFolder(), 'file');
    await writeFile(file, '');
    await expect(openLowdbStore({ folder: file })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining(file),
    });
  });

  it('resolve a relative folder against the working directory', async () => {
    const folder = await newFolder();
    const store = await openLowdbStore({ folder: relative(process.cwd(), folder) });
    await expect(openLowdbStore({ folder })).rejects.toMatchObject({ code: 'STORE_LOCKED' });
    await store.close();
  });
});

describe('the files', () => {
  it('are readable: JSON with one record per line, and a journal with one commit per line', async () => {
    const folder = await newFolder();
    const store = await openLowdbStore({ folder });
    const value = { id: 'a', name: 'é', extension: 'txt', content: '' };
    const change = { op: 'put', kind: 'artifact', partition: 'Policy 1', value } as const;
    await store.commit({ expect: { 'Policy 1': 0 }, changes: [change] });
    const [segment = ''] = await readdir(join(folder, 'journal'));
    const [, line = ''] = (await readFile(join(folder, 'journal', segment), 'utf8')).split('\n');
    expect(JSON.parse(line)).toMatchObject({ seq: 1, expect: { 'Policy 1': 0 }, changes: [change] });
    await store.close();

    const snapshot = await readFile(join(folder, 'snapshots', '~0050olicy~00201.artifact.1-1.json'), 'utf8');
    expect(JSON.parse(snapshot)).toMatchObject({ partition: 'Policy 1', kind: 'artifact', count: 1, records: [value] });
    expect(snapshot.split('\n')).toContain(JSON.stringify(value));
    expect(JSON.parse(await readFile(join(folder, 'store.json'), 'utf8'))).toMatchObject({
      format: 3,
      upTo: 1,
      snapshots: [{ partition: 'Policy 1', kind: 'artifact', records: 1 }],
      journal: [],
    });
  });

  it('contain no journal once the store is closed, and do not change if nothing is committed', async () => {
    const folder = await newFolder();
    const store = await openLowdbStore({ folder });
    await store.commit({ expect: { k: 0 }, changes: [] });
    await store.close();
    expect(await readdir(join(folder, 'journal'))).toEqual([]);
    const before = await readFile(join(folder, 'store.json'), 'utf8');
    await (await openLowdbStore({ folder })).close();
    expect(await readFile(join(folder, 'store.json'), 'utf8')).toBe(before);
  });

  it('of a partition without records are removed', async () => {
    const folder = await newFolder();
    const store = await openLowdbStore({ folder });
    const value = { id: 'a', name: '', extension: '', content: '' };
    await store.commit({ expect: {}, changes: [{ op: 'put', kind: 'artifact', partition: 'p', value }] });
    await store.checkpoint();
    expect(await readdir(join(folder, 'snapshots'))).toEqual(['p.artifact.1-1.json']);
    await store.commit({ expect: {}, changes: [{ op: 'delete', kind: 'artifact', partition: 'p', id: 'a' }] });
    await store.close();
    expect(await readdir(join(folder, 'snapshots'))).toEqual([]);
  });
});
