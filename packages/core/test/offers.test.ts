/** Offers of policies to other instances: of what was published, and once for each idempotency key. */
import type { PolicyRecord } from '@blockwork/core';
import { INSTANCE } from '@blockwork/core/records';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorld, owner, policy, type World } from './conversation-fixtures.js';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const [id, to] = ['offered', 'north'];
const add = (): Promise<unknown> => world.south.engine.importPolicy(owner.south, { ...policy, id, name: 'Offered' });
const publish = (): Promise<unknown> => world.south.engine.lifecycle.publish(owner.south, id, '1.0.0');

describe('an offer', () => {
  it.each(['DRAFT', 'DRY-RUN'])('of a policy that is still %s is refused, and nobody hears of it', async (status) => {
    const { north, south } = world;
    await add();
    if (status === 'DRY-RUN') await south.engine.lifecycle.dryRun(owner.south, id);
    for (const view of [false, true]) {
      const offered = south.engine.requests.offerPolicy(owner.south, id, { to, view }, { idempotencyKey: 'k' });
      await expect(offered).rejects.toMatchObject({
        code: 'POLICY_STATUS',
        message: `Policy "offered" has the status ${status}; "offer" is possible from PUBLISH, DISCONTINUED only.`,
      });
    }
    await world.quiet();
    expect(await south.store.count('request', INSTANCE)).toBe(0);
    expect(await north.store.count('request', INSTANCE)).toBe(0);
  });

  it.each(['DRAFT', 'DRY-RUN'])(
    'that is asked for as any request is refused too while the policy is %s',
    async (status) => {
      const { north, south } = world;
      await add();
      if (status === 'DRY-RUN') await south.engine.lifecycle.dryRun(owner.south, id);
      const ask = async (record: PolicyRecord) =>
        south.engine.requests.ask(owner.south, {
          to,
          policyId: id,
          action: { type: 'import-policy', policy: { ...record, config: record.config ?? {} } },
        });
      const record = await south.engine.getPolicy(owner.south, id);
      const refused = { code: 'POLICY_STATUS', facts: { policyId: id, status, action: 'offer' } };
      await expect(ask(record)).rejects.toMatchObject(refused);
      // What the caller says of the policy is not asked.
      await expect(ask({ ...record, status: 'PUBLISH' })).rejects.toMatchObject(refused);
      await world.quiet();
      expect(await south.store.count('request', INSTANCE)).toBe(0);
      await publish();
      const published = await south.engine.getPolicy(owner.south, id);
      expect(await ask(published)).toMatchObject({ type: 'import-policy', status: 'NEW' });
      await world.quiet();
      expect(await north.store.count('request', INSTANCE)).toBe(1);
    },
  );

  it('that is asked for as any request is refused for the policy of somebody else, and for none', async () => {
    const { south } = world;
    await add();
    const record = await south.engine.getPolicy(owner.south, id);
    const policy = { ...record, config: record.config ?? {} };
    const ask = (policyId: string, did = owner.south.did) =>
      south.engine.requests.ask({ ...owner.south, did }, { to, policyId, action: { type: 'import-policy', policy } });
    await expect(ask(id, 'did:south:eve')).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
    await publish();
    await expect(ask(id, 'did:south:eve')).rejects.toMatchObject({ code: 'POLICY_NOT_OWNED' });
    await expect(ask('nowhere')).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
  });

  it('that is repeated under its idempotency key is made once', async () => {
    const { north, south } = world;
    await add();
    await publish();
    const offer = (idempotencyKey: string, view = false) =>
      south.engine.requests.offerPolicy(owner.south, id, { to, view }, { idempotencyKey });
    const [one, again] = await Promise.all([offer('k'), offer('k')]);
    expect(again).toEqual(one);
    await south.restart();
    expect((await offer('k')).messageId).toBe(one.messageId);
    await expect(offer('k', true)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_USED' });
    await expect(offer('two words')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    expect((await offer('l')).messageId).not.toBe(one.messageId);
    await world.quiet();
    expect(await south.store.count('request', INSTANCE)).toBe(2);
    expect(await north.store.count('request', INSTANCE)).toBe(2);
  });

  it('under the key of a send is refused', async () => {
    const { south } = world;
    await add();
    await publish();
    const options = { idempotencyKey: 'k' };
    await south.engine.sendToBlock(owner.south, id, { tag: 'ballot' }, { vote: 'yes' }, options);
    const offered = south.engine.requests.offerPolicy(owner.south, id, { to }, options);
    await expect(offered).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_USED' });
  });
});
