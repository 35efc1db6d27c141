import { SimulatedDisk, type FaultCode } from '@blockwork/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openLowdbStore, type LowdbStore } from '../src/index.js';
import { commitsOf, Expected, history, key, stateOf, wrongIndex, type Step } from './support/history.js';
import { times } from '../../../test/support/repetitions.js';
import { syncingFileSystem } from './support/syncing-file-system.js';

const options = { folder: '/store', partBytes: 1500, segmentBytes: 700, checkpointBytes: 2500 };
type Open = (disk: SimulatedDisk) => Promise<LowdbStore>;
const open: Open = (disk) => openLowdbStore({ ...options, fileSystem: disk });
const openSyncing: Open = (disk) => openLowdbStore({ ...options, fileSystem: syncingFileSystem(disk) });
const codes: readonly FaultCode[] = ['ENOSPC', 'EIO', 'EMFILE'];

/** The only permitted failure. */
const expectUnavailable = (error: unknown): void => {
  expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining('/store') });
};

/** Resolves to whether the task succeeded. */
async function attempt(task: () => Promise<unknown>): Promise<boolean> {
  try {
    await task();
    return true;
  } catch (error) {
    expectUnavailable(error);
    return false;
  }
}

/** Opens a second time if the first time fails: by then, the disk works again. */
async function opened(crashed: SimulatedDisk, open: Open): Promise<{ disk: SimulatedDisk; store: LowdbStore }> {
  let store: LowdbStore | undefined;
  await attempt(async () => (store = await open(crashed)));
  if (store !== undefined) return { disk: crashed, store };
  const disk = crashed.afterKill();
  return { disk, store: await open(disk) };
}

/** The disk for the next process, with the same fault plan. */
function withFaults(disk: SimulatedDisk): SimulatedDisk {
  const next = disk.afterKill();
  next.faults = disk.faults;
  return next;
}

/** Runs the history while one operation fails; every read must return what was acknowledged. */
async function follow(steps: readonly Step[], empty: SimulatedDisk, open: Open): Promise<void> {
  const expected = new Expected();
  let { disk, store } = await opened(empty, open);
  await expected.begin(store);
  for (const now of steps) {
    if (now.do === 'checkpoint') await attempt(() => store.checkpoint());
    else if (now.do === 'compact') await attempt(() => store.compact());
    else if (now.do === 'reopen') {
      await attempt(() => store.close());
      ({ disk, store } = await opened(withFaults(disk), open));
    }
    const commits = commitsOf(now, await store.revision(key));
    const outcomes = await Promise.all(commits.map((commit) => attempt(() => store.commit(commit))));
    for (const [at, isCommitted] of outcomes.entries()) {
      const commit = commits[at];
      if (isCommitted && commit !== undefined) await expected.commit(commit);
    }
    expect(await stateOf(store)).toBe(expected.state);
  }
  const closed = await attempt(() => store.close());
  for (const diskLeft of [disk.afterKill(), disk.afterPowerCut(() => 0)]) {
    const next = await open(diskLeft);
    expect([await stateOf(next), next.report.damage, await wrongIndex(next)]).toEqual([expected.state, [], undefined]);
    await next.commit({ expect: {}, changes: [] });
    if (closed) break;
  }
}

describe('random histories', { timeout: 3_600_000 }, () => {
  const histories = times(3, 8, 1000);

  it(`show and keep exactly what was acknowledged, whichever disk operation fails (${histories} histories)`, async () => {
    let failures = 0;
    await fc.assert(
      fc.asyncProperty(history(3), fc.constantFrom(...codes), fc.boolean(), async (steps, code, isSyncing) => {
        for (let nth = 1; ; nth++) {
          const disk = new SimulatedDisk();
          const failed: string[] = [];
          disk.faults.failNth(nth, code);
          disk.faults.onFailure = (operation) => void failed.push(operation);
          await follow(steps, disk, isSyncing ? openSyncing : open);
          if (failed.length === 0) return;
          failures += 1;
        }
      }),
      { numRuns: histories },
    );
    expect(failures).toBeGreaterThan(5 * histories);
  });
});
