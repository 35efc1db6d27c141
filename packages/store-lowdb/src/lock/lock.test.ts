import { systemClock } from '@blockwork/core';
import { SimulatedDisk } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { layoutOf } from '../files/layout.js';
import { acquireLock, type Lock } from './lock.js';
import { currentOwner, type LockOwner } from './lock-owner.js';

const layout = layoutOf('/store');
const acquire = (disk: SimulatedDisk): Promise<Lock> => acquireLock(disk, layout, systemClock, false);

/** Another candidate, of a live process unless `changes` say otherwise. */
async function addRival(disk: SimulatedDisk, name: string, changes: Partial<LockOwner> = {}): Promise<void> {
  const owner = { ...(await currentOwner('2026-01-01T00:00:00.000Z')), ...changes };
  disk.put(`/store/lock/${name}.json`, JSON.stringify(owner));
}

const withoutId = (path: string): string => path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'id');
const ownFiles = (disk: SimulatedDisk): string[] =>
  disk.paths.filter((path) => path.startsWith(`/store/lock/${process.pid}-`)).map(withoutId);

describe('a lock', () => {
  it('consists of a candidate and a mark, which are removed when it is released', async () => {
    const disk = new SimulatedDisk();
    const lock = await acquire(disk);
    expect(disk.paths.map(withoutId)).toEqual([
      `/store/lock/${process.pid}-id.holds`,
      `/store/lock/${process.pid}-id.json`,
    ]);
    await lock.release();
    expect(disk.paths).toEqual([]);
    await lock.release();
  });

  it('is refused without a trace if another process has it', async () => {
    const disk = new SimulatedDisk();
    await addRival(disk, '1-other');
    disk.put('/store/lock/1-other.holds', '');
    const before = disk.paths;
    await expect(acquire(disk)).rejects.toMatchObject({
      code: 'STORE_LOCKED',
      message: expect.stringMatching(/in use by process \d+ on \S+ since 2026-01-01T00:00:00\.000Z\. /),
    });
    expect(disk.paths).toEqual(before);
  });

  it('is taken over from an ended process, with all of its files', async () => {
    const disk = new SimulatedDisk();
    await addRival(disk, '1-ended', { pid: 2 ** 22 + 7 });
    for (const extension of ['holds', 'sock']) disk.put(`/store/lock/1-ended.${extension}`, '');
    await acquire(disk);
    expect(disk.paths.filter((path) => path.includes('ended'))).toEqual([]);
    expect(ownFiles(disk)).toHaveLength(2);
  });

  it.each(['null', '[]', '{}', '{"pid":1}', '"text"', 'not JSON', ''])(
    'is refused if the candidate of another process is unreadable: %s',
    async (content) => {
      const disk = new SimulatedDisk();
      disk.put('/store/lock/1-other.json', content);
      await expect(acquire(disk)).rejects.toThrow(
        'in use by an unknown process, which cannot be checked from here; if it has ended, remove /store/lock/1-other.json',
      );
      expect(disk.paths).toEqual(['/store/lock/1-other.json']);
    },
  );

  it('is yielded by the candidate with the greater name, which returns when the other is gone', async () => {
    const disk = new SimulatedDisk();
    await addRival(disk, '0');
    disk.after = (operation) => {
      // The rival ends once this candidate has withdrawn.
      if (/^remove .*\.json$/.test(operation)) disk.put('/store/lock/0.json', undefined);
    };
    await acquire(disk);
    expect(ownFiles(disk)).toHaveLength(2);
  });

  it('is awaited by the candidate with the smallest name, which does not withdraw', async () => {
    const disk = new SimulatedDisk();
    await addRival(disk, '~');
    let looks = 0;
    disk.before = (operation) => {
      if (operation === 'list /store/lock' && ++looks === 3) disk.put('/store/lock/~.json', undefined);
    };
    await acquire(disk);
    expect(looks).toBe(3);
    expect(disk.done.filter((operation) => operation.startsWith('remove'))).toEqual([]);
  });

  it('is refused without a trace if other candidates never give up', async () => {
    const disk = new SimulatedDisk();
    await addRival(disk, '~');
    await expect(acquire(disk)).rejects.toMatchObject({
      code: 'STORE_LOCKED',
      message: expect.stringContaining('other processes that are opening it at the same time'),
    });
    expect(disk.paths).toEqual(['/store/lock/~.json']);
  });

  it('leaves no trace if the disk fails', async () => {
    const disk = new SimulatedDisk();
    disk.faults.failOn('list /store/lock', 'EIO');
    await expect(acquire(disk)).rejects.toMatchObject({ code: 'EIO' });
    expect(disk.paths).toEqual([]);
  });
});
