/** The interface inside other frameworks: each recipe of docs/mounting.md as a running program. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPolicyHandler, nodeListener } from '@blockwork/http-fetch';
import type { PolicyHandler } from '@blockwork/http-fetch';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetch } from '../support/checked-fetch.js';
import { policyArchive } from '../support/policy-archive.js';
import { bearer, openFetchWorld, owner, rules, secret } from '../support/world.js';
import type { World } from '../support/world.js';
import { expressApp } from './express.js';
import { fastifyParsedApp } from './fastify-parsed.js';
import { fastifyApp } from './fastify.js';
import { honoApp } from './hono.js';
import { nodeServer } from './node.js';

const fastifyServer = async (app: FastifyInstance): Promise<Server> => {
  await app.ready();
  return app.server;
};

const honoServer = (handler: PolicyHandler): Server => {
  const listener = nodeListener(async (request) => honoApp(handler).fetch(request));
  return createServer((request, response) => void listener(request, response));
};

const recipes: [string, string, (handler: PolicyHandler) => Server | Promise<Server>][] = [
  ['Hono', 'hono.ts', (handler) => honoServer(handler)],
  ['Express behind its JSON parser', 'express.ts', (handler) => createServer(expressApp(handler))],
  ['Fastify', 'fastify.ts', (handler) => fastifyServer(fastifyApp(handler))],
  ['Fastify behind its body parsers', 'fastify-parsed.ts', (handler) => fastifyServer(fastifyParsedApp(handler))],
  ['node:http', 'node.ts', nodeServer],
];

describe.each(recipes)('in %s', (_, file, serve) => {
  let world: World;
  let server: Server;
  let url: string;
  const headers = { authorization: bearer(owner) };
  const json = { ...headers, 'content-type': 'application/json' };

  beforeAll(async () => {
    world = await openFetchWorld();
    server = await serve(createPolicyHandler(world.engine, { auth: { secret, ...rules } }));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
    await world.close();
  });
  const echo = () => `${url}/api/v1/policies/${world.policyId}/tag/echo/blocks`;

  it('a block is read and sent to', async () => {
    expect(await (await fetch(`${echo()}?a=1`, { headers })).json()).toEqual({ query: { a: '1' } });
    for (const body of ['{"text":"ü","n":[1]}', '{}']) {
      const response = await fetch(echo(), { method: 'POST', headers: json, body });
      expect([response.status, await response.text()]).toEqual([200, body]);
    }
  });

  it('a policy file is imported', async () => {
    const response = await fetch(`${url}/api/v1/policies/import/file`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/zip' },
      body: policyArchive() as never,
    });
    expect(response.status).toBe(201);
  });

  it('refusals are those of the interface', async () => {
    expect((await fetch(echo())).status).toBe(401);
    expect((await fetch(`${url}/api/v1/nothing`, { headers })).status).toBe(404);
    expect((await fetch(`${url}/api/v1/policies`, { method: 'DELETE', headers })).headers.get('allow')).toBe(
      'GET, HEAD, POST',
    );
    expect((await fetch(echo(), { method: 'POST', headers: json, body: '[]' })).status).toBe(422);
    const long = `${url}/api/v1/policies/${'x'.repeat(201)}`;
    expect((await fetch(long, { headers })).status).toBe(400);
  });

  it('HEAD has the headers of GET, and an optional body may be missing', async () => {
    const [get, head] = await Promise.all(['GET', 'HEAD'].map((method) => fetch(echo(), { method, headers })));
    expect(head?.headers.get('content-length')).toBe(get?.headers.get('content-length'));
    const reject = `${url}/api/v1/external-policies/requests/1.000000001/reject`;
    expect((await fetch(reject, { method: 'PUT', headers })).status).toBe(404);
  });

  it('a body that nobody reads does not block the connection', async () => {
    for (let n = 0; n < 5; n += 1) {
      const body = JSON.stringify({ text: 'x'.repeat(500_000) });
      expect(
        (await fetch(echo(), { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status,
      ).toBe(401);
    }
  });

  it('the rest of the application answers for itself', async () => {
    expect(await (await globalThis.fetch(`${url}/`)).text()).toBe('the rest of the application');
  });

  it('is what the page shows', async () => {
    const page = await readFile(new URL('../../../docs/mounting.md', import.meta.url), 'utf8');
    const program = await readFile(new URL(file, import.meta.url), 'utf8');
    expect(page).toContain(`\`\`\`ts\n${program}\`\`\``);
  });
});
