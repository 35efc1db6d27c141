/** One route as an operation of an OpenAPI document. */
import type { z } from 'zod';
import { refusalNames, refusals } from '../answers.js';
import { fileTypeOf } from '../file-types.js';
import type { Answer, Body, Query, Route } from '../route.js';
import type { JsonSchema, SchemaWriter } from './json-schema.js';

type Facts = Readonly<Record<string, unknown>>;

export function operation(name: string, group: string, route: Route, schemas: SchemaWriter): Facts {
  const { permission, orPermission } = route;
  const headers = [
    ...(route.takesIdempotencyKey === true ? [idempotencyKey] : []),
    ...(route.takesIfMatch === true ? [ifMatch] : []),
    ...(takesActAs(route) ? [actAs] : []),
  ];
  const parameters = [...pathParameters(route, schemas), ...queryParameters(route.query, schemas), ...headers];
  const body = requestBody(route.body, schemas);
  return {
    operationId: name,
    tags: [group],
    summary: route.summary,
    ...(route.deprecated === true && { deprecated: true }),
    // Roles of a bearer scheme are what the caller needs (OpenAPI 3.1, "Security Requirement Object").
    security: [permission, orPermission].filter((each) => each != null).map((each) => ({ bearer: [each] })),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null ? {} : { requestBody: body }),
    responses: Object.fromEntries(
      Object.entries(route.answers).map(([status, answer]) => [status, response(Number(status), answer, schemas)]),
    ),
  };
}

const pathParameters = ({ params }: Route, schemas: SchemaWriter): Facts[] =>
  Object.entries(params).map(([name, { schema, description }]) => {
    const { description: _, ...rest } = schemas.write(schema);
    return { name, in: 'path', required: true, description, schema: rest };
  });

function queryParameters(query: Query, schemas: SchemaWriter): Facts[] {
  if (query.kind === 'none') return [];
  const { properties = {} } = schemas.write(query.schema) as { properties?: Record<string, JsonSchema> };
  const listed = Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(description === undefined ? {} : { description }),
    schema,
  }));
  return query.kind === 'listed' ? listed : [...listed, otherParameters];
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Chosen by the client, for example a UUID. Repeating a request with the same key has no further effect and returns the first response.',
  schema: { type: 'string', pattern: '^[!-~]{1,200}$' },
};

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  description: 'The `ETag` of the definition that the request is based on.',
  schema: { type: 'string', pattern: '^(\\*|(W/)?"[0-9]{1,15}")$' },
};

const actAs = {
  name: 'Act-As',
  in: 'header',
  description: "The DID of a user of the policy's trial, on whose behalf its owner sends the request.",
  schema: { type: 'string', maxLength: 500 },
};

/** Routes that users of a trial may call. */
const takesActAs = ({ params, permission }: Route): boolean =>
  'policyId' in params && (permission === 'POLICIES_POLICY_READ' || permission === 'POLICIES_POLICY_EXECUTE');

const otherParameters = {
  name: 'parameters',
  in: 'query',
  description: 'Parameters of the block, for example filters keyed by tag.',
  style: 'form',
  explode: true,
  schema: { type: 'object', additionalProperties: { type: 'string' } },
};

function requestBody(body: Body, schemas: SchemaWriter): Facts | null {
  switch (body.kind) {
    case 'none':
      return null;
    case 'json':
      return {
        required: body.optional !== 'always',
        content: { 'application/json': { schema: schemas.write(bodySchema(body)) } },
      };
    case 'bytes':
      return {
        required: true,
        content: Object.fromEntries(body.types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
      };
  }
}

/** An optional body may also be `null`. */
const bodySchema = ({ schema, optional }: Extract<Body, { kind: 'json' }>): z.ZodType =>
  optional === 'always' ? schema.nullable() : schema;

/** Error responses shared by routes are written once, as components. */
function response(status: number, answer: Answer, schemas: SchemaWriter): Facts {
  const refusal = Object.entries(refusals).find(([, each]) => each === answer)?.[0];
  if (refusal === undefined) return sharedResponse(answer, schemas);
  return { $ref: `#/components/responses/${refusalNames[status as keyof typeof refusalNames]}` };
}

const file: JsonSchema = { type: 'string', format: 'binary' };

export const sharedResponse = (
  { description, schema, headers = {}, mediaType }: Answer,
  schemas: SchemaWriter,
): Facts => ({
  description,
  headers: {
    ...Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, headerOf(schemas.write(header))])),
    'Blockwork-Policy': { $ref: '#/components/headers/PolicyId' },
    'X-Request-Id': { $ref: '#/components/headers/RequestId' },
  },
  content: {
    [mediaType ?? 'application/json']: {
      schema: fileTypeOf(mediaType) === undefined ? schemas.write(schema) : file,
    },
  },
});

function headerOf({ description, ...schema }: JsonSchema): Facts {
  return { ...(description === undefined ? {} : { description }), schema };
}
