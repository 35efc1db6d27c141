import { expect, it } from 'vitest';
import { ExploredPolicy } from '../src/world/explored-policy.js';
import type { Move } from '../src/move.js';
import { orchard } from './support/orchard.js';

const moves: readonly Move[] = [
  { user: 'user1', method: 'POST', block: 'choose_role', body: { role: 'Grower' } },
  { user: 'system', method: 'WAIT', block: '', body: '30d' },
  {
    user: 'user1',
    method: 'POST',
    block: 'harvest',
    body: { document: { field: 'north', kilograms: 3, kind: 'apple' }, ref: null },
  },
];

it.each(['dry-run', 'published'] as const)('each start of a policy that is %s is like the first', async (status) => {
  const policy = new ExploredPolicy(orchard(), { status });
  try {
    const seen: unknown[] = [];
    for (let start = 0; start < 3; start += 1) {
      const world = await policy.start(2);
      const { clock, store, policyId } = world.opened;
      const before = { moment: clock.now(), documents: await store.find('document', policyId) };
      const refusals = [];
      for (const move of moves) refusals.push((await world.perform(move)).refusal);
      seen.push({ before, refusals, moment: clock.now(), documents: await store.find('document', policyId) });
    }
    const [first] = seen as [{ refusals: unknown[]; documents: unknown[] }];
    expect(first.refusals).toEqual([null, null, null]);
    expect(first.documents.length).toBeGreaterThan(1);
    expect(seen).toEqual([first, first, first]);
  } finally {
    await policy.close();
  }
});
