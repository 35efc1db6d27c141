import { BlockworkError } from '../../errors.js';
import { MemoryStore } from '../../memory/store/memory-store.js';
import { createEngine } from '../create-engine.js';
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
  await new ReadinessCheck({ store, link, clock: moment, watched: [] }).check();
  expect(await store.count('policy', '')).toBe(0);
});

it('a store that takes no changes is named with its reason, until it does again', async () => {
  let failure: Error | null = new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: 'the disk is full' } });
  const store = { commit: () => (failure === null ? Promise.resolve() : Promise.reject(failure)) };
  const check = new ReadinessCheck({ store, link, clock: moment, watched: [] });
  expect(await check.check()).toMatchObject({ isReady: false, reason: expect.stringContaining('the disk is full') });
  failure = null;
  expect((await check.check()).isReady).toBe(false);
  moment.time += 1000;
  expect((await check.check()).isReady).toBe(true);
});

it('the store is tried once for all who ask at the same time', async () => {
  let tried = 0;
  const store = { commit: () => Promise.resolve(void (tried += 1)) };
  const check = new ReadinessCheck({ store, link, clock: moment, watched: [] });
  await Promise.all(Array.from({ length: 100 }, () => check.check()));
  expect(tried).toBe(1);
});

it('background work that is stuck is told with its reason, and does not make the engine unready', async () => {
  const stuck = {
    work: 'timers',
    id: 'p',
    failures: 3,
    retryAt: '2026-01-01T00:00:00.000Z',
    reason: 'damaged',
  } as const;
  const check = new ReadinessCheck({
    store: new MemoryStore(),
    link,
    clock: moment,
    watched: [{ stuck: () => [stuck] }],
  });
  expect(await check.check()).toMatchObject({ isReady: true, stuck: [stuck] });
});
