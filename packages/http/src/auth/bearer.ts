/** The `Authorization` header (RFC 6750, section 2.1). */
import { AuthenticationError } from './authentication-error.js';

/** Bounds the memory of the token cache. */
const MAX_TOKEN_LENGTH = 8192;
const SCHEME = 'Bearer ';

/** Extracts the undecoded token. The scheme is case-insensitive (RFC 9110, section 11.1). */
export function bearerToken(header: string): string {
  if (header === '') throw new AuthenticationError('missing', 'The request has no token.');
  const [scheme = '', ...rest] = header.trim().split(/ +/);
  if (scheme.toLowerCase() !== 'bearer') {
    throw new AuthenticationError('missing', 'The Authorization header contains no Bearer token.');
  }
  const [token = ''] = rest;
  if (rest.length !== 1 || token.length > MAX_TOKEN_LENGTH) {
    throw new AuthenticationError('malformed', 'The token is malformed.');
  }
  return token;
}

/** Whether the header is spelled the usual way, so that one token fills one cache entry. */
export const isCanonical = (header: string, token: string): boolean =>
  header.length === SCHEME.length + token.length && header.startsWith(SCHEME);
