/** What stands around the editor of the reference: files, logs, settings, branding, trust chains, and data of dry runs. */
import { recentLog } from '@blockwork/core';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { block, openRegistryWorld, type RegistryWorld } from './support/registry-world.js';

let world: RegistryWorld;
beforeEach(async () => {
  world = await openRegistryWorld();
});
afterEach(() => world.close());

it('a file is named by its content, and is found by anybody with an account', async () => {
  const bytes = Buffer.from('hello world');
  const added = await world.as('ann', 'POST', 'ipfs/file', { bytes });
  // As `ipfs add --cid-version 1 --raw-leaves` names it.
  expect(added).toMatchObject({ status: 201, body: 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e' });
  const path = `ipfs/file/${String(added.body)}`;
  expect(await world.call('GET', path)).toMatchObject({
    ...{ status: 200, text: 'hello world' },
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringContaining('attachment'),
    },
  });
  expect((await world.as('other', 'POST', 'ipfs/file/', { bytes })).body).toBe(added.body);
  expect((await world.ask('GET', path)).status).toBe(401);
  expect((await world.call('GET', 'ipfs/file/bafkreinone')).body.error).toBe('FILE_UNKNOWN');
  expect((await world.as('ann', 'POST', 'ipfs/file')).body.error).toBe('FILE_REFUSED');
  expect((await world.as('ann', 'POST', 'ipfs/file/dry-run/none', { bytes })).status).toBe(404);
});

it('a file of several blocks has the name of the tree that IPFS makes of it', async () => {
  const bytes = createHash('shake256', { outputLength: 262_145 }).update('262145').digest();
  const added = await world.as('ann', 'POST', 'ipfs/file', { bytes });
  // As another implementation, `ipfs-unixfs-importer`, names it.
  expect(added).toMatchObject({ status: 201, body: 'bafybeifanx33b5l6licii47z5gdktoqu76v3bmsrvhu42ihixeqwktokeu' });
  expect(await world.call('GET', `ipfs/file/${String(added.body)}`)).toMatchObject({ status: 200 });
});

it('branding, the operator and the order of suggestions stay as a registry sets them, without keys', async () => {
  expect((await world.ask('GET', 'branding')).body).toMatchObject({ companyName: 'Blockwork sandbox' });
  expect((await world.call('POST', 'branding', { companyName: 'North', unknown: 1 })).status).toBe(204);
  expect((await world.ask('GET', 'branding')).body).toMatchObject({ companyName: 'North', headerColor: '#000' });
  const secret = { operatorId: '0.0.5', operatorKey: 'secret-key', ipfsStorageApiKey: 'secret-key' };
  expect(await world.call('POST', 'settings', secret)).toMatchObject({ status: 201, body: null });
  const settings = await world.call('GET', 'settings');
  expect(settings.body).toMatchObject({ operatorId: '0.0.5', operatorKey: '' });
  expect(settings.text).not.toContain('secret-key');
  const items = [{ id: 'p1', type: 'Policy', index: 0 }];
  expect((await world.call('POST', 'suggestions/config', { items })).status).toBe(201);
  expect((await world.call('GET', 'suggestions/config')).body).toEqual({ items });
  expect((await world.as('other', 'GET', 'suggestions/config')).body).toEqual({ items: [] });
  for (const path of ['branding', 'settings', 'suggestions/config'])
    expect((await world.as('ann', 'POST', path, { json: { items } })).status, path).toBe(403);
});

it('registries read the log of the instance, by level, text and attribute', async () => {
  await world.close();
  const log = recentLog();
  world = await openRegistryWorld({}, log);
  log.warn('A first line.', { policyId: 'p1' });
  log.error('A second line.', { policyId: 'p2' });
  const search = async (query: object = {}): Promise<{ logs: object[]; totalCount: number }> =>
    (await world.call('POST', 'logs', query)).body as { logs: object[]; totalCount: number };
  const all = await search();
  expect(all.logs[0]).toMatchObject({ id: expect.any(String), type: 'ERROR', message: 'A second line.' });
  expect(await search({ type: 'WARN', message: 'first' })).toMatchObject({
    totalCount: 1,
    logs: [{ message: 'A first line.' }],
  });
  expect(await search({ attributes: ['policyId: p2'] })).toMatchObject({ totalCount: 1 });
  expect(await search({ endDate: '2020-01-01' })).toEqual({ totalCount: 0, logs: [] });
  expect((await search({ sortDirection: 'asc', pageSize: 1, pageIndex: all.totalCount - 1 })).logs).toEqual([
    all.logs[0],
  ]);
  expect((await world.call('GET', 'logs/attributes?name=policyid')).body).toEqual(['policyId: p1', 'policyId: p2']);
  expect((await world.call('GET', 'logs/attributes?name=policyid&existingAttributes=policyId: p1')).body).toEqual([
    'policyId: p2',
  ]);
  expect((await world.as('ann', 'POST', 'logs', { json: {} })).status).toBe(403);
});

it('a dry run lists its transactions, documents and files, newest first and for its owner', async () => {
  const form = block('requestVcDocumentBlock', 'form', {
    schema: '#site',
    uiMetaData: { type: 'page' },
    permissions: ['OWNER'],
  });
  const save = block('sendToGuardianBlock', 'send', {
    ...{ permissions: ['OWNER'], dataSource: 'hedera', documentType: 'vc', topic: 'root' },
  });
  const keep = block('sendToGuardianBlock', 'keep', { permissions: ['OWNER'], dataType: 'vc-documents' });
  const link = { output: 'RunEvent', input: 'RunEvent', actor: '', disabled: false };
  form['events'] = [
    { ...link, source: 'form', target: 'keep' },
    { ...link, source: 'keep', target: 'send' },
  ];
  const config = block('interfaceContainerBlock', 'page', { children: [form, keep, save] });
  const schemas = [
    { iri: '#site', name: 'Site', entity: 'VC', document: { $id: '#site', type: 'object', properties: {} } },
  ];
  const { policy } = await world.engine.importPolicy(
    { did: 'did:example:registry', role: 'STANDARD_REGISTRY' },
    { name: 'Sites', config, schemas },
  );
  const path = `policies/${policy.id}/dry-run`;
  expect((await world.call('GET', `${path}/transactions`)).body.error).toBe('NOT_A_TRIAL');
  expect((await world.call('PUT', path, {})).body).toMatchObject({ isValid: true });
  for (let n = 0; n < 2; n += 1) {
    const sent = await world.call('POST', `policies/${policy.id}/tag/form/blocks`, { document: {}, ref: null });
    expect(sent.status, sent.text).toBe(200);
  }
  const transactions = await world.call('GET', `${path}/transactions`);
  expect(transactions.body[0]).toMatchObject({
    dryRunClass: 'Transactions',
    type: 'message',
    createDate: expect.any(String),
  });
  const total = Number(transactions.headers['x-total-count']);
  expect(transactions.body).toHaveLength(total);
  const pages = await Promise.all(
    Array.from({ length: total }, (_, n) =>
      world.call('GET', `${path}/transactions?pageSize=1&pageIndex=${String(n)}`),
    ),
  );
  expect(pages.flatMap(({ body }) => body as unknown[])).toEqual(transactions.body);
  expect((await world.call('GET', `${path}/transactions?pageSize=1&pageIndex=${String(total)}`)).body).toEqual([]);
  const artifacts = await world.call('GET', `${path}/artifacts?pageSize=1`);
  expect(artifacts.body).toMatchObject([
    { documentType: 'VC', dryRunId: policy.id, document: { credentialSubject: [{}] } },
  ]);
  const files = await world.call('GET', `${path}/ipfs`);
  expect(files.body[0]).toMatchObject({
    dryRunClass: 'Files',
    documentURL: expect.any(String),
    size: expect.any(Number),
  });
  for (const what of ['transactions', 'artifacts', 'ipfs']) {
    expect((await world.as('ann', 'GET', `${path}/${what}`)).status, what).toBe(404);
    expect((await world.as('other', 'GET', `${path}/${what}`)).status, what).toBe(404);
  }
});

it('DID documents and their keys are checked before a profile has them', async () => {
  const did = 'did:example:abc';
  // RFC 8032, section 7.1, test 1.
  const method = {
    id: `${did}#key`,
    type: 'Ed25519VerificationKey2018',
    publicKeyBase58: 'FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z',
  };
  const document = { id: did, verificationMethod: [method] };
  const verdict = async (json: object): Promise<unknown> =>
    (await world.call('POST', 'profiles/did-document/validate', { document: json })).body as unknown;
  expect(await verdict(document)).toEqual({
    ...{ valid: true, error: '', keys: { Ed25519VerificationKey2018: [{ name: 'key', id: `${did}#key` }] } },
  });
  for (const wrong of [
    { id: 'x' },
    { id: did },
    { id: did, verificationMethod: [{ ...method, id: 'did:example:other#key' }] },
  ])
    expect(await verdict(wrong)).toMatchObject({ valid: false, error: expect.stringMatching(/./) });
  const keys = [
    { id: method.id, key: 'BbMQkQYZspmkytduTWvXEtc4mMURjsekJDvty2WtKeSb' },
    { id: method.id, key: 'not base58 0OIl' },
    { id: 'other', key: 'BbMQkQYZspmkytduTWvXEtc4mMURjsekJDvty2WtKeSb' },
  ];
  const checked = await world.call('POST', 'profiles/did-keys/validate', { document, keys });
  expect(checked.body).toEqual([
    { id: method.id, valid: true },
    { id: method.id, valid: false },
    { id: 'other', valid: false },
  ]);
});

it('projects are the documents of the schema that a policy names, for those who may look into it', async () => {
  const caller = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };
  const source = {
    name: 'Projects',
    projectSchema: '#11111111-2222-4333-8444-555555555555',
    categories: ['c1'],
    config: block('interfaceContainerBlock', 'page'),
  };
  const { policy } = await world.engine.importPolicy(caller, source);
  const document = { credentialSubject: [{ title: 'Roof', companyName: 'Sun' }] };
  await world.engine.program.documents.add(policy.id, [
    { owner: caller.did, schema: '#11111111-2222-4333-8444-555555555555', document },
  ]);
  const search = async (json: object): Promise<unknown> =>
    (await world.call('POST', 'projects/search', json)).body as unknown;
  expect(await search({})).toMatchObject([
    { title: 'Roof', companyName: 'Sun', policyId: policy.id, policyName: 'Projects' },
  ]);
  expect(await search({ policyIds: ['none'] })).toEqual([]);
  expect(await search({ categoryIds: ['c1'] })).toHaveLength(1);
  expect((await world.as('other', 'POST', 'projects/search', { json: {} })).body).toEqual([]);
});

it('a notification is deleted with all older ones', async () => {
  expect((await world.as('ann', 'DELETE', 'notifications/delete/none')).status).toBe(404);
});

it('what needs a public network says so, to those who have an account', async () => {
  for (const [method, path] of [
    ['POST', 'contracts'],
    ['POST', 'wizard/policy'],
    ['GET', 'ai-suggestions/ask'],
  ] as const) {
    expect((await world.ask(method, path)).status, path).toBe(401);
    expect(await world.call(method, path), path).toMatchObject({ status: 501, body: { error: 'NOT_IN_SANDBOX' } });
  }
  expect(await world.call('GET', 'contracts/retire/requests')).toMatchObject({ status: 200, body: [] });
});
