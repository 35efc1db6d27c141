import { BlockworkError } from '../errors.js';
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, it } from 'vitest';
import { OperationChannel } from './channels.js';
import { unnamedSource, type Operation } from './operations.js';

const operation = (): Operation => ({ source: unnamedSource, traceparent: undefined });

/** Notes on which of the five channels something is published, with what is known then. */
function listen(name: string) {
  const heard: string[] = [];
  const note =
    (moment: string) =>
    (message: unknown): void => {
      const { outcome = '-', code = '-', ms } = message as Operation;
      heard.push(`${moment} ${outcome} ${code} ${ms === undefined ? '-' : ms >= 0}`);
    };
  const moments = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const;
  const subscribers = Object.fromEntries(moments.map((moment) => [moment, note(moment)]));
  const channel = tracingChannel(name);
  channel.subscribe(subscribers as never);
  return { heard, stop: () => channel.unsubscribe(subscribers as never) };
}

describe('a channel', () => {
  it('tells when work begins and ends, as tracing channels do', async () => {
    const channel = new OperationChannel('test:done');
    const { heard, stop } = listen('test:done');
    expect(await channel.trace(operation(), () => Promise.resolve(7))).toBe(7);
    expect(heard).toEqual(['start - - -', 'end - - -', 'asyncStart done - true', 'asyncEnd done - true']);
    stop();
  });

  it.each([
    ['its code', new BlockworkError('CONFLICT', { facts: { key: 'k' } }), 'CONFLICT'],
    ['INTERNAL for what is no error of the engine', new TypeError('a secret'), 'INTERNAL'],
  ])('tells of a failure with %s, and neither holds it back nor hands it out', async (_, failure, code) => {
    const channel = new OperationChannel('test:failed');
    const { heard, stop } = listen('test:failed');
    const reported = operation();
    await expect(channel.trace(reported, () => Promise.reject(failure))).rejects.toBe(failure);
    expect(heard.slice(2)).toEqual([
      `error failed ${code} true`,
      `asyncStart failed ${code} true`,
      `asyncEnd failed ${code} true`,
    ]);
    expect(Object.values(reported)).not.toContain(failure);
    stop();
  });

  it('tells of work that throws before it has begun like of work that fails', async () => {
    const channel = new OperationChannel('test:thrown');
    const { heard, stop } = listen('test:thrown');
    const failure = new BlockworkError('CONFLICT', { facts: { key: 'k' } });
    const work = (): Promise<never> => {
      throw failure;
    };
    await expect(channel.trace(operation(), work)).rejects.toBe(failure);
    expect(heard.at(-1)).toBe('asyncEnd failed CONFLICT true');
    stop();
  });

  it('has what was found out of the result by the time the end is told', async () => {
    const channel = new OperationChannel<Operation & { found?: number }>('test:found');
    const counts: unknown[] = [];
    const stop = channel.subscribe({ end: ({ found: count }) => void counts.push(count) });
    const result = await channel.trace(
      operation(),
      () => Promise.resolve(7),
      (each, seven) => void (each.found = seven),
    );
    expect([result, counts]).toEqual([7, [7]]);
    stop();
  });

  it('tells the end where a store was bound to the beginning', async () => {
    const channel = new OperationChannel('test:bound');
    const storage = new AsyncLocalStorage<unknown>();
    const { start } = tracingChannel('test:bound');
    start.bindStore(storage);
    const stores: unknown[] = [];
    const note = (): void => void stores.push(storage.getStore());
    subscribe('tracing:test:bound:asyncEnd', note);
    const reported = operation();
    await channel.trace(reported, () => Promise.resolve());
    expect(stores).toEqual([reported]);
    unsubscribe('tracing:test:bound:asyncEnd', note);
    start.unbindStore(storage);
  });

  it('says whether anybody listens, to any of the five', () => {
    const channel = new OperationChannel('test:heard');
    expect(channel.isHeard).toBe(false);
    for (const moment of ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const) {
      const ignore = (): void => undefined;
      const one = `tracing:test:heard:${moment}`;
      subscribe(one, ignore);
      expect(channel.isHeard).toBe(true);
      unsubscribe(one, ignore);
      expect(channel.isHeard).toBe(false);
    }
  });

  it('lets a subscriber put its own trace context in place before the work begins', async () => {
    const channel = new OperationChannel('test:trace');
    const stop = channel.subscribe({ start: (each) => void (each.traceparent = 'mine') });
    const reported = operation();
    expect(await channel.trace(reported, () => Promise.resolve(reported.traceparent))).toBe('mine');
    stop();
    stop();
    expect(channel.isHeard).toBe(false);
  });
});
