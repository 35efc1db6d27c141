/** Bundles over HTTP that have to continue an earlier log of the journal. */
import { createClient, type PolicyClient } from '@blockwork/client';
import { signDevelopmentToken } from '@blockwork/http-koa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definitionsOf, presentationId } from './support/definitions.js';
import { openWorld, owner, rules, secret, type World } from './support/world.js';

let world: World;
let policy: PolicyClient;
beforeAll(async () => {
  world = await openWorld();
  await world.store.commit(definitionsOf(world.policyId));
  const client = createClient({ url: world.url, token: () => signDevelopmentToken(secret, owner, rules) });
  policy = client.policy(world.policyId);
});
afterAll(() => world.close());

describe.each(['document', 'mint'] as const)('the bundle of a %s', (kind) => {
  const asked = (since?: number) => {
    const options = since === undefined ? {} : { since };
    return kind === 'mint' ? policy.mintBundle(presentationId, options) : policy.documentBundle('doc-3', options);
  };

  it('proves that its log continues the one with so many entries', async () => {
    expect((await asked()).log?.earlier).toBeUndefined();
    expect((await asked(2)).log?.earlier).toMatchObject([{ size: 2 }]);
  });

  it('is refused where the log is shorter', async () => {
    await expect(asked(1_000_000)).rejects.toMatchObject({ status: 409, error: 'LOG_SHORTER' });
  });
});
