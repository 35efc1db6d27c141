/** Bodies that stay bytes: policy files. */
import { isObject } from '@blockwork/core/records';
import { collectBody, malformed, tooLarge } from './collect-body.js';
import type { BodyBounds } from './collect-body.js';
import type { HttpRequest } from './http-request.js';
import { mediaType, unsupported, unsupportedType } from './media-type.js';

export async function readBytes(
  request: HttpRequest,
  types: readonly string[],
  bounds: BodyBounds,
): Promise<Uint8Array> {
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
