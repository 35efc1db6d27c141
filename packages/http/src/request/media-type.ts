/** Media types of bodies. */
import { TransportError } from '../answer/transport-error.js';

/** Type and subtype in lower case without parameters; empty if the header is. */
export const mediaType = (header: string | undefined): string => header?.split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** About a body of another type. */
export function unsupportedType(expected: string, header: string | undefined): TransportError {
  const type = mediaType(header);
  const description = type === '' ? 'the request has no Content-Type' : `its Content-Type is ${type.slice(0, 100)}`;
  return unsupported(expected, description);
}

/** `given` says in which way the body is another one. */
export const unsupported = (expected: string, description: string): TransportError =>
  new TransportError('CONTENT_TYPE_UNSUPPORTED', {
    facts: { expected, given: description },
    headers: { Accept: expected },
  });
