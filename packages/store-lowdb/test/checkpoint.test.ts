import type { Change } from '@blockwork/core/adapter';
import { SimulatedDisk } from '@blockwork/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openLowdbStore, type LowdbStore } from '../src/index.js';

const folder = '/store';
const tables = 8;

/** A disk that observes how snapshot files are written. */
class ObservedDisk extends SimulatedDisk {
  /** Files written completely. */
  written = 0;
  #open = 0;
  /** The largest number of files that were being written at once. */
  mostAtOnce = 0;

  constructor() {
    super();
    this.before = (operation) => {
      if (operation.startsWith(`create ${folder}/snapshots/`)) this.#begin();
      if (operation.startsWith(`rename ${folder}/snapshots/`)) this.#end();
    };
  }

  #begin(): void {
    this.#open += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#open);
    // Long enough for a throttled checkpoint to pause afterwards.
    for (const start = performance.now(); performance.now() < start + 1;);
  }

  #end(): void {
    this.#open -= 1;
    this.written += 1;
  }
}

const changes = Array.from({ length: tables }, (_, n): Change => {
  const value = { id: 'a', name: '', extension: '', content: 'x'.repeat(1000) };
  return { op: 'put', kind: 'artifact', partition: `p${n}`, value };
});

const open = (disk: SimulatedDisk, checkpointBytes = 4000): Promise<LowdbStore> =>
  openLowdbStore({ folder, fileSystem: disk, checkpointBytes });

/** Runs everything that does not wait for a timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('a background checkpoint', () => {
  beforeEach(() => {
    // Timers never fire, so a throttled checkpoint stands still.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('starts once the journal is long, and pauses after each file, while reads and commits continue', async () => {
    const disk = new ObservedDisk();
    const store = await open(disk);
    await store.commit({ expect: {}, changes });
    await settle();
    expect(disk.written).toBe(1);
    await store.commit({ expect: { k: 0 }, changes: [] });
    expect([await store.count('artifact', 'p1'), await store.revision('k')]).toEqual([1, 1]);
    await store.close();
  });

  it('keeps the journal segments that were written and sealed since it started', async () => {
    const disk = new ObservedDisk();
    const store = await openLowdbStore({ folder, fileSystem: disk, checkpointBytes: 4000, segmentBytes: 100 });
    await store.commit({ expect: {}, changes });
    await settle();
    for (let n = 0; n < 5; n++) await store.commit({ expect: { k: n }, changes: [] });
    // Ends the background checkpoint; the next one is still to come.
    const running = store.backup('/backup');
    for (let file = 0; file < tables; file++) {
      await settle();
      await vi.advanceTimersByTimeAsync(30);
    }
    await running;
    expect(disk.written).toBe(tables);
    const next = await open(disk.afterKill());
    expect([await next.revision('k'), next.report.replayed]).toEqual([5, 0]);
    await store.close();
  });

  it.each([
    ['no longer pauses once the journal grows faster than it writes', 4000, tables],
    ['still pauses while it writes faster than the journal grows', 700, 2],
  ])('%s', async (_, bytes, written) => {
    const disk = new ObservedDisk();
    const store = await open(disk);
    await store.commit({ expect: {}, changes });
    await settle();
    // The journal may grow by half of what is to be written, which is about 8 KB.
    const value = { id: 'a', name: '', extension: '', content: 'x'.repeat(bytes) };
    await store.commit({ expect: {}, changes: [{ op: 'put', kind: 'artifact', partition: 'other', value }] });
    await vi.advanceTimersToNextTimerAsync();
    await settle();
    expect(disk.written).toBe(written);
    await store.close();
  });

  it('does not start while the journal is short', async () => {
    const disk = new ObservedDisk();
    const store = await open(disk, 1e6);
    await store.commit({ expect: {}, changes });
    await settle();
    expect(disk.written).toBe(0);
    await store.close();
    expect(disk.written).toBe(tables);
  });

  it.each([
    ['the store is closed', (store: LowdbStore): Promise<void> => store.close()],
    ['another checkpoint is requested', (store: LowdbStore): Promise<void> => store.checkpoint()],
  ])('ends without further pauses once %s', async (_, act) => {
    const disk = new ObservedDisk();
    const store = await open(disk);
    await store.commit({ expect: {}, changes });
    await settle();
    await act(store);
    expect(disk.written).toBe(tables);
    expect(await disk.list(`${folder}/journal`)).toEqual([]);
    await store.close();
  });

  it('ends without further pauses once the store is closed, also after a failed flush of the journal', async () => {
    const disk = new ObservedDisk();
    const store = await open(disk);
    await store.commit({ expect: {}, changes });
    await settle();
    // Starts the next segment, so that the fault hits a commit.
    await store.commit({ expect: {}, changes: [] });
    disk.faults.failOn(`sync ${folder}/journal`, 'EIO');
    await expect(store.commit({ expect: {}, changes: [] })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await store.close();
    expect(disk.written).toBe(tables);
  });

  it('that has not started when the store is closed is made without pauses', async () => {
    const disk = new ObservedDisk();
    const store = await open(disk);
    const committed = store.commit({ expect: {}, changes });
    const closed = store.close();
    await committed;
    await closed;
    expect(disk.written).toBe(tables);
  });

  it('writes one file at a time, others write four', async () => {
    const background = new ObservedDisk();
    const store = await open(background);
    await store.commit({ expect: {}, changes });
    const copied = store.backup('/backup');
    for (let file = 0; file < tables; file++) {
      await settle();
      await vi.advanceTimersByTimeAsync(30);
    }
    await copied;
    expect([background.written, background.mostAtOnce]).toEqual([tables, 1]);
    await store.close();

    const immediate = new ObservedDisk();
    const other = await open(immediate, 1e6);
    await other.commit({ expect: {}, changes });
    await other.checkpoint();
    expect([immediate.written, immediate.mostAtOnce]).toEqual([tables, 4]);
    await other.close();
  });
});

describe('a checkpoint', () => {
  const record = (partition: string, id: string, length: number): Change => {
    const value = { id, name: '', extension: '', content: 'x'.repeat(length) };
    return { op: 'put', kind: 'artifact', partition, value };
  };

  it('of a large store comes only once the journal is as long as what the last one wrote', async () => {
    const disk = new ObservedDisk();
    const store = await open(disk);
    const commit = async (...records: Change[]): Promise<number> => {
      await store.commit({ expect: {}, changes: records });
      // The backup waits for the checkpoint, if there is one.
      await store.backup(`/backup-${disk.done.length}`);
      return disk.written;
    };
    expect(await commit(record('large', 'a', 20_000))).toBe(1);
    const written: number[] = [];
    for (let n = 0; n < 20; n++) written.push(await commit(record('small', 'a', 2000)));
    // The large table costs ten small commits, the small one no more than `checkpointBytes`.
    expect(written).toEqual([...Array<number>(9).fill(1), 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7]);
    await store.close();
  });

  it('splits the files of records that have grown', async () => {
    const disk = new SimulatedDisk();
    const store = await openLowdbStore({ folder, fileSystem: disk, partBytes: 2000 });
    const ids = ['a', 'b', 'c', 'd'];
    for (const length of [10, 2000, 2001]) {
      await store.commit({ expect: {}, changes: ids.map((id) => record('p', id, length)) });
      await store.checkpoint();
    }
    expect(disk.paths.filter((path) => path.includes('/snapshots/'))).toHaveLength(2);
    await store.close();
  });

  it('that fails removes the files it has written', async () => {
    const disk = new SimulatedDisk();
    const store = await open(disk, 1e6);
    await store.commit({ expect: {}, changes });
    let files = 0;
    disk.faults.failWhere((operation) => operation.startsWith('create /store/snapshots') && ++files === 6, 'ENOSPC');
    await expect(store.checkpoint()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(files).toBeGreaterThanOrEqual(6);
    expect(await disk.list(`${folder}/snapshots`)).toEqual([]);
    disk.faults.heal();
    await store.checkpoint();
    expect(await disk.list(`${folder}/snapshots`)).toHaveLength(tables);
    await store.close();
  });

  it('removes journal segments without changes', async () => {
    const disk = new SimulatedDisk();
    const store = await open(disk);
    await store.commit({ expect: {}, changes: [] });
    await store.checkpoint();
    expect(await disk.list(`${folder}/journal`)).toEqual([]);
    await store.close();
  });

  it('writes nothing if nothing has changed', async () => {
    const disk = new SimulatedDisk();
    const store = await open(disk);
    await store.commit({ expect: { k: 0 }, changes });
    await store.checkpoint();
    const before = disk.done.length;
    await store.checkpoint();
    expect(disk.done.slice(before)).toEqual([]);
    await store.close();
  });
});
