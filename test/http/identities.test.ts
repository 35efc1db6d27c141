/** Over HTTP: a user with a key of their own, and their device, sign outside and hand in what is theirs. */
import { createClient } from '@blockwork/client';
import { signDevelopmentToken } from '@blockwork/http-koa';
import { keyHolder } from '@blockwork/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorld, rules, secret, type ServedWorld } from './support/world.js';

let world: ServedWorld;
const clock = { now: () => Date.now() };

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it('a user who brings their own did:key takes a role, registers a device, and hands in what both have signed', async () => {
  const [user, meter, other] = [
    await keyHolder('user', clock),
    await keyHolder('meter', clock),
    await keyHolder('other', clock),
  ];
  const token = signDevelopmentToken(secret, { did: user.did, role: 'USER' }, rules);
  const client = createClient({ url: world.url, token });
  const { routes } = client;
  const submit = async (holder: typeof user, owner: string) => {
    const body = { owner, document: await holder.sign({}) };
    return (await routes.sendExternalDataToBlock({ policyId: world.policyId, tag: 'outside', body })).data;
  };
  await expect(submit(user, user.did)).rejects.toMatchObject({ status: 403, error: 'OWNER_NOT_MEMBER' });

  await client.policy(world.policyId).block('choose_role').send({ role: 'Verifier' });
  expect(await submit(user, user.did)).toBe(true);
  await expect(submit(meter, meter.did)).rejects.toMatchObject({ status: 403, error: 'PERMISSION_DENIED' });

  const registered = await routes.registerKey({
    body: { registration: await meter.registration(user.did), name: 'Meter' },
  });
  expect(registered).toMatchObject({ status: 201, data: { id: meter.key, did: meter.did, member: user.did } });
  expect(await submit(meter, meter.did)).toBe(true);

  await routes.rotateKey({ key: meter.key, body: { registration: await other.registration(user.did) } });
  expect(await submit(other, other.did)).toBe(true);
  await expect(submit(meter, meter.did)).rejects.toMatchObject({ status: 403 });
  await routes.revokeKey({ key: other.key });
  await expect(submit(other, other.did)).rejects.toMatchObject({ status: 403 });

  const listed = [];
  for await (const each of client.keys()) listed.push(each);
  expect(listed.map(({ id, revokeDate }) => [id, typeof revokeDate])).toEqual(
    expect.arrayContaining([
      [meter.key, 'string'],
      [other.key, 'string'],
    ]),
  );
});
