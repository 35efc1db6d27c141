import { createEngine } from '@blockwork/core';
import { AuthenticationError, createPolicyRouter } from '@blockwork/http-koa';
import type { RouterOptions } from '@blockwork/http-koa';
import Koa from 'koa';
import { afterEach, describe, expect, it } from 'vitest';
import { fetch } from './support/checked-fetch.js';
import { listen } from './support/listen.js';
import { policyArchive } from './support/policy-archive.js';
import { trialPolicy } from './support/trial-policy.js';
import { bearer, owner, rules, secret } from './support/world.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** An application of somebody else's, with our router among their middleware. */
async function host(
  options: RouterOptions,
  around: { before?: Koa.Middleware; after?: Koa.Middleware } = {},
): Promise<string> {
  const engine = createEngine({ drafts: 'shared' });
  await engine.importPolicy(owner, { ...trialPolicy, id: 'trial' });
  const app = new Koa();
  app.silent = true;
  if (around.before) app.use(around.before);
  app.use(createPolicyRouter(engine, options).routes());
  if (around.after) app.use(around.after);
  const { url, close } = await listen(app.callback());
  closers.push(() => engine.close(), close);
  return url;
}

const auth = { secret, ...rules };
const headers = { authorization: bearer(owner) };

describe('beside the routes of a host', () => {
  const after: Koa.Middleware = (ctx) => {
    if (ctx.path === '/explode') throw new Error('of the host');
    if (ctx.path.startsWith('/api/v1/mine') || ctx.path === '/healthz' || ctx.method === 'DELETE') ctx.body = 'host';
  };

  it('only the routes of the interface are taken', async () => {
    const url = await host({ auth }, { after });
    expect((await fetch(`${url}/api/v1/policies`, { headers })).status).toBe(200);
    for (const path of ['/healthz', '/api/v1/mine', '/api/v1/mine/policies']) {
      expect(await (await fetch(url + path)).text()).toBe('host');
    }
  });

  it('a path that nobody knows stays with the host, and so do its errors', async () => {
    const url = await host({ auth }, { after });
    const unknown = await fetch(`${url}/nothing`);
    expect([unknown.status, await unknown.text()]).toEqual([404, 'Not Found']);
    const exploded = await fetch(`${url}/explode`);
    expect([exploded.status, await exploded.text()]).toEqual([500, 'Internal Server Error']);
  });

  it('another method on one of our paths is the host’s, if it wants it', async () => {
    const url = await host({ auth }, { after });
    expect(await (await fetch(`${url}/api/v1/policies`, { method: 'DELETE' })).text()).toBe('host');
    expect((await fetch(`${url}/api/v1/policies`, { method: 'PATCH' })).status).toBe(405);
  });

  it('our refusals are answered in JSON without the host’s error handling', async () => {
    let seen = 0;
    const before: Koa.Middleware = (_, next) => next().catch(() => void (seen += 1));
    const url = await host({ auth }, { before });
    expect(await (await fetch(`${url}/api/v1/policies`)).json()).toMatchObject({ code: 401 });
    expect(seen).toBe(0);
  });

  it('the prefix can be another one, or none', async () => {
    const other = await host({ auth, prefix: '/registry/v9' });
    expect((await fetch(`${other}/registry/v9/policies/trial`, { headers })).status).toBe(200);
    expect((await fetch(`${other}/api/v1/policies/trial`, { headers })).status).toBe(404);
    const none = await host({ auth, prefix: '' });
    expect((await fetch(`${none}/policies/trial`, { headers })).status).toBe(200);
  });

  it('a body that the host has parsed is taken as it is', async () => {
    const before: Koa.Middleware = async (ctx, next) => {
      const chunks: Buffer[] = [];
      for await (const chunk of ctx.req) chunks.push(chunk as Buffer);
      (ctx.request as { body?: unknown }).body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      await next();
    };
    const url = await host({ auth }, { before });
    const response = await fetch(`${url}/api/v1/policies/trial/tag/choose_role/blocks`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"role":"Verifier"}',
    });
    expect([response.status, await response.text()]).toEqual([200, 'true']);
  });

  it('a parser that leaves an empty object where it has parsed nothing is no body', async () => {
    const before: Koa.Middleware = (ctx, next) => {
      (ctx.request as { body?: unknown }).body = {};
      return next();
    };
    const url = await host({ auth }, { before });
    const reject = `${url}/api/v1/external-policies/requests/1.000000001/reject`;
    expect((await fetch(reject, { method: 'PUT', headers })).status).toBe(404);
    const archive = { method: 'POST', headers: { ...headers, 'content-type': 'application/zip' } };
    const imported = await fetch(`${url}/api/v1/policies/import/file`, { ...archive, body: policyArchive() as never });
    expect(imported.status).toBe(201);
  });

  it('a secret in the host’s state does not become ours', async () => {
    const before: Koa.Middleware = (ctx, next) => {
      ctx.state['secret'] = 'of the host';
      ctx.state['user'] = 'of the host';
      return next();
    };
    const after: Koa.Middleware = (ctx) => {
      ctx.body = ctx.state;
    };
    const url = await host({ auth }, { before, after });
    expect((await fetch(`${url}/api/v1/policies`, { headers })).status).toBe(200);
    expect(await (await fetch(`${url}/state`)).json()).toEqual({ secret: 'of the host', user: 'of the host' });
  });
});

describe('an authentication of the host’s own', () => {
  const authenticate: RouterOptions['authenticate'] = (ctx) => {
    const name = ctx.get('x-user');
    if (name === 'crash') throw new Error('SECRET');
    if (name === '') return Promise.reject(new AuthenticationError('missing', 'Say who you are in X-User.'));
    return Promise.resolve({ did: `did:example:${name}`, role: 'USER' });
  };
  const quiet = () => undefined;
  const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  const ask = async (name: string): Promise<[number, string]> => {
    const url = await host({ authenticate, logger });
    const response = await fetch(`${url}/api/v1/policies/trial/groups`, { headers: { 'x-user': name } });
    return [response.status, await response.text()];
  };

  it('decides who the caller is', async () => {
    expect(await ask('ana')).toEqual([200, '[]']);
  });

  it('refuses with 401 by an AuthenticationError, and any other error is a failure inside', async () => {
    expect(await ask('')).toEqual([401, expect.stringContaining('Say who you are')]);
    expect(await ask('crash')).toEqual([500, expect.not.stringContaining('SECRET')]);
  });
});
