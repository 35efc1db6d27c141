/** `blockwork store ...` over real folders. */
import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../../test/support/folders.js';
import { run as runLine, runJson, type Ended } from './support/run.js';

const newFolder = temporaryFolders();

const run = (argv: readonly string[], input = ''): Promise<Ended> => runLine(['store', ...argv], { input });

/** A folder with a closed store of three records. */
async function storeFolder(): Promise<string> {
  const folder = join(await newFolder(), 'store');
  const store = await openLowdbStore({ folder });
  for (const id of ['a', 'b', 'c']) {
    const value = { id, name: '', extension: '', content: 'é' };
    await store.commit({ expect: {}, changes: [{ op: 'put', kind: 'artifact', partition: 'p', value }] });
  }
  await store.close();
  return folder;
}

async function damagedFolder(): Promise<{ folder: string; file: string }> {
  const folder = await storeFolder();
  const [file = ''] = await readdir(join(folder, 'snapshots'));
  await truncate(join(folder, 'snapshots', file), 30);
  return { folder, file: `snapshots/${file}` };
}

describe('the command', () => {
  it('prints its usage on request, and refuses wrong arguments', async () => {
    expect(await run(['--help'])).toMatchObject({ code: 0, err: '', out: expect.stringContaining('verify [options]') });
    const wrong = [[], ['delete', 'x'], ['verify'], ['verify', 'a', 'b'], ['backup', 'a'], ['verify', 'a', '--force']];
    for (const argv of [...wrong, ['verify', 'a', '--accept-loss'], ['backup', 'a', '']]) {
      const { code, out, err } = await run(argv);
      expect({ argv, code, out }).toEqual({ argv, code: 2, out: '' });
      expect(err).not.toBe('');
    }
  });

  it.each([
    [['verify', 'ADDRESS'], '<store>'],
    [['copy', 'FOLDER', 'ADDRESS'], '<to>'],
    [['copy', 'ADDRESS', 'FOLDER'], '<from>'],
    [['migrate', 'ADDRESS'], '[database]'],
    [['views', 'ADDRESS'], '[database]'],
  ])('names the argument %j whose address is wrong, without its password', async (argv, name) => {
    const address = 'postgres://me:hunter2@127.0.0.1:1/db?sslmode=maybe';
    const folder = await storeFolder();
    const args = argv.map((each) => ({ ADDRESS: address, FOLDER: folder })[each] ?? each);
    const { code, err } = await run(args);
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringContaining(`The address in ${name} is invalid: its sslmode must be one of`) as string,
    });
    expect(err).not.toContain('hunter2');
    expect(err).not.toContain('BLOCKWORK_DATABASE_URL');
  });

  it('prints reports as JSON', async () => {
    const folder = await storeFolder();
    expect(await runJson(['store', 'verify', folder])).toMatchObject({ records: 3, damage: [] });
    expect(await runJson(['store', 'compact', folder])).toMatchObject({ filesAfter: expect.any(Number) as number });
    const { code, out } = await runLine(['store', 'verify', (await damagedFolder()).folder, '--json']);
    expect({ code, damage: (JSON.parse(out) as { damage: unknown[] }).damage.length }).toEqual({ code: 1, damage: 1 });
  });

  it('verifies: 0 and a summary, or 1 and the damaged files', async () => {
    const folder = await storeFolder();
    expect(await run(['verify', folder])).toEqual({
      code: 0,
      out: `${folder} is intact: format 3, 3 records in 1 table, 3 commits so far, 0 of them only in the journal.\n`,
      err: '',
    });
    const bad = await damagedFolder();
    const { code, err } = await run(['verify', bad.folder]);
    expect(code).toBe(1);
    expect(err).toContain(`  ${bad.file}: it is not JSON (kind "artifact" of "p")\n`);
    const none = await run(['verify', join(folder, 'nothing')]);
    expect(none).toMatchObject({ code: 3, err: expect.stringContaining('store.json is missing') });
  });

  it('repairs: 1 while something is damaged, 0 once it is given up', async () => {
    const { folder, file } = await damagedFolder();
    const first = await run(['repair', folder]);
    expect(first).toMatchObject({ code: 1, err: expect.stringContaining('--accept-loss') });
    const second = await run(['repair', folder, '--accept-loss']);
    expect(second).toMatchObject({ code: 0, out: expect.stringContaining(file) });
    expect(await run(['repair', folder])).toMatchObject({ code: 0, out: `${folder} is intact.\n` });
    expect((await readdir(join(folder, 'quarantine'))).length).toBe(1);
  });

  it('names the timers that a repair gives up by their policy, and says which of them come back', async () => {
    const folder = join(await newFolder(), 'store');
    const store = await openLowdbStore({ folder });
    const value = { id: 'p/tick/clock', type: 'tick', policyId: 'p', due: 1, tag: 'clock' } as const;
    await store.commit({ expect: {}, changes: [{ op: 'put', kind: 'timer', partition: 'instance', value }] });
    await store.close();
    const [file = ''] = await readdir(join(folder, 'snapshots'));
    const path = join(folder, 'snapshots', file);
    await writeFile(path, (await readFile(path, 'utf8')).replace('"due":1', '"due":2'));
    const { code, err } = await run(['verify', folder]);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('(timers of policy "p")') });
    const { out } = await run(['repair', folder, '--accept-loss']);
    expect(out).toContain('lost records: p/tick/clock\n');
    expect(out).toContain('At the next start, scheduled blocks and discontinuation dates get their timers back');
  });

  it('compacts, backs up and restores', async () => {
    const folder = await storeFolder();
    const [backup, restored] = [join(await newFolder(), 'backup'), join(await newFolder(), 'restored')];
    expect(await run(['compact', folder])).toMatchObject({ code: 0, err: '' });
    expect(await run(['backup', folder, backup])).toMatchObject({ code: 0, err: '' });
    expect(await run(['restore', backup, restored])).toMatchObject({ code: 0, err: '' });
    expect((await run(['verify', restored])).out).toContain('is intact: format 3, 3 records');
    const again = await run(['backup', folder, backup]);
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining('is not empty') });
  });

  it('carries the key seed beside the folder with --with-keys, and never replaces another one', async () => {
    const folder = await storeFolder();
    const [backup, restored] = [join(await newFolder(), 'backup'), join(await newFolder(), 'restored')];
    const seedBeside = (path: string): string => join(path, '..', 'key-seed');
    const none = await run(['backup', folder, backup, '--with-keys']);
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining(`${seedBeside(folder)} does not exist`) });
    await writeFile(seedBeside(folder), 'secret\n');
    const copied = await run(['backup', folder, backup, '--with-keys']);
    expect(copied).toMatchObject({ code: 0, err: expect.stringContaining('keep it secret') });
    await writeFile(seedBeside(restored), 'another\n');
    const refused = await run(['restore', backup, restored, '--with-keys']);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('is another seed of keys') });
    expect(await readFile(seedBeside(restored), 'utf8')).toBe('another\n');
    await rm(seedBeside(restored));
    expect(await run(['restore', backup, restored, '--with-keys'])).toMatchObject({ code: 0, err: '' });
    expect(await readFile(seedBeside(restored), 'utf8')).toBe('secret\n');
    expect((await stat(seedBeside(restored))).mode & 0o077).toBe(0);
    expect((await run(['verify', restored])).out).toContain('3 records');
    expect(await run(['verify', restored, '--with-keys'])).toMatchObject({ code: 2 });
  });

  it('carries the key of an instance that is linked to others as well', async () => {
    const folder = await storeFolder();
    const [backup, restored] = [join(await newFolder(), 'backup'), join(await newFolder(), 'restored')];
    const beside = (path: string, name: string): string => join(path, '..', name);
    for (const name of ['key-seed', 'instance-key']) await writeFile(beside(folder, name), `${name} of one\n`);
    await run(['backup', folder, backup, '--with-keys']);
    await writeFile(beside(restored, 'instance-key'), 'of another\n');
    const refused = await run(['restore', backup, restored, '--with-keys']);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('is the key of another instance') });
    expect(await readdir(beside(restored, '.'))).toEqual(['instance-key']);
    await rm(beside(restored, 'instance-key'));
    expect(await run(['restore', backup, restored, '--with-keys'])).toMatchObject({ code: 0, err: '' });
    for (const name of ['key-seed', 'instance-key'])
      expect(await readFile(beside(restored, name), 'utf8')).toBe(`${name} of one\n`);
  });

  it('leaves the key seed alone without --with-keys', async () => {
    const folder = await storeFolder();
    await writeFile(join(folder, '..', 'key-seed'), 'secret\n');
    const backup = join(await newFolder(), 'backup');
    expect(await run(['backup', folder, backup])).toMatchObject({ code: 0, err: '' });
    expect(await readdir(backup)).not.toContain('key-seed');
  });

  it('exports to standard output or a new file, and imports from both', async () => {
    const folder = await storeFolder();
    const [file, base] = [join(await newFolder(), 'all.jsonl'), await newFolder()];
    const { code, out, err } = await run(['export', folder]);
    expect({ code, err }).toEqual({ code: 0, err: 'Exported 3 records and 0 revisions.\n' });
    expect((await run(['export', folder, file])).code).toBe(0);
    expect(await readFile(file, 'utf8')).toBe(out);
    expect(await run(['export', folder, file])).toMatchObject({ code: 3, err: expect.stringContaining('already') });
    expect(await readFile(file, 'utf8')).toBe(out);
    expect((await run(['import', join(base, 'one'), file])).code).toBe(0);
    expect((await run(['import', join(base, 'other')], out)).code).toBe(0);
    for (const name of ['one', 'other']) expect((await run(['export', join(base, name)])).out).toBe(out);
    expect(await run(['import', join(base, 'one'), file])).toMatchObject({ code: 2 });
    expect(await run(['import', join(base, 'third')], 'garbage')).toMatchObject({
      code: 3,
      err: expect.stringContaining('line 1 of the export'),
    });
    expect(await readdir(base)).not.toContain('third');
    expect(await run(['import', join(base, 'fourth'), join(base, 'no such file')])).toMatchObject({ code: 3 });
  });
});

describe('while the store is open,', () => {
  it('reads, but refuses to write, naming the owner of the lock', async () => {
    const folder = await storeFolder();
    const store = await openLowdbStore({ folder });
    const target = join(await newFolder(), 'backup');
    expect(await run(['verify', folder])).toMatchObject({ code: 0, err: '' });
    expect(await run(['export', folder])).toMatchObject({ code: 0, out: expect.stringContaining('"records":3') });
    expect(await run(['backup', folder, target])).toMatchObject({ code: 0, err: '' });
    for (const name of ['repair', 'compact']) {
      const { code, err } = await run([name, folder]);
      expect(code).toBe(3);
      expect(err).toContain(`in use`);
    }
    await store.close();
    expect(await run(['compact', folder])).toMatchObject({ code: 0, err: '' });
    expect(await run(['verify', target])).toMatchObject({ code: 0 });
  });

  it('does not touch a folder with other content', async () => {
    const folder = await newFolder();
    await mkdir(join(folder, 'letters'));
    await writeFile(join(folder, 'letters', 'one'), 'x');
    for (const name of ['verify', 'repair', 'compact']) expect((await run([name, folder])).code).toBe(3);
    expect(await readFile(join(folder, 'letters', 'one'), 'utf8')).toBe('x');
  });
});
