/** A server whose database is away for a while: 503 with Retry-After and nothing else, then it goes on. */
import { createEngine, silentLogger, type Caller, type PolicyEngine } from '@blockwork/core';
import { createPolicyServer, type PolicyServer } from '@blockwork/http-koa';
import { openPostgresStore } from '@blockwork/store-postgres';
import { block, documents } from '@blockwork/testing';
import { createSecretKey } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signDevelopmentToken } from '@blockwork/http';
import { describeWithDatabase } from '../support/postgres/database.js';
import { Proxy } from '../support/postgres/proxy.js';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const user: Caller = { did: 'did:example:user', role: 'USER' };
const secret = createSecretKey(Buffer.alloc(32, 3));

const policy = {
  id: 'registry',
  name: 'Registry',
  policyRoles: ['Installer'],
  config: block('interfaceContainerBlock', 'root', {
    children: [
      block('policyRolesBlock', 'roles', { roles: ['Installer'], permissions: ['NO_ROLE'] }),
      block('interfaceDocumentsSourceBlock', 'grid', {
        children: [
          block('documentsSourceAddon', 'source', { dataType: 'vc-documents' }),
          block('paginationAddon', 'pages'),
        ],
      }),
    ],
  }),
};

await describeWithDatabase('A server on a database', (database) => {
  let proxy: Proxy;
  let engine: PolicyEngine;
  let server: PolicyServer;
  let url: string;

  beforeAll(async () => {
    proxy = await Proxy.open(database.address(), { fate: () => 'pass' });
    const address = database.address({ host: proxy.host });
    const store = await openPostgresStore({ address, patienceMs: 100, outcomeMs: 1000 });
    engine = createEngine({ store, nodeName: 'north', logger: silentLogger, operators: [owner.did] });
    await engine.importPolicy(owner, policy, { documents: documents(12) });
    server = createPolicyServer(engine, { auth: { secret }, logger: silentLogger });
    ({ url } = await server.listen({ host: '127.0.0.1', port: 0 }));
  });
  afterAll(async () => {
    await server.close();
    await engine.close();
    await proxy.close();
  });

  const ask = (path: string, caller: Caller = owner): Promise<Response> =>
    fetch(`${url}${path}`, { headers: { authorization: `Bearer ${signDevelopmentToken(secret, caller)}` } });
  const send = (page: number): Promise<Response> =>
    fetch(`${url}/api/v1/policies/registry/tag/pages/blocks`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${signDevelopmentToken(secret, owner)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ page, itemsPerPage: 5 }),
    });
  const reads = [
    '/api/v1/policies',
    '/api/v1/policies/registry',
    '/api/v1/policies/registry/blocks',
    '/api/v1/policies/registry/tag/grid/blocks',
    '/api/v1/policies/registry/journal',
    '/api/v1/nodes',
  ];
  const all = (): Promise<Response[]> => Promise.all([...reads.map((path) => ask(path)), send(1)]);

  it('answers 503 with Retry-After to everything while it is away, and says so in its readiness', async () => {
    expect((await all()).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200]);
    proxy.isAway = true;
    for (const answer of await all()) {
      expect(answer.status, answer.url).toBe(503);
      expect(answer.headers.get('retry-after'), answer.url).toBe('1');
      const body = await answer.text();
      expect(JSON.parse(body)).toMatchObject({ code: 503, error: 'STORE_UNAVAILABLE' });
      expect(body).not.toMatch(/127\.0\.0\.1|postgres|blockwork_test/);
    }
    await expect.poll(async () => (await ask('/readyz')).status).toBe(503);
    expect((await ask('/healthz')).status).toBe(200);

    proxy.isAway = false;
    await expect.poll(async () => (await ask('/readyz')).status).toBe(200);
    expect((await all()).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200]);
    expect(await (await ask('/api/v1/policies/registry/tag/grid/blocks?page=2&itemsPerPage=5')).json()).toMatchObject({
      totalCount: 12,
    });
  });

  it('lists its nodes for operators only', async () => {
    const other = createEngine({
      store: await openPostgresStore({ address: database.address() }),
      nodeName: 'south',
      logger: silentLogger,
    });
    await expect
      .poll(async () => ((await (await ask('/api/v1/nodes')).json()) as { name: string }[]).map(({ name }) => name))
      .toEqual(['north', 'south']);
    const [first, second] = (await (await ask('/api/v1/nodes')).json()) as unknown[];
    expect(first).toMatchObject({ name: 'north', version: expect.any(String) as string, isThis: true });
    expect(second).toMatchObject({ name: 'south', isThis: false });
    expect((await ask('/api/v1/nodes', user)).status).toBe(403);
    await other.close();
    expect(await engine.nodes.list(owner)).toHaveLength(1);
  });
});
