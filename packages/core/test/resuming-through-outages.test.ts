/** A block that waits for the answer of another instance resumes once, whenever the store fails and comes back. */
import { FaultyStore } from '@blockwork/testing';
import { INSTANCE } from '@blockwork/core/records';
import { expect, it } from 'vitest';
import { ana, keptOpen, openWorld, owner, policy, soon, voteFor, type World } from './conversation-fixtures.js';

const resume = { policyId: 'notes', tag: 'notebook', user: { did: ana.did } };

/** An answer is on its way to `north`, whose engine is not running. */
async function answeredWhileAway(): Promise<{ world: World; messageId: string }> {
  const world = await openWorld({ south: { autoApprove: () => true } });
  await world.north.engine.importPolicy(owner.north, { ...policy, id: 'notes', name: 'Notes' });
  const { messageId } = await world.north.engine.requests.ask(ana, { ...voteFor('yes'), resume });
  await world.north.engine.program.requests.idle();
  expect(await world.north.store.count('outbox', INSTANCE)).toBe(0);
  await world.north.engine.close();
  await soon(async () => expect(await world.south.store.count('document', policy.id)).toBe(1));
  await world.south.engine.program.requests.idle();
  return { world, messageId };
}

/** Takes the answer in with a store whose call number `failing` fails. @returns whether there was such a call. */
async function resumedThrough(failing: number): Promise<boolean> {
  const { world, messageId } = await answeredWhileAway();
  const store = new FaultyStore(keptOpen(world.north.store));
  store.failAt(failing, 'unavailable');
  await world.north.restart({ store });
  await soon(async () => {
    world.pass(100);
    expect(await world.north.store.get('request', INSTANCE, messageId)).toMatchObject({ status: 'COMPLETED' });
  });
  store.armed = false;
  const row = await world.north.store.get('request', INSTANCE, messageId);
  const answers = await world.north.store.find('document', 'notes');
  expect([failing, row?.closed?.resumeError, answers.length]).toEqual([failing, undefined, 1]);
  await world.close();
  return store.hasFailed;
}

it('a store that fails at any call while the block resumes delays the answer and loses nothing of it', async () => {
  let failing = 1;
  while (await resumedThrough(failing)) failing += 1;
  // The row, the policy and the memberships are read, and the unit is committed.
  expect(failing).toBeGreaterThan(5);
});
