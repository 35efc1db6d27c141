/** A process as a node of a shared store: what it tells of the others, and what becomes of its leases. */
import { SimulatedClock, SimulatedTimers, MemoryCluster } from '@blockwork/testing';
import { expect, it, vi } from 'vitest';
import { turn } from '../../../test/background.js';
import { StoreClock } from '../../defaults/index.js';
import { StoreNode } from './store-node.js';

const LEASE_MS = 6000;

function world() {
  const clock = new SimulatedClock();
  const timers = new SimulatedTimers(clock);
  const memory = new MemoryCluster(clock);
  const join = (id: string, name = id) => {
    const { coordination } = memory.connect();
    const log: unknown[] = [];
    const note =
      (level: string) =>
      (message: string, fields: object = {}): void =>
        void log.push([level, message, fields]);
    const logger = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
    const facts = { id, name, version: '1.2.3' };
    const node = new StoreNode({
      coordination,
      facts,
      leaseMs: LEASE_MS,
      clock: new StoreClock(clock),
      timers,
      logger,
    });
    return { node, coordination, log, facts };
  };
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 500) {
      timers.advance(500);
      for (let turns = 0; turns < 5; turns += 1) await turn();
    }
  };
  return { clock, join, pass };
}

const joined = async ({ node }: { node: StoreNode }): Promise<void> => {
  node.start();
  await node.idle();
};

it('renews its registration three times in the time that its leases last', async () => {
  const { join, pass } = world();
  const a = join('a');
  const renew = vi.spyOn(a.coordination, 'renew');
  await joined(a);
  expect(renew).toHaveBeenCalledTimes(1);
  await pass(LEASE_MS);
  expect(renew).toHaveBeenCalledTimes(4);
  await a.node.stop();
});

it('tells who is there when it joins, and then who joins and leaves', async () => {
  const { clock, join, pass } = world();
  const since = new Date(clock.now()).toISOString();
  const [a, b] = [join('a', 'first'), join('b', '')];
  await joined(a);
  await joined(b);
  const described = { a: `first (1.2.3) since ${since}, leases: 0`, b: `b (1.2.3) since ${since}, leases: 0` };
  const message = 'This node has joined the store.';
  expect(a.log).toEqual([['info', message, { ...a.facts, nodes: [described.a] }]]);
  expect(b.log).toEqual([['info', message, { ...b.facts, nodes: [described.a, described.b] }]]);
  await pass(LEASE_MS);
  expect(a.log.slice(1)).toEqual([['info', 'A node has joined the store.', { id: 'b', node: described.b }]]);
  await b.node.stop();
  await pass(LEASE_MS);
  expect(a.log.slice(2)).toEqual([['info', 'A node has left the store, or is dead.', { id: 'b', node: described.b }]]);
  expect((await a.node.all()).map(({ id }) => id)).toEqual(['a']);
  await a.node.stop();
});

it('stays alive for as long as it runs, and gives its leases back when it stops', async () => {
  const { join, pass } = world();
  const [a, b] = [join('a'), join('b')];
  await joined(a);
  await a.node.take(['timers/p']);
  await pass(3 * LEASE_MS);
  await joined(b);
  expect([...(await b.node.take(['timers/p'])).taken.keys()]).toEqual([]);
  await a.node.stop();
  expect([...(await b.node.take(['timers/p'])).taken.keys()]).toEqual(['timers/p']);
  await b.node.stop();
});

it('is registered before it takes its first lease, once, whoever asks', async () => {
  const { join } = world();
  const { node, coordination } = join('a');
  const renew = vi.spyOn(coordination, 'renew');
  const answers = await Promise.all([node.take(['one']), node.take(['two'])]);
  expect(answers.flatMap(({ taken }) => [...taken.keys()])).toEqual(['one', 'two']);
  expect(renew.mock.calls).toEqual([[node.facts, LEASE_MS]]);
});

it('that could not register tries again with the next lease', async () => {
  const { join } = world();
  const { node, coordination } = join('a');
  const renew = vi.spyOn(coordination, 'renew').mockRejectedValueOnce(new Error('the store is away'));
  await expect(node.take(['one'])).rejects.toThrow('the store is away');
  expect([...(await node.take(['one'])).taken.keys()]).toEqual(['one']);
  expect(renew).toHaveBeenCalledTimes(2);
});

it('that cannot sign off says so, and stops all the same', async () => {
  const { join } = world();
  const a = join('a');
  await joined(a);
  const error = new Error('the store is away');
  vi.spyOn(a.coordination, 'leave').mockRejectedValueOnce(error);
  await a.node.stop();
  const message = 'This node could not be signed off; its leases end by themselves.';
  expect(a.log.slice(1)).toEqual([['warn', message, { node: 'a', error }]]);
});

it('that never joined has nothing to sign off', async () => {
  const { join } = world();
  const { node, coordination } = join('a');
  const leave = vi.spyOn(coordination, 'leave');
  await node.stop();
  expect(leave).not.toHaveBeenCalled();
});
