import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { BlockworkError, MemoryStore, type ChangeSet, type PolicyStore } from '@blockwork/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openLowdbStore, type LowdbStore, type OpenReport } from '../src/index.js';
import { temporaryFolders } from './tools/folders.js';
import { unflushedFiles } from './tools/unflushed-files.js';

const newFolder = temporaryFolders();
const partitions = ['p1', 'P 2', 'p3'];
const keys = [...partitions, 'other'];

/** Commit `n` of the history: most touch two tables, and each of them differs from all others. */
function commitOf(n: number): ChangeSet {
  const partition = partitions[n % 3] ?? '';
  const value = { id: `r${n % 7}`, name: `commit ${n}`, extension: '', content: 'äé\n'.repeat(n % 9) };
  const token = { id: 't', tokenName: `commit ${n}`, tokenSymbol: '', source: {} };
  return {
    expect: { [keys[n % 4] ?? '']: Math.floor(n / 4) },
    changes: [
      { op: 'put', kind: 'artifact', partition, value },
      n % 5 === 0 ? { op: 'delete', kind: 'artifact', partition, id: 'r1' } : { op: 'put', kind: 'token', partition, value: token },
    ],
  };
}

const inSnapshots = 20;
const inJournal = 32;

/** What everything holds after each number of commits, from none to all. */
const states: Record<string, unknown>[] = [];
/** A folder as a crash leaves it: snapshots of the first commits, the others in two segments of the journal. */
let crashed = '';

const tableNames = partitions.flatMap((partition) => [`${partition}/artifact`, `${partition}/token`]);
const readTable = (store: PolicyStore, name: string): Promise<unknown[]> => {
  const [partition = '', kind] = name.split('/');
  return store.find(kind as 'artifact', partition);
};

async function stateOf(store: PolicyStore): Promise<Record<string, unknown>> {
  const state: Record<string, unknown> = {};
  for (const name of tableNames) state[name] = await readTable(store, name);
  for (const key of keys) state[key] = await store.revision(key);
  return state;
}

beforeAll(async () => {
  const memory = new MemoryStore();
  const folder = await newFolder();
  crashed = await newFolder();
  const store = await openLowdbStore({ folder, segmentBytes: 1500 });
  states.push(await stateOf(memory));
  for (let n = 0; n < inSnapshots + inJournal; n++) {
    await memory.commit(commitOf(n));
    await store.commit(commitOf(n));
    states.push(await stateOf(memory));
    if (n === inSnapshots - 1) await store.checkpoint();
  }
  await cp(folder, crashed, { recursive: true });
  await rm(join(crashed, 'lock'), { recursive: true });
  await store.close();
});

const filesOf = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();

async function copyOfCrashed(): Promise<string> {
  const folder = await newFolder();
  await cp(crashed, folder, { recursive: true });
  return folder;
}

interface Outcome {
  readonly refused?: string;
  readonly report?: OpenReport;
  /** Tables that are not served, with what was said about it. */
  readonly unserved: Record<string, string>;
  readonly served: Record<string, unknown>;
}

const messageOf = (error: unknown): string => {
  expect(error).toBeInstanceOf(BlockworkError);
  expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' });
  return (error as Error).message;
};

async function open(folder: string): Promise<Outcome> {
  const unserved: Record<string, string> = {};
  const served: Record<string, unknown> = {};
  let store: LowdbStore;
  try {
    store = await openLowdbStore({ folder, fileSystem: unflushedFiles });
  } catch (error) {
    return { refused: messageOf(error), unserved, served };
  }
  for (const name of tableNames) {
    try {
      served[name] = await readTable(store, name);
    } catch (error) {
      unserved[name] = messageOf(error);
    }
  }
  for (const key of keys) served[key] = await store.revision(key);
  await store.close();
  return { report: store.report, unserved, served };
}

/** Nothing is wrong without being said: either all is there, or what is not is told with the name of the file. */
function expectHonest(outcome: Outcome, file: string, damaged: string): void {
  const { refused, report, unserved, served } = outcome;
  if (refused !== undefined) {
    expect(refused, damaged).toContain(file);
    return;
  }
  for (const message of Object.values(unserved)) expect(message, damaged).toContain(file);
  if (Object.keys(unserved).length > 0) expect(report?.damage.map((entry) => entry.file), damaged).toContain(file);
  if (report?.torn) expect(report.torn.file, damaged).toBe(file);
  const restarted = file === 'revisions.json' && report?.damage.some((entry) => entry.file === file);
  const state = report?.torn ? states.find((candidate) => fits(candidate, served)) : states.at(-1);
  for (const [name, value] of Object.entries(served)) {
    if (restarted && keys.includes(name)) expect(value, damaged).toBeGreaterThanOrEqual(name === 'other' ? 0 : Number(state?.[name]));
    else expect(value, `${damaged}: ${name}`).toEqual(state?.[name]);
  }
}

const fits = (state: Record<string, unknown>, served: Record<string, unknown>): boolean =>
  Object.entries(served).every(([name, value]) => JSON.stringify(value) === JSON.stringify(state[name]));

type Damage = (path: string, random: number) => Promise<unknown>;

async function flip(path: string, random: number, mask: number): Promise<void> {
  const bytes = await readFile(path);
  const at = Math.floor(random * bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ mask;
  await writeFile(path, bytes);
}

const damages: Readonly<Record<string, { times: number; damage: Damage }>> = {
  'is deleted': { times: 1, damage: (path) => rm(path) },
  'is emptied': { times: 1, damage: (path) => truncate(path, 0) },
  'is cut': { times: 6, damage: async (path, random) => truncate(path, Math.floor(random * (await readFile(path)).length)) },
  'has one bit flipped': { times: 20, damage: (path, random) => flip(path, random, 1 << Math.floor(random * 1e6) % 8) },
  'has a line break for another character': { times: 8, damage: async (path, random) => {
    const bytes = await readFile(path);
    bytes[Math.floor(random * bytes.length)] = 10;
    await writeFile(path, bytes);
  } },
  'has a run of zeros': { times: 8, damage: async (path, random) => {
    const bytes = await readFile(path);
    const at = Math.floor(random * bytes.length);
    await writeFile(path, bytes.fill(0, at, Math.min(at + 200, bytes.length)));
  } },
};

describe('a damaged file', () => {
  it('is not reported where none is', async () => {
    const { report, served, unserved } = await open(await copyOfCrashed());
    expect({ served, unserved }).toEqual({ served: states.at(-1), unserved: {} });
    expect(report).toEqual({ replayed: inJournal, damage: [] });
  });

  for (const [what, { times, damage }] of Object.entries(damages)) {
    it(`that ${what} is never passed over: the store serves the rest and names the file, or refuses and names it`, { timeout: 120_000 }, async () => {
      for (const file of await filesOf(crashed)) {
        for (let n = 0; n < times; n++) {
          const random = (n + 0.37) / times;
          const folder = await copyOfCrashed();
          await damage(join(folder, file), random);
          const damaged = `${file} ${what}, ${random}`;
          const first = await open(folder);
          expectHonest(first, file, damaged);
          const again = await open(folder);
          expect(again.refused, damaged).toBe(first.refused);
          expect(Object.keys(again.unserved), damaged).toEqual(Object.keys(first.unserved));
          expect(again.served, damaged).toEqual(first.served);
          await rm(folder, { recursive: true });
        }
      }
    });
  }

  it('with the records of one table leaves every other one served, and is moved to the quarantine', async () => {
    const folder = await copyOfCrashed();
    await truncate(join(folder, 'snapshots/p1.artifact.json'), 50);
    const store = await openLowdbStore({ folder, fileSystem: unflushedFiles });
    const message = /kind "artifact" in the partition "p1" are not served, since snapshots\/p1\.artifact\.json in .* is damaged/;
    await expect(store.find('artifact', 'p1')).rejects.toThrow(message);
    await expect(store.get('artifact', 'p1', 'r1')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(store.count('artifact', 'p1')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    const change = { op: 'delete', kind: 'artifact', partition: 'p1', id: 'r1' } as const;
    await expect(store.commit({ expect: { new: 0 }, changes: [change] })).rejects.toThrow(message);
    expect(await store.revision('new')).toBe(0);
    await store.commit({ expect: { new: 0 }, changes: [{ ...change, partition: 'p3' }] });
    expect(await store.find('token', 'p1')).toEqual(states.at(-1)?.['p1/token']);
    await store.close();
    expect(await readdir(join(folder, 'quarantine'))).toEqual(['p1.artifact.json']);
  });

  it('that a person mends is served again, with everything that was committed since it was written', async () => {
    const folder = await copyOfCrashed();
    const path = join(folder, 'snapshots/p1.artifact.json');
    const good = await readFile(path);
    await truncate(path, 50);
    for (let n = 0; n < 3; n++) {
      const store = await openLowdbStore({ folder, fileSystem: unflushedFiles });
      await store.commit({ expect: {}, changes: [{ op: 'delete', kind: 'token', partition: 'p3', id: 't' }] });
      await store.close();
    }
    await writeFile(path, good);
    const manifest = JSON.parse(await readFile(join(folder, 'store.json'), 'utf8')) as Record<string, unknown>;
    await writeFile(join(folder, 'store.json'), JSON.stringify({ ...manifest, damaged: [], crc32: undefined }, null, 2));
    const { served, report } = await open(folder);
    expect(report?.damage).toEqual([]);
    expect(served['p1/artifact']).toEqual(states.at(-1)?.['p1/artifact']);
  });

  it('of the journal says which records its damaged line was about; the others are served', async () => {
    const folder = await copyOfCrashed();
    const [segment = ''] = await readdir(join(folder, 'journal'));
    const path = join(folder, 'journal', segment);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('commit 21', 'commit 12'));
    const { unserved, served, report } = await open(folder);
    expect(Object.keys(unserved).sort()).toEqual(['p1/artifact', 'p1/token']);
    expect(report?.damage).toMatchObject([
      { file: `journal/${segment}`, table: { partition: 'p1', kind: 'artifact' } },
      { file: `journal/${segment}`, table: { partition: 'p1', kind: 'token' } },
    ]);
    expect(served['p3/artifact']).toEqual(states.at(-1)?.['p3/artifact']);
    expect(served['other']).toBe(states.at(-1)?.['other']);
    expect(await readdir(join(folder, 'quarantine'))).toEqual([segment]);
  });

  it('never makes a store begin anew: without its manifest, a folder with data is refused', async () => {
    const folder = await copyOfCrashed();
    await rm(join(folder, 'store.json'));
    await expect(openLowdbStore({ folder, fileSystem: unflushedFiles })).rejects.toThrow(/store\.json is missing, though .* holds data/);
    expect(await filesOf(folder)).toEqual((await filesOf(crashed)).filter((file) => file !== 'store.json'));
  });

  it('of a newer format is refused with the advice to use a newer version', async () => {
    const folder = await newFolder();
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'store.json'), '{"format":2}');
    await expect(openLowdbStore({ folder, fileSystem: unflushedFiles })).rejects.toThrow(/store\.json has the format 2; .*reads format 1. Use the newer version/);
  });
});
