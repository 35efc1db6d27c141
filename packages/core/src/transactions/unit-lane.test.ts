import { BlockworkError, isBlockworkError } from '../errors.js';
import type { DocumentRecord } from '../records/kinds.js';
import { describe, expect, it, vi } from 'vitest';
import { turn } from '../../test/background.js';
import { SlowStore } from '../../test/slow-store.js';
import { channels } from '../telemetry/index.js';
import { Executor } from './executor.js';
import { lanes, revisionKeys } from './revision-keys.js';

const KEY = revisionKeys.policy.of('p');
const LANE = lanes.policy.of('p');

function world() {
  const store = new SlowStore();
  const committed: string[] = [];
  const executor = new Executor({
    store,
    limits: { conflictRetries: 3 },
    commits: {
      committed: ({ changes }) => void committed.push(...changes.map((c) => (c.op === 'put' ? c.value.id : c.id))),
    },
  });
  const commits: string[] = [];
  const runs: string[] = [];
  /** A unit that puts a document under its name. */
  const put = (id: string, keys = [KEY]): Promise<void> =>
    executor
      .run(LANE, keys, async (unit) => {
        runs.push(id);
        unit.put('document', 'p', { id, option: {}, document: {} } as unknown as DocumentRecord);
        return Promise.resolve();
      })
      .then(
        () => void commits.push(id),
        (error: unknown) => void commits.push(`${id} ${isBlockworkError(error) ? error.code : String(error)}`),
      );
  const turns = async (): Promise<void> => {
    for (let n = 0; n < 5; n += 1) await turn();
  };
  const apply = async (): Promise<void> => {
    await store.apply();
    await turns();
  };
  const foreign = async (): Promise<void> =>
    store.foreign({ expect: { [KEY]: await store.revision(KEY) }, changes: [] });
  return { store, executor, committed, commits, runs, put, turns, apply, foreign };
}

describe('units of one lane', () => {
  it('run while the one before is on its way to the disk, are committed together, and are answered when they are durable', async () => {
    const { store, committed, commits, runs, put, turns, apply } = world();
    for (const id of ['a', 'b', 'c', 'd']) void put(id);
    await turns();
    expect([runs, commits, store.commits, store.waiting]).toEqual([['a', 'b', 'c', 'd'], [], 1, 1]);
    await apply();
    expect([commits, committed, store.commits, store.largest]).toEqual([['a'], ['a'], 2, 3]);
    await apply();
    expect([commits, committed]).toEqual([
      ['a', 'b', 'c', 'd'],
      ['a', 'b', 'c', 'd'],
    ]);
    expect(await store.revision(KEY)).toBe(4);
  });

  it('are told to telemetry as the groups in which they are written', async () => {
    const groups: object[] = [];
    const stop = channels.commit.subscribe({ end: (each) => void groups.push(each) });
    const { put, turns, apply } = world();
    for (const id of ['a', 'b', 'c']) void put(id);
    await turns();
    await apply();
    await apply();
    stop();
    expect(groups).toMatchObject([
      { units: 1, changes: 1, traceparents: [], outcome: 'done' },
      { units: 2, changes: 2, traceparents: [], outcome: 'done' },
    ]);
  });

  it('gather in groups of half of those who send again at once, so that there is something to run while one is written', async () => {
    const { store, put, turns, apply } = world();
    let sent = 0;
    let isOver = false;
    const client = async (): Promise<void> => {
      while (!isOver) await put(`document ${String((sent += 1))}`);
    };
    const clients = Array.from({ length: 16 }, () => client());
    await turns();
    for (let n = 0; n < 4; n += 1) await apply();
    const before = store.applied.length;
    const sizes: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const applied = store.applied.length;
      await apply();
      sizes.push(store.applied.length - applied);
    }
    expect(store.applied.length - before).toBe(6 * 8);
    expect([Math.min(...sizes), Math.max(...sizes)]).toEqual([7, 9]);
    isOver = true;
    while (store.waiting > 0) await apply();
    await Promise.all(clients);
  });

  it('do not wait for those who do not send again', async () => {
    const { store, commits, put, turns, apply } = world();
    for (let n = 0; n < 9; n += 1) void put(String(n));
    await turns();
    await apply();
    void put('late');
    await turns();
    // The eight are answered, and "late" stands alone behind them.
    await apply();
    expect(store.waiting).toBe(1);
    await apply();
    expect(commits.at(-1)).toBe('late');
  });

  it('run again in their order, before those that wait, when what they stand on is refused', async () => {
    const { commits, runs, put, turns, apply, foreign, committed } = world();
    for (const id of ['a', 'b', 'c']) void put(id);
    await turns();
    await foreign();
    await apply();
    void put('d');
    await turns();
    expect(runs).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'd']);
    await apply();
    await apply();
    expect([commits, committed]).toEqual([
      ['a', 'b', 'c', 'd'],
      ['a', 'b', 'c', 'd'],
    ]);
  });

  it('fail alone: the unit that the store does not take is told, and those on top of it run again', async () => {
    const { store, commits, put, turns, apply, committed } = world();
    store.refuses = ({ changes }) => changes.some((change) => change.op === 'put' && change.value.id === 'poison');
    for (const id of ['a', 'b', 'poison', 'c']) void put(id);
    await turns();
    for (let n = 0; n < 6; n += 1) await apply();
    expect(commits).toEqual(['a', 'b', 'poison STORE_UNAVAILABLE', 'c']);
    expect(committed).toEqual(['a', 'b', 'c']);
  });

  it('are all told when the store takes nothing', async () => {
    const { store, commits, put, turns, apply } = world();
    store.refuses = ({ changes }) => changes.some((change) => change.op === 'put' && change.value.id !== 'a');
    for (const id of ['a', 'b', 'c']) void put(id);
    await turns();
    for (let n = 0; n < 3; n += 1) await apply();
    expect(commits).toEqual(['a', 'b STORE_UNAVAILABLE', 'c STORE_UNAVAILABLE']);
    expect(await store.revision(KEY)).toBe(1);
  });

  it.each([true, false])('are run once when the outcome of their commit stays unknown (made: %s)', async (isMade) => {
    const { store, commits, runs, put, turns, apply, committed } = world();
    for (const id of ['a', 'b', 'c']) void put(id);
    await turns();
    await apply();
    await store.loseOutcome({ isMade });
    await turns();
    void put('d');
    await turns();
    await apply();
    expect(runs).toEqual(['a', 'b', 'c', 'd']);
    expect(commits).toEqual(['a', 'b COMMIT_UNKNOWN', 'c COMMIT_UNKNOWN', 'd']);
    expect(committed).toEqual(['a', 'd']);
    expect(await store.revision(KEY)).toBe(isMade ? 4 : 2);
  });

  it('are not tried for ever where somebody else is always faster', async () => {
    const { commits, runs, put, turns, apply, foreign } = world();
    void put('a');
    for (let n = 0; n < 4; n += 1) {
      await turns();
      await foreign();
      await apply();
    }
    expect([commits, runs.length]).toEqual([['a CONFLICT'], 4]);
  });

  it('of several keys wait until everything is durable, and are waited for', async () => {
    const { runs, commits, put, turns, apply } = world();
    void put('a');
    void put('several', [KEY, revisionKeys.definition.of('p')]);
    void put('b');
    await turns();
    expect(runs).toEqual(['a']);
    await apply();
    expect(runs).toEqual(['a', 'several']);
    await apply();
    expect(runs).toEqual(['a', 'several', 'b']);
    await apply();
    expect(commits).toEqual(['a', 'several', 'b']);
  });

  it('that throw say so only when what they have seen is durable', async () => {
    const { store, executor, put, turns, apply } = world();
    void put('a');
    const seen: (string | undefined)[] = [];
    const failed = executor.run(LANE, [KEY], async (unit) => {
      seen.push((await unit.get('document', 'p', 'a'))?.id);
      throw new BlockworkError('ENGINE_CLOSED');
    });
    let isTold = false;
    const settled = failed.catch(() => (isTold = true));
    await turns();
    expect([seen, isTold]).toEqual([['a'], false]);
    await store.fail();
    await turns();
    await settled;
    expect(seen).toEqual(['a', undefined]);
    await apply();
  });

  it('read of a list that has only become longer no more than its page, also beyond the end of what is durable', async () => {
    const { store, executor, put, turns, apply } = world();
    for (const id of ['a', 'b', 'c']) {
      void put(id);
      await turns();
      await apply();
    }
    for (const id of ['d', 'e', 'f']) void put(id);
    await turns();
    const find = vi.spyOn(store, 'find');
    const pages: string[][] = [];
    const done = executor.run(LANE, [KEY], async (unit) => {
      for (const offset of [0, 2, 4, 6]) {
        const page = await unit.find('document', 'p', { offset, limit: 2 });
        pages.push(page.map(({ id }) => id));
      }
    });
    await turns();
    expect(pages).toEqual([['a', 'b'], ['c', 'd'], ['e', 'f'], []]);
    const lists = await Promise.all(find.mock.results.map(({ value }) => value as Promise<unknown[]>));
    expect(lists.flat()).toHaveLength(3);
    await apply();
    await apply();
    await done;
  });

  it('read of an ordered list no more than its page and what has been changed', async () => {
    const { store, executor, put, turns, apply } = world();
    for (const id of ['a', 'b', 'c', 'd']) {
      void put(id);
      await turns();
      await apply();
    }
    for (const id of ['x', 'y']) void put(id);
    await turns();
    const find = vi.spyOn(store, 'find');
    const order = { path: 'id', direction: 'desc' } as const;
    const pages: string[][] = [];
    const done = executor.run(LANE, [KEY], async (unit) => {
      for (const more of [{ offset: 1, limit: 2 }, { offset: 4 }]) {
        pages.push((await unit.find('document', 'p', { order, ...more })).map(({ id }) => id));
      }
    });
    await turns();
    expect(pages).toEqual([
      ['x', 'd'],
      ['b', 'a'],
    ]);
    expect(find.mock.calls.map(([, , query]) => [query?.offset, query?.limit])).toEqual([
      [0, 3],
      [0, undefined],
    ]);
    await apply();
    await apply();
    await done;
  });

  it.each([
    { limit: '256 units', sent: 300, begun: 256, changes: 1, bytes: 0 },
    { limit: '10,000 changes', sent: 4, begun: 3, changes: 4_000, bytes: 0 },
    { limit: '64 MiB', sent: 4, begun: 3, changes: 1, bytes: 30 * 1024 * 1024 },
  ])('are begun while fewer than $limit are on their way to the disk', async ({ sent, begun, changes, bytes }) => {
    const { store, executor, turns, apply } = world();
    let runs = 0;
    const document = { text: 'x'.repeat(bytes) };
    const done = Array.from({ length: sent }, (_none, unitAt) =>
      executor.run(LANE, [KEY], (unit) => {
        runs += 1;
        for (let at = 0; at < changes; at += 1) {
          const id = `${String(unitAt)}/${String(at)}`;
          unit.putOwned('document', 'p', { id, option: {}, document } as unknown as DocumentRecord);
        }
        return Promise.resolve();
      }),
    );
    for (let n = 0; n < 1_000 && runs < begun; n += 1) await turn();
    await turns();
    expect(runs).toBe(begun);
    while (store.waiting > 0) await apply();
    await Promise.all(done);
  });

  it('count records that a unit moves into a list before that is durable, and those that it moves out of it', async () => {
    const { executor, turns, apply } = world();
    const move = (type: string) =>
      executor.run(LANE, [KEY], (unit) => {
        unit.put('document', 'p', { id: 'a', type, option: {}, document: {} } as unknown as DocumentRecord);
        return Promise.resolve();
      });
    const counts: number[][] = [];
    const count = () =>
      executor.run(LANE, [KEY], async (unit) => {
        const of = (value: string) => unit.count('document', 'p', { path: 'type', op: 'eq', value });
        counts.push([await of('x'), await of('y')]);
      });
    const all = [move('x')];
    await turns();
    await apply();
    all.push(move('y'), count());
    await turns();
    expect(counts).toEqual([[0, 1]]);
    await apply();
    await Promise.all(all);
  });

  it('find a record last that was removed and put again, also before that is durable', async () => {
    const { executor, put, turns, apply } = world();
    for (const id of ['a', 'b']) void put(id);
    await turns();
    await apply();
    await apply();
    void executor.run(LANE, [KEY], (unit) => {
      unit.delete('document', 'p', 'a');
      return Promise.resolve();
    });
    void put('a');
    const ids = executor.run(LANE, [KEY], async (unit) => (await unit.find('document', 'p')).map(({ id }) => id));
    for (let n = 0; n < 3; n += 1) {
      await turns();
      await apply();
    }
    expect((await ids).result).toEqual(['b', 'a']);
  });

  it.each([
    [64, false],
    [65, true],
  ])(
    'compare with the store what others have changed; with %i records they wait for the disk: %s',
    async (n, waits) => {
      const { executor, turns, apply } = world();
      const changed = executor.run(LANE, [KEY], (unit) => {
        for (let at = 0; at < n; at += 1) {
          unit.put('document', 'p', { id: `d${String(at)}`, option: {}, document: {} } as unknown as DocumentRecord);
        }
        return Promise.resolve();
      });
      const counts: number[] = [];
      const counted = executor.run(LANE, [KEY], async (unit) => counts.push(await unit.count('document', 'p')));
      for (let times = 0; times < 10; times += 1) await turns();
      expect(counts).toEqual(waits ? [] : [n]);
      await apply();
      await turns();
      await Promise.all([changed, counted]);
      expect(counts).toEqual([n]);
    },
  );

  it('are done when the executor is idle', async () => {
    const { executor, commits, put, turns, apply } = world();
    void put('a');
    void put('b');
    let isIdle = false;
    const idle = executor.idle().then(() => (isIdle = true));
    await turns();
    await apply();
    expect([commits, isIdle]).toEqual([['a'], false]);
    await apply();
    await idle;
    expect(commits).toEqual(['a', 'b']);
  });
});

describe('units and tasks that have not started', () => {
  it('can be refused, while what has started ends as it would', async () => {
    const { executor, commits, put, turns, apply } = world();
    let free = (): void => undefined;
    const started = executor.run(LANE, [KEY], () => new Promise<void>((resolve) => (free = resolve)));
    await turns();
    void put('a');
    const task = executor.runTask(LANE, () => Promise.resolve());
    expect(executor.refuseWaiting()).toBe(2);
    await expect(task).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
    await turns();
    expect([commits, executor.load]).toEqual([['a ENGINE_CLOSED'], { waiting: 0, lanes: 1 }]);
    free();
    await started;
    expect(executor.refuseWaiting()).toBe(0);
    void put('b');
    await apply();
    await apply();
    await executor.idle();
    expect([commits.at(-1), executor.load]).toEqual(['b', { waiting: 0, lanes: 0 }]);
  });
});

describe('tasks of a lane', () => {
  const decision = lanes.decision.of('1.1');

  it('run one after another, in the order in which they came', async () => {
    const { executor } = world();
    const log: string[] = [];
    const task = (name: string) => async (): Promise<void> => {
      log.push(`${name} begins`);
      await turn();
      log.push(`${name} ends`);
    };
    await Promise.all([executor.runTask(decision, task('first')), executor.runTask(decision, task('second'))]);
    expect(log).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('run beside those of other lanes', async () => {
    const { executor } = world();
    let release = (): void => undefined;
    const blocked = executor.runTask(decision, () => new Promise<void>((resolve) => (release = resolve)));
    await expect(executor.runTask(lanes.decision.of('2.2'), () => Promise.resolve('done'))).resolves.toBe('done');
    release();
    await blocked;
  });

  it('go on after a task that failed', async () => {
    const { executor } = world();
    const failed = executor.runTask(decision, () => Promise.reject(new Error('no')));
    const after = executor.runTask(decision, () => Promise.resolve('yes'));
    await expect(failed).rejects.toThrow('no');
    await expect(after).resolves.toBe('yes');
  });

  it('wait until the units before them are durable', async () => {
    const { executor, put, turns, apply, commits } = world();
    void put('a');
    const seen: string[][] = [];
    const task = executor.runTask(LANE, () => Promise.resolve(void seen.push([...commits])));
    await turns();
    expect(seen).toEqual([]);
    await apply();
    await task;
    expect(seen).toEqual([['a']]);
  });
});
