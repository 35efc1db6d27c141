import { describe, expect, it } from 'vitest';
import { KeyedWork } from './keyed-work.js';

/** Work that ends when the test says so. */
function blockedWork() {
  let end = (): void => undefined;
  const work = () => new Promise<void>((resolve) => (end = resolve));
  return { work, end: () => end() };
}

describe('work by key', () => {
  it('is under way until it ends, each key by itself', async () => {
    const work = new KeyedWork(() => undefined);
    const [a, b] = [blockedWork(), blockedWork()];
    work.begin('a', a.work);
    work.begin('b', b.work);
    expect([...work.keys]).toEqual(['a', 'b']);
    b.end();
    await work.below(2);
    expect([...work.keys]).toEqual(['a']);
    a.end();
    await work.idle();
    expect([...work.keys]).toEqual([]);
  });

  it('is followed by another look if there was one meanwhile, and by none otherwise', async () => {
    let looks = 0;
    const work = new KeyedWork(() => (looks += 1));
    const [a, b] = [blockedWork(), blockedWork()];
    work.begin('a', a.work);
    work.noteScan();
    work.noteScan();
    work.begin('b', b.work);
    b.end();
    await work.below(2);
    expect(looks).toBe(0);
    a.end();
    await work.idle();
    expect(looks).toBe(1);
  });

  it('is not followed by another look at what concerns other keys', async () => {
    let looks = 0;
    const work = new KeyedWork(() => (looks += 1));
    const a = blockedWork();
    work.begin('a', a.work);
    work.noteScan((key) => key === 'b');
    a.end();
    await work.idle();
    expect(looks).toBe(0);
  });

  it.each([1, 3, 50])('lets the rest of the process run though looks and %i keys cause each other', async (keys) => {
    let looks = 0;
    let isOver = false;
    setImmediate(() => (isOver = true));
    const work = new KeyedWork(() => look());
    const look = (): void => {
      // A loop that starves the process ends the test instead of hanging it.
      if (isOver || looks > 1_000) return;
      looks += 1;
      work.noteScan();
      for (let key = 0; key < keys; key += 1)
        if (!work.keys.has(String(key))) work.begin(String(key), () => Promise.resolve());
      work.noteScan();
    };
    look();
    await work.idle();
    expect(isOver).toBe(true);
    expect(looks).toBeLessThan(1_000);
  });
});
