/** What tests of background work share: simulated time, and a store that fails while a test says so. */
import { BlockworkError, MemoryStore, silentLogger } from '@blockwork/core';
import type { ChangeSet, RecordQuery } from '@blockwork/core/adapter';
import type { RecordKind } from '@blockwork/core/records';
import { SimulatedClock, SimulatedTimers } from '@blockwork/testing';

/** A store in memory whose reads and commits are rejected while `isDown`. */
export class UnsteadyStore extends MemoryStore {
  isDown = false;

  override get<Kind extends RecordKind>(kind: Kind, partition: string, id: string) {
    return this.isDown ? unavailable() : super.get(kind, partition, id);
  }
  override find<Kind extends RecordKind>(kind: Kind, partition: string, query?: RecordQuery) {
    return this.isDown ? unavailable() : super.find(kind, partition, query);
  }
  override commit(changeSet: ChangeSet) {
    return this.isDown ? unavailable() : super.commit(changeSet);
  }
}

const unavailable = (): Promise<never> =>
  Promise.reject(new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: 'the test says so' } }));

export function simulatedWorld() {
  const clock = new SimulatedClock();
  const timers = new SimulatedTimers(clock);
  const store = new UnsteadyStore();
  /** Passes time up to the next wake-up, lets `idle` resolve, and returns the milliseconds that passed. */
  const toNextWakeUp = async (service: { idle(): Promise<void> }): Promise<number | undefined> => {
    const [due] = timers.pending;
    if (due === undefined) return undefined;
    const ms = due - clock.now();
    timers.advance(ms);
    await service.idle();
    return ms;
  };
  return { clock, timers, store, logger: silentLogger, toNextWakeUp };
}

/** Lets everything go on that does not wait for simulated time. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
