/** A stand-in for your server: a policy that accepts external readings. */
import { standardBlocks } from '@blockwork/blocks';
import { createEngine } from '@blockwork/core';
import { createPolicyServer, signDevelopmentToken } from '@blockwork/http-koa';
import { randomBytes } from 'node:crypto';

const owner = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };
export const member = { did: 'did:example:alice', role: 'USER' };

const block = (blockType: string, tag: string, more: object) => ({ blockType, tag, defaultActive: true, ...more });

const policy = {
  name: 'Meter readings',
  policyRoles: ['Producer'],
  config: block('interfaceContainerBlock', 'root', {
    permissions: ['ANY_ROLE'],
    children: [
      block('policyRolesBlock', 'choose_role', { permissions: ['NO_ROLE'], roles: ['Producer'] }),
      block('externalDataBlock', 'meters', { permissions: ['OWNER'], entityType: 'reading' }),
      block('sendToGuardianBlock', 'save', {
        permissions: ['OWNER'],
        dataSource: 'database',
        documentType: 'vc',
        entityType: 'reading',
      }),
      block('interfaceDocumentsSourceBlock', 'readings', {
        permissions: ['ANY_ROLE'],
        children: [
          block('documentsSourceAddon', 'of_devices', {
            permissions: ['ANY_ROLE'],
            dataType: 'vc-documents',
            filters: [{ type: 'equal', field: 'type', value: 'reading' }],
          }),
        ],
      }),
    ],
  }),
};

/** Serves the policy, with `member` as a producer. */
export async function startRegistry() {
  const secret = randomBytes(32);
  const engine = createEngine({ blocks: standardBlocks() });
  const { policy: draft } = await engine.importPolicy(owner, policy);
  await engine.lifecycle.publish(owner, draft.id, '1.0.0');
  await engine.sendToBlock(member, draft.id, { tag: 'choose_role' }, { role: 'Producer' });
  const server = createPolicyServer(engine, { auth: { secret } });
  const { url } = await server.listen({ port: 0 });
  return {
    url,
    policyId: draft.id,
    token: signDevelopmentToken(secret, member),
    close: async () => {
      await server.close();
      await engine.close();
    },
  };
}
