/** The OpenAPI document: valid, complete, committed, served, and usable by clients of other makers. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { contract, openApiDocument, routeGroups } from '@blockwork/contract';
import type { Route } from '@blockwork/contract';
import { Validator } from '@seriousme/openapi-schema-validator';
import { OpenAPIClientAxios } from 'openapi-client-axios';
import type { Document } from 'openapi-client-axios';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { schemaOf } from './support/openapi-schemas.js';
import { bearer, openWorld, owner } from './support/world.js';
import type { World } from './support/world.js';

const document = openApiDocument();
const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

interface Operation {
  readonly operationId: string;
  readonly tags: string[];
  readonly responses: Record<string, { $ref?: string; content?: object }>;
  readonly requestBody?: object;
  readonly parameters?: { in: string; name: string }[];
}

/** The keys that the schema of a route's query reads, from the schema itself; those of any other key of an open one are named at the end. */
function acceptedInQuery(query: Route['query']): string[] {
  if (query.kind === 'none') return [];
  return [...keysOf(query.schema), ...(query.kind === 'open' ? ['parameters'] : [])];
}

function keysOf(schema: z.core.$ZodType): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'object') return Object.keys(def.shape);
  // What it takes is checked before it is changed.
  if (def.type === 'pipe') return keysOf(def.in);
  if (def.type === 'union') return [...new Set(def.options.flatMap(keysOf))];
  if (def.type === 'intersection') return [...new Set([def.left, def.right].flatMap(keysOf))];
  throw new Error(`The keys of a query of the type ${def.type} are not known.`);
}

const operationOf = (name: string): Operation => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as Operation[]);
  return operations.find(({ operationId }) => operationId === name)!;
};

describe('the document', () => {
  it('is the one in docs/openapi.json; `npm run openapi` writes it', async () => {
    const committed = await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
    expect(document).toEqual(JSON.parse(committed));
  });

  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
  });

  it('refers only to components that it has, and has none that nothing refers to', () => {
    const named = Object.entries(document.components).flatMap(([kind, members]) =>
      kind === 'securitySchemes' ? [] : Object.keys(members).map((name) => `#/components/${kind}/${name}`),
    );
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference);
    expect(new Set(references)).toEqual(new Set(named));
  });

  it.each(Object.entries<Route>(contract))('has %s with each of its statuses and parameters', (name, route) => {
    const { responses, requestBody, parameters = [], tags } = operationOf(name);
    expect(Object.keys(responses)).toEqual(Object.keys(route.answers));
    expect(requestBody !== undefined).toBe(route.body.kind !== 'none');
    expect(parameters.filter((each) => each.in === 'path').map((each) => each.name)).toEqual(Object.keys(route.params));
    const inQuery = parameters.filter((each) => each.in === 'query').map((each) => each.name);
    expect(inQuery.sort()).toEqual(acceptedInQuery(route.query).sort());
    expect(Object.keys(routeGroups)).toContain(tags[0]);
  });

  it('has examples that satisfy their schemas', () => {
    const { schemas } = document.components as { schemas: Record<string, { examples?: unknown[] }> };
    const examples = Object.entries(schemas).flatMap(([name, { examples = [] }]) => examples.map((one) => [name, one]));
    expect(examples.length).toBeGreaterThan(5);
    for (const [name, example] of examples) {
      const validate = schemaOf(`#/components/schemas/${String(name)}`);
      expect(validate(example), JSON.stringify(validate.errors)).toBe(true);
    }
  });
});

describe('a server', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ docs: { assets: swaggerUi }, prefix: '/api/v1' });
  });
  afterAll(() => world.close());

  it('serves the document without a token, and with its own prefix', async () => {
    const response = await world.fetch(`${world.url}/api/v1/openapi.json`);
    expect([response.status, await response.json()]).toEqual([200, document]);
    const other = await openWorld({ prefix: '/registry/v2' });
    const served = (await (await fetch(`${other.url}/registry/v2/openapi.json`)).json()) as typeof document;
    expect(Object.keys(served.paths)).toContain('/registry/v2/policies/{policyId}/tokens');
    await other.close();
  });

  it('is understood by a client that another maker derives from the document', async () => {
    const served = (await (await fetch(`${world.url}/api/v1/openapi.json`)).json()) as Document;
    const api = new OpenAPIClientAxios({
      definition: { ...served, servers: [{ url: world.url }] },
      quick: true,
      axiosConfigDefaults: { headers: { authorization: bearer(owner) }, validateStatus: () => true },
    });
    const client = await api.init();
    const call = async (operation: string, ...args: unknown[]): Promise<{ status: number; data: unknown }> =>
      (client as Record<string, (...args: unknown[]) => Promise<{ status: number; data: unknown }>>)[operation]!(
        ...args,
      );
    const { policyId } = world;
    expect(await call('getPolicy', { policyId })).toMatchObject({ status: 200, data: { id: policyId } });
    expect(await call('sendToBlockByTag', { policyId, tag: 'echo' }, { n: 1 })).toMatchObject({ data: { n: 1 } });
    expect(await call('listPolicies', { pageIndex: 0, pageSize: 1 })).toMatchObject({ data: [{ id: policyId }] });
    expect(await call('readBlockByTag', { policyId, tag: 'Übersicht (neu) / 100 %' })).toMatchObject({ status: 200 });
    expect(await call('getPolicy', { policyId: 'none' })).toMatchObject({ status: 404, data: { code: 404 } });
  });

  it('shows it at /docs, with nothing from elsewhere', async () => {
    const page = await fetch(`${world.url}/docs`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await page.text();
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      expect(file).toMatch(/^\/docs\//);
      const response = await fetch(world.url + file);
      expect(response.status, file).toBe(200);
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
    }
    expect(await (await fetch(`${world.url}/docs/start.js`)).text()).toContain('"url":"/api/v1/openapi.json"');
  });

  it('has nothing else below /docs, and answers no other method there', async () => {
    for (const path of ['/docs/nothing', '/docs/../package.json', '/docs/%2e%2e/package.json', '/docs/package.json']) {
      expect((await fetch(world.url + path)).status, path).toBe(404);
    }
    expect((await fetch(`${world.url}/docs`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${world.url}/healthz`, { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD');
  });

  it('has no such page unless it was asked for, and says where Swagger UI should have been', async () => {
    const plain = await openWorld();
    expect((await fetch(`${plain.url}/docs`)).status).toBe(404);
    await plain.close();
    await expect(openWorld({ docs: { assets: '/nowhere' } })).rejects.toMatchObject({
      facts: { option: 'docs.assets' },
    });
  });
});
