/** Schemas as the reference's editor changes them: in drafts, in topics without a policy, of tags and of profiles. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { block, openRegistryWorld, type RegistryWorld } from './support/registry-world.js';

let world: RegistryWorld;
let policyId: string;
let topicId: string;
beforeEach(async () => {
  world = await openRegistryWorld();
  policyId = String(await world.result(world.call('POST', 'policies/push', { name: 'Registry' })));
  topicId = String((await world.call('GET', `policies/${policyId}`)).body.topicId);
});
afterEach(() => world.close());

interface Schema {
  id: string;
  iri: string;
  name: string;
  status: string;
  document: string;
}
const text = { type: 'string', title: 'x', description: 'x', readOnly: false };
const documentOf = (properties: object): object => ({
  type: 'object',
  properties,
  required: [],
  additionalProperties: false,
});
const create = async (name: string, properties: object, topic = topicId): Promise<Schema> => {
  const body = { name, entity: 'VC', document: JSON.stringify(documentOf(properties)), context: null };
  const { status, body: all, text: answer } = await world.call('POST', `schemas/${topic}`, body);
  expect(status, answer).toBe(201);
  return (all as Schema[]).at(-1)!;
};
const listed = async (topic = topicId): Promise<Schema[]> =>
  (await world.call('GET', `schemas/${topic}`)).body as Schema[];
const named = async (name: string): Promise<Schema> => (await listed()).find((schema) => schema.name === name)!;

/** A schema that nests another. */
async function nested(): Promise<{ site: Schema; farm: Schema }> {
  const site = await create('Site', { name: text });
  const farm = await create('Farm', { site: { $ref: site.iri, title: 'Site', description: 'Site', readOnly: false } });
  return { site, farm };
}

it('a changed schema is changed in the copies that others hold of it', async () => {
  const { site } = await nested();
  const json = { ...site, description: 'new', document: documentOf({ name: text, size: text }), context: {} };
  expect(((await world.call('PUT', 'schemas', json)).body as Schema[]).at(-1)).toMatchObject({
    name: 'Site',
    description: 'new',
  });
  const farm = JSON.parse((await named('Farm')).document) as { $defs: Record<string, { properties: object }> };
  expect(Object.keys(farm.$defs[site.iri]?.properties ?? {})).toEqual(['name', 'size']);
});

it('a published schema has its version in its IRI, which the blocks and schemas of the draft follow', async () => {
  const { site, farm } = await nested();
  const { body: policy } = await world.call('GET', `policies/${policyId}`);
  const form = block('requestVcDocumentBlock', 'form', { schema: site.iri, uiMetaData: { type: 'page' } });
  await world.call('PUT', `policies/${policyId}`, { config: { ...policy.config, children: [form] } });
  const published = world.call('PUT', `schemas/push/${site.id}/publish`, { version: '1.2.0' });
  expect(await world.result(published)).toEqual({ count: 1 });
  const iri = `${site.iri}&1.2.0`;
  expect(await named('Site')).toMatchObject({ id: site.id, iri, status: 'PUBLISHED', version: '1.2.0' });
  expect(JSON.parse((await named('Site')).document)).toMatchObject({ $id: iri });
  expect(JSON.parse((await named('Farm')).document)).toMatchObject({ properties: { site: { $ref: iri } } });
  expect((await world.call('GET', `policies/${policyId}`)).body.config.children[0]).toMatchObject({ schema: iri });
  for (const [method, path, json] of [
    ['PUT', 'schemas', { ...site, document: {} }],
    ['PUT', `schemas/${site.id}/publish`, { version: '2.0.0' }],
    ['DELETE', `schemas/${site.id}`, undefined],
  ] as const)
    expect((await world.call(method, path, json)).body.error, `${method} ${path}`).toBe('ALREADY_PUBLISHED');
  expect((await world.call('DELETE', `schemas/${farm.id}`)).body).toMatchObject([{ name: 'Site' }]);
});

it('a schema that another one nests is not deleted, and says which', async () => {
  const { site, farm } = await nested();
  expect((await world.call('GET', `schema/${site.id}/parents`)).body).toMatchObject([{ id: farm.id, name: 'Farm' }]);
  expect((await world.call('GET', `schema/${farm.id}/tree`)).body).toEqual({
    ...{ name: 'Farm', type: farm.iri },
    children: [{ name: 'Site', type: site.iri, children: [] }],
  });
  const refused = await world.call('DELETE', `schemas/${site.id}`);
  expect(refused).toMatchObject({ status: 422, body: { error: 'SCHEMA_USED' } });
  expect(String(refused.body.message)).toContain('"Farm"');
  await world.call('DELETE', `schemas/${farm.id}`);
  expect(await world.call('DELETE', `schemas/${site.id}`)).toMatchObject({ status: 200, body: [] });
  expect((await world.call('GET', `schema/${site.id}/parents`)).status).toBe(404);
});

it('a file of schemas is imported with new identities, by which they refer to each other', async () => {
  const { site, farm } = await nested();
  const bytes = await world.download(`schemas/${farm.id}/export/file`, 'POST');
  const preview = await world.as('registry', 'POST', 'schemas/import/file/preview', { bytes });
  expect(preview.body).toMatchObject([{ name: 'Farm' }, { name: 'Site' }]);
  const { status, body } = await world.as('registry', 'POST', 'schemas/0.0.77/import/file', { bytes });
  expect([status, body.schemasMap.length]).toEqual([201, 2]);
  const imported = await listed('0.0.77');
  const [newSite, newFarm] = [
    imported.find(({ name }) => name === 'Site')!,
    imported.find(({ name }) => name === 'Farm')!,
  ];
  expect(newSite.iri).not.toBe(site.iri);
  expect(JSON.parse(newFarm.document)).toMatchObject({ properties: { site: { $ref: newSite.iri } } });
  const pushed = world.as('registry', 'POST', `schemas/push/${topicId}/import/file`, { bytes });
  await world.result(pushed);
  expect((await listed()).map(({ name }) => name).sort()).toEqual(['Farm', 'Farm', 'Site', 'Site']);
  for (const broken of [new Uint8Array([1]), new Uint8Array()])
    expect((await world.as('registry', 'POST', 'schemas/0.0.77/import/file', { bytes: broken })).status).toBe(422);
  expect((await world.call('POST', `schemas/${farm.id}/export/message`, {})).body).toMatchObject({ name: 'Farm' });
});

it('a message that a file is configured for is imported, others are unknown', async () => {
  const { farm } = await nested();
  const bytes = await world.download(`schemas/${farm.id}/export/file`, 'POST');
  await world.close();
  world = await openRegistryWorld({ messages: new Map([['1.1', bytes]]) });
  const [known, unknown] = [{ messageId: '1.1' }, { messageId: '1.2' }];
  expect((await world.call('POST', 'schemas/import/message/preview', known)).body).toMatchObject([
    { name: 'Farm' },
    {},
  ]);
  expect((await world.call('POST', 'schemas/0.0.5/import/message', known)).status).toBe(201);
  expect((await world.call('POST', 'schemas/0.0.5/import/message', unknown)).body.error).toBe('MESSAGE_UNKNOWN');
  expect(await world.failure(world.call('POST', 'schemas/push/import/message/preview', unknown))).toMatchObject({
    code: 404,
  });
  await world.result(world.call('POST', 'schemas/push/0.0.5/import/message', known));
  expect(await listed('0.0.5')).toHaveLength(4);
});

it('a workbook is exported, and imported into a topic', async () => {
  const { farm } = await nested();
  const bytes = await world.download(`schemas/${farm.id}/export/xlsx`);
  const preview = await world.as('registry', 'POST', 'schemas/import/xlsx/preview', { bytes });
  expect(preview.body).toMatchObject({ schemas: [{ name: 'Farm' }, { name: 'Site' }], errors: [] });
  expect((await world.as('registry', 'POST', 'schemas/0.0.8/import/xlsx', { bytes })).status).toBe(201);
  expect((await listed('0.0.8')).map(({ name }) => name).sort()).toEqual(['Farm', 'Site']);
  const template = await world.download('schemas/export/template');
  await world.result(world.as('registry', 'POST', 'schemas/push/0.0.9/import/xlsx', { bytes: template }));
  expect(await listed('0.0.9')).toMatchObject([{ name: 'Schema name' }]);
});

it('a schema is copied into another topic under a name', async () => {
  const site = await create('Site', { name: text });
  const copied = world.call('POST', 'schemas/push/copy', { iri: site.iri, topicId: '0.0.12', name: 'Copy' });
  const id = await world.result(copied);
  expect(await listed('0.0.12')).toMatchObject([{ id, name: 'Copy', status: 'DRAFT' }]);
  expect((await listed('0.0.12'))[0]?.iri).not.toBe(site.iri);
});

it('nobody changes the schemas of another registry, nor those of its drafts', async () => {
  const [inDraft, inTopic] = [await create('Site', { name: text }), await create('Free', { name: text }, '0.0.13')];
  for (const { id } of [inDraft, inTopic]) {
    for (const who of ['other', 'ann'] as const) {
      const json = { id, name: 'Stolen' };
      for (const [method, path, sent] of [
        ['PUT', 'schemas', { json }],
        ['PUT', `schemas/${id}/publish`, { json: { version: '1.0.0' } }],
        ['DELETE', `schemas/${id}`, {}],
        ['POST', `schemas/${id}/export/file`, { json: {} }],
        ['GET', `schema/${id}/tree`, {}],
      ] as const)
        expect((await world.as(who, method, path, sent)).status, `${who} ${method} ${path}`).toBe(404);
    }
  }
  // A topic of somebody else's draft is a topic without a policy.
  await world.as('other', 'POST', `schemas/${topicId}`, { json: { name: 'Mine' } });
  expect(await listed()).toMatchObject([{ name: 'Site' }]);
});

it('schemas of tags are made, changed, published and deleted by registries', async () => {
  const made = await world.call('POST', 'tags/schemas', {
    name: 'Audit',
    uuid: 'd0e99e70-1',
    document: documentOf({}),
    context: null,
  });
  expect(made).toMatchObject({
    status: 201,
    body: { name: 'Audit', uuid: 'd0e99e70-1', category: 'TAG', status: 'DRAFT' },
  });
  const path = `tags/schemas/${String(made.body.id)}`;
  expect(
    (await world.call('PUT', path, { ...(made.body as object), name: 'Review', context: null })).body,
  ).toMatchObject({
    name: 'Review',
  });
  expect(await world.call('GET', 'tags/schemas')).toMatchObject({
    body: [{ name: 'Review' }],
    headers: { 'x-total-count': '1' },
  });
  expect((await world.as('other', 'GET', 'tags/schemas')).body).toEqual([]);
  expect((await world.as('other', 'DELETE', path)).status).toBe(404);
  expect((await world.as('ann', 'POST', 'tags/schemas', { json: { name: 'x' } })).status).toBe(403);
  expect((await world.call('GET', 'tags/schemas/published')).body).toEqual([]);
  expect(await world.call('PUT', `${path}/publish`)).toMatchObject({
    status: 200,
    body: { status: 'PUBLISHED', version: '1.0.0' },
  });
  expect((await world.as('ann', 'GET', 'tags/schemas/published')).body).toMatchObject([{ name: 'Review' }]);
  expect((await world.call('DELETE', path)).body.error).toBe('ALREADY_PUBLISHED');
  const draft = (await world.call('POST', 'tags/schemas', { name: 'Draft' })).body;
  expect((await world.call('DELETE', `tags/schemas/${String(draft.id)}`)).body).toBe(true);
});

it('the schema of profiles is the one that was made active last', async () => {
  const make = async (name: string): Promise<string> =>
    String((await world.call('POST', 'schemas/system/registry', { name, entity: 'USER' })).body.id);
  const [first, second] = [await make('First'), await make('Second')];
  expect((await world.call('GET', 'schemas/system/registry')).body).toMatchObject([{ system: true }, { id: second }]);
  expect((await world.call('GET', 'schemas/system/entity/USER')).body).toMatchObject({ id: 'USER' });
  for (const id of [first, second]) {
    await world.call('PUT', `schemas/system/${id}/active`, {});
    expect((await world.as('ann', 'GET', 'schemas/system/entity/USER')).body).toMatchObject({ id, active: true });
  }
  expect((await world.call('DELETE', `schemas/system/${second}`)).body.error).toBe('SCHEMA_USED');
  expect((await world.as('other', 'DELETE', `schemas/system/${first}`)).status).toBe(404);
  expect((await world.call('PUT', `schemas/system/${first}`, { name: 'Other', entity: 'USER' })).body).toMatchObject({
    name: 'Other',
  });
  expect((await world.call('DELETE', `schemas/system/${first}`)).status).toBe(204);
  expect((await world.call('GET', 'schemas/system/registry')).body).toHaveLength(1);
});

it('a document that nests deeper than any schema is refused', async () => {
  let deep: object = {};
  for (let level = 0; level < 200; level += 1) deep = { properties: deep };
  const refused = await world.call('POST', `schemas/${topicId}`, { name: 'Deep', document: deep });
  expect(refused).toMatchObject({ status: 422, body: { message: [expect.stringContaining('levels')] } });
});
