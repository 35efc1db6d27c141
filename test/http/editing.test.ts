/** A policy is made and edited over HTTP: revisions as ETags, keys, conflicts, the history, and the catalogue of blocks. */
import { createClient, type Client } from '@blockwork/client';
import { createEngine, type Caller } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { createPolicyServer, signDevelopmentToken } from '@blockwork/http-koa';
import { standardBlocks } from '@blockwork/blocks';
import { createSecretKey } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';

const secret = createSecretKey(Buffer.alloc(32, 9));
const owner: Caller = { did: 'did:example:registry', username: 'registry', role: 'STANDARD_REGISTRY' };

const ballot = defineBlock({
  type: 'ballotBlock',
  title: 'Ballot',
  description: 'Each user votes once.',
  kind: 'interface',
  options: z.object({ choices: z.array(z.string()).describe('What can be chosen.').default(['yes', 'no']) }),
  outputs: ['VotedEvent'],
  receive: () => undefined,
});
const engine = createEngine({
  blocks: [...standardBlocks(), ballot],
  templates: [
    {
      name: 'vote',
      title: 'Vote',
      description: 'One ballot.',
      policy: { config: { blockType: 'ballotBlock', tag: 'ballot', permissions: ['ANY_ROLE'] } },
    },
  ],
});
const server = createPolicyServer(engine, { auth: { secret }, etags: true });
const token = signDevelopmentToken(secret, owner);
let url = '';
let client: Client;
let policyId = '';
let count = 0;

beforeAll(async () => {
  ({ url } = await server.listen({ port: 0 }));
  client = createClient({ url, token });
});
beforeEach(async () => {
  count += 1;
  const { data } = await client.routes.createPolicy({ body: { name: `Vote ${String(count)}`, template: 'vote' } });
  policyId = data.policy.id;
});
afterAll(async () => {
  await server.close();
  await engine.close();
});

const request = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const title = (value: string) => ({ op: 'setOption', block: 'ballot', path: '/title', value }) as const;

it('a policy begins as one of the templates, of which an empty one is always there', async () => {
  const { data: templates } = await client.routes.listTemplates();
  expect(templates.map(({ name }) => name)).toEqual(['empty', 'vote']);
  const { data, status } = await client.routes.createPolicy({ body: { name: 'Nothing yet' } });
  expect(status).toBe(201);
  expect(data).toMatchObject({ policy: { name: 'Nothing yet', status: 'DRAFT', owner: owner.did }, findings: [] });
  const unknown = client.routes.createPolicy({ body: { name: 'A', template: 'none' } });
  await expect(unknown).rejects.toMatchObject({ status: 422, error: 'TEMPLATE_UNKNOWN' });
});

it('the catalogue describes every block type, also one of the program', async () => {
  const { data: types } = await client.routes.listBlockTypes();
  expect(types.length).toBeGreaterThan(60);
  expect(types.find(({ type }) => type === 'ballotBlock')).toEqual({
    type: 'ballotBlock',
    title: 'Ballot',
    description: 'Each user votes once.',
    kind: 'interface',
    children: 'none',
    parents: null,
    readable: false,
    writable: true,
    inputs: ['RunEvent', 'RefreshEvent'],
    outputs: ['RunEvent', 'RefreshEvent', 'ReleaseEvent', 'VotedEvent'],
    moreOutputs: false,
    options: {
      type: 'object',
      properties: {
        choices: {
          type: 'array',
          items: { type: 'string' },
          default: ['yes', 'no'],
          description: 'What can be chosen.',
        },
      },
    },
  });
  for (const { type, title: named, description, options } of types) {
    expect([named, description], type).not.toContain('');
    expect(options, type).toMatchObject({ type: 'object' });
    const described = Object.values(
      (options['properties'] ?? {}) as Record<string, { description?: string; deprecated?: boolean }>,
    );
    expect(
      described.filter(({ description, deprecated }) => description === undefined && deprecated !== true),
      type,
    ).toEqual([]);
  }
});

it('a definition is read, changed and put back under its revision', async () => {
  const read = await request('GET', `/policies/${policyId}/definition`);
  const etag = read.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"\d+"$/);
  const unchanged = await request('GET', `/policies/${policyId}/definition`, undefined, { 'if-none-match': etag });
  expect(unchanged.status).toBe(304);

  const definition = { ...((await read.json()) as object), description: 'By hand' };
  const replaced = await request('PUT', `/policies/${policyId}/definition`, definition, { 'if-match': etag });
  expect(replaced.status).toBe(200);
  expect(replaced.headers.get('etag')).not.toBe(etag);
  const late = await request('PUT', `/policies/${policyId}/definition`, definition, { 'if-match': etag });
  expect(late.status).toBe(412);
  expect(await late.json()).toMatchObject({
    error: 'EDIT_OUTDATED',
    details: [{ path: '/description', message: expect.stringContaining(owner.did) }],
  });
  const wrong = await request('PUT', `/policies/${policyId}/definition`, definition, { 'if-match': 'mine' });
  expect(await wrong.json()).toMatchObject({ code: 422, message: expect.stringContaining('If-Match') });
});

it('the client edits, undoes and lists, and both values of a conflict come back', async () => {
  const policy = client.policy(policyId);
  const { revision } = await policy.definition();
  const first = await policy.edit([title('Mine')], { ifMatch: revision });
  await policy.edit([{ op: 'setText', name: 'description', value: 'Merged' }], { ifMatch: revision });
  await expect(policy.edit([title('Yours')], { ifMatch: revision })).rejects.toMatchObject({
    status: 409,
    error: 'EDIT_CONFLICT',
    details: [{ path: '/operations/0', message: expect.stringMatching(/"Mine".*"Yours"/) }],
  });
  const undone = await policy.undo(first.edit?.id ?? '');
  expect(undone.edit).toMatchObject({ undoes: first.edit?.id });
  const history = [];
  for await (const each of policy.edits()) history.push(each);
  expect(history.map(({ operations }) => operations[0]?.op)).toEqual(['unsetOption', 'setText', 'setOption']);
  expect((await policy.definition()).definition).toMatchObject({ description: 'Merged' });
});

it('a repeated request is answered from the first', async () => {
  const add = () =>
    request(
      'POST',
      `/policies/${policyId}/edits`,
      { operations: [{ op: 'addEntry', list: 'categories', value: 'A' }] },
      { 'idempotency-key': 'once' },
    ).then((response) => response.json());
  expect(await add()).toEqual(await add());
  expect((await client.policy(policyId).definition()).definition).toMatchObject({ categories: ['A'] });
});

it('what is wrong with an edit is said with its place', async () => {
  const refused = (body: unknown) =>
    request('POST', `/policies/${policyId}/edits`, body).then(async (response) => [
      response.status,
      ((await response.json()) as { details: unknown }).details,
    ]);
  expect(await refused({ operations: [title('A'), { op: 'removeBlock', block: 'none' }] })).toEqual([
    422,
    [{ path: '/operations/1/block', message: 'there is no block "none"' }],
  ]);
  for (const body of [null, 5, []]) {
    expect(await refused(body)).toEqual([422, [{ path: '', message: 'must be an object' }]]);
  }
  for (const body of [{}, { operations: 5 }, { undo: 5 }]) {
    expect(await refused(body)).toEqual([422, [{ path: '/operations', message: 'must be a list' }]]);
  }
});

it('a check has the findings of what is not stored', async () => {
  const findings = await client
    .policy(policyId)
    .check([{ op: 'setOption', block: 'ballot', path: '/choices', value: 'none' }]);
  expect(findings).toContainEqual(expect.objectContaining({ code: 'OPTIONS_INVALID', path: '/choices' }));
  const { data } = await client.routes.checkDefinition({ body: { name: 'A', config: { blockType: 'ballotBlok' } } });
  expect(data).toContainEqual(expect.objectContaining({ code: 'BLOCK_TYPE_UNKNOWN' }));
});

it('subscribers hear of an edit', async () => {
  const stop = new AbortController();
  const events = client.policy(policyId).events({ signal: stop.signal });
  await events.next();
  const { revision } = await client.policy(policyId).edit([title('Heard')]);
  const heard = { type: 'status', action: 'edit', policyId, definition: revision };
  expect((await events.next()).value).toMatchObject(heard);
  stop.abort();
  await events.return(undefined);
});
