import { describe, expect, it, vi } from 'vitest';
import type { Logger, Timers } from '../../ports/index.js';
import { MemoryLinkHub } from './memory-link-hub.js';
import { MemoryLink } from './memory-link.js';
import { silentLogger } from '../../defaults/index.js';

const patient = { timeout: 60_000 };
const clock = { now: () => 1_700_000_000_123 };

describe('MemoryLink', () => {
  it('follows the clock with its ids', async () => {
    const link = new MemoryLink({ clock });
    expect(await link.publish('0.0.1', 1, 'a')).toBe('1700000000.123000000');
    expect(await link.publish('0.0.2', 2, 'b')).toBe('1700000000.123000001');
    expect(await link.publish('0.0.1', 3, 'c')).toBe('1700000000.123000002');
    await link.close();
  });

  it('tells of every failed delivery, and waits longer before each', async () => {
    const warnings: unknown[] = [];
    const waits: number[] = [];
    const logger: Logger = { ...silentLogger, warn: (_, fields) => void warnings.push(fields?.attempt) };
    const timers: Timers = {
      after: (ms, run) => {
        waits.push(ms);
        setImmediate(run);
        return () => undefined;
      },
    };
    const link = new MemoryLink({ logger, timers, retryMs: [10, 35] });
    let left = 4;
    await link.subscribe('t', () => ((left -= 1) >= 0 ? Promise.reject(new Error('no')) : Promise.resolve()));
    await link.publish('t', 1, '1');
    await vi.waitFor(() => expect(left).toBe(-1), patient);
    expect([warnings, waits]).toEqual([
      [1, 2, 3, 4],
      [10, 20, 35, 35],
    ]);
    await link.close();
  });

  it('forgets the oldest messages of a topic, and none that are newer than what it was told to keep', async () => {
    const link = new MemoryLink({ hub: new MemoryLinkHub({ keptPerTopic: 10 }) });
    for (let at = 0; at < 55; at += 1) await link.publish('t', at, String(at));
    const bodies: unknown[] = [];
    await link.subscribe('t', ({ body }) => Promise.resolve(void bodies.push(body)), 'start');
    await vi.waitFor(() => expect(bodies.at(-1)).toBe(54), patient);
    expect(bodies.length).toBeGreaterThanOrEqual(10);
    expect(bodies.length).toBeLessThan(20);
    await link.close();
  });

  it('takes a message as new again under a key that its hub had to forget, and under no other', () => {
    const hub = new MemoryLinkHub({ keptKeys: 2 });
    const first = ['a', 'b', 'c'].map((key) => hub.publish('t', key, key));
    expect(['b', 'c'].map((key) => hub.publish('t', key, key))).toEqual(first.slice(1));
    expect(hub.publish('t', 'a', 'a')).not.toBe(first[0]);
  });

  it('hands over no more messages at a time than it may', async () => {
    const link = new MemoryLink({ inFlight: 3 });
    let [under, most, done] = [0, 0, 0];
    await link.subscribe('t', async () => {
      most = Math.max(most, (under += 1));
      await new Promise((resolve) => setImmediate(resolve));
      under -= 1;
      done += 1;
    });
    await Promise.all(Array.from({ length: 30 }, (_, at) => link.publish('t', at, String(at))));
    await vi.waitFor(() => expect(done).toBe(30), patient);
    expect(most).toBe(3);
    await link.close();
  });
});
