import { isBlockworkError } from '@blockwork/core';
import type { Change } from '@blockwork/core/adapter';
import { SimulatedDisk } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { openLowdbStore, type Durability, type LowdbStore } from '../src/index.js';

const put = (id: string): Change => ({
  op: 'put',
  kind: 'artifact',
  partition: 'p',
  value: { id, name: '', extension: '', content: '' },
});

const open = async (durability: Durability = 'fsync'): Promise<{ disk: SimulatedDisk; store: LowdbStore }> => {
  const disk = new SimulatedDisk();
  const store = await openLowdbStore({ folder: '/store', fileSystem: disk, durability });
  await store.commit({ expect: {}, changes: [put('first')] });
  disk.done.length = 0;
  return { disk, store };
};

const journalOperations = (disk: SimulatedDisk): string[] =>
  disk.done.filter((operation) => operation.includes('/journal/')).map((operation) => operation.split(' ')[0] ?? '');

describe('concurrent commits', () => {
  it('share one write and one flush', async () => {
    const { disk, store } = await open();
    await Promise.all(Array.from({ length: 64 }, (_, n) => store.commit({ expect: {}, changes: [put(`${n}`)] })));
    expect(journalOperations(disk)).toEqual(['write', 'sync']);
    await store.close();
  });

  it('also share them while another flush is running', async () => {
    const { disk, store } = await open();
    const writer = async (name: number): Promise<void> => {
      for (let n = 0; n < 10; n++) await store.commit({ expect: { [`k${name}`]: n }, changes: [put(`${name}`)] });
    };
    await Promise.all(Array.from({ length: 64 }, (_, name) => writer(name)));
    expect(journalOperations(disk).filter((operation) => operation === 'sync').length).toBeLessThanOrEqual(12);
    await store.close();
  });
});

describe('a commit', () => {
  it('is neither acknowledged nor visible before it is flushed, but already conflicts', async () => {
    const { disk, store } = await open();
    const flushing = new Promise<void>((resolve) => {
      disk.before = (operation) => {
        if (operation.startsWith('sync')) resolve();
      };
    });
    const settled: unknown[] = [];
    const committing = store.commit({ expect: { k: 0 }, changes: [put('slow')] }).then(() => settled.push('committed'));
    const conflicting = store.commit({ expect: { k: 0 }, changes: [] }).catch((error: unknown) => {
      settled.push(isBlockworkError(error) && error.code);
    });
    await flushing;
    expect(settled).toEqual([]);
    expect([await store.get('artifact', 'p', 'slow'), await store.revision('k')]).toEqual([undefined, 0]);
    await Promise.all([committing, conflicting]);
    expect(settled).toEqual(['committed', 'CONFLICT']);
    await store.close();
  });

  it.each([
    ['fsync', ['write', 'sync']],
    ['os', ['write']],
  ] as const)('does only what the durability `%s` requires', async (durability, expected) => {
    const { disk, store } = await open(durability);
    await store.commit({ expect: {}, changes: [put('a')] });
    expect(journalOperations(disk)).toEqual(expected);
    await store.close();
  });

  it('with the durability `none` is visible at once and written soon', async () => {
    const { disk, store } = await open('none');
    const committing = store.commit({ expect: { k: 0 }, changes: [put('a')] });
    expect(journalOperations(disk)).toEqual([]);
    await committing;
    expect([await store.count('artifact', 'p'), await store.revision('k')]).toEqual([2, 1]);
    await store.close();
    const again = await openLowdbStore({ folder: '/store', fileSystem: disk });
    expect(await again.count('artifact', 'p')).toBe(2);
    await again.close();
  });
});
