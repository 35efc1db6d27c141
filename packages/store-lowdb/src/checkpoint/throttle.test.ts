import { describe, expect, it } from 'vitest';
import { Throttle, type Stopwatch, type ThrottleOptions } from './checkpointer.js';

/** A simulated stopwatch: time advances only explicitly, and pauses end at once unless they are held. */
class FakeStopwatch implements Stopwatch {
  time = 0;
  holds = false;
  readonly pauses: number[] = [];
  cancelled = 0;

  now(): number {
    return this.time;
  }

  after(milliseconds: number, wake: () => void): () => void {
    this.pauses.push(milliseconds);
    if (!this.holds) {
      this.time += milliseconds;
      wake();
    }
    return () => (this.cancelled += 1);
  }
}

/** Does `pieces` pieces of work of 100 bytes, each of which takes `milliseconds`; returns the pauses. */
async function work(pieces: number, milliseconds: number, options: Partial<ThrottleOptions> = {}): Promise<number[]> {
  const watch = new FakeStopwatch();
  const throttle = new Throttle({ work: 100 * pieces, budget: 1000, journal: () => 0, ...options }, watch);
  for (let n = 0; n < pieces; n++) {
    watch.time += milliseconds;
    await throttle.pause(100);
  }
  return watch.pauses;
}

describe('a throttle', () => {
  it('pauses for three times as long as the work took', async () => {
    expect(await work(3, 4)).toEqual([12, 12, 12]);
  });

  it('combines short pauses', async () => {
    expect(await work(8, 0.25)).toEqual([2.25, 2.25]);
  });

  it('never pauses for more than 30 milliseconds, and drops the rest', async () => {
    expect(await work(2, 1000)).toEqual([30, 30]);
  });

  it('does not pause while the journal grows faster than the work is done', async () => {
    let journal = 5000;
    // Each of ten pieces of work is accompanied by a commit of 300 bytes, with a budget of 1000 bytes.
    expect(await work(10, 4, { journal: () => (journal += 300) })).toEqual([]);
    // At 100 bytes each, both progress at the same rate.
    expect(await work(10, 4, { journal: () => (journal += 100) })).toHaveLength(10);
  });

  it('resumes its pauses once the work has caught up', async () => {
    let calls = 0;
    // 400 bytes at once, then nothing: four of ten pieces catch up.
    const journal = (): number => (calls++ === 0 ? 0 : 400);
    expect(await work(10, 4, { journal })).toEqual([30, 12, 12, 12, 12, 12, 12]);
  });

  it('ends its pause when it is disabled, and does not pause again', async () => {
    const watch = new FakeStopwatch();
    const throttle = new Throttle({ work: 200, budget: 1000, journal: () => 0 }, watch);
    watch.holds = true;
    watch.time += 10;
    const paused = throttle.pause(100);
    throttle.disable();
    await paused;
    watch.time += 10;
    await throttle.pause(100);
    expect([watch.pauses, watch.cancelled]).toEqual([[30], 1]);
  });
});
