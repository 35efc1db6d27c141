/** `WWW-Authenticate` challenges (RFC 6750, section 3). */
import type { AuthenticationError } from '../auth/authentication-error.js';

/** Without a credential in the request the challenge tells no error (RFC 6750, section 3.1). */
export const challenge = (realm: string, error: AuthenticationError): string =>
  error.problem === 'missing' ? `Bearer realm=${quoted(realm)}` : bearer(realm, 'invalid_token', error.message);

/** The token is good, but brings too few permissions. */
export const insufficient = (realm: string, message: string): string => bearer(realm, 'insufficient_scope', message);

const bearer = (realm: string, error: string, description: string): string =>
  `Bearer realm=${quoted(realm)}, error="${error}", error_description=${quoted(description)}`;

/** Only the characters that RFC 6750 allows in `error_description`, so that no header can be split or ended early. */
const quoted = (text: string): string =>
  `"${text.replaceAll('"', "'").replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')}"`;
