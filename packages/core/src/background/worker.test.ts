import { silentLogger } from '../defaults/silent-logger.js';
import type { LogFields, Logger } from '../ports/logger.js';
import { SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { describe, expect, it, vi } from 'vitest';
import { Worker, type WorkerTask } from './worker.js';

const backoff = { firstMs: 100, longestMs: 1000 };

/** A worker on simulated time. Each run waits for `finish` where `manual` is set. */
function world(task: Partial<WorkerTask> = {}) {
  const clock = new SimulatedClock(0);
  const timers = new SimulatedTimers(clock);
  const logged: LogFields[] = [];
  const logger: Logger = { ...silentLogger, error: (_, fields) => void logged.push(fields ?? {}) };
  const runs: number[] = [];
  const run = (): Promise<number | null> => {
    runs.push(clock.now());
    return Promise.resolve(null);
  };
  const worker = new Worker({ name: 'test', backoff, run, ...task }, { clock, timers, logger });
  /** Passes time up to the next wake-up, and resolves with how long that was. */
  const next = async (): Promise<number | undefined> => {
    const [due] = timers.pending;
    if (due === undefined) return undefined;
    const ms = due - clock.now();
    timers.advance(ms);
    await worker.idle();
    return ms;
  };
  return { worker, clock, timers, logged, runs, next };
}

/** A task whose runs end when the test says so. */
function manualTask() {
  const ends: { resolve: (next?: number | null) => void; reject: (error: Error) => void }[] = [];
  const signals: AbortSignal[] = [];
  const run = (signal: AbortSignal): Promise<number | null> => {
    signals.push(signal);
    return new Promise((resolve, reject) => ends.push({ resolve: (next = null) => resolve(next), reject }));
  };
  return { run, ends, signals };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a worker', () => {
  it('runs its task at the start, and not again before it is woken', async () => {
    const { worker, runs, timers } = world();
    worker.start();
    await worker.idle();
    expect([runs, timers.pending]).toEqual([[0], []]);
    worker.wake();
    await worker.idle();
    expect(runs).toHaveLength(2);
  });

  it('does not run at the start where the task says when its first run is due', async () => {
    const { worker, runs, next } = world({ firstDue: () => Promise.resolve(500) });
    worker.start();
    await worker.idle();
    expect(runs).toEqual([]);
    expect(await next()).toBe(500);
    expect(runs).toEqual([500]);
  });

  it('runs again at the moment that a run names', async () => {
    let left = 3;
    const { worker, clock, next } = world({ run: () => Promise.resolve((left -= 1) > 0 ? clock.now() + 40 : null) });
    worker.start();
    await worker.idle();
    expect([await next(), await next(), await next()]).toEqual([40, 40, undefined]);
  });

  it('runs at a moment that is past through its timers, so that others get their turn', async () => {
    const { worker, runs, next } = world();
    worker.wakeAt(-1000);
    await turn();
    expect(runs).toEqual([]);
    expect(await next()).toBe(0);
    expect(runs).toEqual([0]);
  });

  it('keeps the earliest of several wake-ups', async () => {
    const { worker, timers, runs, next } = world();
    for (const due of [300, 100, 200]) worker.wakeAt(due);
    expect(timers.pending).toEqual([100]);
    await next();
    expect([runs, timers.pending]).toEqual([[100], []]);
  });

  it('forgets a wake-up that an earlier run made unnecessary', async () => {
    const { worker, timers } = world();
    worker.wakeAt(1000);
    worker.wake();
    await worker.idle();
    expect(timers.pending).toEqual([]);
  });

  it('runs once more when it is woken during a run, however often', async () => {
    const { run, ends } = manualTask();
    const { worker } = world({ run });
    worker.wake();
    await turn();
    for (let n = 0; n < 5; n += 1) worker.wake();
    await turn();
    expect(ends).toHaveLength(1);
    ends[0]?.resolve();
    await vi.waitUntil(() => ends.length === 2);
    ends[1]?.resolve();
    await worker.idle();
    expect(ends).toHaveLength(2);
  });

  it('keeps a wake-up that is set during a run, where the run itself names a later moment', async () => {
    const { run, ends } = manualTask();
    const { worker, timers } = world({ run });
    worker.wake();
    await turn();
    worker.wakeAt(70);
    ends[0]?.resolve(900);
    await worker.idle();
    expect(timers.pending).toEqual([70]);
  });

  it('never has two runs under way', async () => {
    let [underWay, most] = [0, 0];
    const { worker } = world({
      run: async () => {
        most = Math.max(most, (underWay += 1));
        await turn();
        underWay -= 1;
        return null;
      },
    });
    worker.start();
    await Promise.all([worker.run(), worker.run(), worker.run()]);
    worker.wake();
    await worker.idle();
    expect(most).toBe(1);
  });

  it('lets its wake-ups keep the process alive only where the task asks for it', () => {
    const kinds: (string | undefined)[] = [];
    const clock = new SimulatedClock(0);
    const timers = {
      after: (_ms: number, _run: () => void, kind?: 'background') => {
        kinds.push(kind);
        return () => undefined;
      },
    };
    for (const keepsProcessAlive of [undefined, false, true]) {
      const run = () => Promise.resolve(null);
      const task = { name: 'test', backoff, run, ...(keepsProcessAlive !== undefined && { keepsProcessAlive }) };
      new Worker(task, { clock, timers, logger: silentLogger }).wakeAt(10);
    }
    expect(kinds).toEqual(['background', 'background', undefined]);
  });
});

describe('a worker whose task fails', () => {
  it('retries with exponential backoff, and says so', async () => {
    const error = new Error('the store is down');
    const { worker, next, logged } = world({ run: () => Promise.reject(error) });
    worker.start();
    await worker.idle();
    const pauses = [];
    for (let n = 0; n < 6; n += 1) pauses.push(await next());
    expect(pauses).toEqual([100, 200, 400, 800, 1000, 1000]);
    expect(logged[1]).toEqual({ task: 'test', failures: 2, retryInMs: 200, error });
  });

  it('starts over with the first pause after a success', async () => {
    const outcomes = [false, false, true, false];
    const { worker, next, timers } = world({
      run: () => (outcomes.shift() ? Promise.resolve(null) : Promise.reject(new Error('no'))),
    });
    worker.start();
    await worker.idle();
    expect([await next(), await next(), timers.pending]).toEqual([100, 200, []]);
    worker.wake();
    await worker.idle();
    expect(await next()).toBe(100);
  });

  it('is not hurried by a wake-up that was set during the failed run', async () => {
    const { run, ends } = manualTask();
    const { worker, timers } = world({ run });
    worker.wake();
    await turn();
    worker.wakeAt(1);
    ends[0]?.reject(new Error('no'));
    await worker.idle();
    expect(timers.pending).toEqual([100]);
  });

  it('retries as well where it cannot find out when its first run is due', async () => {
    const { worker, runs, next } = world({ firstDue: () => Promise.reject(new Error('no')) });
    worker.start();
    await worker.idle();
    expect([runs, await next(), runs]).toEqual([[100], 100, [100]]);
  });

  it('tells a caller who waits for that run, and goes on', async () => {
    const outcomes = [false, true];
    const { worker } = world({
      run: () => (outcomes.shift() ? Promise.resolve(null) : Promise.reject(new Error('no'))),
    });
    await expect(worker.run()).rejects.toThrow('no');
    await expect(worker.run()).resolves.toBeUndefined();
  });
});

describe('a worker is idle', () => {
  it('while it waits for a moment to come', async () => {
    const { worker, timers } = world();
    worker.wakeAt(1000);
    await worker.idle();
    expect(timers.pending).toEqual([1000]);
  });

  it('only when the run under way and the one that waits behind it have ended', async () => {
    const { run, ends } = manualTask();
    const { worker } = world({ run });
    worker.wake();
    await turn();
    let isIdle = false;
    const idle = worker.idle().then(() => (isIdle = true));
    worker.wake();
    ends[0]?.resolve();
    await vi.waitUntil(() => ends.length === 2);
    expect(isIdle).toBe(false);
    ends[1]?.resolve();
    await idle;
  });

  it('after letting the rest of the process run though each run wakes it again', async () => {
    let runs = 0;
    let isOver = false;
    setImmediate(() => (isOver = true));
    const { worker } = world({
      run: () => {
        runs += 1;
        // A loop that starves the process ends the test instead of hanging it.
        if (!isOver && runs < 1_000) worker.wake();
        return Promise.resolve(null);
      },
    });
    worker.wake();
    await worker.idle();
    expect(isOver).toBe(true);
    expect(runs).toBeLessThan(1_000);
  });
});

describe('a stopped worker', () => {
  it('waits for the run under way, which is told to end, and runs nothing more', async () => {
    const { run, ends, signals } = manualTask();
    const { worker, timers } = world({ run });
    worker.wake();
    await turn();
    worker.wake();
    let hasStopped = false;
    const stopped = worker.stop().then(() => (hasStopped = true));
    await turn();
    expect([signals[0]?.aborted, hasStopped]).toEqual([true, false]);
    ends[0]?.resolve(500);
    await stopped;
    expect([ends.length, timers.pending]).toEqual([1, []]);
  });

  it('does nothing when it is woken, run or stopped again', async () => {
    const { worker, runs, timers } = world();
    worker.wakeAt(100);
    await worker.stop();
    worker.wake();
    worker.wakeAt(50);
    worker.start();
    await worker.run();
    await worker.stop();
    expect([runs, timers.pending]).toEqual([[], []]);
  });

  it('does not retry a run that fails while it is stopped', async () => {
    const { run, ends } = manualTask();
    const { worker, timers } = world({ run });
    worker.wake();
    await turn();
    const stopped = worker.stop();
    ends[0]?.reject(new Error('no'));
    await stopped;
    expect(timers.pending).toEqual([]);
  });
});
