/** Credentials that users' devices sign and submit from outside. */
import type { Json } from '@blockwork/core';
import { isObject, type SchemaRecord } from '@blockwork/core/block';
import type { Random } from '../sample-data/random.js';
import { sampleSubject } from '../sample-data/sample-subject.js';
import type { PolicyWorld } from '../world/policy-world.js';
import type { Site } from '../sites.js';
import type { MadeMove } from './move-context.js';

/** `null` if no player has a role yet, or the block accepts no schema of the policy. */
export async function externalMove(world: PolicyWorld, { node }: Site, random: Random): Promise<MadeMove | null> {
  const members = [...world.players.values()].filter(({ role }) => role !== null);
  const member = random.pick(members);
  const schema = isObject(node.options) ? node.options['schema'] : undefined;
  const { store, policyId } = world.opened;
  const schemaRecord = typeof schema === 'string' ? await store.get('schema', policyId, schema) : undefined;
  if (member === undefined || schemaRecord?.document == null) return null;
  const did = `\${users.${member.name}.did}`;
  const id = `urn:uuid:00000000-0000-4000-8000-${random.between(0, 0xffffffff).toString(16).padStart(12, '0')}`;
  const subject = {
    ...sampleSubject(schemaRecord.document, { random, account: member.account }),
    id,
    type: schemaRecord.id.replace(/^#/, ''),
    '@context': [contextOf(schemaRecord)],
  };
  const document = { id: `${id}-credential`, issuer: did, credentialSubject: [subject] };
  const body: Json = { owner: did, document, ref: null };
  return { move: { user: 'system', method: 'EXTERNAL', block: node.tag, body } };
}

const contextOf = ({ id, source: { contextURL } }: SchemaRecord): string =>
  typeof contextURL === 'string' ? contextURL : `schema:${id.replace(/^#/, '')}`;
