/** Promises about coordination: node discovery and leases. */
import type { Coordination, NodeFacts } from '@blockwork/core/adapter';
import { expect } from 'vitest';
import { coordinatedPromise, type ConformanceCase } from './conformance-case.js';

const LONG = 600_000;
const node = (id: string): NodeFacts => ({ id, name: `node ${id}`, version: '1.2.3' });
const join = async (coordination: Coordination, ...ids: string[]): Promise<void> => {
  for (const id of ids) await coordination.renew(node(id), LONG);
};
const take = async (coordination: Coordination, nodeId: string, ...names: string[]): Promise<string[]> =>
  [...(await coordination.takeLeases(nodeId, names)).taken.keys()].sort();

/** What a store by a real clock comes to sooner or later; each look is progress, whatever time it takes. */
async function eventually<T>(look: () => Promise<T>, isIt: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await look();
    if (isIt(answer)) return answer;
  }
}

export const coordinating: readonly ConformanceCase[] = [
  coordinatedPromise('lists the nodes that are registered, oldest first, until they leave', async (coordination) => {
    const [first, second] = [await coordination.renew(node('b'), LONG), await coordination.renew(node('a'), LONG)];
    expect(second).toBeGreaterThanOrEqual(first);
    await take(coordination, 'b', 'x', 'y');
    const [b, a, ...others] = await coordination.nodes();
    expect([b, a]).toMatchObject([
      { ...node('b'), leases: 2 },
      { ...node('a'), leases: 0 },
    ]);
    expect(others).toEqual([]);
    expect((b?.aliveUntil ?? 0) - (b?.since ?? 0)).toBeGreaterThan(LONG - 1000);
    await coordination.leave('b');
    expect((await coordination.nodes()).map(({ id }) => id)).toEqual(['a']);
  }),
  coordinatedPromise('keeps the moment of the first registration when a node renews', async (coordination) => {
    await join(coordination, 'a');
    const [before] = await coordination.nodes();
    const now = await eventually(
      () => coordination.renew({ ...node('a'), name: 'renamed' }, LONG),
      (time) => time >= (before?.since ?? 0),
    );
    const [after] = await coordination.nodes();
    expect(after).toMatchObject({ since: before?.since, name: 'renamed' });
    expect(after?.aliveUntil).toBeGreaterThanOrEqual(now + LONG - 1);
  }),
  coordinatedPromise('gives each lease to one node, until that gives it up', async (coordination) => {
    await join(coordination, 'a', 'b');
    expect(await take(coordination, 'a', 'x', 'y')).toEqual(['x', 'y']);
    expect(await take(coordination, 'b', 'y', 'z')).toEqual(['z']);
    expect(await take(coordination, 'a', 'x')).toEqual(['x']);
    await coordination.release('a', ['y', 'z', 'unknown']);
    expect(await take(coordination, 'b', 'x', 'y', 'z')).toEqual(['y', 'z']);
    expect(await take(coordination, 'a', 'x', 'y', 'z')).toEqual(['x']);
  }),
  coordinatedPromise('gives each lease to exactly one of many nodes that ask at once', async (coordination) => {
    const ids = Array.from({ length: 8 }, (_, at) => `n${String(at)}`);
    await join(coordination, ...ids);
    const names = Array.from({ length: 40 }, (_, at) => `l${String(at)}`);
    const answers = await Promise.all(ids.map((id, at) => take(coordination, id, ...rotated(names, at * 5))));
    expect(answers.flat().sort()).toEqual([...names].sort());
  }),
  coordinatedPromise('frees the leases of a node that leaves', async (coordination) => {
    await join(coordination, 'a', 'b');
    await take(coordination, 'a', 'x');
    await coordination.leave('a');
    expect(await take(coordination, 'b', 'x')).toEqual(['x']);
  }),
  coordinatedPromise('frees the leases of a node that does not renew', async (coordination) => {
    await join(coordination, 'b');
    await coordination.renew(node('a'), 1);
    await take(coordination, 'a', 'x');
    await coordination.renew(node('a'), 1);
    await eventually(
      () => take(coordination, 'b', 'x'),
      (names) => names.length === 1,
    );
    expect((await coordination.nodes()).map(({ id }) => id)).toEqual(['b']);
    // If it lives on, it learns that another node has them.
    await join(coordination, 'a');
    expect(await take(coordination, 'a', 'x')).toEqual([]);
  }),
  coordinatedPromise('grants a postponed lease to no node before it is due', async (coordination) => {
    await join(coordination, 'a', 'b');
    await take(coordination, 'a', 'x');
    await coordination.postpone('a', 'x', 3, LONG);
    const now = await coordination.renew(node('a'), LONG);
    for (const id of ['a', 'b']) {
      const { taken, postponed } = await coordination.takeLeases(id, ['x', 'y']);
      expect([...taken]).toEqual(id === 'a' ? [['y', 0]] : []);
      expect(postponed.get('x')).toMatchObject({ failures: 3 });
      expect(postponed.get('x')?.due).toBeGreaterThan(now + LONG - 10_000);
    }
    const early = await coordination.takeLeases('b', ['x'], { evenPostponed: true });
    expect([...early.taken]).toEqual([['x', 3]]);
  }),
  coordinatedPromise(
    'tells the next holder of a postponed lease how often it failed, until it is released',
    async (coordination) => {
      await join(coordination, 'a', 'b');
      await take(coordination, 'a', 'x');
      await coordination.postpone('a', 'x', 2, 1);
      const { taken } = await eventually(
        () => coordination.takeLeases('b', ['x']),
        (answer) => answer.taken.size === 1,
      );
      expect(taken.get('x')).toBe(2);
      await coordination.release('b', ['x']);
      expect((await coordination.takeLeases('a', ['x'])).taken.get('x')).toBe(0);
    },
  ),
  coordinatedPromise('postpones and releases only what the node holds', async (coordination) => {
    await join(coordination, 'a', 'b');
    await take(coordination, 'a', 'x');
    await coordination.postpone('b', 'x', 1, LONG);
    await coordination.release('b', ['x']);
    expect(await take(coordination, 'b', 'x')).toEqual([]);
    expect(await take(coordination, 'a', 'x')).toEqual(['x']);
  }),
  coordinatedPromise('takes any text as a name, and no name for another', async (coordination) => {
    const names = ['', '\0', '\ud800', '\n', "'", '\\', 'é', 'e\u0301', 'x'.repeat(3000), `${'x'.repeat(3000)}y`];
    await coordination.renew({ id: 'a\0\ud800', name: '\0', version: '' }, LONG);
    expect(await take(coordination, 'a\0\ud800', ...names)).toEqual([...names].sort());
    expect((await coordination.nodes()).map(({ id, leases }) => [id, leases])).toEqual([['a\0\ud800', names.length]]);
  }),
];

const rotated = <T>(all: readonly T[], by: number): T[] => [...all.slice(by), ...all.slice(0, by)];
