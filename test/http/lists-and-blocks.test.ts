import type { JsonObject, PolicyRecord } from '@blockwork/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAnswer } from './support/expect-answer.js';
import { policyArchive } from './support/policy-archive.js';
import { blockIds, trialPolicy } from './support/trial-policy.js';
import { bearer, openWorld, owner, registrant, stranger } from './support/world.js';
import type { World } from './support/world.js';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const path = (rest: string): string => `/policies/${world.policyId}${rest}`;
const read = async (target: string): Promise<JsonObject> =>
  (await world.call('GET', target)).json() as Promise<JsonObject>;
const as = (caller: Parameters<typeof bearer>[0]) => ({ headers: { authorization: bearer(caller) } });

describe('the list of policies', () => {
  it('is complete without a page, and cut to the page with one; X-Total-Count counts them all', async () => {
    for (const name of ['Second', 'Third']) await world.engine.importPolicy(owner, { ...trialPolicy, name });
    const namesOf = async (query: string): Promise<(string | null)[]> => {
      const response = await world.call('GET', `/policies${query}`);
      const policies = (await expectAnswer('listPolicies', response, 200)) as PolicyRecord[];
      return [response.headers.get('x-total-count'), ...policies.map((policy) => policy.name)];
    };
    expect(await namesOf('')).toEqual(['3', 'Trial', 'Second', 'Third']);
    expect(await namesOf('?pageIndex=1&pageSize=2')).toEqual(['3', 'Third']);
    expect(await namesOf('?pageSize=1')).toEqual(['3', 'Trial']);
    expect(await namesOf('?pageIndex=7')).toEqual(['3']);
  });

  it('refuses a page that cannot be one', async () => {
    const response = await world.call('GET', '/policies?pageIndex=x&pageSize=0');
    expect(await expectAnswer('listPolicies', response, 422)).toMatchObject({
      error: 'QUERY_INVALID',
      details: [{ path: '/pageIndex' }, { path: '/pageSize' }],
    });
  });
});

describe('one policy', () => {
  it('is imported from a file, with findings, and can be read', async () => {
    const response = await world.call('POST', '/policies/import/file', {
      headers: { 'content-type': 'application/octet-stream' },
      body: policyArchive({ ...trialPolicy, name: 'Uploaded' }),
    });
    const body = (await expectAnswer('importPolicyFile', response, 201)) as {
      policy: PolicyRecord;
      findings: object[];
    };
    expect(body.policy).toMatchObject({ name: 'Uploaded', owner: owner.did, status: 'DRAFT' });
    expect(body.findings).toContainEqual(expect.objectContaining({ code: 'BLOCK_TYPE_UNKNOWN', tag: 'ghost' }));
    expect(await read(`/policies/${body.policy.id}`)).toMatchObject({ id: body.policy.id });
  });

  it('is imported from JSON that was written by hand, with its schemas', async () => {
    const form = { iri: '#form', name: 'Form', document: { $id: '#form', type: 'object', properties: {} } };
    const byHand = { ...trialPolicy, $schema: './policy.schema.json', name: 'By hand', schemas: [form] };
    const response = await world.call('POST', '/policies/import/file', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(byHand),
    });
    const { policy } = (await expectAnswer('importPolicyFile', response, 201)) as { policy: PolicyRecord };
    expect(policy).toMatchObject({ name: 'By hand', status: 'DRAFT' });
    expect(await read(`/policies/${policy.id}/schemas`)).toMatchObject([{ id: '#form' }]);
  });

  it('is exported as a file, which is imported again, for its owner only', async () => {
    const response = await world.call('GET', path('/export/file'));
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toContain(`${world.policyId}.policy`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const { policy } = await world.engine.importPolicy(owner, bytes);
    expect(policy.status).toBe('DRAFT');
    expect(policy.name).toMatch(/^Trial/);
    const others = await world.call('GET', path('/export/file'), as({ ...owner, did: 'did:example:another' }));
    expect(await expectAnswer('exportPolicyFile', others, 404)).toMatchObject({ error: 'POLICY_UNKNOWN' });
    const missing = await world.call('GET', '/policies/none/export/file');
    expect(await expectAnswer('exportPolicyFile', missing, 404)).toMatchObject({ error: 'POLICY_UNKNOWN' });
  });

  it('is shown to each caller with their own role', async () => {
    const roleOf = async (caller: Parameters<typeof bearer>[0]): Promise<unknown> =>
      ((await (await world.call('GET', path(''), as(caller))).json()) as PolicyRecord).userRole;
    expect([await roleOf(owner), await roleOf(registrant)]).toEqual(['Administrator', 'Registrant']);
  });

  it('that is a draft does not exist for a stranger', async () => {
    for (const rest of ['', '/tokens', '/findings', '/schemas', '/versions'])
      expect((await world.call('GET', path(rest), as(stranger))).status).toBe(404);
    expect(await (await world.call('GET', '/policies', as(stranger))).json()).toEqual([]);
  });

  it('has groups, which the caller can switch', async () => {
    const response = await world.call('GET', path('/groups'), as(registrant));
    const groups = (await expectAnswer('listGroups', response, 200)) as { uuid: string; active: boolean }[];
    expect(response.headers.get('x-total-count')).toBe('1');
    expect(groups).toMatchObject([{ groupLabel: 'Ours', role: 'Registrant', active: true }]);
    const switchTo = (uuid: unknown) => world.send('POST', path('/groups'), { uuid }, registrant);
    expect(await expectAnswer('switchGroup', await switchTo(null), 200)).toBe(true);
    expect(await (await world.call('GET', path('/groups'), as(registrant))).json()).toMatchObject([{ active: false }]);
    expect(await expectAnswer('switchGroup', await switchTo(groups[0]?.uuid), 200)).toBe(true);
    await expectAnswer('switchGroup', await switchTo(blockIds.grid), 404);
    await expectAnswer('switchGroup', await switchTo('x'), 422);
    await expectAnswer('switchGroup', await switchTo(undefined), 422);
  });

  it('has a navigation for each role', async () => {
    const response = await world.call('GET', path('/navigation'), as(registrant));
    expect(await expectAnswer('getNavigation', response, 200)).toMatchObject([{ block: 'grid', name: 'Documents' }]);
    expect(response.headers.get('x-total-count')).toBe('1');
  });
});

describe('a block', () => {
  it('is the same by uuid, by tag, and after looking up its id; the root needs neither', async () => {
    const { id } = await read(path('/tag/grid'));
    expect(id).toBe(blockIds.grid);
    expect(await read(path(`/blocks/${id as string}`))).toEqual(await read(path('/tag/grid/blocks')));
    expect(await read(path('/blocks'))).toEqual(await read(path(`/blocks/${blockIds.root}`)));
  });

  it('answers with its result, or with {} where it has none', async () => {
    expect(await (await world.send('POST', path('/tag/echo/blocks'), { a: [1] })).json()).toEqual({ a: [1] });
    expect(await (await world.send('POST', path(`/blocks/${blockIds.sink}`), {})).json()).toEqual({});
  });

  it('of paging keeps what it is sent, for later reads of the grid', async () => {
    const state = { size: 23, itemsPerPage: 5, page: 2 };
    expect((await world.send('POST', path('/tag/paging/blocks'), state)).status).toBe(200);
    expect(await read(path(`/blocks/${blockIds.paging}`))).toEqual(state);
    expect(await read(path('/tag/grid/blocks'))).toMatchObject({ page: 2, pageSize: 5, totalCount: 23 });
  });

  it('of paging refuses what is no page, and stays as it was', async () => {
    const before = await read(path('/tag/paging/blocks'));
    const response = await world.send('POST', path('/tag/paging/blocks'), { itemsPerPage: 0, page: -1 });
    const body = (await expectAnswer('sendToBlockByTag', response, 422)) as { details: { path: string }[] };
    expect(body.details.map((detail) => detail.path).sort()).toEqual(['/itemsPerPage', '/page']);
    expect(await read(path('/tag/paging/blocks'))).toEqual(before);
  });

  it('takes a page from the query for one answer, however many ask at once', async () => {
    const before = await read(path('/tag/paging/blocks'));
    const pages = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const grid = await read(path(`/tag/grid/blocks?page=${n % 23}&itemsPerPage=1`));
        return [n % 23, grid['page'], (grid['data'] as JsonObject[]).length, grid['totalCount']];
      }),
    );
    for (const [requested, page, length, total] of pages) expect([page, length, total]).toEqual([requested, 1, 23]);
    expect(await read(path('/tag/paging/blocks'))).toEqual(before);
  });
});
