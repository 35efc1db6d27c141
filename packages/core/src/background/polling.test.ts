import { SimulatedClock } from '@blockwork/testing';
import { expect, it } from 'vitest';
import { earliest, nextPoll, type PolledStore } from './polling.js';

it('a store is polled if other processes leave work in it: every two seconds with leases, every minute without', () => {
  const clock = new SimulatedClock();
  const pollAfter = (shared: boolean, coordination?: object): number =>
    nextPoll({ capabilities: { durable: true, shared }, coordination } as unknown as PolledStore, clock) - clock.now();
  expect([pollAfter(false), pollAfter(false, {}), pollAfter(true), pollAfter(true, {})]).toEqual([
    Infinity,
    Infinity,
    60_000,
    2_000,
  ]);
});

it('the earliest of several moments is one that will come', () => {
  expect([earliest(), earliest(null), earliest(null, Infinity), earliest(3, null, 2), earliest(0, 5)]).toEqual([
    null,
    null,
    null,
    2,
    0,
  ]);
});
