/** Bodies that stay bytes: policy files. */
import { collectBody, malformed, tooLarge } from './collect-body.js';
import type { BodyBounds } from './collect-body.js';
import type { HttpRequest } from './http-request.js';
import { mediaType, unsupported } from './media-type.js';

export async function readBytes(
  request: HttpRequest,
  types: readonly string[],
  bounds: BodyBounds,
): Promise<Uint8Array> {
  if (!types.includes(mediaType(request.header('content-type')))) throw unsupported(types.join(', '));
  const encoding = request.header('content-encoding') ?? '';
  if (encoding !== '' && encoding !== 'identity') throw unsupported('sent without a Content-Encoding');
  const { parsedBody } = request;
  const bytes = parsedBody instanceof Uint8Array ? parsedBody : await collectBody(request, bounds);
  if (bytes.length > bounds.limit) throw tooLarge(bounds.limit);
  if (bytes.length === 0) throw malformed('it is empty');
  return bytes;
}
