import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { atOnce, LoopShare, type Steps } from './loop-share.js';

function* counting(to: number, done: number[]): Steps<string> {
  for (let at = 1; at <= to; at += 1) {
    done.push(at);
    yield;
  }
  return 'counted';
}

/** How many steps were done at each turn of the event loop, while the work went on. */
async function progress(perStep: (at: number) => number, steps = 40): Promise<{ result: string; seen: number[] }> {
  const done: number[] = [];
  const clock = { now: () => perStep(done.length) };
  const working = new LoopShare(clock).carryOut(counting(steps, done));
  const seen: number[] = [];
  const over = new AbortController();
  const look = async (): Promise<void> => {
    while (!over.signal.aborted) {
      seen.push(done.length);
      await setImmediate();
    }
  };
  const looking = look();
  const result = await working.finally(() => {
    over.abort();
  });
  await looking;
  return { result, seen };
}

describe('work in steps', () => {
  it('gives way whenever it has gone on for 10 ms, wherever the clock begins', async () => {
    const { result, seen } = await progress((at) => 1_000 + at * 4);
    expect(result).toBe('counted');
    // Three steps of 4 ms at a time.
    expect(seen.slice(0, 5)).toEqual([3, 6, 9, 12, 15]);
  });

  it('goes on as long as its time is not used', async () => {
    expect((await progress((at) => at * 0.1)).seen).toEqual([40]);
  });

  it('gives way when the clock was set back', async () => {
    expect((await progress((at) => (at < 20 ? 100 : 50))).seen).toEqual([20]);
  });

  it('has the same result in one piece', () => {
    const done: number[] = [];
    expect(atOnce(counting(3, done))).toBe('counted');
    expect(done).toEqual([1, 2, 3]);
  });

  it('fails with what one of its steps throws', async () => {
    // eslint-disable-next-line require-yield -- it fails before.
    function* failing(): Steps<never> {
      throw new TypeError('no');
    }
    await expect(new LoopShare({ now: () => 0 }).carryOut(failing())).rejects.toThrow(TypeError);
    expect(() => atOnce(failing())).toThrow(TypeError);
  });
});
