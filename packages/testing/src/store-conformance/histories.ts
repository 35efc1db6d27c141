/** Promises about the history that revisions belong to. */
import { isBlockworkError } from '@blockwork/core';
import type { PolicyStore, StoreHistory } from '@blockwork/core/adapter';
import { expect } from 'vitest';
import { promise, type ConformanceCase } from './conformance-case.js';

const historyOf = ({ history }: PolicyStore): StoreHistory => {
  if (history === undefined) throw new Error('The store has no history.');
  return history;
};

export const histories: readonly ConformanceCase[] = [
  promise('stays in its history while commits are made', async (store) => {
    const history = historyOf(store);
    const changes: unknown[] = [];
    const unsubscribe = history.subscribe((change) => changes.push(change));
    const { id } = history;
    await store.commit({ expect: { k: 0 }, history: id, changes: [] });
    await store.commit({ expect: { k: 1 }, history: id, changes: [] });
    expect(await store.revision('k')).toBe(2);
    expect(history.id).toBe(id);
    expect(changes).toEqual([]);
    unsubscribe();
  }),
  promise('refuses revisions of another history, and changes nothing', async (store) => {
    await store.commit({ expect: { k: 0 }, changes: [] });
    const history = `not ${historyOf(store).id}`;
    const refused = await store.commit({ expect: { k: 1 }, history, changes: [] }).catch((error: unknown) => error);
    expect(isBlockworkError(refused, 'CONFLICT')).toBe(true);
    expect(await store.revision('k')).toBe(1);
    await store.commit({ expect: { k: 1 }, history: historyOf(store).id, changes: [] });
    expect(await store.revision('k')).toBe(2);
  }),
];
