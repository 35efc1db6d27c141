/** Cuts the power after every operation of a history, and checks that acknowledged commits survive and none is torn. */
import { type SimulatedDisk, type Fate } from '@blockwork/testing';
import { expect } from 'vitest';
import { openLowdbStore, type FileSystem, type LowdbStore } from '../../src/index.js';
import { syncingFileSystem } from './syncing-file-system.js';
import { fingerprint } from './fingerprint.js';
import { commitsOf, Expected, stateOf, wrongIndex, type Step } from './history.js';

const options = { folder: '/store', partBytes: 1500, segmentBytes: 700, checkpointBytes: 2500 };
const open = (fileSystem: FileSystem): Promise<LowdbStore> => openLowdbStore({ ...options, fileSystem });

/** The disk after a power cut, and the range of permitted states. */
interface Cut {
  readonly after: string;
  readonly left: SimulatedDisk;
  /** Number of commits acknowledged and started by then. */
  readonly acknowledged: number;
  readonly started: number;
}

/** Returns a generator of fates, one per cut, deterministic for a seed. */
function fatesOf(seed: number): () => Fate {
  let state = (seed % 2_147_483_646) + 1;
  const next = (): number => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
  let turn = 0;
  const kinds: Fate[] = [() => 0, next, () => 1];
  return () => kinds[turn++ % 3] ?? next;
}

/** Runs the history and records a power cut after every operation that changes the disk. */
async function follow(
  steps: readonly Step[],
  disk: SimulatedDisk,
  seed: number,
): Promise<{ cuts: Cut[]; states: string[] }> {
  const [cuts, fate] = [[] as Cut[], fatesOf(seed)];
  const progress = { acknowledged: 0, started: 0 };
  // Before opening, which is the first operation.
  const expected = new Expected();
  const before = await open(disk.copy());
  await expected.begin(before);
  const states = [expected.state];
  disk.after = (operation) => {
    if (!operation.includes('/lock')) cuts.push({ after: operation, left: disk.afterPowerCut(fate()), ...progress });
  };

  const files = seed % 2 === 0 ? disk : syncingFileSystem(disk);
  let store = await open(files);
  for (const now of steps) {
    if (now.do === 'checkpoint') await store.checkpoint();
    else if (now.do === 'compact') await store.compact();
    else if (now.do === 'reopen') {
      await store.close();
      store = await open(files);
    }
    const commits = commitsOf(now, await expected.revision());
    for (const commit of commits) {
      await expected.commit(commit);
      states.push(expected.state);
    }
    progress.started += commits.length;
    await Promise.all(
      commits.map(async (commit) => {
        await store.commit(commit);
        progress.acknowledged += 1;
      }),
    );
  }
  await store.close();
  return { cuts, states };
}

/** What the next process finds, which depends on the files only. */
interface Found {
  readonly state: string;
  /** Must be empty: damage, wrong indexes, files in quarantine. */
  readonly faults: readonly unknown[];
}

async function stateOn(disk: SimulatedDisk): Promise<Found> {
  const store = await open(disk);
  const [state, index] = [await stateOf(store), await wrongIndex(store)];
  const quarantined = disk.paths.filter((path) => path.includes('/quarantine/') && !path.includes('.torn'));
  return { state, faults: [...store.report.damage, ...(index === undefined ? [] : [index]), ...quarantined] };
}

/** Puts zeros behind what survived of each segment, as in a file that was longer than what was written to it. */
function reserve(disk: SimulatedDisk): SimulatedDisk {
  for (const path of disk.paths.filter((each) => each.startsWith('/store/journal/')))
    disk.put(path, Buffer.concat([disk.contentOf(path), Buffer.alloc(100)]));
  return disk;
}

/** Resolves to the number of cuts. Cuts that leave the same files are checked once. */
export async function cutEverywhere(steps: readonly Step[], disk: SimulatedDisk, seed: number): Promise<number> {
  const { cuts, states } = await follow(steps, disk, seed);
  const results = new Map<string, Found>();
  for (const { after, left, acknowledged, started } of cuts) {
    const disk = seed % 3 === 0 ? reserve(left) : left;
    const files = fingerprint(disk);
    const now = results.get(files) ?? (await stateOn(disk));
    results.set(files, now);
    const possible = states.slice(acknowledged, started + 1);
    if (!possible.includes(now.state)) expect(now.state, `after ${after}`).toBe(possible[0]);
    expect(now.faults, `after ${after}`).toEqual([]);
  }
  return cuts.length;
}
