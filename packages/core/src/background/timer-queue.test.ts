import { BlockworkError } from '../errors.js';
import type { ChangeSet, RecordQuery } from '@blockwork/core/adapter';
import { INSTANCE, type RecordKind, type Timer } from '@blockwork/core/records';
import { describe, expect, it } from 'vitest';
import { simulatedWorld, turn, UnsteadyStore } from '../../test/background.js';
import { TimerQueue } from './timer-queue.js';

type Outcome = 'done' | 'block fails' | 'store fails';

interface WorldOptions {
  readonly shared?: boolean;
  /** Called while a timer is carried out. */
  readonly during?: (timer: Timer) => void | Promise<void>;
  readonly store?: UnsteadyStore;
}

/** A queue whose handlers delete the timers that they carry out or give up, and note it. */
function world({ shared = false, during, store: storeOfTest }: WorldOptions = {}) {
  const around = simulatedWorld();
  const store = storeOfTest ?? (shared ? new SharedStore() : around.store);
  const { clock, timers, logger } = around;
  const noted: string[] = [];
  const outcomes = new Map<string, Outcome>();
  const put = (...added: Timer[]) =>
    commit(added.map((value) => ({ op: 'put', kind: 'timer', partition: INSTANCE, value }) as const));
  const drop = ({ id }: Timer) => commit([{ op: 'delete', kind: 'timer', partition: INSTANCE, id }]);
  const commit = async (changes: Parameters<typeof store.commit>[0]['changes']): Promise<void> => {
    await store.commit({ expect: {}, changes });
    queue.committed({ expect: {}, changes });
  };
  const handlerOf = (type: Timer['type']) => ({
    carryOut: async (timer: Timer) => {
      expect(timer.type).toBe(type);
      const outcome = outcomes.get(timer.id) ?? 'done';
      noted.push(`${timer.type} ${timer.id}: ${outcome}`);
      await during?.(timer);
      if (outcome === 'block fails') throw new TypeError('a bug');
      if (outcome === 'store fails') throw new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: '' } });
      await drop(timer);
    },
    giveUp: async (timer: Timer, error: unknown) => {
      noted.push(`${timer.id} given up: ${String(error)}`);
      await drop(timer);
    },
  });
  const handlers = {
    tick: handlerOf('tick'),
    retry: handlerOf('retry'),
    discontinue: handlerOf('discontinue'),
    restore: handlerOf('restore'),
  };
  const queue = new TimerQueue({ store, clock, timers, logger, handlers });
  return { ...around, store, queue, noted, outcomes, put };
}

class SharedStore extends UnsteadyStore {
  override readonly capabilities = { durable: false, shared: true };
}

/** Queries that meet the timer of this policy fail, as where its row is damaged. */
class DamagedRow extends UnsteadyStore {
  damaged = 'damaged';

  override async find<Kind extends RecordKind>(kind: Kind, partition: string, query?: RecordQuery) {
    const records = await super.find(kind, partition, query);
    if (records.some((row) => 'policyId' in row && row.policyId === this.damaged)) throw new SyntaxError('not JSON');
    return records;
  }
}

const tick = (id: string, due: number, policyId = 'p'): Timer => ({ id, type: 'tick', policyId, due, tag: id });

describe('the timer queue', () => {
  it('carries out each timer once, when it is due, in the order of their moments', async () => {
    const { queue, clock, noted, put, toNextWakeUp } = world();
    const now = clock.now();
    await put(tick('b', now + 200), tick('a', now + 100), tick('c', now + 100));
    queue.start();
    await queue.idle();
    expect([await toNextWakeUp(queue), noted]).toEqual([100, ['tick a: done', 'tick c: done']]);
    expect([await toNextWakeUp(queue), await toNextWakeUp(queue)]).toEqual([100, undefined]);
    expect(noted).toEqual(['tick a: done', 'tick c: done', 'tick b: done']);
  });

  it('holds up no policy while another one is busy', async () => {
    const around = simulatedWorld();
    const { store, clock } = around;
    const done: string[] = [];
    let free = (): void => undefined;
    const busy = new Promise<void>((resolve) => (free = resolve));
    let isQuickDone = (): void => undefined;
    const quickDone = new Promise<void>((resolve) => (isQuickDone = resolve));
    const handler = {
      carryOut: async ({ id, policyId }: Timer) => {
        if (policyId === 'busy') await busy;
        await store.commit({ expect: {}, changes: [{ op: 'delete', kind: 'timer', partition: INSTANCE, id }] });
        done.push(id);
        if (done.length === 2) isQuickDone();
      },
      giveUp: () => Promise.resolve(),
    };
    const due = clock.now();
    const all = [tick('1', due, 'busy'), tick('2', due, 'quick'), tick('3', due, 'busy'), tick('4', due, 'quick')];
    const changes = all.map((value) => ({ op: 'put', kind: 'timer', partition: INSTANCE, value }) as const);
    await store.commit({ expect: {}, changes });
    const queue = new TimerQueue({
      ...around,
      handlers: { tick: handler, retry: handler, discontinue: handler, restore: handler },
    });
    const ran = queue.runDue();
    await quickDone;
    expect(done).toEqual(['2', '4']);
    free();
    await ran;
    expect(done).toEqual(['2', '4', '1', '3']);
  });

  it('carries out a timer that falls due while another policy hangs', async () => {
    let free = (): void => undefined;
    const hanging = new Promise<void>((resolve) => (free = resolve));
    const { queue, clock, noted, put, timers } = world({
      during: ({ policyId }) => (policyId === 'a' ? hanging : undefined),
    });
    queue.start();
    await put(tick('1', clock.now(), 'a'), tick('2', clock.now() + 500, 'b'));
    timers.advance(0);
    while (noted.length === 0 || timers.pending.length === 0) await turn();
    timers.advance(500);
    while (noted.length === 1) await turn();
    expect(noted).toEqual(['tick 1: done', 'tick 2: done']);
    // And again, though the first one has never come to its end.
    await put(tick('3', clock.now() + 100, 'b'), tick('4', clock.now() + 100, 'a'));
    while (timers.pending.length === 0) await turn();
    timers.advance(100);
    while (noted.length === 2) await turn();
    expect(noted).toEqual(['tick 1: done', 'tick 2: done', 'tick 3: done']);
    free();
    await queue.idle();
    expect(noted.at(-1)).toBe('tick 4: done');
    expect(await queue.next()).toBeNull();
  });

  it('waits, when asked to run what is due, for what was under way before as well', async () => {
    let free = (): void => undefined;
    const hanging = new Promise<void>((resolve) => (free = resolve));
    const { queue, clock, noted, put } = world({ during: ({ id }) => (id === '1' ? hanging : undefined) });
    await put(tick('1', clock.now(), 'a'));
    queue.wake();
    while (noted.length === 0) await turn();
    await put(tick('2', clock.now(), 'a'));
    let hasRun = false;
    const ran = queue.runDue().then(() => (hasRun = true));
    await turn();
    expect(hasRun).toBe(false);
    free();
    await ran;
    expect([noted, await queue.next()]).toEqual([['tick 1: done', 'tick 2: done'], null]);
  });

  it('sets a policy aside whose timers cannot be read, tells of it, and goes on with the others', async () => {
    const store = new DamagedRow();
    const { queue, clock, noted, put, toNextWakeUp } = world({ store });
    const policies = ['damaged', 'whole'].map((id) => ({
      op: 'put',
      kind: 'policy',
      partition: INSTANCE,
      value: { id },
    }));
    await store.commit({ expect: {}, changes: policies as unknown as ChangeSet['changes'] });
    await put(
      tick('lost', clock.now(), 'damaged'),
      tick('a', clock.now(), 'whole'),
      tick('b', clock.now() + 10, 'whole'),
    );
    queue.start();
    await queue.idle();
    expect([await toNextWakeUp(queue), noted]).toEqual([0, ['tick a: done']]);
    expect(queue.stuck()).toMatchObject([{ work: 'timers', id: 'damaged', failures: 1, reason: 'not JSON' }]);
    expect([await toNextWakeUp(queue), noted]).toEqual([10, ['tick a: done', 'tick b: done']]);
    expect([await toNextWakeUp(queue), queue.stuck()]).toMatchObject([4990, [{ id: 'damaged', failures: 2 }]]);
    store.damaged = '';
    await toNextWakeUp(queue);
    expect([noted.at(-1), queue.stuck()]).toEqual(['tick lost: done', []]);
  });

  it('gives each timer to the handler of its type', async () => {
    const { queue, clock, noted, put } = world();
    const due = clock.now();
    const event = { input: '', output: '', source: '', data: null, user: { did: '', group: null } };
    await put(
      tick('a', due),
      { id: 'b', type: 'discontinue', policyId: 'p', due },
      { id: 'c', type: 'retry', policyId: 'p', due, tag: 'c', attempt: 1, event },
    );
    await queue.runDue();
    expect(noted).toEqual(['tick a: done', 'discontinue b: done', 'retry c: done']);
  });

  it('carries out at once what fell due while nothing was running', async () => {
    const { queue, clock, noted, put, toNextWakeUp } = world();
    await put(tick('missed', clock.now() - 5000));
    queue.start();
    await queue.idle();
    expect([await toNextWakeUp(queue), noted]).toEqual([0, ['tick missed: done']]);
  });

  it('wakes earlier for a timer that is committed later', async () => {
    const { queue, clock, noted, put, toNextWakeUp } = world();
    await put(tick('late', clock.now() + 1000));
    queue.start();
    await queue.idle();
    await put(tick('early', clock.now() + 10));
    expect([await toNextWakeUp(queue), noted]).toEqual([10, ['tick early: done']]);
    expect(await queue.next()).toBe(clock.now() + 990);
  });

  it('carries out a timer that is always due once in a run', async () => {
    const around = simulatedWorld();
    const { store, clock } = around;
    const timer = tick('always', clock.now());
    const changes = [{ op: 'put', kind: 'timer', partition: INSTANCE, value: timer }] as const;
    let runs = 0;
    const again = {
      // The machine is slow: time passes while the timer is carried out, and its next moment is past as well.
      carryOut: async () => {
        runs += 1;
        clock.advance(50);
        const value = { ...timer, due: clock.now() - 1 };
        await store.commit({ expect: {}, changes: [{ op: 'put', kind: 'timer', partition: INSTANCE, value }] });
      },
      giveUp: () => Promise.resolve(),
    };
    await store.commit({ expect: {}, changes });
    const queue = new TimerQueue({
      ...around,
      handlers: { tick: again, retry: again, discontinue: again, restore: again },
    });
    await queue.runDue();
    expect(runs).toBe(1);
    expect(around.timers.pending).toEqual([clock.now()]);
  });

  it('gives up a timer whose block fails, and carries out the others', async () => {
    const { queue, clock, noted, outcomes, put } = world();
    outcomes.set('a', 'block fails');
    await put(tick('a', clock.now()), tick('b', clock.now()));
    await queue.runDue();
    expect(noted).toEqual(['tick a: block fails', 'a given up: TypeError: a bug', 'tick b: done']);
  });

  it('leaves a timer where it is while the store fails, and retries with exponential backoff', async () => {
    const { queue, clock, noted, outcomes, put, toNextWakeUp } = world();
    outcomes.set('a', 'store fails');
    await put(tick('a', clock.now()));
    queue.start();
    await queue.idle();
    const pauses = [];
    for (let n = 0; n < 5; n += 1) pauses.push(await toNextWakeUp(queue));
    expect(pauses).toEqual([0, 5000, 10_000, 20_000, 30_000]);
    outcomes.set('a', 'done');
    await toNextWakeUp(queue);
    expect(noted.at(-1)).toBe('tick a: done');
    expect(await queue.next()).toBeNull();
  });

  it('retries as well where the store fails at the start', async () => {
    const { queue, store, clock, noted, put, toNextWakeUp } = world();
    await put(tick('a', clock.now() + 60_000));
    store.isDown = true;
    queue.start();
    await queue.idle();
    store.isDown = false;
    await toNextWakeUp(queue);
    expect([await toNextWakeUp(queue), noted]).toEqual([55_000, ['tick a: done']]);
  });

  it('carries out nothing more once it is stopped, not even the rest of a run', async () => {
    const stopping: Promise<void>[] = [];
    const { queue, clock, noted, put, timers } = world({ during: () => void stopping.push(queue.stop()) });
    await put(tick('a', clock.now()), tick('b', clock.now()), tick('c', clock.now() + 100));
    await queue.runDue();
    await Promise.all(stopping);
    expect([noted, timers.pending]).toEqual([['tick a: done'], []]);
  });

  it('looks into a store that it shares every minute, for timers that other processes add', async () => {
    const { queue, timers, clock } = world({ shared: true });
    queue.start();
    await queue.idle();
    expect(timers.pending).toEqual([clock.now() + 60_000]);
  });

  it('goes on with the policies whose timers do not fail, at their moments, and retries the others by themselves', async () => {
    const { queue, clock, noted, outcomes, put, toNextWakeUp } = world();
    const now = clock.now();
    const healthy = (id: string, due: number): Timer => ({ ...tick(id, due), policyId: 'healthy' });
    outcomes.set('broken', 'store fails');
    await put(tick('broken', now), healthy('first', now + 1), healthy('second', now + 1000));
    clock.advance(1);
    await expect(queue.runDue()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(noted).toEqual(['tick broken: store fails', 'tick first: done']);
    expect([await toNextWakeUp(queue), noted.at(-1)]).toEqual([999, 'tick second: done']);
    outcomes.delete('broken');
    await toNextWakeUp(queue);
    expect(noted.at(-1)).toBe('tick broken: done');
  });
});
