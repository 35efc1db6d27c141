import { SimulatedDisk, type Fate } from '@blockwork/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openLowdbStore, type LowdbStore, type LowdbStoreOptions } from '../src/index.js';
import { oncePerContent } from './support/fingerprint.js';
import { times } from '../../../test/support/repetitions.js';

const folder = '/store';
const small = { checkpointBytes: 1500, segmentBytes: 600, partBytes: 100 };
const writers = 3;
const commitsOfEach = 11;

type Options = Omit<LowdbStoreOptions, 'folder' | 'fileSystem'>;

/** Commits with several concurrent writers until the disk stops; resolves to each writer's last acknowledged number. */
async function write(disk: SimulatedDisk, options: Options, from: readonly number[]): Promise<number[]> {
  const acknowledged = [...from];
  let store: LowdbStore;
  try {
    store = await openLowdbStore({ folder, fileSystem: disk, ...options });
  } catch {
    return acknowledged;
  }
  const commitAll = async (writer: number): Promise<void> => {
    const first = from[writer] ?? 0;
    for (let n = first + 1; n <= first + commitsOfEach; n++) {
      const value = { id: `w${writer}`, name: String(n), extension: '', content: 'x'.repeat((n * 7) % 50) };
      const changes = [`p${writer}`, 'all'].map(
        (partition) => ({ op: 'put', kind: 'artifact', partition, value }) as const,
      );
      await store.commit({ expect: { [`k${writer}`]: n - 1 }, changes });
      acknowledged[writer] = n;
    }
  };
  await Promise.allSettled(Array.from({ length: writers }, (_, writer) => commitAll(writer)));
  await store.close().catch(() => undefined);
  return acknowledged;
}

/** Each writer's last number in the store, which must be consistent. */
async function reached(disk: SimulatedDisk, options: Options): Promise<number[]> {
  const store = await openLowdbStore({ folder, fileSystem: disk, ...options });
  expect(store.report.damage).toEqual([]);
  const numbers: number[] = [];
  for (let writer = 0; writer < writers; writer++) {
    const own = await store.get('artifact', `p${writer}`, `w${writer}`);
    expect(await store.get('artifact', 'all', `w${writer}`)).toEqual(own);
    const n = Number(own?.name ?? 0);
    expect(await store.revision(`k${writer}`)).toBe(n);
    numbers.push(n);
  }
  await store.close();
  // Nothing is damaged, so the quarantine may contain only incomplete ends of the journal.
  expect(disk.paths.filter((path) => path.includes('/quarantine/') && !path.includes('.torn'))).toEqual([]);
  return numbers;
}

const expectKept = (numbers: readonly number[], acknowledged: readonly number[]): void => {
  // Each writer's pending commit may be there or not.
  for (const [writer, n] of acknowledged.entries()) expect([n, n + 1]).toContain(numbers[writer]);
};

/** What happens to data that was not flushed. */
const fates: Readonly<Record<string, () => Fate>> = {
  'is lost': () => () => 0,
  'is kept': () => () => 1,
  'is kept in part': () => {
    let turn = 0;
    return () => [0.1, 0.9, 0.6, 0.2, 0.7][turn++ % 5] ?? 0;
  },
  'is kept at random': () => {
    let seed = 7;
    return () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  },
};

const start = new Array<number>(writers).fill(0);

interface Stopped {
  readonly disk: SimulatedDisk;
  readonly acknowledged: readonly number[];
}

const stoppedAfter = async (moment: number, options: Options): Promise<Stopped> => {
  const disk = new SimulatedDisk();
  disk.faults.stopAfter(moment);
  return { disk, acknowledged: await write(disk, options, start) };
};

/** Runs the same writers on an empty disk, stopped at every `step`-th operation, until a run is not stopped. */
async function stoppedEverywhere(options: Options, step = 1): Promise<Stopped[]> {
  const all: Stopped[] = [];
  for (let moment = 0, isOver = false; !isOver; moment += step) {
    const stopped = await stoppedAfter(moment, options);
    isOver = stopped.disk.done.length < moment;
    all.push(stopped);
  }
  return all;
}

describe('a power cut', () => {
  // Shared by all fates, which change only what is left on the disks.
  let everywhere: Promise<Stopped[]> | undefined;
  const reachedAfter = oncePerContent((disk) => reached(disk, small));

  for (const [what, fateOf] of Object.entries(fates)) {
    const fate = fateOf();
    it(`at any moment loses no acknowledged commit, if unflushed data ${what}`, async () => {
      for (const { disk, acknowledged } of await (everywhere ??= stoppedEverywhere(small, times(3, 1)))) {
        expectKept(await reachedAfter(disk.afterPowerCut(fate)), acknowledged);
      }
    });
  }

  it('loses no commit acknowledged after the crash of another process', async () => {
    for (const [first, second] of [
      [1, 30],
      [1, 45],
      [1, 60],
      [46, 1],
    ] as const) {
      for (let moment = 0; moment < 120; moment += times(7, 1)) {
        const { disk } = await stoppedAfter(first === 1 ? moment : first, small);
        const diskLeft = disk.afterKill();
        const numbers = await reachedAfter(diskLeft.copy());
        diskLeft.faults.stopAfter(second === 1 ? moment : second);
        const acknowledged = await write(diskLeft, small, numbers);
        expectKept(await reachedAfter(diskLeft.afterPowerCut(() => 0)), acknowledged);
      }
    }
  });

  it('after other power cuts and crashes loses nothing that was ever read or acknowledged', async () => {
    const stop = fc.record({
      after: fc.nat({ max: 260 }),
      isPowerCut: fc.boolean(),
      fates: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(stop, { minLength: 2, maxLength: 5 }), async (stops) => {
        let disk = new SimulatedDisk();
        let before = start;
        for (const { after, isPowerCut, fates: stream } of stops) {
          const fate: Fate = () => stream.next().value as number;
          disk.faults.stopAfter(after);
          const acknowledged = await write(disk, small, before);
          disk = isPowerCut ? disk.afterPowerCut(fate) : disk.afterKill();
          disk.faults.stopAfter(Infinity);
          before = await reached(disk, small);
          expectKept(before, acknowledged);
        }
      }),
      { numRuns: times(12, 60, 1000) },
    );
  });

  it.each(['os', 'none'] as const)(
    'loses only the last commits of a store with the durability `%s`, and leaves it intact',
    async (durability) => {
      const options: Options = { ...small, segmentBytes: 3000, durability };
      const everywhere = await stoppedEverywhere(options, times(10, 2));
      const reachedBy = oncePerContent((disk) => reached(disk, options));
      for (const fateOf of Object.values(fates)) {
        const fate = fateOf();
        for (const [turn, { disk, acknowledged }] of everywhere.entries()) {
          const diskLeft = disk.afterPowerCut(fate);
          const numbers = await reachedBy(diskLeft.copy());
          for (const [writer, n] of acknowledged.entries()) expect(numbers[writer]).toBeLessThanOrEqual(n + 1);

          // The store stays usable.
          diskLeft.faults.stopAfter(40 + ((2 * turn) % 20));
          const more = await write(diskLeft, options, numbers);
          const later = await reachedBy(diskLeft.afterKill());
          if (durability === 'os') expectKept(later, more);
          else for (const [writer, n] of numbers.entries()) expect(later[writer]).toBeGreaterThanOrEqual(n);
        }
      }
    },
  );

  it('during a checkpoint leaves no part of a commit in a snapshot, if the journal was not flushed', async () => {
    const options = { folder, durability: 'os' } as const;
    // More tables than are written concurrently, so that the last ones are read later than the first.
    const partitions = Array.from({ length: 40 }, (_, n) => `p${n}`);
    const commit = (store: LowdbStore, n: number): Promise<void> => {
      const value = { id: 'w', name: String(n), extension: '', content: '' };
      const changes = partitions.map((partition) => ({ op: 'put', kind: 'artifact', partition, value }) as const);
      return store.commit({ expect: { k: n - 1 }, changes });
    };
    for (let moment = 0; moment < 300; moment += times(7, 1)) {
      const disk = new SimulatedDisk();
      const store = await openLowdbStore({ ...options, fileSystem: disk });
      await commit(store, 1);
      await store.checkpoint();
      await commit(store, 2);
      disk.faults.stopAfter(moment);
      await Promise.allSettled([store.checkpoint(), Promise.resolve().then(() => commit(store, 3))]);
      const storeLeft = await openLowdbStore({ ...options, fileSystem: disk.afterPowerCut(() => 0) });
      const artifacts = await Promise.all(partitions.map((partition) => storeLeft.get('artifact', partition, 'w')));
      expect(new Set(artifacts.map((record) => record?.name)).size).toBe(1);
      expect(await storeLeft.revision('k')).toBe(Number(artifacts[0]?.name ?? 0));
      await storeLeft.close();
    }
  });

  it('loses nothing that was read after the crash of a process that had not flushed it', async () => {
    const disk = new SimulatedDisk();
    const open = (on: SimulatedDisk): Promise<LowdbStore> => openLowdbStore({ folder, fileSystem: on });
    const commit = (store: LowdbStore, id: string): Promise<void> => {
      const value = { id, name: '', extension: '', content: '' };
      return store.commit({ expect: {}, changes: [{ op: 'put', kind: 'artifact', partition: 'p', value }] });
    };
    const store = await open(disk);
    await commit(store, 'a');
    disk.faults.stopWhere((operation) => operation.startsWith('sync'));
    await expect(commit(store, 'b')).rejects.toThrow();
    const diskLeft = disk.afterKill();
    const reader = await open(diskLeft);
    expect(await reader.count('artifact', 'p')).toBe(2);
    const last = await open(diskLeft.afterPowerCut(() => 0));
    expect(await last.count('artifact', 'p')).toBe(2);
    await last.close();
  });
});

describe('a crash of the process', () => {
  it('at any moment loses no acknowledged commit, even without flushing', async () => {
    const options: Options = { ...small, durability: 'os' };
    const reachedBy = oncePerContent((disk) => reached(disk, options));
    for (const { disk, acknowledged } of await stoppedEverywhere(options, times(3, 1))) {
      expectKept(await reachedBy(disk.afterKill()), acknowledged);
    }
  });
});
