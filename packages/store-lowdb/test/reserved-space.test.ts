/** Segments of the journal that are longer than what was written to them, so that a commit need not change their length. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Change } from '@blockwork/core/adapter';
import { SimulatedDisk } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../../test/support/folders.js';
import { backupStore, openLowdbStore, verifyStore, type LowdbStore } from '../src/index.js';
import type { Filled } from './support/filling-writer.js';
import { buildProgram } from './support/program.js';

const newFolder = temporaryFolders();
const put = (id: string, content = ''): Change => ({
  op: 'put',
  kind: 'artifact',
  partition: 'p',
  value: { id, name: '', extension: '', content },
});
const commit = (store: LowdbStore, id: string, content?: string): Promise<void> =>
  store.commit({ expect: {}, changes: [put(id, content)] });
const ids = async (store: LowdbStore): Promise<string[]> => (await store.find('artifact', 'p')).map(({ id }) => id);
const segmentIn = async (folder: string): Promise<string> => {
  const [name = ''] = await readdir(join(folder, 'journal'));
  return join(folder, 'journal', name);
};
/** The store of another process that was killed. */
const copyOf = async (folder: string): Promise<string> => {
  const copy = join(await newFolder(), 'copy');
  await cp(folder, copy, { recursive: true, filter: (path) => !path.includes('/lock/') });
  return copy;
};

describe('a journal on the disk of this machine', () => {
  it('has room for commits to come, in which they are written', async () => {
    const folder = await newFolder();
    const store = await openLowdbStore({ folder });
    const lengths: number[] = [];
    for (const id of ['a', 'b', 'c']) {
      await commit(store, id);
      lengths.push((await readFile(await segmentIn(folder))).length);
    }
    const content = await readFile(await segmentIn(folder));
    const end = content.indexOf(0);
    expect(lengths).toEqual([content.length, content.length, content.length]);
    expect([content.at(end - 1), content.subarray(end).every((byte) => byte === 0)]).toEqual([10, true]);
    await commit(store, 'large', 'x'.repeat(content.length));
    expect((await readFile(await segmentIn(folder))).length).toBeGreaterThan(2 * content.length);
    expect(await ids(store)).toEqual(['a', 'b', 'c', 'large']);
    await store.close();
  });

  it('of a killed process is complete, and is continued', async () => {
    const folder = await newFolder();
    const store = await openLowdbStore({ folder });
    await commit(store, 'a');
    const left = await copyOf(folder);
    await store.close();
    const { truncated } = await verifyStore({ folder: left });
    const next = await openLowdbStore({ folder: left });
    expect([truncated, next.report.truncated, await ids(next)]).toEqual([undefined, undefined, ['a']]);
    await commit(next, 'b');
    const again = await openLowdbStore({ folder: await copyOf(left) });
    expect([again.report.truncated, await ids(again)]).toEqual([undefined, ['a', 'b']]);
    for (const each of [next, again]) await each.close();
  });

  it('is cut where a line is incomplete, and not behind it', async () => {
    const folder = await newFolder();
    const store = await openLowdbStore({ folder });
    await commit(store, 'a');
    const left = await copyOf(folder);
    await store.close();
    const segment = await segmentIn(left);
    const content = await readFile(segment);
    const end = content.indexOf(0);
    content.write('{"half', end);
    await writeFile(segment, content);
    const next = await openLowdbStore({ folder: left });
    expect([next.report.truncated, await ids(next)]).toMatchObject([{ bytes: 6 }, ['a']]);
    await next.close();
  });

  it('is copied without the room', async () => {
    const folder = await newFolder();
    const store = await openLowdbStore({ folder });
    await commit(store, 'a');
    const target = join(await newFolder(), 'backup');
    await backupStore({ folder, target });
    const copied = await readFile(await segmentIn(target));
    expect(copied.includes(0)).toBe(false);
    await store.close();
  });

  it('without durability has none', async () => {
    const folder = await newFolder();
    const store = await openLowdbStore({ folder, durability: 'os' });
    await commit(store, 'a');
    expect((await readFile(await segmentIn(folder))).includes(0)).toBe(false);
    await store.close();
  });

  it.runIf(process.platform === 'linux')('takes every commit that has room itself', async () => {
    const program = await buildProgram('filling-writer', await newFolder());
    const folder = await newFolder();
    // In KiB, for each file: less than what is reserved.
    const running = spawn('bash', ['-c', 'ulimit -f 100 && exec "$0" "$@"', process.execPath, program, folder]);
    let output = '';
    running.stdout.on('data', (text: Buffer) => (output += text.toString()));
    running.stderr.on('data', (text: Buffer) => (output += text.toString()));
    await once(running, 'close');
    const { written, code, kept } = JSON.parse(output) as Filled;
    expect([code, kept]).toEqual(['STORE_UNAVAILABLE', written]);
    // Each is more than 10 KiB.
    expect(written).toBe(9);
  });
});

it('an unlisted segment of nothing but its head and zeros is removed, and not kept as a loss', async () => {
  const disk = new SimulatedDisk();
  const open = (): Promise<LowdbStore> => openLowdbStore({ folder: '/store', fileSystem: disk.afterKill() });
  const store = await openLowdbStore({ folder: '/store', fileSystem: disk });
  await commit(store, 'a');
  await store.close();
  const head = JSON.stringify({ journal: 'blockwork', format: 1, first: 900 });
  disk.put('/store/journal/000000000900.jsonl', Buffer.concat([Buffer.from(`${head}\n`), Buffer.alloc(300)]));
  const next = await open();
  expect(disk.paths.filter((path) => path.includes('900'))).toEqual([]);
  await next.close();
});
