import { MemoryStore } from '@blockwork/core';
import type { ChangeSet } from '@blockwork/core/adapter';
import { describe, expect, it } from 'vitest';
import { FaultyStore, type StoreFault } from './faulty-store.js';

const change = (n: number): ChangeSet => ({
  expect: { key: n },
  changes: [
    {
      op: 'put',
      kind: 'artifact',
      partition: 'p',
      value: { id: String(n), name: 'a', extension: 'txt', content: '' },
    },
  ],
});

async function afterFault(kind: StoreFault): Promise<{ store: FaultyStore; inner: MemoryStore }> {
  const inner = new MemoryStore();
  const store = new FaultyStore(inner);
  store.failAt(2, kind);
  await store.commit(change(0));
  await expect(store.commit(change(1))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(store.hasFailed).toBe(true);
  return { store, inner };
}

describe('a faulty store', () => {
  it('that is unavailable for one call has changed nothing, and works again', async () => {
    const { store } = await afterFault('unavailable');

    expect(await store.revision('key')).toBe(1);
    await store.commit(change(1));
    expect(await store.count('artifact', 'p')).toBe(2);
  });

  it.each([
    ['dies before', 1],
    ['dies after', 2],
  ] as const)('that %s a commit refuses everything from then on, and leaves %i commits', async (kind, commits) => {
    const { store, inner } = await afterFault(kind);

    await expect(store.get('artifact', 'p', '0')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await store.close();
    expect(await inner.revision('key')).toBe(commits);
  });

  it('counts only while it is armed', async () => {
    const store = new FaultyStore(new MemoryStore());
    store.failAt(1, 'unavailable');
    store.armed = false;
    await store.commit(change(0));
    expect(store.calls).toBe(0);
    store.armed = true;
    await expect(store.revision('key')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });
});
