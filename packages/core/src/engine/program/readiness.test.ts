import { BlockworkError, MemoryStore, createEngine } from '@blockwork/core';
import { expect, it } from 'vitest';
import { ReadinessCheck } from './readiness.js';

const link = { status: () => ({ isConnected: true, setAside: 0, losses: 0 }) };
const moment = { time: 0, now: () => moment.time };

it('an engine with a store that takes changes is ready, and says how its link is', async () => {
  const engine = createEngine();
  expect(await engine.program.getReadiness()).toMatchObject({ isReady: true, link: { isConnected: true } });
  await engine.close();
  await expect(engine.program.getReadiness()).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
});

it('looking changes nothing in the store', async () => {
  const store = new MemoryStore();
  await new ReadinessCheck({ store, link, clock: moment }).check();
  expect(await store.count('policy', '')).toBe(0);
});

it('a store that takes no changes is named with its reason, until it does again', async () => {
  let failure: Error | null = new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: 'the disk is full' } });
  const store = { commit: () => (failure === null ? Promise.resolve() : Promise.reject(failure)) };
  const check = new ReadinessCheck({ store, link, clock: moment });
  expect(await check.check()).toMatchObject({ isReady: false, reason: expect.stringContaining('the disk is full') });
  failure = null;
  expect((await check.check()).isReady).toBe(false);
  moment.time += 1000;
  expect((await check.check()).isReady).toBe(true);
});

it('the store is tried once for all who ask at the same time', async () => {
  let tried = 0;
  const store = { commit: () => Promise.resolve(void (tried += 1)) };
  const check = new ReadinessCheck({ store, link, clock: moment });
  await Promise.all(Array.from({ length: 100 }, () => check.check()));
  expect(tried).toBe(1);
});
