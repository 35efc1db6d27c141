import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { PolicyStore } from '@blockwork/core';
import type { SimulatedDisk } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { openLowdbStore } from '../src/index.js';
import { oncePerContent } from './support/fingerprint.js';
import { loadDisk } from './support/load-disk.js';
import { isSoak, times } from '../../../test/support/repetitions.js';

const corpus = fileURLToPath(new URL('corpus/', import.meta.url));
const names = (await readdir(corpus, { withFileTypes: true })).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

interface Content {
  readonly tables: { readonly partition: string; readonly kind: 'artifact'; readonly records: unknown }[];
  readonly revisions: { readonly key: string; readonly revision: number }[];
}

const expectedOf = async (name: string): Promise<Content> =>
  JSON.parse(await readFile(`${corpus}${name}/expected.json`, 'utf8')) as Content;

const load = (name: string): Promise<SimulatedDisk> => loadDisk(`${corpus}${name}/store`);

const codeOf = (error: unknown): string => (error as { code: string }).code;

/** The same queries as `corpus/write.mjs`. */
async function contentOf(store: PolicyStore, { tables, revisions }: Content): Promise<Content> {
  const content: Content = { tables: [], revisions: [] };
  for (const { partition, kind } of tables) {
    content.tables.push({ partition, kind, records: await store.find(kind, partition).catch(codeOf) });
  }
  for (const { key } of revisions) content.revisions.push({ key, revision: await store.revision(key) });
  return content;
}

async function expectContent(disk: SimulatedDisk, expected: Content): Promise<void> {
  const store = await openLowdbStore({ folder: '/store', fileSystem: disk, partBytes: 300 });
  expect(await contentOf(store, expected)).toEqual(expected);
  await store.close();
}

const formatOf = (disk: SimulatedDisk): unknown =>
  (JSON.parse(disk.contentOf('/store/store.json').toString()) as { format: unknown }).format;

/** How much of what is not flushed survives a power cut: `npm run soak store` tries none and all of it as well. */
const fates = [() => 0.7, ...(isSoak ? [() => 0, () => 1] : [])];

/** Moments from one that is tried to the next. */
const step = times(4, 1);

describe('a folder written by an earlier version', () => {
  it.each(names)('opens with all its content, and is upgraded to the newest format: %s', async (name) => {
    const [disk, expected] = [await load(name), await expectedOf(name)];
    await expectContent(disk, expected);
    expect(formatOf(disk)).toBe(3);
    const ofFormat1 = disk.paths.filter((path) => path.endsWith('.json') && !/-\d+\.json$/.test(path));
    expect(ofFormat1.filter((path) => !path.includes('/quarantine/'))).toEqual(['/store/store.json']);
    await expectContent(disk, expected);
  });

  it.each(names)('survives a power cut at any moment of its upgrade: %s', async (name) => {
    const [whole, expected] = [await load(name), await expectedOf(name)];
    const check = oncePerContent((disk) => expectContent(disk, expected));
    let moments = 0;
    for (const fate of fates) {
      for (let moment = 0, isOver = false; !isOver; moment += step) {
        const disk = whole.copy();
        disk.faults.stopAfter(moment);
        const opening = openLowdbStore({ folder: '/store', fileSystem: disk, partBytes: 300 });
        isOver = await opening.then(
          () => true,
          () => false,
        );
        await check(disk.afterPowerCut(fate));
        moments += 1;
      }
    }
    expect(moments).toBeGreaterThan((20 * fates.length) / step);
  });

  it.each(names)('does not open, and loses nothing, if the disk fails during its upgrade: %s', async (name) => {
    const [whole, expected] = [await load(name), await expectedOf(name)];
    const check = oncePerContent((disk) => expectContent(disk, expected));
    for (let nth = 1, isOver = false; !isOver; nth += step) {
      const disk = whole.copy();
      disk.faults.failNth(nth, 'ENOSPC');
      const opening = openLowdbStore({ folder: '/store', fileSystem: disk, partBytes: 300 });
      isOver = await opening.then(
        async (store) => {
          const hadNoFailure = disk.done.length < nth;
          disk.faults.heal();
          await store.close();
          return hadNoFailure;
        },
        (error: unknown) => {
          expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' });
          return false;
        },
      );
      disk.faults.heal();
      await check(disk.afterKill());
    }
  });

  it('of format 1 can be repaired by restoring a good copy of a damaged file', async () => {
    const [damaged, closed] = [await load('format-1-damaged'), await load('format-1-closed')];
    await (await openLowdbStore({ folder: '/store', fileSystem: damaged })).close();
    const file = '/store/snapshots/policy-1.artifact.json';
    damaged.put(file, closed.contentOf(file));
    const store = await openLowdbStore({ folder: '/store', fileSystem: damaged });
    expect(store.report.damage).toEqual([]);
    const { tables } = await expectedOf('format-1-closed');
    expect(await store.find('artifact', 'policy-1')).toEqual(tables[0]?.records);
    await store.close();
    expect(damaged.paths).not.toContain(file);
  });
});
