/** The editor of the reference's web client: a policy is begun, edited, validated, saved, tried and published over HTTP. */
import { unpackArchive } from '@blockwork/core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { block, openRegistryWorld, type RegistryWorld } from './support/registry-world.js';

let world: RegistryWorld;
beforeEach(async () => {
  world = await openRegistryWorld();
});
afterEach(() => world.close());

interface Block {
  id: string;
  tag: string;
  children: Block[];
  [member: string]: unknown;
}
type Policy = Record<string, unknown> & { id: string; topicId: string; config: Block };

const begin = async (name = 'Registry'): Promise<Policy> => {
  const id = await world.result(world.call('POST', 'policies/push', { name, policyTag: name, description: 'x' }));
  return open(String(id));
};
const open = async (id: string): Promise<Policy> => (await world.call('GET', `policies/${id}`)).body as Policy;
const field = { type: 'string', title: 'Name', description: 'Name', readOnly: false };
const siteSchema = {
  ...{ name: 'Site', description: 'A site', entity: 'VC', uuid: '11111111-2222-4333-8444-555555555555' },
  document: { type: 'object', properties: { name: field }, required: ['name'], additionalProperties: false },
};

it('opens a new draft, adds a form and a schema, corrects what is wrong, saves, tries and publishes it', async () => {
  const policy = await begin();
  const { id, topicId } = policy;
  // What the page of the editor loads with the policy.
  for (const path of [
    ...['policies/blocks/about', `schemas/${topicId}?category=POLICY`, 'tokens', `artifacts?policyId=${id}`],
    ...['modules/menu', 'tools/menu/all', 'themes', 'policies/methodologies/categories', 'suggestions/config'],
  ])
    expect((await world.call('GET', path)).status, path).toBe(200);
  const about = (await world.call('GET', 'policies/blocks/about')).body;
  expect(about.requestVcDocumentBlock).toMatchObject({
    label: expect.any(String),
    post: true,
    get: true,
    control: 'UI',
  });
  expect(about.interfaceContainerBlock).toMatchObject({ children: 'Any' });

  const schemas = (await world.call('POST', `schemas/${topicId}`, siteSchema)).body as {
    iri: string;
    topicId: string;
  }[];
  const iri = String(schemas.at(-1)?.iri);
  expect(schemas.at(-1)).toMatchObject({ name: 'Site', topicId, iri: `#${siteSchema.uuid}` });
  expect(await world.call('GET', `schemas/${topicId}`)).toMatchObject({ body: [{ iri, status: 'DRAFT' }] });

  // A form without its schema: the verdict names the block by its id.
  const form = block('requestVcDocumentBlock', 'form', {
    ...{ id: '22222222-2222-4333-8444-555555555555', schema: '#wrong', idType: 'UUID', uiMetaData: { type: 'page' } },
  });
  const edited = { ...policy, description: 'Sites', config: { ...policy.config, children: [form] } };
  const { results } = (await world.call('POST', 'policies/validate', edited)).body;
  expect(results).toMatchObject({ isValid: false, errors: [] });
  expect(results.blocks).toMatchObject([
    { id: policy.config.id, name: 'interfaceContainerBlock', isValid: true },
    { id: form['id'], name: 'requestVcDocumentBlock', isValid: false, errors: [expect.stringContaining('#wrong')] },
  ]);
  expect((await open(id)).config.children).toEqual([]);

  form['schema'] = iri;
  expect((await world.call('POST', 'policies/validate', edited)).body.results).toMatchObject({ isValid: true });
  const saved = await world.call('PUT', `policies/${id}`, edited);
  expect(saved).toMatchObject({
    status: 200,
    body: { id, description: 'Sites', status: 'DRAFT', userRoles: expect.any(Array) },
  });
  const reopened = await open(id);
  expect(reopened.config).toMatchObject({
    id: policy.config.id,
    children: [{ id: form['id'], schema: iri, tag: 'form' }],
  });
  // Saved again, nothing changes.
  await world.call('PUT', `policies/${id}`, reopened);
  expect(await open(id)).toEqual(reopened);

  expect(await world.call('PUT', `policies/${id}/dry-run`, {})).toMatchObject({ status: 200, body: { isValid: true } });
  expect(await world.call('PUT', `policies/${id}`, edited)).toMatchObject({
    ...{ status: 409, body: { error: 'POLICY_STATUS', statusCode: 409 } },
  });
  const sent = await world.call('POST', `policies/${id}/tag/form/blocks`, { document: { name: 'North' }, ref: null });
  expect(sent.status, sent.text).toBe(200);
  await world.call('PUT', `policies/${id}/draft`, {});
  const published = world.call('PUT', `policies/push/${id}/publish`, { policyVersion: '1.0.0' });
  expect(await world.result(published)).toMatchObject({ policyId: id, isValid: true });
  expect(await world.failure(world.as('registry', 'DELETE', `policies/push/${id}`))).toMatchObject({ code: 409 });
  expect(await world.call('GET', `policies/${id}/export/message`)).toMatchObject({
    ...{ status: 200, body: { id, name: 'Registry', version: '1.0.0', owner: 'did:example:registry' } },
  });
});

it("what the client does not send of a policy stays, and its identity is not the client's to choose", async () => {
  const policy = await begin();
  const roles = { ...policy, policyRoles: ['Installer'] };
  await world.call('PUT', `policies/${policy.id}`, roles);
  const config = { ...policy.config, children: [block('informationBlock', 'hello')] };
  const stolen = { config, id: 'mine', owner: 'did:example:other', status: 'PUBLISH', topicId: '0.0.1' };
  expect(await world.call('PUT', `policies/${policy.id}`, stolen)).toMatchObject({
    body: { id: policy.id, owner: 'did:example:registry', status: 'DRAFT', topicId: policy.topicId, name: 'Registry' },
  });
  expect((await open(policy.id)).policyRoles).toEqual(['Installer']);
  expect(await world.call('PUT', `policies/${policy.id}`, { name: 'x' })).toMatchObject({ status: 422 });
});

it('a draft is edited, validated by its schemas, and copied by its owner only', async () => {
  const policy = await begin();
  for (const [who, status] of [
    ['other', 404],
    ['ann', 403],
  ] as const) {
    expect((await world.as(who, 'PUT', `policies/${policy.id}`, { json: policy })).status, who).toBe(status);
    expect((await world.as(who, 'GET', `policies/${policy.id}/export/message`)).status, who).toBe(status);
    expect((await world.as(who, 'GET', `policies/${policy.id}/export/xlsx`)).status, who).toBe(status);
  }
  // Somebody else's topic is as one that there is not.
  await world.call('POST', `schemas/${policy.topicId}`, siteSchema);
  const form = block('requestVcDocumentBlock', 'form', { schema: `#${siteSchema.uuid}`, uiMetaData: { type: 'page' } });
  const edited = { ...policy, config: { ...policy.config, children: [form] } };
  const verdictFor = async (who: 'registry' | 'other'): Promise<unknown> =>
    (await world.as(who, 'POST', 'policies/validate', { json: edited })).body.results.isValid as unknown;
  expect([await verdictFor('registry'), await verdictFor('other')]).toEqual([true, false]);
  expect((await world.as('ann', 'POST', 'policies/validate', { json: edited })).status).toBe(403);
});

it('a policy is copied with everything, under another name and with other ids', async () => {
  const policy = await begin();
  await world.call('POST', `schemas/${policy.topicId}`, siteSchema);
  const names = { name: 'Copy', description: 'y', topicDescription: 'z' };
  const id = String(await world.result(world.call('POST', `policies/push/${policy.id}`, names)));
  const copy = await open(id);
  expect(copy).toMatchObject({ ...names, status: 'DRAFT', config: { blockType: 'interfaceContainerBlock' } });
  expect(copy.config.id).not.toBe(policy.config.id);
  expect(copy['uuid']).not.toBe(policy['uuid']);
  const schemas = await world.call('GET', `schemas/${copy.topicId}`);
  expect(schemas.body).toMatchObject([{ name: 'Site' }]);
  expect(await world.failure(world.call('POST', 'policies/push/none', names))).toMatchObject({ code: 404 });
});

it('schemas go to a workbook and back into a draft, with errors by cell', async () => {
  const policy = await begin();
  await world.call('POST', `schemas/${policy.topicId}`, siteSchema);
  const file = await world.call('GET', `policies/${policy.id}/export/xlsx`);
  expect(file.headers['content-type']).toContain('spreadsheetml');
  const bytes = await world.download(`policies/${policy.id}/export/xlsx`);
  expect([...unpackArchive(bytes).keys()]).toContain('xl/workbook.xml');
  const target = await begin('Target');
  const preview = await world.as('registry', 'POST', `policies/import/xlsx/preview?policyId=${target.id}`, { bytes });
  expect(preview).toMatchObject({ status: 200, body: { schemas: [{ name: 'Site', change: 'added' }], errors: [] } });
  const imported = await world.as('registry', 'POST', `policies/import/xlsx?policyId=${target.id}`, { bytes });
  expect(imported).toMatchObject({ status: 201, body: [{ id: policy.id }, { id: target.id }] });
  expect((await world.call('GET', `schemas/${target.topicId}`)).body).toMatchObject([{ name: 'Site' }]);
  const broken = { bytes: new Uint8Array([1, 2, 3]) };
  expect((await world.as('registry', 'POST', `policies/import/xlsx?policyId=${target.id}`, broken)).status).toBe(422);
  expect((await world.as('registry', 'POST', 'policies/import/xlsx', { bytes })).status).toBe(422);
  expect((await world.as('other', 'POST', `policies/import/xlsx?policyId=${target.id}`, { bytes })).status).toBe(404);
});
