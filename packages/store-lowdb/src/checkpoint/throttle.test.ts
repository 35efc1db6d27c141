import { describe, expect, it } from 'vitest';
import { Throttle, type Stopwatch, type ThrottleOptions } from './throttle.js';

/** A stopwatch that stands still during work, and skips pauses unless it is told to hold them. */
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

  it('puts short pauses together', async () => {
    expect(await work(8, 0.25)).toEqual([2.25, 2.25]);
  });

  it('never pauses for more than 30 milliseconds, nor makes up for the rest', async () => {
    expect(await work(2, 1000)).toEqual([30, 30]);
  });

  it('does not pause while the journal grows faster than the work is done', async () => {
    let journal = 5000;
    // Of a budget of 1000 bytes, a commit of 300 comes with each of ten pieces of work.
    expect(await work(10, 4, { journal: () => (journal += 300) })).toEqual([]);
    // With 100 bytes each, both progress at the same rate.
    expect(await work(10, 4, { journal: () => (journal += 100) })).toHaveLength(10);
  });

  it('resumes its pauses once the work has caught up', async () => {
    let calls = 0;
    // 400 bytes at once, then nothing: four of ten pieces catch up.
    const journal = (): number => (calls++ === 0 ? 0 : 400);
    expect(await work(10, 4, { journal })).toEqual([30, 12, 12, 12, 12, 12, 12]);
  });

  it('that is disabled ends its pause, and makes no other', async () => {
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
