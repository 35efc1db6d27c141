/** Media types of bodies. */
import { TransportError } from '../answer/transport-error.js';

/** Type and subtype in lower case without parameters; empty if the header is. */
export const mediaType = (header: string | undefined): string => header?.split(';', 1)[0]?.trim().toLowerCase() ?? '';

export const unsupported = (expected: string): TransportError =>
  new TransportError('CONTENT_TYPE_UNSUPPORTED', { facts: { expected }, headers: { Accept: expected } });
