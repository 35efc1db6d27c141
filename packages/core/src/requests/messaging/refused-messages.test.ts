import { silentLogger } from '../../defaults/index.js';
import { BlockworkError } from '../../errors.js';
import { MemoryStore } from '../../memory/index.js';
import { Inspections } from '../../telemetry/index.js';
import { Executor } from '../../transactions/index.js';
import { SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { MessageRefused, type RefusalReason } from './refusal.js';
import { RefusedMessages } from './refused-messages.js';

function world() {
  const clock = new SimulatedClock();
  const timers = new SimulatedTimers(clock);
  const store = new MemoryStore();
  const around = { store, clock, timers, logger: silentLogger, inspections: new Inspections({}) };
  const open = (): RefusedMessages => {
    const commits = { committed: () => undefined };
    const executor = new Executor({ store, commits, limits: { conflictRetries: 20 } });
    return new RefusedMessages({ ...around, executor });
  };
  let n = 0;
  const refuse = (by: RefusedMessages, reason: RefusalReason, detail = ''): void =>
    by.note(`1.${String((n += 1))}`, new MessageRefused(reason, detail, 'north'));
  const pass = async (...all: RefusedMessages[]): Promise<void> => {
    timers.advance(1_000);
    await Promise.all(all.map((each) => each.idle()));
  };
  return { store, timers, open, refuse, pass };
}

describe('what was refused', () => {
  it('is told by every process alike, a second later', async () => {
    const { open, refuse, pass } = world();
    const [first, second] = [open(), open()];
    refuse(first, 'forged');
    refuse(first, 'replayed');
    refuse(second, 'forged');
    expect(await first.report()).toMatchObject({ counts: { forged: 1, replayed: 1, oversized: 0 } });
    await pass(first, second);
    const report = await first.report();
    expect(report).toMatchObject({ counts: { forged: 2, replayed: 1, oversized: 0 } });
    expect(report.latest.map(({ messageId }) => messageId).sort()).toEqual(['1.1', '1.3']);
    expect(await second.report()).toEqual(report);
    expect(await open().report()).toEqual(report);
  });

  it('is written once in a second, however much comes, and of it the latest hundred are kept', async () => {
    const { store, open, refuse, pass } = world();
    const only = open();
    for (let n = 0; n < 250; n += 1) refuse(only, 'unknown-sender', 'x'.repeat(2_000));
    await pass(only);
    expect(await store.revision('refusals')).toBe(1);
    const { counts, latest } = await only.report();
    expect([counts['unknown-sender'], latest.length, latest[0]?.messageId]).toEqual([250, 100, '1.250']);
    expect(latest[0]?.detail).toHaveLength(500);
    await pass(only);
    expect(await store.revision('refusals')).toBe(1);
  });

  it('is neither lost nor counted twice while the store is away', async () => {
    const { store, timers, open, refuse, pass } = world();
    const only = open();
    const commit = store.commit.bind(store);
    store.commit = () => Promise.reject(new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: 'the test' } }));
    refuse(only, 'forged');
    await pass(only);
    refuse(only, 'forged');
    expect((await only.report()).counts.forged).toBe(2);
    store.commit = commit;
    timers.advance(60_000);
    await only.idle();
    expect((await open().report()).counts.forged).toBe(2);
  });

  it('is told completely and once while it is being written', async () => {
    const { store, open, refuse, pass } = world();
    const only = open();
    refuse(only, 'forged');
    const get = store.get.bind(store);
    store.get = async (...args) => {
      store.get = get;
      const before = await get(...args);
      await pass(only);
      return before;
    };
    expect((await only.report()).counts.forged).toBe(1);
  });

  it('is written when the process is told to stop', async () => {
    const { open, refuse } = world();
    const only = open();
    refuse(only, 'invalid');
    await only.stop();
    expect((await open().report()).counts.invalid).toBe(1);
  });
});
