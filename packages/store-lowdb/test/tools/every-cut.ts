/** Cuts the power after every operation of a history, and holds what is found then against what was acknowledged. */
import { crc32 } from 'node:zlib';
import { type SimulatedDisk, type Fate } from '@blockwork/testing';
import { expect } from 'vitest';
import { openLowdbStore, type LowdbStore } from '../../src/index.js';
import { commitsOf, Expected, stateOf, wrongIndex, type Step } from './history.js';

const options = { folder: '/store', partBytes: 1500, segmentBytes: 700, checkpointBytes: 2500 };
const open = (disk: SimulatedDisk): Promise<LowdbStore> => openLowdbStore({ ...options, fileSystem: disk });

/** What is found when the power was cut after an operation, and between which states it must be. */
interface Cut {
  readonly after: string;
  readonly left: SimulatedDisk;
  /** Commits that were acknowledged by then, and those that had begun. */
  readonly acknowledged: number;
  readonly begun: number;
}

/** Fates that differ from cut to cut, and are the same for the same seed. */
function fatesOf(seed: number): () => Fate {
  let state = (seed % 2_147_483_646) + 1;
  const next = (): number => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
  let turn = 0;
  const kinds: Fate[] = [() => 0, next, () => 1];
  return () => kinds[turn++ % 3] ?? next;
}

/** Follows the history, and cuts the power after every operation that changes something on the disk. */
async function follow(
  steps: readonly Step[],
  disk: SimulatedDisk,
  seed: number,
): Promise<{ cuts: Cut[]; states: string[] }> {
  const [cuts, fate] = [[] as Cut[], fatesOf(seed)];
  const progress = { acknowledged: 0, begun: 0 };
  // Taken first, since the first operation is one of opening.
  const expected = new Expected();
  const before = await open(disk.copy());
  await expected.begin(before);
  const states = [expected.state];
  disk.after = (operation) => {
    if (!operation.includes('/lock')) cuts.push({ after: operation, left: disk.afterPowerCut(fate()), ...progress });
  };

  let store = await open(disk);
  for (const now of steps) {
    if (now.do === 'checkpoint') await store.checkpoint();
    else if (now.do === 'compact') await store.compact();
    else if (now.do === 'reopen') {
      await store.close();
      store = await open(disk);
    }
    const commits = commitsOf(now, await expected.revision());
    for (const commit of commits) {
      await expected.commit(commit);
      states.push(expected.state);
    }
    progress.begun += commits.length;
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

/** What the next process finds: all that must be the same for the same files. */
interface Found {
  readonly state: string;
  /** What should be empty: damage, an index that lies, files kept apart though nothing was damaged. */
  readonly wrong: readonly unknown[];
}

async function found(left: SimulatedDisk): Promise<Found> {
  const store = await open(left);
  const [state, index] = [await stateOf(store), await wrongIndex(store)];
  const apart = left.paths.filter((path) => path.includes('/quarantine/') && !path.includes('.torn'));
  return { state, wrong: [...store.report.damage, ...(index === undefined ? [] : [index]), ...apart] };
}

const fingerprint = (disk: SimulatedDisk): string =>
  disk.paths.map((path) => `${path} ${disk.contentOf(path).length} ${crc32(disk.contentOf(path))}`).join('\n');

/** Gives the number of cuts. Many of them leave the same behind; that is opened once. */
export async function cutEverywhere(steps: readonly Step[], disk: SimulatedDisk, seed: number): Promise<number> {
  const { cuts, states } = await follow(steps, disk, seed);
  const known = new Map<string, Found>();
  for (const { after, left, acknowledged, begun } of cuts) {
    const files = fingerprint(left);
    const now = known.get(files) ?? (await found(left));
    known.set(files, now);
    const possible = states.slice(acknowledged, begun + 1);
    if (!possible.includes(now.state)) expect(now.state, `after ${after}`).toBe(possible[0]);
    expect(now.wrong, `after ${after}`).toEqual([]);
  }
  return cuts.length;
}
