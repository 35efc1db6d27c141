/** Bodies that stay bytes: policy files. */
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
  const bytes = parsedBody instanceof Uint8Array ? parsedBody : await collectBody(request, bounds);
  if (bytes.length > bounds.limit) throw tooLarge(bounds.limit);
  if (bytes.length === 0) throw malformed('it is empty');
  return bytes;
}
