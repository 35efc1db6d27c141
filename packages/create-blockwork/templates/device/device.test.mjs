/** The device against a server in this process. */
import { standardBlocks } from '@blockwork/blocks';
import { createEngine } from '@blockwork/core';
import { createPolicyServer, signDevelopmentToken } from '@blockwork/http-koa';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { handIn } from './device.mjs';

const owner = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };
const alice = { did: 'did:example:alice', role: 'USER' };
const policyId = '{{name}}';

test('readings of a registered device are in the grid', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'device-'));
  const secret = randomBytes(32);
  const engine = createEngine({ blocks: standardBlocks() });
  const server = createPolicyServer(engine, { auth: { secret } });
  t.after(async () => {
    await server.close();
    await engine.close();
    await rm(folder, { recursive: true });
  });
  const file = JSON.parse(await readFile(new URL('{{name}}.policy.json', import.meta.url), 'utf8'));
  await engine.importPolicy(owner, { ...file, id: policyId });
  await engine.lifecycle.publish(owner, policyId, '1.0.0');
  await engine.sendToBlock(alice, policyId, { tag: 'choose_role' }, { role: 'Producer' });
  const { url } = await server.listen({ port: 0 });

  const keyFile = join(folder, 'key.pem');
  const hand = (kilowattHours) =>
    handIn({ url, token: signDevelopmentToken(secret, alice), policyId, keyFile, kilowattHours });
  assert.equal(await hand(12.5), await hand(13));
  const { data } = await engine.readBlock(owner, policyId, { tag: 'readings' });
  assert.deepEqual(data.map(({ document }) => document.credentialSubject[0].kilowattHours).sort(), [12.5, 13]);
});
