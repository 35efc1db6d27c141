/** The router of the interface in applications, routers and mounts of a host that authenticates by itself. */
import Router from '@koa/router';
import { contract } from '@blockwork/contract';
import { createEngine } from '@blockwork/core';
import { AuthenticationError, createPolicyRouter, signDevelopmentToken } from '@blockwork/http-koa';
import type { RouterOptions } from '@blockwork/http-koa';
import Koa from 'koa';
import koaJwt from 'koa-jwt';
import mount from 'koa-mount';
import { afterEach, describe, expect, it } from 'vitest';
import { fetch } from './support/checked-fetch.js';
import { listen } from './support/listen.js';
import { trialPolicy } from './support/trial-policy.js';
import { owner, secret } from './support/world.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** The host verifies tokens; the interface is told who they name. */
const verify = koaJwt({ secret: secret.export(), algorithms: ['HS256'] });
const authenticate: NonNullable<RouterOptions['authenticate']> = (ctx) => {
  const user = ctx.state['user'] as { readonly sub?: string } | undefined;
  if (user?.sub === undefined) throw new AuthenticationError('missing', 'Send a token of this host.');
  return { did: user.sub, role: 'STANDARD_REGISTRY' };
};

async function serve(use: (app: Koa, policies: Router) => void, prefix?: string): Promise<string> {
  const engine = createEngine();
  await engine.importPolicy(owner, { ...trialPolicy, id: 'trial' });
  const app = new Koa();
  app.silent = true;
  use(app, createPolicyRouter(engine, { authenticate, ...(prefix !== undefined && { prefix }) }));
  const { url, close } = await listen(app.callback());
  closers.push(() => engine.close(), close);
  return url;
}

const places: [string, string, (app: Koa, policies: Router) => void, string?][] = [
  [
    'an application',
    '/api/v1',
    (app, policies) => app.use(verify).use(policies.routes()).use(policies.allowedMethods()),
  ],
  ['an application, without a prefix', '', (app, policies) => app.use(verify).use(policies.routes()), ''],
  [
    'a router',
    '/engine/api/v1',
    (app, policies) => {
      const router = new Router().use(verify).use('/engine', policies.routes(), policies.allowedMethods());
      app.use(router.routes()).use(router.allowedMethods());
    },
  ],
  [
    'a router of a router with parameters',
    '/tenants/green/engine/v2',
    (app, policies) => {
      const inner = new Router({ prefix: '/engine' }).use(policies.routes());
      const outer = new Router({ prefix: '/tenants/:tenant' }).use(verify, inner.routes());
      app.use(outer.routes());
    },
    '/v2',
  ],
  [
    'a path of koa-mount',
    '/engine/api/v1',
    (app, policies) => app.use(verify).use(mount('/engine', policies.routes())),
  ],
  [
    'an application in another one, in a router',
    '/outer/inner/api/v1',
    (app, policies) => {
      const inner = new Koa().use(verify).use(new Router().use('/inner', policies.routes()).routes());
      app.use(mount('/outer', inner));
    },
  ],
];

describe.each(places)('the interface in %s', (_, path, use, prefix) => {
  const token = signDevelopmentToken(secret, owner);
  const headers = { authorization: `Bearer ${token}` };

  it('answers reads and sends, with their parameters', async () => {
    const at = (await serve(use, prefix)) + path;
    const policy = await fetch(`${at}/policies/trial`, { headers });
    expect([policy.status, await policy.json()]).toMatchObject([200, { id: 'trial' }]);
    const sent = await fetch(`${at}/policies/trial/tag/choose_role/blocks`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"role":"Verifier"}',
    });
    expect([sent.status, await sent.text()]).toEqual([200, 'true']);
    expect((await fetch(`${at}/policies/trial/`, { headers })).status).toBe(200);
    expect((await fetch(`${at}/policies/nothing%2Fhere`, { headers })).status).toBe(404);
    for (const tile of ['0/000.p/1', '0%2F000.p%2F1', '0/000.p/1/']) {
      // OpenAPI has no words for a parameter with slashes, so that the checking `fetch` finds no route.
      const hashes = await globalThis.fetch(`${at}/policies/trial/log/tile/${tile}`, { headers });
      expect([hashes.status, (await hashes.arrayBuffer()).byteLength]).toEqual([200, 32]);
    }
  });

  it('refuses other methods, tells those there are, and leaves other paths to the host', async () => {
    const at = (await serve(use, prefix)) + path;
    const other = await fetch(`${at}/policies/trial`, { method: 'PATCH', headers });
    expect([other.status, await other.json()]).toMatchObject([405, { error: 'METHOD_NOT_ALLOWED' }]);
    const response = await fetch(`${at}/policies/trial`, { method: 'OPTIONS', headers });
    expect([response.status, response.headers.get('allow')]).toEqual([204, expect.stringContaining('GET, HEAD')]);
    const unknown = await fetch(`${at}/nothing`, { headers });
    expect([unknown.status, await unknown.text()]).toEqual([404, 'Not Found']);
  });

  it('is behind the authentication of the host', async () => {
    const at = (await serve(use, prefix)) + path;
    expect((await fetch(`${at}/policies/trial`)).status).toBe(401);
  });
});

it('routes have the names of the contract', () => {
  const router = createPolicyRouter(createEngine(), { authenticate, prefix: '/v2' });
  expect(router).toBeInstanceOf(Router);
  expect(router.url('getPolicy', { policyId: 'a b' })).toBe('/v2/policies/a%20b');
  const { health: _, ready: __, ...routed } = contract;
  for (const [name, { method }] of Object.entries(routed)) {
    const layer = router.route(name);
    expect(layer, name).toMatchObject({ methods: expect.arrayContaining([method]) as unknown });
  }
});
