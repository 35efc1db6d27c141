import { SequentialIds } from '@blockwork/testing';
import { expect, it } from 'vitest';
import { Patience } from '../src/connection/patience.js';

it('retries end in time even if the clock is set back by an hour meanwhile', async () => {
  let now = 0;
  const after = (ms: number, run: () => void): (() => void) => {
    now += ms;
    run();
    return () => undefined;
  };
  const patience = new Patience({ clock: { now: () => now }, timers: { after }, ids: new SequentialIds() });
  const attempts: number[] = [];
  const attempt = async (): Promise<never> => {
    attempts.push((now += 1_000));
    if (attempts.length === 2) now -= 3_600_000;
    if (attempts.length > 20) throw new Error('tried for too long');
    return Promise.reject(new Error('the database is away'));
  };
  const isWorthwhile = (error: unknown): boolean => (error as Error).message.includes('away');
  await expect(patience.repeat(5_000, attempt, isWorthwhile)).rejects.toThrow('the database is away');
  expect(attempts).toHaveLength(6);
});
