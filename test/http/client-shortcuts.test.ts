/** The short ways of the client, over every transport: a policy from its import to its end, and what an operator asks. */
import { createClient } from '@blockwork/client';
import type { Client } from '@blockwork/client';
import type { Caller } from '@blockwork/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definitionsOf, schemaIri, tokenId } from './support/definitions.js';
import { policiesInEveryStatus } from './support/policies-in-every-status.js';
import type { PoliciesInEveryStatus } from './support/policies-in-every-status.js';
import { policyArchive } from './support/policy-archive.js';
import { published } from './support/published.js';
import { soundPolicy } from './support/trial-policy.js';
import { webhook, webhooksOf, webhookUrl } from './support/webhooks.js';
import { bearer, linked, owner, peer, registrant, transports } from './support/world.js';
import type { World } from './support/world.js';

const listed = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};

describe.each(transports)('through %s', (_, open) => {
  let world: World;
  let policies: PoliciesInEveryStatus;
  let client: Client;
  const clientOf = (caller: Caller): Client =>
    createClient({ url: world.url, token: bearer(caller).slice('Bearer '.length), fetch: world.fetch });

  beforeAll(async () => {
    world = await open({}, linked());
    policies = await policiesInEveryStatus(world.engine);
    await world.store.commit(definitionsOf(world.policyId));
    await world.store.commit(webhooksOf(world.policyId));
    client = clientOf(owner);
  });
  afterAll(() => world.close());

  it('takes a policy from its import to its end', async () => {
    const { policy } = await client.importPolicy(policyArchive());
    const imported = client.policy(policy.id);
    expect((await imported.replace(policyArchive())).policy).toMatchObject({ id: policy.id, status: 'DRAFT' });
    expect(await imported.findings()).toEqual(await world.engine.getFindings(owner, policy.id));
    expect(Object.keys((await imported.delete()).removed)).toContain('documents');
    await expect(imported.get()).rejects.toMatchObject({ error: 'POLICY_UNKNOWN' });

    const sound = client.policy(policies.draft);
    expect(await sound.dryRun()).toMatchObject({ isValid: true, policy: { status: 'DRY-RUN' } });
    expect((await listed(sound.timers())).map(({ tag }) => tag)).toEqual(['clock']);
    await sound.runTimer('clock');
    expect(await sound.draft()).toMatchObject({ isValid: true, removed: { journal: expect.any(Number) as number } });
    expect(await sound.publish('1.0.0')).toMatchObject({ policy: { status: 'PUBLISH', version: '1.0.0' } });
    expect(await sound.discontinue('2999-01-01T00:00:00.000Z')).toMatchObject({ policy: { status: 'PUBLISH' } });
    expect(await sound.discontinue()).toMatchObject({ policy: { status: 'DISCONTINUED' } });
    await expect(sound.publish('2.0.0')).rejects.toMatchObject({ error: 'POLICY_STATUS' });
  });

  it('describes a policy', async () => {
    const policy = client.policy(world.policyId);
    expect(await policy.openApi()).toMatchObject({ openapi: '3.1.0', info: { title: 'Trial' } });
    expect((await policy.schemas()).map(({ id }) => id)).toEqual([schemaIri]);
    expect(await policy.schema(schemaIri)).toMatchObject({ name: 'Trial', document: { type: 'object' } });
    expect(await listed(policy.balances(tokenId))).toEqual([]);
    expect(await listed(policy.ledger({ type: 'mint' }))).toMatchObject([{ tokenId, units: '100' }]);
    expect(await listed(policy.ledger({ type: 'wipe' }))).toEqual([]);
    await expect(policy.schema('#none')).rejects.toMatchObject({ status: 404, error: 'SCHEMA_UNKNOWN' });
  });

  it('knows where its caller goes, and changes their group', async () => {
    const policy = clientOf(registrant).policy(world.policyId);
    expect(await policy.navigation()).toMatchObject([{ block: 'grid', name: 'Documents' }]);
    expect(await policy.switchGroup(null)).toBe(true);
    expect(await policy.navigation()).toEqual([]);
    const [group] = await policy.groups();
    await policy.switchGroup(group?.uuid ?? '');
    expect(await policy.groups()).toMatchObject([{ active: true }]);
  });

  it('offers a policy to another instance', async () => {
    const policyId = await published(world.engine, owner, soundPolicy('Offered'));
    const offer = () => client.policy(policyId).offer({ to: peer, view: true }, { idempotencyKey: 'offered' });
    const { messageId, ...offered } = await offer();
    expect(offered).toMatchObject({ to: peer, status: 'NEW', policyId });
    expect((await offer()).messageId).toBe(messageId);
    expect((await listed(client.requests({ direction: 'outgoing' }))).map((row) => row.messageId)).toEqual([messageId]);
    await expect(clientOf(registrant).policy(policyId).offer({ to: peer })).rejects.toMatchObject({
      error: 'PERMISSION_DENIED',
    });
  });

  it('registers webhooks, and asks for what they have given up', async () => {
    const policy = client.policy(world.policyId);
    const { id, secret } = await policy.registerWebhook({ url: webhookUrl, events: ['unit'] });
    expect(secret).toMatch(/^whsec_/);
    expect((await policy.webhooks()).map((each) => each.id)).toContain(id);
    await policy.removeWebhook(id);
    expect((await policy.webhooks()).map((each) => each.id)).not.toContain(id);
    expect((await listed(policy.deadLetters(webhook))).map(({ messageId }) => messageId)).toEqual(['msg_1']);
    expect(await policy.resendWebhook(webhook)).toMatchObject({ id: webhook });
  });

  it('tells an operator about nodes and revoked tokens', async () => {
    expect(await client.nodes()).toEqual(await world.engine.nodes.list(owner));
    const token = { jti: 'stolen', exp: 4_102_444_800, reason: 'stolen' };
    const revoked = await client.revokeToken(token);
    expect(revoked).toMatchObject({ reason: 'stolen' });
    expect(await listed(client.revokedTokens())).toEqual([revoked]);
  });
});
