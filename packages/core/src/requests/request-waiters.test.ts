import { expect, it } from 'vitest';
import { simulatedWorld } from '../../test/background.js';
import { RequestWaiters } from './request-waiters.js';

it('nobody waits for a request that does not exist, and no timer is left of it', async () => {
  const { store, timers } = simulatedWorld();
  const waiters = new RequestWaiters({ store, timers });
  expect(await waiters.waitForClosing('unknown', 60_000)).toBeUndefined();
  expect(timers.pending).toEqual([]);
});
