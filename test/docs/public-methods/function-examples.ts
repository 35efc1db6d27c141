/** The exported functions of the transports and the client, and what they return, as their examples take them. */
import { canTransition, createClient, newIdempotencyKey, statusIs, type Client } from '@blockwork/client';
import { acrossNodes } from '@blockwork/client/nodes';
import { isDid, type PolicyEngine } from '@blockwork/core';
import { createPolicyHandler, nodeListener, toRequest, type PolicyHandler } from '@blockwork/http-fetch';
import {
  createPolicyRouter,
  createPolicyServer,
  serveMetrics,
  signDevelopmentToken,
  TokenAuthenticator,
  type MetricsServer,
  type PolicyServer,
} from '@blockwork/http-koa';
import fastify, { type FastifyInstance } from 'fastify';
import Koa from 'koa';
import { createServer } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import { around } from './engine-examples.js';
import type { ExampleSuite } from './example-suite.js';
import { types } from './types.js';
import { watched } from './watched.js';

const functions = {
  ...{ acrossNodes, canTransition, createClient, createPolicyHandler, createPolicyRouter, createPolicyServer, isDid },
  ...{ newIdempotencyKey, nodeListener, serveMetrics, signDevelopmentToken, statusIs, toRequest },
};

/** Besides the functions themselves. */
interface Around {
  readonly app: Koa;
  readonly authenticator: TokenAuthenticator;
  readonly client: Client;
  readonly createServer: typeof createServer;
  readonly engine: PolicyEngine;
  readonly fastify: FastifyInstance;
  readonly handler: PolicyHandler;
  readonly headers: { readonly authorization: string };
  readonly metrics: MetricsServer;
  readonly policy: { readonly id: string; readonly status: string };
  readonly policyId: string;
  readonly readFile: (path: string) => Promise<Uint8Array>;
  readonly request: { readonly headers: { readonly authorization: string } };
  readonly secret: Uint8Array;
  readonly server: PolicyServer;
  readonly subject: string;
  readonly token: string;
}

const names: Record<keyof Around | keyof typeof functions, string> = {
  acrossNodes: "typeof import('@blockwork/client/nodes').acrossNodes",
  app: "import('koa')",
  authenticator: "import('@blockwork/http-koa').TokenAuthenticator",
  canTransition: "typeof import('@blockwork/client').canTransition",
  client: "import('@blockwork/client').Client",
  createClient: "typeof import('@blockwork/client').createClient",
  createPolicyHandler: "typeof import('@blockwork/http-fetch').createPolicyHandler",
  createPolicyRouter: "typeof import('@blockwork/http-koa').createPolicyRouter",
  createPolicyServer: "typeof import('@blockwork/http-koa').createPolicyServer",
  createServer: "typeof import('node:http').createServer",
  engine: "import('@blockwork/core').PolicyEngine",
  fastify: "import('fastify').FastifyInstance",
  handler: "import('@blockwork/http-fetch').PolicyHandler",
  headers: '{ authorization: string }',
  isDid: "typeof import('@blockwork/http-koa').isDid",
  metrics: "import('@blockwork/http-koa').MetricsServer",
  newIdempotencyKey: "typeof import('@blockwork/client').newIdempotencyKey",
  nodeListener: "typeof import('@blockwork/http-fetch').nodeListener",
  policy: '{ readonly id: string; readonly status: string }',
  policyId: 'string',
  readFile: '(path: string) => Promise<Uint8Array>',
  request: '{ headers: { authorization: string } }',
  secret: 'Uint8Array',
  serveMetrics: "typeof import('@blockwork/http-koa').serveMetrics",
  server: "import('@blockwork/http-koa').PolicyServer",
  signDevelopmentToken: "typeof import('@blockwork/http-koa').signDevelopmentToken",
  statusIs: "typeof import('@blockwork/client').statusIs",
  subject: 'string',
  toRequest: "typeof import('@blockwork/http-fetch').toRequest",
  token: 'string',
};

/** Servers on ports that are free, closed after the test. */
const servers = {
  createPolicyServer(...args: Parameters<typeof createPolicyServer>): PolicyServer {
    const server = createPolicyServer(...args);
    onTestFinished(() => server.close());
    return { listen: () => server.listen({ port: 0 }), close: () => server.close() };
  },
  createServer: ((listener: Parameters<typeof createServer>[1]) => {
    const server = createServer(listener ?? (() => undefined));
    const listen = (): typeof server => server.listen(0);
    onTestFinished(() => void server.close());
    return Object.assign(Object.create(server) as typeof server, { listen });
  }) as typeof createServer,
  async serveMetrics(engine: PolicyEngine): Promise<MetricsServer> {
    const server = await serveMetrics(engine, { port: 0 });
    onTestFinished(() => server.close());
    return server;
  },
};

/** A client of servers that answer everything. */
const clientOf: typeof createClient = (options) =>
  createClient({ ...options, fetch: () => Promise.resolve(Response.json({})) });

async function perform(name: string, run: (values: Around & typeof functions) => Promise<void>): Promise<void> {
  const { engine, owner, policyId } = await around('');
  const secret = new TextEncoder().encode('an example of a secret of 32 bytes');
  const token = signDevelopmentToken(secret, owner);
  const headers = { authorization: `Bearer ${token}` };
  const auth = { secret };
  const calls = new Set<string>();
  const web = fastify();
  onTestFinished(async () => {
    await web.close();
  });
  await run({
    ...watchedFunctions({ ...functions, ...servers, createClient: clientOf }, calls),
    app: new Koa(),
    authenticator: watched(new TokenAuthenticator(auth), 'authenticator', calls),
    client: clientOf({ url: 'https://registry.example' }),
    engine,
    fastify: web,
    handler: createPolicyHandler(engine, { auth }),
    headers,
    metrics: watched(await servers.serveMetrics(engine), 'metrics', calls),
    policy: { id: policyId, status: 'DRY-RUN' },
    policyId,
    readFile: () => Promise.resolve(secret),
    request: { headers },
    secret,
    server: watched(servers.createPolicyServer(engine, { auth }), 'server', calls),
    subject: owner.did,
    token,
  });
  if (name === 'toRequest') {
    const { statusCode } = await web.inject({ url: '/api/v1/policies', headers });
    expect(statusCode).toBe(200);
  }
  expect([...calls]).toContain(name);
}

/** Functions that note each call of them. */
const watchedFunctions = <Functions extends object>(functions: Functions, calls: Set<string>): Functions => ({
  ...functions,
  ...Object.fromEntries(Object.keys(functions).map((name) => [name, Reflect.get(watched(functions, '', calls), name)])),
});

const parts = ['client', 'client/nodes', 'http-fetch', 'http-koa'];
const exported = new Map(parts.flatMap((part) => types.functions(part)).map((each) => [each.name, each]));
const methodsOf = (type: string, holder: string) =>
  types
    .methods('http-koa', type)
    .map(({ name, example }) => ({ name: `${holder}.${name}`, example, call: `${holder}.${name}(` }));

export const functionExamples: ExampleSuite<Around & typeof functions> = {
  holder: 'the transports and the client',
  examples: [
    ...[...exported.values()].map(({ name, example }) => ({ name, example, call: `${name}(` })),
    ...methodsOf('PolicyServer', 'server'),
    ...methodsOf('MetricsServer', 'metrics'),
    ...methodsOf('TokenAuthenticator', 'authenticator'),
  ],
  names,
  perform,
};
