import { BlockworkError, MemoryStore, type PolicyStore } from '@blockwork/core';
import type { ChangeSet } from '@blockwork/core/adapter';
import { SimulatedDisk } from '@blockwork/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { openLowdbStore, type LowdbStore, type OpenReport } from '../src/index.js';
import { times } from '../../../test/support/repetitions.js';

const folder = '/store';
const partitions = ['p1', 'P 2', 'p3'];
const keys = [...partitions, 'other'];

/** Commit `n` of the history. Most commits change two tables, and no two are equal. */
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

/** The whole content after each number of commits. */
const states: State[] = [];
/** The disk after a crash: the first commits in snapshots, the others in journal segments. */
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

/** The snapshot files of one table, in insertion order. */
const partsOf = (disk: SimulatedDisk, table: string): string[] =>
  disk.paths.filter((path) => path.startsWith(`${folder}/snapshots/${table}.`));

const segments = (): string[] => crashed.paths.filter((path) => path.startsWith(`${folder}/journal/`));

class RecordingLogger {
  readonly messages: string[] = [];
  readonly #note = (message: string): void => void this.messages.push(message);
  readonly debug = this.#note;
  readonly info = this.#note;
  readonly warn = this.#note;
  readonly error = this.#note;
}

interface Outcome {
  readonly refused?: string;
  readonly report?: OpenReport;
  /** Unavailable tables, with the error message. */
  readonly unavailable: Record<string, string>;
  readonly available: State;
  /** The records of unavailable tables that `get` still returns. */
  readonly single: Record<string, unknown[]>;
}

const messageOf = (error: unknown): string => {
  if (!(error instanceof BlockworkError)) throw error;
  expect(error.code).toBe('STORE_UNAVAILABLE');
  return error.message;
};

async function open(disk: SimulatedDisk): Promise<Outcome> {
  const unavailable: Record<string, string> = {};
  const available: State = {};
  const single: Record<string, unknown[]> = {};
  let store: LowdbStore;
  try {
    store = await openLowdbStore({ folder, fileSystem: disk });
  } catch (error) {
    return { refused: messageOf(error), unavailable, available, single };
  }
  for (const name of tableNames) {
    try {
      available[name] = await readTable(store, name);
    } catch (error) {
      unavailable[name] = messageOf(error);
      single[name] = await readOneByOne(store, name);
    }
  }
  for (const key of keys) available[key] = await store.revision(key);
  await store.close();
  return { report: store.report, unavailable, available, single };
}

async function readOneByOne(store: PolicyStore, name: string): Promise<unknown[]> {
  const [partition = '', kind] = name.split('/');
  const problems: unknown[] = [];
  for (const id of ['t', ...Array.from({ length: 7 }, (_, n) => `r${n}`)])
    problems.push(await store.get(kind as 'artifact', partition, id).catch(messageOf));
  return problems.filter((one) => typeof one === 'object');
}

/** Records in undamaged files must be available and unchanged. */
function expectRest({ unavailable, single }: Outcome, file: string, damaged: string): void {
  for (const name of Object.keys(unavailable)) {
    const all = states.at(-1)?.[name] as { id: string }[];
    for (const record of single[name] ?? []) expect(all, damaged).toContainEqual(record);
    if (!file.startsWith('snapshots/')) continue;
    const { records } = JSON.parse(crashed.contentOf(`${folder}/${file}`).toString()) as { records: { id: string }[] };
    const inOthers = all.filter(({ id }) => !records.some((record) => record.id === id));
    expect(single[name], damaged).toEqual(expect.arrayContaining(inOthers));
  }
}

/** Everything that is missing must be reported with the name of its file. */
function expectHonest({ refused, report, unavailable, available }: Outcome, file: string, damaged: string): void {
  if (refused !== undefined) {
    expect(refused, damaged).toContain(file);
    return;
  }
  const reported = report?.damage.map((entry) => entry.file) ?? [];
  for (const message of Object.values(unavailable)) expect(message, damaged).toContain(file);
  if (Object.keys(unavailable).length > 0) expect(reported, damaged).toContain(file);
  if (report?.truncated) expect(report.truncated.file, damaged).toBe(file);
  const state = report?.truncated ? states.find((candidate) => fits(candidate, available)) : states.at(-1);
  const areRevisionsNew = file.startsWith('snapshots/revisions.') && reported.includes(file);
  for (const [name, value] of Object.entries(available)) {
    if (!areRevisionsNew || !keys.includes(name)) expect(value, `${damaged}: ${name}`).toEqual(state?.[name]);
    else if (partitions.includes(name)) expect(value, damaged).toBeGreaterThanOrEqual(Number(state?.[name]));
  }
}

const fits = (state: State, available: State): boolean =>
  Object.entries(available).every(([name, value]) => JSON.stringify(value) === JSON.stringify(state[name]));

/** Returns the damaged content; `random` says where, between 0 and 1. */
type Damage = (content: Buffer, random: number) => Buffer | undefined;

const changedAt = (content: Buffer, random: number, change: (byte: number) => number): Buffer => {
  const at = Math.floor(random * content.length);
  content[at] = change(content[at] ?? 0);
  return content;
};

const damages: Readonly<Record<string, { places: number; damage: Damage }>> = {
  'is deleted': { places: 1, damage: () => undefined },
  'is emptied': { places: 1, damage: () => Buffer.alloc(0) },
  'is truncated': {
    places: times(2, 6, 60),
    damage: (content, random) => content.subarray(0, Math.floor(random * content.length)),
  },
  'has one bit flipped': {
    places: times(4, 15, 600),
    damage: (content, random) => changedAt(content, random, (byte) => byte ^ (1 << (Math.floor(random * 1e6) % 8))),
  },
  'has a newline in place of another character': {
    places: times(2, 8, 100),
    damage: (content, random) => changedAt(content, random, () => 10),
  },
  'has a run of zeros': {
    places: times(2, 8, 100),
    damage: (content, random) => {
      const at = Math.floor(random * content.length);
      return content.fill(0, at, Math.min(at + 200, content.length));
    },
  },
  'lacks bytes in the middle': {
    places: times(2, 8, 100),
    damage: (content, random) => {
      const at = Math.floor(random * content.length);
      return Buffer.concat([content.subarray(0, at), content.subarray(at + 150)]);
    },
  },
};

describe('a damaged file', { timeout: 3_600_000 }, () => {
  it('is not reported if there is none', async () => {
    const { report, available, unavailable } = await open(crashed.copy());
    expect({ available, unavailable }).toEqual({ available: states.at(-1), unavailable: {} });
    expect(report).toEqual({ replayed: inJournal, damage: [] });
    expect(segments().length).toBeGreaterThan(3);
  });

  for (const [what, { places, damage }] of Object.entries(damages)) {
    it(`that ${what} is always noticed: the store serves the rest or refuses to open, and names the file`, async () => {
      for (const path of crashed.paths) {
        for (let n = 0; n < places; n++) {
          const random = (n + 0.37) / places;
          const file = path.slice(folder.length + 1);
          const damaged = `${file} ${what}, ${random}`;
          const disk = crashed.copy();
          disk.put(path, damage(disk.contentOf(path), random));
          const first = await open(disk);
          expectHonest(first, file, damaged);
          expectRest(first, file, damaged);
          const again = await open(disk);
          expect(again.refused, damaged).toBe(first.refused);
          expect(Object.keys(again.unavailable), damaged).toEqual(Object.keys(first.unavailable));
          expect(again.available, damaged).toEqual(first.available);
        }
      }
    });
  }

  it('with some records of a table leaves the others available, and is moved to the quarantine', async () => {
    const disk = crashed.copy();
    const [path = '', ...others] = partsOf(disk, 'p1.artifact');
    const { records } = JSON.parse(disk.contentOf(path).toString()) as { records: { id: string }[] };
    const cut = disk.contentOf(path).subarray(0, 50);
    disk.put(path, cut);
    const store = await openLowdbStore({ folder, fileSystem: disk });
    const message =
      /kind "artifact" in partition "p1" are unavailable, because snapshots\/p1\.artifact\.\d-20\.json in \/store is damaged/;
    await expect(store.find('artifact', 'p1')).rejects.toThrow(message);
    await expect(store.get('artifact', 'p1', 'unknown')).rejects.toThrow(message);
    await expect(store.count('artifact', 'p1')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    const change = { op: 'delete', kind: 'artifact', partition: 'p1', id: 'r1' } as const;
    await expect(store.commit({ expect: { new: 0 }, changes: [change] })).rejects.toThrow(message);
    expect(await store.revision('new')).toBe(0);
    await store.commit({ expect: { new: 0 }, changes: [{ ...change, partition: 'p3' }] });
    expect(await store.find('token', 'p1')).toEqual(states.at(-1)?.['p1/token']);
    await store.close();
    expect(disk.contentOf(path.replace('snapshots', 'quarantine'))).toEqual(cut);

    // The records of the other parts stay available, also to the next process.
    expect(others.length).toBeGreaterThan(0);
    const next = await openLowdbStore({ folder, fileSystem: disk });
    const all = states.at(-1)?.['p1/artifact'] as { id: string }[];
    const intact = all.filter(({ id }) => !records.some((record) => record.id === id));
    expect(intact.length).toBeGreaterThan(0);
    for (const value of intact) expect(await next.get('artifact', 'p1', value.id)).toEqual(value);
    await next.close();
  });

  it('that was replaced by an older copy is detected', async () => {
    const disk = crashed.copy();
    await open(disk);
    const older = partsOf(crashed, 'p1.artifact')[0] ?? '';
    const [path = ''] = partsOf(disk, 'p1.artifact');
    expect(path).not.toBe(older);
    const file = path.slice(folder.length + 1);
    disk.put(path, crashed.contentOf(older));
    const { report, unavailable } = await open(disk);
    expect(report?.damage).toMatchObject([{ file, reason: 'it is older than store.json says' }]);
    expect(Object.keys(unavailable)).toEqual(['p1/artifact']);
  });

  it('of the journal that ends before the snapshots is not continued', async () => {
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

  it('that is restored by hand becomes available again, with all commits since it was written', async () => {
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
    const { available, report } = await open(disk);
    expect(report?.damage).toEqual([]);
    expect(available['p1/artifact']).toEqual(states.at(-1)?.['p1/artifact']);
    expect(disk.paths.filter((name) => name.includes('/journal/'))).toEqual([]);
    expect((await open(disk)).available['p1/artifact']).toEqual(states.at(-1)?.['p1/artifact']);
  });

  it('of the journal affects only the tables of its damaged line', async () => {
    const disk = crashed.copy();
    const [path = ''] = segments();
    disk.put(path, disk.contentOf(path).toString().replace('commit 21', 'commit 12'));
    const { unavailable, available, report } = await open(disk);
    expect(Object.keys(unavailable).sort()).toEqual(['p1/artifact', 'p1/token']);
    const file = path.slice(folder.length + 1);
    expect(report?.damage).toMatchObject([
      { file, reason: 'commit 22 in it is unreadable', table: { partition: 'p1', kind: 'artifact' } },
      { file, reason: 'commit 22 in it is unreadable', table: { partition: 'p1', kind: 'token' } },
    ]);
    expect(available['p3/artifact']).toEqual(states.at(-1)?.['p3/artifact']);
    expect(available['other']).toBe(states.at(-1)?.['other']);
    expect(disk.paths).toContain(path.replace('journal', 'quarantine'));
  });

  it('that is the newest of the journal is not served without its last commits, wherever it is cut', async () => {
    const path = segments().at(-1) ?? '';
    const { length } = crashed.contentOf(path);
    for (let at = 0; at < length; at += times(5, 1)) {
      const disk = crashed.copy();
      disk.put(path, disk.contentOf(path).subarray(0, at));
      const { refused, unavailable, report } = await open(disk);
      if (refused === undefined) expect(Object.keys(unavailable), `cut at ${at}`).not.toEqual([]);
      else
        expect(refused, `cut at ${at}`).toMatch(
          /\.jsonl is damaged: (commits? [\d, to]+ in it cannot be read|it is not)/,
        );
      expect(report?.truncated).toBeUndefined();
    }
  });

  it('that was cut at its end is distinguished from one that a crash left torn', async () => {
    const path = segments().at(-1) ?? '';
    const file = path.slice(folder.length + 1);
    const [torn, cut] = [crashed.copy(), crashed.copy()];
    torn.put(path, Buffer.concat([torn.contentOf(path), Buffer.from('{"seq":53,"syn')]));
    const last = inSnapshots + inJournal;
    const { report, available } = await open(torn);
    expect(report?.truncated).toEqual({ file, bytes: 14, lastCommit: last, isConfirmed: true });
    expect(available).toEqual(states.at(-1));

    // Without the file `durable`, the two cannot be told apart, and the log must not claim otherwise.
    cut.put(`${folder}/durable`, undefined);
    cut.put(path, cut.contentOf(path).subarray(0, -30));
    const logger = new RecordingLogger();
    const store = await openLowdbStore({ folder, fileSystem: cut, logger });
    expect(store.report.truncated).toMatchObject({ file, lastCommit: last - 1, isConfirmed: false });
    expect(logger.messages).toEqual([expect.stringContaining('A write that was interrupted and a file that was cut')]);
    await store.close();
  });

  it('never leads to an empty store: without its manifest, a folder with data is refused and left unchanged', async () => {
    const disk = crashed.copy();
    disk.put(`${folder}/store.json`, undefined);
    const before = disk.paths;
    await expect(openLowdbStore({ folder, fileSystem: disk })).rejects.toThrow(
      /store\.json is missing, though .* contains data/,
    );
    expect(disk.paths).toEqual(before);
  });

  it('of a newer format is refused, with the advice to use a newer version', async () => {
    const disk = new SimulatedDisk();
    disk.put(`${folder}/store.json`, '{"format":4}');
    await expect(openLowdbStore({ folder, fileSystem: disk })).rejects.toThrow(
      /store\.json has the format 4; .*reads the formats 1 to 3\. Use the newer version/,
    );
  });
});
