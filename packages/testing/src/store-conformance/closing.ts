/** Promises about closing. */
import type { PolicyStore } from '@blockwork/core/adapter';
import { expect } from 'vitest';
import { promise, type ConformanceCase } from './conformance-case.js';
import { commit, partition, put } from './sample-records.js';

const afterClose: Readonly<Record<string, (store: PolicyStore) => Promise<unknown>>> = {
  revision: (store) => store.revision('k'),
  get: (store) => store.get('document', partition, 'a'),
  find: (store) => store.find('document', partition),
  count: (store) => store.count('document', partition),
  commit: (store) => commit(store, put('b')),
};

export const closing: readonly ConformanceCase[] = [
  ...Object.entries(afterClose).map(([name, call]) =>
    promise(`rejects \`${name}\` with STORE_CLOSED after it was closed`, async (store) => {
      await commit(store, put('a'));
      await store.close();
      await expect(call(store)).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    }),
  ),
  promise('can be closed twice, one after the other and at once', async (store) => {
    await commit(store, put('a'));
    await Promise.all([store.close(), store.close()]);
    await store.close();
  }),
  promise('can be closed before it was used', async (store) => {
    await store.close();
  }),
  promise('settles the commits under way when it is closed', async (store) => {
    const committing = Array.from({ length: 20 }, (_, n) => commit(store, put(`d${n}`)));
    await Promise.all([...committing, store.close()]);
  }),
  promise('says that trying again cannot help once it was closed', async (store) => {
    await store.close();
    await expect(commit(store, put('a'))).rejects.toMatchObject({ code: 'STORE_CLOSED', retryable: false });
  }),
];
