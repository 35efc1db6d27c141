/** GHGP: an organization looks at the messages that its documents build on. */
import type { JsonObject } from '@blockwork/core';
import { policyBench, type PolicyBench, type UserSession } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { fillForm } from './fill-form.js';
import { library, libraryFile } from './library.js';

async function withEntity(): Promise<{ bench: PolicyBench; organization: UserSession }> {
  const bench = policyBench(libraryFile('policies', 'ghgp-policy-05173d.policy'));
  const organization = bench.as('alice');
  await organization.choose({ role: 'Organization' });
  await fillForm(organization, 'org_create_profile');
  await fillForm(organization, 'org_create_entity', { ref: await organization.row('org_profile_grid') });
  return { bench, organization };
}

describe.skipIf(library === undefined)('GHGP', () => {
  it('loads without an error among its findings', async () => {
    const bench = policyBench(libraryFile('policies', 'ghgp-policy-05173d.policy'));
    const { engine, policyId } = await bench.open();
    const findings = await engine.getFindings(bench.owner.caller, policyId);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('reports the messages behind an entity: the profile that it belongs to, by topic and author', async () => {
    const { organization } = await withEntity();
    const entity = await organization.row('org_entity_grid');
    expect(await organization.send('org_trust_chain', { filterValue: entity.hash })).toBe(true);
    const answer = (await organization.read('org_trust_chain')) as { report: JsonObject };
    const profile = await organization.row('org_profile_grid');
    expect(answer).toMatchObject({ status: 'FINISHED', target: entity.messageId });
    const [root] = answer.report.topics as [JsonObject];
    expect(root.messages).toMatchObject([
      { id: profile.messageId, type: 'VC-Document', owner: organization.did, document: profile.document },
      { id: entity.messageId, relationships: [profile.messageId] },
    ]);
    expect(answer.report.schemas).toMatchObject([{ name: 'Organization Profile' }, { name: 'Entity' }]);
  });

  it('shows one organization what it chose, and another nothing', async () => {
    const { bench, organization } = await withEntity();
    await organization.send('org_trust_chain', { filterValue: (await organization.row('org_entity_grid')).hash });
    const other = bench.as('bob');
    await other.choose({ role: 'Organization' });
    await fillForm(other, 'org_create_profile');
    expect(await other.read('org_trust_chain')).not.toHaveProperty('target');
  });
});
