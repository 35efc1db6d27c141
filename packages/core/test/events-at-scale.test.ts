/**
 * Live events with a hundred subscribers who are cut off again and again while units are committed. `npm run soak events` does the
 * same with ten thousand units.
 */
import type { Caller, PolicyEngine, PolicyEvent } from '@blockwork/core';
import { expect, it } from 'vitest';
import { alice, begun, bob, eventWorld, owner } from './event-fixtures.js';
import { times } from '../../../test/support/repetitions.js';
import { randomNumbers } from '../../../test/support/random-numbers.mjs';

const units = times(60, 200, 10_000);
const { BLOCKWORK_SEED = '1' } = process.env;
const seed = BLOCKWORK_SEED === 'random' ? Math.floor(Math.random() * 1_000_000) : Number(BLOCKWORK_SEED);

/** Random whole numbers from 1. */
function draws(start: number): (most: number) => number {
  const random = randomNumbers(start);
  return (most) => 1 + Math.floor(random() * most);
}

const [carol, dave]: readonly [Caller, Caller] = [
  { did: 'did:example:carol', role: 'USER' },
  { did: 'did:example:dave', role: 'USER' },
];
const tags = ['for_all', 'for_a', 'for_b', 'within_b'];

/** Who may see which blocks; Carol has no role in the policy. */
const people: readonly { readonly caller: Caller; readonly sees: (tag: string) => boolean }[] = [
  { caller: owner, sees: () => true },
  { caller: alice, sees: (tag) => tag === 'for_all' || tag === 'for_a' },
  { caller: bob, sees: (tag) => tag !== 'for_a' },
  { caller: carol, sees: (tag) => tag === 'for_all' },
];

interface Subscriber {
  readonly caller: Caller;
  readonly policyIds: readonly string[];
  readonly after: string;
  /** The policy that tells the end, and its last unit. */
  readonly last: { readonly policyId: string; readonly revision: number };
  readonly draw: (most: number) => number;
}

const revisionsOf = (events: readonly PolicyEvent[], policyId: string): number[] =>
  events.flatMap((event) => (event.type === 'unit' && event.policyId === policyId ? event.revision : []));

/** Everything that one subscriber is told until the last unit, over as many subscriptions as it takes. */
async function follow(engine: PolicyEngine, subscriber: Subscriber): Promise<PolicyEvent[]> {
  const { caller, policyIds, last, draw } = subscriber;
  const received: PolicyEvent[] = [];
  let { after } = subscriber;
  for (;;) {
    let left = draw(40);
    for await (const event of engine.events(caller, { policyId: policyIds, after })) {
      after = event.id;
      if (event.type === 'open') continue;
      received.push(event);
      if (event.type === 'unit' && event.policyId === last.policyId && event.revision === last.revision)
        return received;
      left -= 1;
      if (left === 0) break;
    }
  }
}

it(
  `a hundred subscribers, cut off at random, each see every unit that they may see, once and in order (seed ${seed})`,
  { timeout: 20 * 60_000 },
  async () => {
    const { engine, policyId, addPolicy, send } = await eventWorld({
      drafts: 'shared',
      limits: { eventBacklog: units + 2 },
    });
    // Of the subscribers, only the owner may hear of what Dave does there.
    const closed = await addPolicy('Closed');
    await engine.sendToBlock(dave, closed, { tag: 'choose_role' }, { role: 'A' });
    const policyIds = [policyId, closed];
    const { open, events } = await begun(engine.events(owner, { policyId: policyIds }));
    await events.return();
    const [start = 0, closedStart = 0] = open.id.split(',').map((part) => Number(part.split(':')[1]));
    const draw = draws(seed);
    const sent = [...Array.from({ length: units - 1 }, () => tags[draw(tags.length) - 1] ?? ''), 'for_all'];
    const last = { policyId, revision: start + units };

    const following = Array.from({ length: 100 }, (_, n) => {
      const { caller, sees } = people[n % people.length] ?? { caller: owner, sees: () => true };
      const expected = sent.flatMap((tag, at) => (sees(tag) ? [start + at + 1] : []));
      const subscriber = { caller, policyIds, after: open.id, last, draw: draws(draw(1_000_000_000)) };
      return follow(engine, subscriber).then((received) => ({ received, expected, caller }));
    });
    for (const [at, tag] of sent.entries()) {
      if (at % 10 === 0) await engine.sendToBlock(dave, closed, { tag: 'for_a' }, { keep: false });
      await send(tag);
    }

    for (const { received, expected, caller } of await Promise.all(following)) {
      expect(received.filter(({ type }) => type !== 'unit')).toEqual([]);
      expect(revisionsOf(received, policyId), caller.did).toEqual(expected);
      const elsewhere = revisionsOf(received, closed);
      expect(elsewhere).toEqual(elsewhere.map((_, at) => closedStart + at + 1));
      expect(elsewhere.length > 0, caller.did).toBe(caller === owner);
    }
    await engine.close();
  },
);
