/** Checks the signature of a token, through jsonwebtoken. */
import jwt from 'jsonwebtoken';
import { AuthenticationError } from './authentication-error.js';
import { selectKey } from './key-selection.js';
import type { VerificationKey } from './verification-key.js';

/** Resolves with the claims, not checked yet. Rejects with an `AuthenticationError`. */
export type TokenVerifier = (token: string) => Promise<unknown>;

/** Left to readClaims, which knows the clock. */
export const withoutTimes = { ignoreExpiration: true, ignoreNotBefore: true } as const;

export function tokenVerifier(keys: readonly VerificationKey[]): TokenVerifier {
  const algorithms = [...new Set(keys.map(({ algorithm }) => algorithm))];
  return async (token) => {
    try {
      const header = jwt.decode(token, { complete: true })?.header;
      return jwt.verify(token, selectKey(keys, header), { algorithms, ...withoutTimes });
    } catch (error) {
      throw authenticationError(error);
    }
  };
}

/** What is wrong with a token, by the error of jsonwebtoken. */
export function authenticationError(cause: unknown): AuthenticationError {
  if (cause instanceof AuthenticationError) return cause;
  // The TypeError is about an ES256 signature of the wrong length.
  return cause instanceof jwt.JsonWebTokenError || cause instanceof TypeError
    ? new AuthenticationError('signature', 'The signature of the token is not valid.', cause)
    : new AuthenticationError('malformed', 'The token is malformed.', cause);
}
