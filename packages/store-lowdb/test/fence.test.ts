import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SimulatedDisk } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { openLowdbStore, type Durability, type LowdbStore } from '../src/index.js';
import { temporaryFolders } from '../../../test/support/folders.js';

const newFolder = temporaryFolders();

const put = (store: LowdbStore, id: string): Promise<void> => {
  const value = { id, name: '', extension: '', content: '' };
  return store.commit({ expect: { k: 0 }, changes: [{ op: 'put', kind: 'artifact', partition: 'p', value }] });
};

const ids = async (store: LowdbStore): Promise<string[]> => (await store.find('artifact', 'p')).map(({ id }) => id);

/** The content of all files, by their names. */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files[path] = await readFile(path, 'latin1');
  }
  return files;
}

const removeLock = async (folder: string): Promise<void> => {
  for (const name of await readdir(join(folder, 'lock'))) await rm(join(folder, 'lock', name));
};

async function replaceByCopy(folder: string): Promise<void> {
  await cp(folder, `${folder}-copy`, { recursive: true, filter: (path) => !path.endsWith('.sock') });
  await rename(folder, `${folder}-moved`);
  await rename(`${folder}-copy`, folder);
}

const interventions: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  'the lock is removed': removeLock,
  'the folder is renamed': (folder) => rename(folder, `${folder}-moved`),
  'the folder is removed': (folder) => rm(folder, { recursive: true }),
  'the folder is replaced by a copy of itself': replaceByCopy,
};

/** A folder with a running store in it, inside one that is removed afterwards. */
async function running(durability: Durability): Promise<{ folder: string; parent: string; store: LowdbStore }> {
  const parent = await newFolder();
  const folder = join(parent, 'store');
  const store = await openLowdbStore({ folder, durability });
  await store.commit({
    expect: {},
    changes: [
      { op: 'put', kind: 'artifact', partition: 'p', value: { id: 'a', name: '', extension: '', content: '' } },
    ],
  });
  return { folder, parent, store };
}

describe.each(['fsync', 'os', 'none'] as const)('a running store with durability %s', (durability) => {
  it.each(Object.entries(interventions))('stops with STORE_LOCK_LOST once %s, and changes nothing', async (_, act) => {
    const { folder, parent, store } = await running(durability);
    // Puts the first commit into the journal: with the durability `none`, it is acknowledged before that.
    await store.checkpoint();
    await act(folder);
    const before = await filesIn(parent);
    const first = await Promise.allSettled([put(store, 'b')]);
    if (durability !== 'none') expect(first).toMatchObject([{ reason: { code: 'STORE_LOCK_LOST' } }]);
    await expect(store.checkpoint()).rejects.toMatchObject({ code: 'STORE_LOCK_LOST' });
    await expect(put(store, 'c')).rejects.toMatchObject({ code: 'STORE_LOCK_LOST' });
    await expect(ids(store)).rejects.toMatchObject({ code: 'STORE_LOCK_LOST' });
    expect(await filesIn(parent)).toEqual(before);
    await store.close();
  });
});

describe('a folder whose lock was removed under a running store', () => {
  it('belongs to the store that opens it next, whose commits are not touched by the first one', async () => {
    const { folder, store } = await running('fsync');
    await removeLock(folder);
    const second = await openLowdbStore({ folder });
    await put(second, 'second');
    await expect(put(store, 'first')).rejects.toMatchObject({
      code: 'STORE_LOCK_LOST',
      retryable: false,
      message: expect.stringContaining(`${folder}/lock/`),
    });
    await store.close();
    await second.commit({ expect: { k: 1 }, changes: [] });
    await second.close();
    const third = await openLowdbStore({ folder });
    expect([await ids(third), third.report.damage]).toEqual([['a', 'second'], []]);
    await third.close();
    expect(await readdir(join(folder, 'lock'))).toEqual([]);
  });

  it('does not acknowledge the commit that is being flushed meanwhile', async () => {
    const disk = new SimulatedDisk();
    const store = await openLowdbStore({ folder: '/store', fileSystem: disk });
    await store.commit({ expect: {}, changes: [] });
    disk.before = (operation) => {
      if (!operation.startsWith('sync /store/journal')) return;
      for (const path of disk.paths.filter((name) => name.startsWith('/store/lock/'))) disk.put(path, undefined);
    };
    await expect(put(store, 'b')).rejects.toMatchObject({ code: 'STORE_LOCK_LOST' });
    await store.close();
  });
});

describe.skipIf(process.platform === 'win32')('the files of a store', () => {
  it('can be read by their owner only', async () => {
    const { folder, store } = await running('fsync');
    await store.checkpoint();
    await put(store, 'b');
    for (const name of ['', 'lock', 'journal', 'snapshots'])
      expect((await stat(join(folder, name))).mode & 0o777, name).toBe(0o700);
    const files = (await readdir(folder, { withFileTypes: true, recursive: true })).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(4);
    for (const { parentPath, name } of files)
      expect((await stat(join(parentPath, name))).mode & 0o777, name).toBe(0o600);
    await store.close();
  });
});

describe('leftovers of ended processes in the lock folder', () => {
  it('are removed when the store is opened', async () => {
    const folder = await newFolder();
    await mkdir(join(folder, 'lock'));
    for (const name of ['1-a.holds', '1-b.sock', '1-c.holds.tmp', '1-d.json.tmp', '1-d.sock'])
      await writeFile(join(folder, 'lock', name), '');
    await (await openLowdbStore({ folder })).close();
    expect(await readdir(join(folder, 'lock'))).toEqual([]);
  });
});
