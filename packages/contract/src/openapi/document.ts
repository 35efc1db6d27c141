/** The contract as an OpenAPI 3.1 document. */
import { refusalNames, refusals } from '../answers.js';
import { DEFAULT_PREFIX, routeGroups } from '../contract.js';
import type { Route } from '../route.js';
import { security, sharedHeaders } from './common-components.js';
import { SchemaWriter } from './json-schema.js';
import { operation, sharedResponse } from './operation.js';

export interface OpenApiOptions {
  /** Path prefix of every route; default `/api/v1`. */
  readonly prefix?: string;
  readonly title?: string;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: Readonly<Record<string, object>>;
  readonly [member: string]: unknown;
}

/**
 * Describes every route with every status. The output is deterministic, so it can be diffed.
 *
 * @example
 * await writeFile('openapi.json', JSON.stringify(openApiDocument(), null, 2));
 */
export function openApiDocument({
  prefix = DEFAULT_PREFIX,
  title = 'Blockwork',
}: OpenApiOptions = {}): OpenApiDocument {
  const schemas = new SchemaWriter();
  const paths = pathsOf(prefix, schemas);
  const responses = Object.fromEntries(
    Object.entries(refusals).map(([status, answer]) => [
      refusalNames[Number(status) as keyof typeof refusalNames],
      sharedResponse(answer, schemas),
    ]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: '1.0.0',
      summary: 'Policies, their blocks, and requests between instances.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: Object.keys(routeGroups).map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas.named,
      responses,
      headers: sharedHeaders,
      securitySchemes: security,
    },
  };
}

function pathsOf(prefix: string, schemas: SchemaWriter): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const [group, routes] of Object.entries(routeGroups)) {
    for (const [name, route] of Object.entries<Route>(routes)) {
      const path = (route.outsidePrefix === true ? '' : prefix) + route.path;
      (paths[path] ??= {})[route.method.toLowerCase()] = operation(name, group, route, schemas);
    }
  }
  return paths;
}
