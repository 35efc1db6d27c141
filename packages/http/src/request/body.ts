/** Reads the body that a route accepts. */
import type { Body } from '@blockwork/contract';
import { isObject } from '@blockwork/core/records';
import type { BodyShare } from './body-budget.js';
import { type BodyBounds, collectBody, malformed, tooLarge } from './collect-body.js';
import type { HttpRequest } from './http-request.js';
import { readJson, readOptionalJson } from './json-body.js';
import { mediaType, unsupported, unsupportedType } from './media-type.js';

export interface BodyRules {
  /** Maximum size of a JSON body in bytes. */
  readonly bodyLimit: number;
  /** Maximum size of a policy file in bytes. */
  readonly policyFileLimit: number;
  readonly approveWithoutBody: boolean;
}

export type BodyReader = (request: HttpRequest, share: BodyShare) => Promise<unknown>;

/** `null` for routes without a body. */
export function bodyReader(body: Body, rules: BodyRules): BodyReader | null {
  switch (body.kind) {
    case 'none':
      return null;
    case 'json': {
      const schema = body.checkedBy === 'engine' ? null : body.schema;
      const isOptional =
        body.optional === 'always' || (body.optional === 'approveWithoutBody' && rules.approveWithoutBody);
      const read = isOptional ? readOptionalJson : readJson;
      return (request, share) =>
        read(request, schema, { limit: body.large === true ? rules.policyFileLimit : rules.bodyLimit, share });
    }
    case 'bytes':
      return (request, share) => readBytes(request, body.types, { limit: rules.policyFileLimit, share });
  }
}

async function readBytes(request: HttpRequest, types: readonly string[], bounds: BodyBounds): Promise<Uint8Array> {
  const type = request.header('content-type');
  if (!types.includes(mediaType(type))) throw unsupportedType(types.join(', '), type);
  const encoding = request.header('content-encoding') ?? '';
  if (encoding !== '' && encoding !== 'identity')
    throw unsupported(types.join(', '), 'it must be sent without a Content-Encoding');
  const { parsedBody } = request;
  const bytes = await bytesOf(request, parsedBody, bounds);
  if (bytes.length > bounds.limit) throw tooLarge(bounds.limit);
  if (bytes.length === 0) throw malformed('it is empty');
  return bytes;
}

/** A host may have parsed a policy that is JSON. */
async function bytesOf(request: HttpRequest, parsed: unknown, bounds: BodyBounds): Promise<Uint8Array> {
  if (parsed instanceof Uint8Array) return parsed;
  const isJson = mediaType(request.header('content-type')) === 'application/json';
  if (isJson && isObject(parsed) && Object.keys(parsed).length > 0) return Buffer.from(JSON.stringify(parsed));
  return collectBody(request, bounds);
}
