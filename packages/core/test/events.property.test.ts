/** Subscribers that are cut off at random and resume, while units are committed: each sees every unit that it may see, once and in order. */
import type { Caller, PolicyEngine, PolicyEvent } from '@blockwork/core';
import { MemoryCluster, SimulatedClock } from '@blockwork/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { turn } from './background.js';
import { alice, bob, eventNode, eventWorld, owner, type EventWorld } from './event-fixtures.js';

/** `open` to these blocks, by their tags. */
const readers: readonly { readonly caller: Caller; readonly open: readonly string[] }[] = [
  { caller: alice, open: ['for_all', 'for_a'] },
  { caller: bob, open: ['for_all', 'for_b', 'within_b'] },
  { caller: owner, open: ['for_all', 'for_a', 'for_b', 'within_b'] },
];

const tags = ['for_all', 'for_a', 'for_b', 'within_b'] as const;

interface Plan {
  /** The block that each unit is sent to. */
  readonly units: readonly (typeof tags)[number][];
  /** For each subscriber: who it is, and after how many events it is cut off, again and again. */
  readonly subscribers: readonly { readonly reader: number; readonly cuts: readonly number[] }[];
}

const plans = fc.record<Plan>({
  units: fc.array(fc.constantFrom(...tags), { minLength: 20, maxLength: 60 }),
  subscribers: fc.array(
    fc.record({ reader: fc.nat(2), cuts: fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 1, maxLength: 4 }) }),
    { minLength: 1, maxLength: 12 },
  ),
});

/** Reads on, cut off after each of the numbers in turn, until it has so many units. Each time it resumes at another node. */
async function follow(
  nodes: readonly PolicyEngine[],
  caller: Caller,
  policyId: string,
  { cuts, after, expected }: { readonly cuts: readonly number[]; readonly after: string; readonly expected: number },
): Promise<PolicyEvent[]> {
  const events: PolicyEvent[] = [];
  let position = after;
  for (let turns = 0; events.length < expected; turns += 1) {
    let left = cuts[turns % cuts.length] ?? 1;
    const node = nodes[turns % nodes.length];
    if (node === undefined) throw new Error('There is no node.');
    for await (const event of node.events(caller, { policyId, after: position })) {
      position = event.id;
      if (event.type === 'open') continue;
      events.push(event);
      left -= 1;
      if (left === 0 || events.length === expected) break;
    }
  }
  return events;
}

async function positionNow({ engine, policyId }: EventWorld): Promise<string> {
  const events = engine.events(owner, { policyId });
  const { value } = await events.next();
  await events.return();
  return value?.id ?? '';
}

async function holds({ units, subscribers }: Plan): Promise<void> {
  const cluster = new MemoryCluster(new SimulatedClock());
  const world = await eventWorld({ store: cluster.connect() });
  const { engine, policyId, send, addPolicy } = world;
  const nodes = [engine, eventNode({ store: cluster.connect() })];
  const other = await addPolicy('Other');
  const after = await positionNow(world);
  const following = subscribers.map(({ reader, cuts }) => {
    const { caller, open } = readers[reader] ?? { caller: alice, open: [] };
    const expected = units.filter((tag) => open.includes(tag));
    const events = follow(nodes, caller, policyId, { cuts, after, expected: expected.length });
    return events.then((events) => ({ expected, events }));
  });
  for (const tag of units) {
    await send(tag);
    await engine.sendToBlock(alice, other, { tag: 'for_all' }, {});
    await turn();
  }
  for (const { expected, events } of await Promise.all(following)) {
    expect(events.map((event) => (event.type === 'unit' && event.policyId === policyId ? event.tags : event))).toEqual(
      expected.map((tag) => [tag]),
    );
    const revisions = events.flatMap((event) => (event.type === 'unit' ? event.revision : []));
    expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
  }
  await Promise.all(nodes.map((node) => node.close()));
}

it('each subscriber sees every unit that it may see, once and in order, wherever it is cut off', async () => {
  await fc.assert(fc.asyncProperty(plans, holds), { numRuns: 25 });
});
