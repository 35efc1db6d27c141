/** What tests leave behind is told and removed. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolders } from './folders.js';
import { takeDatabases, takeEntries } from './left-behind.js';
import { TestDatabase } from './postgres/database.js';
import { postgresServer } from './postgres/postgres-server.js';

const newFolder = temporaryFolders();
const server = await postgresServer();

it('folders and files are told by their paths, and are gone', async () => {
  const folder = await newFolder();
  await mkdir(join(folder, 'blockwork-node-1', 'data'), { recursive: true });
  await mkdir(join(folder, 'playwright_chromiumdev_profile-1'));
  await mkdir(join(folder, 'org.chromium.Chromium.1'));
  await writeFile(join(folder, 'log'), '');
  expect((await takeEntries(folder)).sort()).toEqual([join(folder, 'blockwork-node-1'), join(folder, 'log')]);
  // A browser ends with its worker.
  expect((await readdir(folder)).sort()).toEqual(['org.chromium.Chromium.1', 'playwright_chromiumdev_profile-1']);
  expect(await takeEntries(folder)).toEqual([]);
});

it.skipIf('missing' in server)(
  'databases of the run are told by their names and are gone, those of others stay',
  async () => {
    const address = 'address' in server ? server.address : '';
    const [mine, other] = [new TestDatabase(address, 'mine'), new TestDatabase(address, 'other')];
    await Promise.all([mine.create(), other.create()]);
    try {
      expect(await takeDatabases('mine', address)).toEqual([mine.name]);
      expect(await takeDatabases('mine', address)).toEqual([]);
      expect(await other.query('select 1 as one')).toEqual([{ one: 1 }]);
    } finally {
      await Promise.all([mine.drop(), other.drop()]);
    }
  },
);
