/** Modules, tools and themes of a registry. */
import { unpackArchive } from '@blockwork/core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { block, openRegistryWorld, type RegistryWorld } from './support/registry-world.js';

let world: RegistryWorld;
beforeEach(async () => {
  world = await openRegistryWorld();
});
afterEach(() => world.close());

const informing = [block('informationBlock', 'hello')];

it.each([
  ['module', 'uuid'],
  ['tool', 'id'],
] as const)('a %s is made, changed, validated, published, filed and imported', async (kind, key) => {
  const path = `${kind}s`;
  const made = await world.call('POST', path, { name: 'Checks', description: 'x', config: { blockType: kind } });
  expect(made).toMatchObject({
    status: 201,
    body: {
      name: 'Checks',
      status: 'DRAFT',
      type: 'CUSTOM',
      creator: 'did:example:registry',
      config: { children: [] },
    },
  });
  const one = `${path}/${String(made.body[key])}`;
  const { configFileId, ...sent } = made.body as Record<string, unknown> & { config: object };
  const config = { ...sent.config, tag: 'checks', children: informing };
  const changed = await world.call('PUT', one, { ...sent, config });
  expect(changed).toMatchObject({ status: 201, body: { id: made.body.id, config } });
  expect(changed.body.configFileId).not.toBe(configFileId);
  expect((await world.call('GET', path)).body).toMatchObject([{ name: 'Checks' }]);
  expect((await world.call('GET', path)).body[0].config).toBeUndefined();
  expect((await world.call('GET', one)).body.config).toEqual(config);

  const wrong = {
    ...sent,
    config: { ...config, children: [block('requestVcDocumentBlock', 'form', { id: 'f1', schema: '#none' })] },
  };
  const verdict = (await world.call('POST', `${path}/validate`, wrong)).body;
  expect(verdict).toMatchObject({ results: { isValid: false }, [kind]: wrong });
  expect(JSON.stringify(verdict.results)).toContain('#none');
  await world.call('PUT', one, wrong);
  expect((await world.call('PUT', `${one}/publish`)).body).toMatchObject({
    isValid: false,
    [kind]: { status: 'DRAFT' },
  });

  await world.call('PUT', one, { ...sent, config });
  const published = (await world.call('PUT', `${one}/publish`)).body;
  expect(published).toMatchObject({ isValid: true, [kind]: { status: 'PUBLISHED', config } });
  expect(published[kind].messageId).toMatch(/^\d+\.\d{9}$/);
  for (const [method, at] of [
    ['PUT', one],
    ['PUT', `${one}/publish`],
    ['DELETE', one],
  ] as const)
    expect((await world.call(method, at, method === 'DELETE' ? undefined : sent)).body.error).toBe('ALREADY_PUBLISHED');
  const menu = (await world.call('GET', kind === 'module' ? 'modules/menu' : 'tools/menu/all')).body;
  expect(menu).toMatchObject([{ name: 'Checks', config }]);
  expect((await world.call('GET', `${one}/export/message`)).body).toMatchObject({
    name: 'Checks',
    owner: 'did:example:registry',
  });

  const bytes = await world.download(`${one}/export/file`);
  expect([...unpackArchive(bytes).keys()]).toEqual([`${kind}.json`]);
  const preview = await world.as('other', 'POST', `${path}/import/file/preview`, { bytes });
  expect(preview).toMatchObject({ status: 200, body: { [kind]: { name: 'Checks', config } } });
  expect((await world.as('other', 'GET', path)).body).toEqual([]);
  const imported = await world.as('other', 'POST', `${path}/import/file`, { bytes });
  expect(imported).toMatchObject({
    status: 201,
    body: { name: 'Checks', status: 'DRAFT', owner: 'did:example:other' },
  });
  const message = { json: { messageId: String(published[kind].messageId) } };
  expect((await world.as('other', 'POST', `${path}/import/message/preview`, message)).body).toMatchObject({
    [kind]: { config },
  });
  expect((await world.as('other', 'POST', `${path}/import/message`, message)).status).toBe(201);
  expect((await world.as('other', 'POST', `${path}/import/message`, { json: { messageId: '1.1' } })).status).toBe(404);
  expect((await world.as('other', 'POST', `${path}/import/file`, { bytes: new Uint8Array([1]) })).status).toBe(422);

  for (const [method, at] of [
    ['GET', one],
    ['PUT', one],
    ['DELETE', one],
    ['GET', `${one}/export/file`],
  ] as const) {
    expect((await world.as('other', method, at, method === 'PUT' ? { json: sent } : {})).status).toBe(404);
    expect((await world.as('ann', method, at, method === 'PUT' ? { json: sent } : {})).status).toBe(403);
  }
  expect((await world.call('POST', path, { name: 'x', config: { blockType: 'other' } })).body.error).toBe(
    'FILE_REFUSED',
  );
  const own = `${path}/${String(imported.body[key])}`;
  expect((await world.as('other', 'DELETE', own)).body).toBe(true);
  expect((await world.as('other', 'GET', own)).status).toBe(404);
});

it('a published tool works in the policies of its registry', async () => {
  const config = {
    blockType: 'tool',
    tag: 'greeting',
    permissions: ['ANY_ROLE'],
    defaultActive: true,
    children: informing,
  };
  const tool = (await world.result(world.call('POST', 'tools/push', { name: 'Greeting', config }))) as { id: string };
  const published = (await world.result(world.call('PUT', `tools/${tool.id}/push/publish`))) as {
    tool: { messageId: string; hash: string };
  };
  const { messageId, hash } = published.tool;
  const id = String(await world.result(world.call('POST', 'policies/push', { name: 'Registry' })));
  const { body: policy } = await world.call('GET', `policies/${id}`);
  const use = block('tool', 'greet', { messageId, hash });
  await world.call('PUT', `policies/${id}`, { config: { ...policy.config, children: [use] } });
  expect((await world.call('PUT', `policies/${id}/dry-run`, {})).body).toMatchObject({ isValid: true });
  const root = (await world.call('GET', `policies/${id}/blocks`)).body;
  const inner = (await world.call('GET', `policies/${id}/blocks/${String(root.blocks[0].id)}`)).body;
  expect(inner.blocks).toMatchObject([{ blockType: 'informationBlock' }]);
});

it('schemas of modules are those that registries make for them', async () => {
  const made = await world.call('POST', 'modules/schemas', { name: 'Reading', entity: 'VC' });
  expect(made).toMatchObject({ status: 201, body: [{ name: 'Reading', category: 'MODULE' }] });
  expect(await world.call('GET', 'modules/schemas')).toMatchObject({
    body: [{ name: 'Reading' }],
    headers: { 'x-total-count': '1' },
  });
  expect((await world.as('other', 'GET', 'modules/schemas')).body).toEqual([]);
});

it("themes are one's own, and go to files and back", async () => {
  const rules = [{ description: 'Interface', text: '#000', background: '#fff', filterType: 'api', filterValue: '' }];
  const made = await world.call('POST', 'themes', { name: 'Dark', rules });
  expect(made).toMatchObject({ status: 201, body: { name: 'Dark', rules } });
  const one = `themes/${String(made.body.id)}`;
  expect((await world.call('PUT', one, { name: 'Light', rules: [] })).body).toMatchObject({ name: 'Light', rules: [] });
  const bytes = await world.download(`${one}/export/file`);
  expect(await world.as('ann', 'POST', 'themes/import/file', { bytes })).toMatchObject({
    status: 201,
    body: { name: 'Light' },
  });
  expect((await world.as('ann', 'GET', 'themes')).body).toMatchObject([{ name: 'Light', owner: 'did:example:ann' }]);
  expect((await world.as('ann', 'DELETE', one)).status).toBe(404);
  expect((await world.as('ann', 'POST', 'themes/import/file', { bytes: new Uint8Array([1]) })).status).toBe(422);
  expect((await world.call('DELETE', one)).body).toBe(true);
  expect((await world.call('GET', 'themes')).body).toEqual([]);
});
