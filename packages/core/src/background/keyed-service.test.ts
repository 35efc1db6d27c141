import { expect, it } from 'vitest';
import { simulatedWorld, turn } from '../../test/background.js';
import { SimulatedCluster } from '../../test/cluster-nodes.js';
import type { ServiceDeps } from './claiming-service.js';
import { KeyedService, type Found, type Look } from './keyed-service.js';
import { WorkClaims } from './work-claims.js';

const backoff = { firstMs: 1_000, longestMs: 8_000 };

/** Items such as `a1`, of the key `a`, each claimed by itself and done once. */
class Items extends KeyedService<ServiceDeps, string> {
  readonly due: string[] = [];
  readonly done: string[] = [];
  fails = (_item: string): boolean => false;

  constructor(deps: ServiceDeps, concurrent = 100) {
    const failure = { names: 'item', message: 'It failed.' };
    const keyOf = (item: string): string => item.charAt(0);
    super(deps, {
      name: 'items',
      leases: 'items',
      work: 'expiry',
      failure,
      backoff,
      concurrent,
      keyOf,
      claimOf: String,
    });
  }

  protected override find({ keys, skipped }: Look): Promise<Found<string>> {
    return Promise.resolve({ due: this.due.filter((item) => !keys.has(item.charAt(0)) && !skipped.has(item)) });
  }

  protected override async perform(_key: string, items: readonly string[]): Promise<void> {
    for (const item of items) {
      if (this.fails(item)) await this.postpone(item, new Error('no'));
      else this.done.push(...this.due.splice(this.due.indexOf(item), 1));
    }
    await this.onPerformed();
  }

  onPerformed = (): Promise<void> => Promise.resolve();
}

it('lets the rest of the process run though each round finds more', async () => {
  const service = new Items(simulatedWorld());
  let isOver = false;
  setImmediate(() => (isOver = true));
  let left = 1_000;
  service.onPerformed = () => {
    // A loop that starves the process ends the test instead of hanging it.
    if (!isOver && (left -= 1) > 0) service.due.push(`a${left}`);
    return Promise.resolve();
  };
  service.due.push('a');
  service.start();
  await service.idle();
  expect([isOver, left > 0]).toEqual([true, true]);
});

it('postpones what fails, reports it, and does the other items of its key', async () => {
  const world = simulatedWorld();
  const service = new Items(world);
  service.due.push('a1', 'a2', 'b1');
  service.fails = (item) => item === 'a1';
  service.start();
  await service.idle();
  expect([[...service.done].sort(), service.stuck().map(({ work, id, failures }) => [work, id, failures])]).toEqual([
    ['a2', 'b1'],
    [['expiry', 'a1', 1]],
  ]);
  service.fails = () => false;
  expect([await world.toNextWakeUp(service), service.done.at(-1), service.stuck()]).toEqual([1_000, 'a1', []]);
});

it.each([
  ['does not look for more while as many keys are in progress as may be', 1, 'b1'],
  ['looks again when work on a key has ended during which more of it came', 100, 'a2'],
])('%s', async (_, concurrent, later) => {
  const service = new Items(simulatedWorld(), concurrent);
  let free = (): void => undefined;
  service.onPerformed = () => new Promise((resolve) => (free = resolve));
  service.due.push('a1');
  service.start();
  while (service.done.length === 0) await turn();
  service.due.push(later);
  service.wake();
  for (let at = 0; at < 5; at += 1) await turn();
  expect(service.done).toEqual(['a1']);
  service.onPerformed = () => Promise.resolve();
  free();
  await service.idle();
  expect(service.done).toEqual(['a1', later]);
});

it('leaves to another node what that one has claimed, and does it later if it is still to be done', async () => {
  const cluster = new SimulatedCluster();
  const [node, { clock, logger, leases }] = [cluster.join('a'), cluster.join('b')];
  const others = new WorkClaims({ work: 'items', backoff, clock, logger, leases });
  await others.claim(['a1', 'b1']);
  const service = new Items(node);
  service.due.push('a1', 'a2', 'b1', 'c1');
  service.start();
  await cluster.pass(2_500);
  expect([[...service.done].sort(), service.stuck()]).toEqual([['a2', 'c1'], []]);
  await others.release(['a1', 'b1']);
  await cluster.pass(2_500);
  expect([[...service.done].sort(), service.due]).toEqual([['a1', 'a2', 'b1', 'c1'], []]);
  await service.stop();
});
