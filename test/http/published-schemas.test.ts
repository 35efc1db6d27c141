/** A schema that was published on a ledger, into a draft over HTTP: from a mirror and a gateway, as one edit that can be undone. */
import { standardBlocks } from '@blockwork/blocks';
import { createClient, type Client } from '@blockwork/client';
import { createEngine, type Caller, type PolicyEngine, type PublicationSource } from '@blockwork/core';
import { createPolicyHandler } from '@blockwork/http-fetch';
import { signDevelopmentToken } from '@blockwork/http-koa';
import { cidOf, gatewayFiles, openPublications } from '@blockwork/ledger-hedera';
import { createSecretKey } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';

const secret = createSecretKey(Buffer.alloc(32, 9));
const owner: Caller = { did: 'did:example:registry', username: 'registry', role: 'STANDARD_REGISTRY' };
const messageId = '1706823227.586179534';
const uuid = 'c0ffee00-0000-4000-8000-000000000001';
const iri = `#${uuid}&1.0.0`;
const document = {
  $id: iri,
  type: 'object',
  properties: { depth: { title: 'Depth', description: 'Depth', type: 'number', readOnly: false } },
};
const context = { '@context': { '@version': 1.1, '@vocab': 'https://w3id.org/traceability/#undefinedTerm' } };
const about = { type: 'Schema', action: 'publish-schema', uuid, version: '1.0.0', name: 'Well', entity: 'VC' };

const closing: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A mirror and a gateway that have this schema, but for what is bent. */
async function published(
  bend: { readonly block?: Buffer; readonly message?: object } = {},
): Promise<PublicationSource> {
  // Each is one block.
  const files = [document, context].map((each) => Buffer.from(JSON.stringify(each)));
  const [one, two] = files.map((file) => cidOf(file));
  const message = { ...about, document_cid: one, context_cid: two, ...bend.message };
  const row = {
    topic_id: '0.0.5',
    consensus_timestamp: messageId,
    payer_account_id: '0.0.9',
    sequence_number: 1,
    message: Buffer.from(JSON.stringify(message)).toString('base64'),
  };
  const answers = new Map<string, string | Uint8Array>([[`/api/v1/topics/messages/${messageId}`, JSON.stringify(row)]]);
  for (const file of files) answers.set(`/ipfs/${cidOf(file)}?format=raw`, bend.block ?? file);
  const server = createServer((request, reply) => {
    const answer = answers.get(request.url ?? '');
    reply.writeHead(answer === undefined ? 404 : 200).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return openPublications({ network: 'fake', mirror: url, files: gatewayFiles({ url }) });
}

async function draft(publications?: PublicationSource): Promise<{
  readonly engine: PolicyEngine;
  readonly client: Client;
  readonly policyId: string;
}> {
  const engine = createEngine({ blocks: standardBlocks(), ...(publications !== undefined && { publications }) });
  closing.push(() => engine.close());
  const handler = createPolicyHandler(engine, { auth: { secret } });
  const client = createClient({ url: 'http://here', token: signDevelopmentToken(secret, owner), fetch: handler });
  const { data } = await client.routes.createPolicy({ body: { name: 'Wells' } });
  return { engine, client, policyId: data.policy.id };
}

it('is imported as one edit with its context and where it was published, and can be undone', async () => {
  const { client, policyId } = await draft(await published());
  const imported = await client.routes.importPublishedSchema({ policyId, body: { messageId } });
  expect(imported.data.schemas).toEqual([
    { iri, name: 'Well', change: 'added', added: ['depth'], removed: [], changed: [] },
  ]);
  const [schema] = (await client.routes.getDefinition({ policyId })).data.schemas;
  expect(schema).toMatchObject({ iri, name: 'Well', entity: 'VC', version: '1.0.0', messageId, document, context });
  expect(schema?.['contextURL']).toMatch(/^ipfs:\/\/bafkrei/);

  const again = await client.routes.importPublishedSchema({ policyId, body: { messageId }, ifMatch: 0 });
  expect(again.data).toMatchObject({ edit: null, schemas: [{ change: 'same' }] });

  await client.routes.editPolicy({ policyId, body: { undo: imported.data.edit?.id ?? '' } });
  expect((await client.routes.getDefinition({ policyId })).data.schemas).toEqual([]);
});

it('replaces the schema of its name in the draft, unless another edit came before', async () => {
  const { client, policyId } = await draft(await published());
  const mine = { iri, name: 'Mine', document: { $id: iri, type: 'object', properties: {} } };
  const added = { operations: [{ op: 'addEntry', list: 'schemas', value: mine } as const] };
  const { data } = await client.routes.editPolicy({ policyId, body: added });
  const changed = { op: 'setEntry', list: 'schemas', entry: iri, value: { ...mine, name: 'Changed' } } as const;
  await client.routes.editPolicy({ policyId, body: { operations: [changed] } });
  const importing = (ifMatch: number | undefined) =>
    client.routes.importPublishedSchema({ policyId, body: { messageId }, ...(ifMatch !== undefined && { ifMatch }) });
  await expect(importing(data.revision)).rejects.toMatchObject({ status: 409, error: 'EDIT_CONFLICT' });
  expect((await importing(undefined)).data.schemas).toMatchObject([{ change: 'changed', added: ['depth'] }]);
  expect((await client.routes.getDefinition({ policyId })).data.schemas).toMatchObject([{ name: 'Well' }]);
});

it.each([
  ['a file that is not the one that the message names', { block: Buffer.from('{}') }, 'another content than its CID'],
  [
    'a file that is another schema',
    { message: { uuid: 'another' } },
    `the schema "${iri}", and the message says another`,
  ],
  ['a message of a policy', { message: { type: 'Instance-Policy', action: 'publish-policy' } }, 'publishes a policy'],
])('is not imported from %s, and nothing changes', async (_, bend, reason) => {
  const { client, policyId } = await draft(await published(bend));
  await expect(client.routes.importPublishedSchema({ policyId, body: { messageId } })).rejects.toMatchObject({
    status: 422,
    error: 'PUBLICATION_UNREADABLE',
    message: expect.stringContaining(reason) as unknown,
  });
  expect((await client.routes.getDefinition({ policyId })).data.schemas).toEqual([]);
});

it('is unknown under another message, and not to be had without a ledger', async () => {
  const { client, policyId } = await draft(await published());
  const body = { messageId: '1706823227.000000000' };
  await expect(client.routes.importPublishedSchema({ policyId, body })).rejects.toMatchObject({
    status: 404,
    error: 'PUBLICATION_UNKNOWN',
  });
  const without = await draft();
  await expect(
    without.client.routes.importPublishedSchema({ policyId: without.policyId, body: { messageId } }),
  ).rejects.toMatchObject({ error: 'LEDGER_ABSENT' });
});

it.each([
  [
    'the file of a policy',
    { kind: 'policy', name: 'P', file: Buffer.from('{}') },
    'it publishes the policy "P", and no schema',
  ],
  ['no JSON', { kind: 'schema', name: 'S', file: Buffer.from('{') }, 'is not JSON'],
  ['no schema', { kind: 'schema', name: 'S', file: Buffer.from('{"iri": "#a"}') }, 'has no iri or no document'],
  ['what would change all objects', { kind: 'schema', name: 'S', file: Buffer.from('{"__proto__": {}}') }, '__proto__'],
  [
    'more than a policy file may hold',
    { kind: 'schema', name: 'S', file: Buffer.alloc(33 * 2 ** 20, 32) },
    'more than',
  ],
] as const)('%s from an adapter is refused', async (_, file, reason) => {
  const { engine } = await draft({ read: () => Promise.resolve(file) });
  await expect(engine.ledger.publishedSchema(owner, messageId)).rejects.toMatchObject({
    code: 'PUBLICATION_UNREADABLE',
    message: expect.stringContaining(reason) as unknown,
  });
});
