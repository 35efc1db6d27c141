/** Verifies token signatures with jsonwebtoken. */
import { AuthenticationError } from './authentication-error.js';
import { jsonwebtoken } from './jsonwebtoken.js';
import { selectKey } from './key-selection.js';
import type { VerificationKey } from './verification-key.js';

/** Resolves with the unvalidated claims. Rejects with an `AuthenticationError`. */
export type TokenVerifier = (token: string) => Promise<unknown>;

/** Left to readClaims, which knows the clock. */
export const withoutTimes = { ignoreExpiration: true, ignoreNotBefore: true } as const;

export function tokenVerifier(keys: readonly VerificationKey[]): TokenVerifier {
  const algorithms = [...new Set(keys.map(({ algorithm }) => algorithm))];
  const jwt = jsonwebtoken();
  return async (token) => {
    try {
      const header = jwt.decode(token, { complete: true })?.header;
      return jwt.verify(token, selectKey(keys, header), { algorithms, ...withoutTimes });
    } catch (error) {
      throw authenticationError(error);
    }
  };
}

/** Maps an error of jsonwebtoken to an `AuthenticationError`. */
export function authenticationError(cause: unknown): AuthenticationError {
  if (cause instanceof AuthenticationError) return cause;
  // The TypeError is about an ES256 signature of the wrong length.
  return cause instanceof jsonwebtoken().JsonWebTokenError || cause instanceof TypeError
    ? new AuthenticationError('signature', 'The signature of the token is not valid.', cause)
    : new AuthenticationError('malformed', 'The token is malformed.', cause);
}
