/** Offers of policies to other instances: of what was published, and once for each idempotency key. */
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
