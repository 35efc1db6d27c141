import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from './make-folder.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockwork-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('making a folder', () => {
  it.skipIf(process.platform === 'win32')('makes all of its path, each for its owner only, and once', async () => {
    for (let round = 0; round < 50; round += 1) {
      const path = join(folder, String(round), 'a/b/c');
      await Promise.all([makeFolder(path), makeFolder(path), makeFolder(join(folder, String(round), 'a'))]);
    }
    const path = join(folder, 'a/b/c');
    await makeFolder(`${path}/`);
    for (const firstFolder of ['a', 'a/b', 'a/b/c'])
      expect((await stat(join(folder, firstFolder))).mode & 0o777).toBe(0o700);
  });

  it('accepts a link to a folder', async () => {
    await symlink(folder, join(folder, 'link'), 'junction');
    await makeFolder(join(folder, 'link'));
    await makeFolder(join(folder, 'link', 'inside'));
    expect((await stat(join(folder, 'inside'))).isDirectory()).toBe(true);
  });

  it('rejects where a file is in the way', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(makeFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makeFolder(join(folder, 'file', 'below'))).rejects.toThrow(/ENOTDIR|ENOENT/);
  });

  it.runIf(process.platform === 'linux')('rejects where folders cannot be made, rather than never ending', async () => {
    await expect(makeFolder('/proc/blockwork')).rejects.toMatchObject({ code: 'ENOENT', path: '/proc/blockwork' });
    await expect(makeFolder('/proc/blockwork/below')).rejects.toMatchObject({ path: '/proc/blockwork' });
  });
});
