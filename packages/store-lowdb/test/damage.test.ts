import { BlockworkError, MemoryStore, type PolicyStore } from '@blockwork/core';
import type { ChangeSet } from '@blockwork/core/adapter';
import { SimulatedDisk } from '@blockwork/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { openLowdbStore, type LowdbStore, type OpenReport } from '../src/index.js';

const folder = '/store';
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
      n % 5 === 0
        ? { op: 'delete', kind: 'artifact', partition, id: 'r1' }
        : { op: 'put', kind: 'token', partition, value: token },
    ],
  };
}

const inSnapshots = 20;
const inJournal = 32;

const tableNames = partitions.flatMap((partition) => [`${partition}/artifact`, `${partition}/token`]);

const readTable = (store: PolicyStore, name: string): Promise<unknown[]> => {
  const [partition = '', kind] = name.split('/');
  return store.find(kind as 'artifact', partition);
};

type State = Record<string, unknown>;

/** What everything holds after each number of commits, from none to all. */
const states: State[] = [];
/** A disk as a crash leaves it: snapshots of the first commits, the others in segments of the journal. */
let crashed = new SimulatedDisk();

async function stateOf(store: PolicyStore): Promise<State> {
  const state: State = {};
  for (const name of tableNames) state[name] = await readTable(store, name);
  for (const key of keys) state[key] = await store.revision(key);
  return state;
}

beforeAll(async () => {
  const memory = new MemoryStore();
  const disk = new SimulatedDisk();
  const store = await openLowdbStore({ folder, fileSystem: disk, segmentBytes: 1500, partBytes: 200 });
  states.push(await stateOf(memory));
  for (let n = 0; n < inSnapshots + inJournal; n++) {
    await memory.commit(commitOf(n));
    await store.commit(commitOf(n));
    states.push(await stateOf(memory));
    if (n === inSnapshots - 1) await store.checkpoint();
  }
  crashed = disk.copy();
  await store.close();
});

/** The files of one table, in the order of insertion. */
const partsOf = (disk: SimulatedDisk, table: string): string[] =>
  disk.paths.filter((path) => path.startsWith(`${folder}/snapshots/${table}.`));

const segments = (): string[] => crashed.paths.filter((path) => path.startsWith(`${folder}/journal/`));

interface Outcome {
  readonly refused?: string;
  readonly report?: OpenReport;
  /** Tables that are not served, with what was said about it. */
  readonly unserved: Record<string, string>;
  readonly served: State;
  /** Of tables that are not served: the records that are served one by one. */
  readonly single: Record<string, unknown[]>;
}

const messageOf = (error: unknown): string => {
  if (!(error instanceof BlockworkError)) throw error;
  expect(error.code).toBe('STORE_UNAVAILABLE');
  return error.message;
};

async function open(disk: SimulatedDisk): Promise<Outcome> {
  const unserved: Record<string, string> = {};
  const served: State = {};
  const single: Record<string, unknown[]> = {};
  let store: LowdbStore;
  try {
    store = await openLowdbStore({ folder, fileSystem: disk });
  } catch (error) {
    return { refused: messageOf(error), unserved, served, single };
  }
  for (const name of tableNames) {
    try {
      served[name] = await readTable(store, name);
    } catch (error) {
      unserved[name] = messageOf(error);
      single[name] = await readOneByOne(store, name);
    }
  }
  for (const key of keys) served[key] = await store.revision(key);
  await store.close();
  return { report: store.report, unserved, served, single };
}

async function readOneByOne(store: PolicyStore, name: string): Promise<unknown[]> {
  const [partition = '', kind] = name.split('/');
  const found: unknown[] = [];
  for (const id of ['t', ...Array.from({ length: 7 }, (_, n) => `r${n}`)])
    found.push(await store.get(kind as 'artifact', partition, id).catch(messageOf));
  return found.filter((one) => typeof one === 'object');
}

/** What was in none but other files must be served, and as it was. */
function expectTheRest({ unserved, single }: Outcome, file: string, damaged: string): void {
  for (const name of Object.keys(unserved)) {
    const all = states.at(-1)?.[name] as { id: string }[];
    for (const record of single[name] ?? []) expect(all, damaged).toContainEqual(record);
    if (!file.startsWith('snapshots/')) continue;
    const { records } = JSON.parse(crashed.contentOf(`${folder}/${file}`).toString()) as { records: { id: string }[] };
    const inOthers = all.filter(({ id }) => !records.some((record) => record.id === id));
    expect(single[name], damaged).toEqual(expect.arrayContaining(inOthers));
  }
}

/** Nothing is wrong without being said: either all is there, or what is not is told with the name of the file. */
function expectHonest({ refused, report, unserved, served }: Outcome, file: string, damaged: string): void {
  if (refused !== undefined) {
    expect(refused, damaged).toContain(file);
    return;
  }
  const reported = report?.damage.map((entry) => entry.file) ?? [];
  for (const message of Object.values(unserved)) expect(message, damaged).toContain(file);
  if (Object.keys(unserved).length > 0) expect(reported, damaged).toContain(file);
  if (report?.torn) expect(report.torn.file, damaged).toBe(file);
  const state = report?.torn ? states.find((candidate) => fits(candidate, served)) : states.at(-1);
  const areRevisionsNew = file.startsWith('snapshots/revisions.') && reported.includes(file);
  for (const [name, value] of Object.entries(served)) {
    if (!areRevisionsNew || !keys.includes(name)) expect(value, `${damaged}: ${name}`).toEqual(state?.[name]);
    else if (partitions.includes(name)) expect(value, damaged).toBeGreaterThanOrEqual(Number(state?.[name]));
  }
}

const fits = (state: State, served: State): boolean =>
  Object.entries(served).every(([name, value]) => JSON.stringify(value) === JSON.stringify(state[name]));

/** What becomes of a file; `random` is between 0 and 1. */
type Damage = (content: Buffer, random: number) => Buffer | undefined;

const changedAt = (content: Buffer, random: number, change: (byte: number) => number): Buffer => {
  const at = Math.floor(random * content.length);
  content[at] = change(content[at] ?? 0);
  return content;
};

const damages: Readonly<Record<string, { times: number; damage: Damage }>> = {
  'is deleted': { times: 1, damage: () => undefined },
  'is emptied': { times: 1, damage: () => Buffer.alloc(0) },
  'is cut': {
    times: 12,
    damage: (content, random) => {
      const at = Math.floor(random * content.length);
      // Cut exactly between two lines, the end of the journal looks as if the later commits had never been made.
      return content.subarray(0, content[at - 1] === 10 ? at - 1 : at);
    },
  },
  'has one bit flipped': {
    times: 60,
    damage: (content, random) => changedAt(content, random, (byte) => byte ^ (1 << (Math.floor(random * 1e6) % 8))),
  },
  'has a line break for another character': {
    times: 20,
    damage: (content, random) => changedAt(content, random, () => 10),
  },
  'has a run of zeros': {
    times: 20,
    damage: (content, random) => {
      const at = Math.floor(random * content.length);
      return content.fill(0, at, Math.min(at + 200, content.length));
    },
  },
  'has lost a part in its middle': {
    times: 20,
    damage: (content, random) => {
      const at = Math.floor(random * content.length);
      return Buffer.concat([content.subarray(0, at), content.subarray(at + 150)]);
    },
  },
};

describe('a damaged file', { timeout: 120_000 }, () => {
  it('is not reported where none is', async () => {
    const { report, served, unserved } = await open(crashed.copy());
    expect({ served, unserved }).toEqual({ served: states.at(-1), unserved: {} });
    expect(report).toEqual({ replayed: inJournal, damage: [] });
    expect(segments().length).toBeGreaterThan(3);
  });

  for (const [what, { times, damage }] of Object.entries(damages)) {
    it(`that ${what} is never passed over: the store serves the rest and names the file, or refuses and names it`, async () => {
      for (const path of crashed.paths) {
        for (let n = 0; n < times; n++) {
          const random = (n + 0.37) / times;
          const file = path.slice(folder.length + 1);
          const damaged = `${file} ${what}, ${random}`;
          const disk = crashed.copy();
          disk.put(path, damage(disk.contentOf(path), random));
          const first = await open(disk);
          expectHonest(first, file, damaged);
          expectTheRest(first, file, damaged);
          const again = await open(disk);
          expect(again.refused, damaged).toBe(first.refused);
          expect(Object.keys(again.unserved), damaged).toEqual(Object.keys(first.unserved));
          expect(again.served, damaged).toEqual(first.served);
        }
      }
    });
  }

  it('with some records of a table leaves all others served, and is moved to the quarantine', async () => {
    const disk = crashed.copy();
    const [path = '', ...others] = partsOf(disk, 'p1.artifact');
    const { records } = JSON.parse(disk.contentOf(path).toString()) as { records: { id: string }[] };
    const cut = disk.contentOf(path).subarray(0, 50);
    disk.put(path, cut);
    const store = await openLowdbStore({ folder, fileSystem: disk });
    const message =
      /kind "artifact" in the partition "p1" are not served, since snapshots\/p1\.artifact\.\d-20\.json in \/store is damaged/;
    await expect(store.find('artifact', 'p1')).rejects.toThrow(message);
    await expect(store.get('artifact', 'p1', 'nobody knows whether it was there')).rejects.toThrow(message);
    await expect(store.count('artifact', 'p1')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    const change = { op: 'delete', kind: 'artifact', partition: 'p1', id: 'r1' } as const;
    await expect(store.commit({ expect: { new: 0 }, changes: [change] })).rejects.toThrow(message);
    expect(await store.revision('new')).toBe(0);
    await store.commit({ expect: { new: 0 }, changes: [{ ...change, partition: 'p3' }] });
    expect(await store.find('token', 'p1')).toEqual(states.at(-1)?.['p1/token']);
    await store.close();
    expect(disk.contentOf(path.replace('snapshots', 'quarantine'))).toEqual(cut);

    // What stood in the other parts, or was written since, is served; also by the next process.
    expect(others.length).toBeGreaterThan(0);
    const next = await openLowdbStore({ folder, fileSystem: disk });
    const all = states.at(-1)?.['p1/artifact'] as { id: string }[];
    const kept = all.filter(({ id }) => !records.some((record) => record.id === id));
    expect(kept.length).toBeGreaterThan(0);
    for (const value of kept) expect(await next.get('artifact', 'p1', value.id)).toEqual(value);
    await next.close();
  });

  it('that is an older copy is told from the one that belongs there', async () => {
    const disk = crashed.copy();
    await open(disk);
    const older = partsOf(crashed, 'p1.artifact')[0] ?? '';
    const [path = ''] = partsOf(disk, 'p1.artifact');
    expect(path).not.toBe(older);
    const file = path.slice(folder.length + 1);
    disk.put(path, crashed.contentOf(older));
    const { report, unserved } = await open(disk);
    expect(report?.damage).toMatchObject([{ file, reason: 'it is older than store.json says' }]);
    expect(Object.keys(unserved)).toEqual(['p1/artifact']);
  });

  it('of the journal that ends before the snapshots begin is not written to again', async () => {
    const disk = crashed.copy();
    const store = await openLowdbStore({ folder, fileSystem: disk });
    const value = { id: 'new', name: '', extension: '', content: '' };
    const change = { op: 'put', kind: 'artifact', partition: 'p3', value } as const;
    await store.commit({ expect: {}, changes: [change] });
    const [journal = ''] = disk.paths.filter((path) => path.startsWith(`${folder}/journal/`)).slice(-1);
    disk.faults.failOn(`remove ${folder}/journal`, 'EIO');
    await store.checkpoint().catch(() => undefined);
    const killed = disk.afterKill().copy();
    killed.put(journal, killed.contentOf(journal).subarray(0, -30));
    const next = await openLowdbStore({ folder, fileSystem: killed });
    expect(await next.get('artifact', 'p3', 'new')).toEqual(value);
    await next.commit({ expect: {}, changes: [{ ...change, value: { ...value, id: 'newer' } }] });
    const last = await openLowdbStore({ folder, fileSystem: killed.afterKill().copy() });
    expect(last.report.damage).toEqual([]);
    expect(await last.get('artifact', 'p3', 'newer')).toEqual({ ...value, id: 'newer' });
    expect(await last.find('artifact', 'p1')).toEqual(states.at(-1)?.['p1/artifact']);
    await last.close();
    await next.close();
    disk.faults.heal();
    await store.close();
  });

  it('that a person mends is served again, with everything that was committed since it was written', async () => {
    const disk = crashed.copy();
    const [path = ''] = partsOf(disk, 'p1.artifact');
    const good = disk.contentOf(path);
    disk.put(path, good.subarray(0, 50));
    for (let n = 0; n < 3; n++) {
      const store = await openLowdbStore({ folder, fileSystem: disk });
      await store.commit({ expect: {}, changes: [{ op: 'delete', kind: 'token', partition: 'p3', id: 't' }] });
      await store.close();
    }
    disk.put(path, good);
    const { served, report } = await open(disk);
    expect(report?.damage).toEqual([]);
    expect(served['p1/artifact']).toEqual(states.at(-1)?.['p1/artifact']);
    expect(disk.paths.filter((name) => name.includes('/journal/'))).toEqual([]);
    expect((await open(disk)).served['p1/artifact']).toEqual(states.at(-1)?.['p1/artifact']);
  });

  it('of the journal says which records its damaged line was about; the others are served', async () => {
    const disk = crashed.copy();
    const [path = ''] = segments();
    disk.put(path, disk.contentOf(path).toString().replace('commit 21', 'commit 12'));
    const { unserved, served, report } = await open(disk);
    expect(Object.keys(unserved).sort()).toEqual(['p1/artifact', 'p1/token']);
    const file = path.slice(folder.length + 1);
    expect(report?.damage).toMatchObject([
      { file, reason: 'commit 22 in it cannot be read', table: { partition: 'p1', kind: 'artifact' } },
      { file, reason: 'commit 22 in it cannot be read', table: { partition: 'p1', kind: 'token' } },
    ]);
    expect(served['p3/artifact']).toEqual(states.at(-1)?.['p3/artifact']);
    expect(served['other']).toBe(states.at(-1)?.['other']);
    expect(disk.paths).toContain(path.replace('journal', 'quarantine'));
  });

  it('never makes a store begin anew: without its manifest, a folder with data is refused and left as it is', async () => {
    const disk = crashed.copy();
    disk.put(`${folder}/store.json`, undefined);
    const before = disk.paths;
    await expect(openLowdbStore({ folder, fileSystem: disk })).rejects.toThrow(
      /store\.json is missing, though .* holds data/,
    );
    expect(disk.paths).toEqual(before);
  });

  it('of a newer format is refused with the advice to use a newer version', async () => {
    const disk = new SimulatedDisk();
    disk.put(`${folder}/store.json`, '{"format":3}');
    await expect(openLowdbStore({ folder, fileSystem: disk })).rejects.toThrow(
      /store\.json has the format 3; .*reads the formats 1 to 2\. Use the newer version/,
    );
  });
});
