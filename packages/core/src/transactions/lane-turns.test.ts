import { isBlockworkError } from '../errors.js';
import type { DocumentRecord } from '../records/kinds.js';
import { SequentialIds } from '@blockwork/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { turn } from '../../test/background.js';
import { SimulatedCluster, type ClusterNode } from '../../test/cluster-nodes.js';
import type { Doorbell, Rung } from '../ports/index.js';
import { Executor } from './executor.js';
import { lanes, revisionKeys } from './revision-keys.js';
import type { UnitOfWork } from './unit-of-work.js';

const KEY = revisionKeys.policy.of('p');
const LANE = lanes.policy.of('p');

let cluster: SimulatedCluster;
beforeEach(() => {
  cluster = new SimulatedCluster();
});

/** Lets everything happen that needs no time to pass. */
const settle = async (): Promise<void> => {
  for (let turns = 0; turns < 20; turns += 1) await turn();
};

/** Milliseconds, in steps of ten. */
const pass = async (ms: number): Promise<void> => {
  for (let passed = 0; passed < ms; passed += 10) {
    cluster.timers.advance(10);
    await settle();
  }
};

/** Resolves with the milliseconds until a unit of the writer has ended. */
async function untilEnded(writer: Writer): Promise<number> {
  const since = cluster.clock.now();
  while (writer.ended.length === 0) {
    cluster.timers.advance(1);
    await settle();
  }
  return cluster.clock.now() - since;
}

type Hearing = (doorbell: Doorbell) => Doorbell;

const same: Hearing = (doorbell) => doorbell;
const deaf: Hearing = () => ({ ring: () => undefined, subscribe: () => () => undefined });

const late =
  (ms: number): Hearing =>
  (doorbell) => ({
    ring: (name) => doorbell.ring(name),
    subscribe: (listen) => doorbell.subscribe((rung) => void cluster.timers.after(ms, () => listen(rung))),
  });

const putDocument = (unit: UnitOfWork, id: string): void =>
  unit.put('document', 'p', { id, option: {}, document: {} } as unknown as DocumentRecord);

class Writer {
  readonly node: ClusterNode;
  readonly executor: Executor;
  readonly ended: string[] = [];
  attempts = 0;
  /** Called in each unit, before it ends. */
  within: () => Promise<void> = () => Promise.resolve();

  constructor(name: string, { hasLeases = true, hearing = same }: { hasLeases?: boolean; hearing?: Hearing } = {}) {
    this.node = cluster.join(name);
    const { store, clock, timers, leases } = this.node;
    this.executor = new Executor({
      store,
      limits: { conflictRetries: 20 },
      commits: { committed: () => undefined },
      turns: {
        ...{ clock, timers, ids: new SequentialIds() },
        ...(hasLeases ? { leases, doorbell: hearing(store.coordination.doorbell) } : { leases: null, doorbell: null }),
      },
    });
  }

  put(id: string): void {
    const work = this.executor.run(LANE, [KEY], async (unit) => {
      this.attempts += 1;
      await this.within();
      putDocument(unit, id);
    });
    work.then(
      () => this.ended.push(id),
      (error: unknown) => this.ended.push(`${id} ${isBlockworkError(error) ? error.code : String(error)}`),
    );
  }

  /** A unit that loses against a commit of another process. */
  async lose(id: string): Promise<void> {
    this.within = async () => {
      this.within = () => Promise.resolve();
      await interfere();
    };
    this.put(id);
    await settle();
  }

  async isHolding(): Promise<boolean> {
    const nodes = await this.node.store.coordination.nodes();
    return nodes.some(({ id, leases }) => id === this.node.leases.facts.id && leases > 0);
  }
}

const interfere = async (): Promise<void> => {
  const { store } = cluster.memory;
  await store.commit({ expect: { [KEY]: await store.revision(KEY) }, changes: [] });
};

/** Has a unit under way until the returned function is called. */
const busy = async (writer: Writer): Promise<() => void> => {
  let finish = (): void => undefined;
  writer.within = () => new Promise((resolve) => (finish = resolve));
  writer.put('busy');
  await settle();
  writer.within = () => Promise.resolve();
  return finish;
};

/**
 * Whenever `slow` runs a unit, `fast` puts one first, and so never learns by a conflict that it is not alone. Returns the
 * number of those so far.
 */
const alwaysFirst = (fast: Writer, slow: Writer): (() => number) => {
  let puts = 0;
  slow.within = async () => {
    fast.put(String((puts += 1)));
    await settle();
  };
  return () => puts;
};

describe('turns of a lane', () => {
  it('cost nothing while nobody else writes', async () => {
    const one = new Writer('one');
    for (const id of ['a', 'b', 'c']) one.put(id);
    await settle();
    expect([one.ended, one.attempts, await one.isHolding()]).toEqual([['a', 'b', 'c'], 3, false]);
  });

  it('are taken by a node that lost, and end when it has no more work', async () => {
    const one = new Writer('one');
    await one.lose('a');
    expect([one.ended, one.attempts, await one.isHolding()]).toEqual([['a'], 2, true]);
    cluster.timers.advance(3);
    await settle();
    expect(await one.isHolding()).toBe(false);
  });

  it('go on where the node has more work at once, and are returned with the first work after the others fell silent', async () => {
    const one = new Writer('one');
    await one.lose('a');
    const [taken, released] = [vi.spyOn(one.node.leases, 'take'), vi.spyOn(one.node.leases, 'release')];
    for (const id of ['b', 'c', 'd']) {
      cluster.timers.advance(2);
      one.put(id);
      await settle();
    }
    expect([one.ended, taken.mock.calls, released.mock.calls]).toEqual([['a', 'b', 'c', 'd'], [], []]);
    const finish = await busy(one);
    cluster.timers.advance(5_000);
    finish();
    await settle();
    cluster.timers.advance(2);
    one.put('e');
    await settle();
    expect([one.ended.at(-1), taken.mock.calls, released.mock.calls.length]).toEqual(['e', [], 1]);
  });

  it('that another node asked for are short, and long again once nobody asks', async () => {
    const [one, other] = [new Writer('one'), new Writer('other')];
    await one.lose('a');
    const finish = await busy(one);
    await other.lose('x');
    finish();
    await pass(200);
    expect(other.ended).toEqual(['x']);
    const rung = vi.spyOn(one.node.store.coordination.doorbell, 'ring');
    await one.lose('b');
    const taken = vi.spyOn(one.node.leases, 'take');
    // Longer than a turn that somebody asks for; the node has work all the time.
    for (let n = 0; n < 50; n += 1) {
      cluster.timers.advance(2);
      one.put(`more ${String(n)}`);
      await settle();
    }
    expect(taken.mock.calls).toEqual([]);
    await pass(20);
    expect(rung.mock.calls.flat()).not.toContainEqual(expect.stringContaining('given-back'));
  });

  it('make the units of other nodes wait, not fail', async () => {
    const [one, other] = [new Writer('one'), new Writer('other')];
    await one.lose('a');
    let finish = (): void => undefined;
    one.within = () => new Promise((resolve) => (finish = resolve));
    one.put('b');
    await settle();
    await other.lose('x');
    for (const id of ['y', 'z']) other.put(id);
    await pass(50);
    expect([other.ended, other.attempts]).toEqual([[], 1]);
    one.within = () => Promise.resolve();
    finish();
    await pass(100);
    expect([one.ended, other.ended]).toEqual([
      ['a', 'b'],
      ['x', 'y', 'z'],
    ]);
    expect(other.attempts).toBe(4);
  });

  it('are looked for and asked for by a node that waits ever less often', async () => {
    const [one, other] = [new Writer('one'), new Writer('other')];
    await one.lose('a');
    const finish = await busy(one);
    const { coordination } = other.node.store;
    const [rung, looked] = [vi.spyOn(coordination.doorbell, 'ring'), vi.spyOn(other.node.leases, 'take')];
    await other.lose('x');
    const looks: number[] = [];
    for (let second = 0; second < 3; second += 1) {
      const before = looked.mock.calls.length;
      for (let n = 0; n < 200; n += 1) {
        cluster.timers.advance(5);
        await settle();
      }
      looks.push(looked.mock.calls.length - before);
    }
    expect(Math.max(...looks)).toBeLessThanOrEqual(12);
    expect(Math.min(...looks)).toBeGreaterThanOrEqual(4);
    expect(rung.mock.calls.length).toBe(looked.mock.calls.length);
    finish();
    await settle();
    expect(other.ended).toEqual([]);
    await pass(20);
    expect(other.ended).toEqual(['x']);
  });

  it('are taken when the node that had one tells of its end, long before the next look', async () => {
    const [one, other] = [new Writer('one'), new Writer('other')];
    await one.lose('a');
    const finish = await busy(one);
    await other.lose('x');
    await pass(2000);
    // A look that fails asks again; the next one is at least half of the longest pause away.
    const looked = vi.spyOn(other.node.leases, 'take');
    while (looked.mock.calls.length === 0) {
      cluster.timers.advance(1);
      await settle();
    }
    finish();
    expect(await untilEnded(other)).toBeLessThanOrEqual(15);
  });

  it('are found where the doorbell is not heard', async () => {
    const [one, other] = [new Writer('one'), new Writer('other', { hearing: deaf })];
    await one.lose('a');
    const finish = await busy(one);
    await other.lose('x');
    await pass(2000);
    finish();
    expect(await untilEnded(other)).toBeLessThanOrEqual(300);
  });

  it('are not waited for longer where the clock is set back all the time', async () => {
    const [one, other] = [new Writer('one'), new Writer('other')];
    await one.lose('a');
    const finish = await busy(one);
    await other.lose('x');
    // It does not die meanwhile.
    one.node.leases.start();
    vi.spyOn(other.node.clock, 'now').mockImplementation(() => 0);
    for (let n = 0; n < 1_100 && other.ended.length === 0; n += 1) {
      cluster.timers.advance(10);
      await settle();
    }
    expect(other.ended).toEqual(['x']);
    finish();
    await settle();
  });

  it('are handed on after a while, with everything durable', async () => {
    const [one, other] = [new Writer('one'), new Writer('other')];
    await one.lose('a');
    await other.lose('x');
    // It always has more work.
    let n = 0;
    one.within = () => {
      if (n < 1000) one.put(`b${String((n += 1))}`);
      return Promise.resolve();
    };
    one.put('b');
    for (let passed = 0; passed < 40 && other.ended.length === 0; passed += 1) {
      cluster.timers.advance(10);
      await settle();
    }
    one.within = () => Promise.resolve();
    expect(other.ended).toEqual(['x']);
    expect(other.attempts).toBe(2);
  });

  it('are kept while no other node asks for them, and handed on soon after one does', async () => {
    const [one, other] = [new Writer('one'), new Writer('other')];
    await one.lose('a');
    let taken = 0;
    const take = one.node.leases.take.bind(one.node.leases);
    one.node.leases.take = (...asked) => {
      taken += 1;
      return take(...asked);
    };
    // It always has more work, each of a millisecond.
    let hasMore = true;
    let n = 0;
    one.within = async () => {
      if (hasMore) one.put(`b${String((n += 1))}`);
      cluster.timers.advance(1);
      await turn();
    };
    one.put('b');
    while (n < 200) await turn();
    expect(taken).toBe(0);
    await other.lose('x');
    const asked = cluster.clock.now();
    while (other.ended.length === 0) {
      cluster.timers.advance(1);
      await turn();
    }
    hasMore = false;
    expect(cluster.clock.now() - asked).toBeLessThan(300);
  });

  it('last until what waited for them has run, up to 64 units, however long that takes', async () => {
    const [one, other] = [new Writer('one'), new Writer('other')];
    await other.lose('x');
    const finish = await busy(other);
    await one.lose('a');
    for (let n = 0; n < 100; n += 1) one.put(`b${String(n)}`);
    let ran = 0;
    let before = 0;
    one.within = async () => {
      if (ran === 0) other.put('y');
      // Longer than a turn.
      cluster.timers.advance(60);
      await settle();
      ran += 1;
    };
    other.within = () => {
      before = ran;
      return Promise.resolve();
    };
    finish();
    while (!other.ended.includes('y')) await pass(10);
    expect(before).toBe(64);
    one.within = () => Promise.resolve();
    while (one.ended.length < 101) await pass(10);
  });

  it('are not waited for where the node that had one has died', async () => {
    const [one, other] = [new Writer('one'), new Writer('other')];
    await one.lose('a');
    one.node.store.kill();
    await other.lose('x');
    for (let n = 0; n < 1100 && other.ended.length === 0; n += 1) {
      cluster.timers.advance(10);
      await settle();
    }
    expect(other.ended).toEqual(['x']);
  });

  it('are waited for by a node that never lost a unit, so that one that always loses gets through', async () => {
    const [one, other] = [new Writer('one'), new Writer('other')];
    const commits = alwaysFirst(one, other);
    other.put('x');
    await pass(1000);
    expect(other.ended).toEqual(['x']);
    expect(other.attempts).toBeLessThanOrEqual(4);
    expect([one.ended.length, one.attempts]).toEqual([commits(), commits()]);
  });

  it('are not taken because rings may have been missed, as when a node connects', async () => {
    let listen: (rung: Rung) => void = () => undefined;
    const heard: Hearing = (doorbell) => ({
      ring: (name) => doorbell.ring(name),
      subscribe: (listener) => {
        listen = listener;
        return () => undefined;
      },
    });
    const one = new Writer('one', { hearing: heard });
    const taken = vi.spyOn(one.node.leases, 'take');
    one.put('a');
    await settle();
    listen('all');
    one.put('b');
    await settle();
    expect([one.ended, taken.mock.calls]).toEqual([['a', 'b'], []]);
  });

  it('bring a node through even if the other one hears late that it is not alone', async () => {
    const [one, other] = [new Writer('one', { hearing: late(300) }), new Writer('other')];
    const commits = alwaysFirst(one, other);
    other.put('x');
    await pass(2000);
    expect(other.ended).toEqual(['x']);
    expect(one.ended.length).toBe(commits());
  });

  it('are taken anew only when the last one has been returned', async () => {
    const one = new Writer('one');
    const { leases } = one.node;
    const release = leases.release.bind(leases);
    let returnLast = (): void => undefined;
    vi.spyOn(leases, 'release').mockImplementation(async (names) => {
      await new Promise<void>((resolve) => (returnLast = resolve));
      await release(names);
    });
    await one.lose('a');
    await pass(10);
    one.put('b');
    await settle();
    expect(one.ended).toEqual(['a']);
    returnLast();
    await settle();
    expect([one.ended, await one.isHolding()]).toEqual([['a', 'b'], true]);
    await pass(10);
    returnLast();
  });

  it('are a random pause in a store without leases', async () => {
    const one = new Writer('one', { hasLeases: false });
    await one.lose('a');
    expect([one.ended, one.attempts]).toEqual([[], 1]);
    cluster.timers.advance(20);
    await settle();
    expect([one.ended, one.attempts]).toEqual([['a'], 2]);
  });
});

describe('a unit that may leave a contended lane', () => {
  const leaving = (writer: Writer, work: (unit: UnitOfWork) => Promise<unknown>) =>
    writer.executor.runOrLeave({ lane: LANE, keys: [KEY], mayLeave: () => true, work });

  it('leaves after a conflict instead of waiting for a turn, and so do those behind it', async () => {
    const one = new Writer('one');
    const taken = vi.spyOn(one.node.leases, 'take');
    const work = async (unit: UnitOfWork): Promise<void> => {
      await interfere();
      putDocument(unit, 'a');
    };
    const [first, second] = [leaving(one, work), leaving(one, work)];
    expect(await Promise.all([first, second])).toEqual([
      { hasLeft: true, attempts: 1 },
      { hasLeft: true, attempts: 0 },
    ]);
    expect([await cluster.memory.store.get('document', 'p', 'a'), taken.mock.calls]).toEqual([undefined, []]);
  });

  it('stays where it may not, where it has its turn, and where it has done something outside of the store', async () => {
    const one = new Writer('one');
    let attempts = 0;
    const work = async (unit: UnitOfWork): Promise<string> => {
      const called = await unit.once('call', () => Promise.resolve(`call ${String(attempts)}`));
      if ((attempts += 1) === 1) await interfere();
      putDocument(unit, 'a');
      return called;
    };
    const [called, next] = [leaving(one, work), leaving(one, () => Promise.resolve('in its turn'))];
    const stays = one.executor.runOrLeave({
      ...{ lane: LANE, keys: [KEY], mayLeave: () => false },
      work: () => Promise.resolve('stays'),
    });
    expect(await Promise.all([called, next, stays])).toMatchObject([
      { result: 'call 0', attempts: 2 },
      { result: 'in its turn', attempts: 1 },
      { result: 'stays', attempts: 1 },
    ]);
  });
});

describe('what a unit does outside of the store', () => {
  it('is not done again when the unit runs again', async () => {
    const one = new Writer('one');
    const calls: number[] = [];
    const got: unknown[] = [];
    let attempts = 0;
    const call = (): Promise<number> => Promise.resolve(calls.push(calls.length));
    await one.executor.run(LANE, [KEY], async (unit) => {
      got.push([await unit.once('call', call), await unit.once('call', call), await unit.once('other', call)]);
      if ((attempts += 1) === 1) await interfere();
      putDocument(unit, 'a');
    });
    expect([attempts, calls.length]).toEqual([2, 3]);
    expect(got).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  it('is done again if it failed', async () => {
    const one = new Writer('one');
    const failing = one.executor.run(LANE, [KEY], (unit) => unit.once('call', () => Promise.reject(new Error('no'))));
    await expect(failing).rejects.toThrow('no');
    const { result } = await one.executor.run(LANE, [KEY], (unit) => unit.once('call', () => Promise.resolve('yes')));
    expect(result).toBe('yes');
  });
});
