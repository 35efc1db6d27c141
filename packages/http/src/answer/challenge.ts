/** `WWW-Authenticate` challenges (RFC 6750, section 3). */
import type { AuthenticationError } from '../auth/authentication-error.js';

/** No error code if the request has no credential (RFC 6750, section 3.1). */
export const challenge = (realm: string, error: AuthenticationError): string =>
  error.problem === 'missing' ? `Bearer realm=${quoted(realm)}` : bearer(realm, 'invalid_token', error.message);

/** For a valid token without the permission. */
export const insufficient = (realm: string, message: string): string => bearer(realm, 'insufficient_scope', message);

const bearer = (realm: string, error: string, description: string): string =>
  `Bearer realm=${quoted(realm)}, error="${error}", error_description=${quoted(description)}`;

/** Keeps to the characters that RFC 6750 allows in `error_description`, which prevents header injection. */
const quoted = (text: string): string =>
  `"${text.replaceAll('"', "'").replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')}"`;
