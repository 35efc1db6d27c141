/** The `Authorization` header: how a token travels (RFC 6750, section 2.1). */
import { AuthenticationError } from './authentication-error.js';

/** Longer than any honest token; keeps what the cache holds bounded. */
const MAX_TOKEN_LENGTH = 8192;
const SCHEME = 'Bearer ';

/** The three parts of a signed token (RFC 7515, section 3.1). */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** The token in the header. The scheme is compared without case (RFC 9110, section 11.1). */
export function bearerToken(header: string | undefined): string {
  if (header === undefined || header === '')
    throw new AuthenticationError('missing', 'There is no token in the request.');
  const [scheme = '', ...rest] = header.trim().split(/ +/);
  if (scheme.toLowerCase() !== 'bearer') {
    throw new AuthenticationError('missing', 'The Authorization header holds no Bearer token.');
  }
  const [token = ''] = rest;
  if (rest.length !== 1 || token.length > MAX_TOKEN_LENGTH || !TOKEN.test(token)) {
    throw new AuthenticationError('malformed', 'The token is malformed.');
  }
  return token;
}

/** Whether the header is written the one usual way, so that one token makes one entry in a cache. */
export const isPlain = (header: string, token: string): boolean =>
  header.length === SCHEME.length + token.length && header.startsWith(SCHEME);
