/** Checks the signature of a request's token, through koa-jwt. */
import jwt from 'jsonwebtoken';
import type { Context } from 'koa';
import koaJwt from 'koa-jwt';
import { AuthenticationError } from './authentication-error.js';
import { bearerToken } from './bearer.js';
import { selectKey } from './key-selection.js';
import type { VerificationKey } from './verification-key.js';

export interface SignedToken {
  readonly token: string;
  /** The claims, not checked yet. */
  readonly payload: unknown;
}

/** Rejects with an `AuthenticationError`. */
export type TokenVerifier = (ctx: Context) => Promise<SignedToken>;

interface KoaJwtState {
  readonly token: string;
  readonly payload: unknown;
  readonly jwtOriginalError?: unknown;
}

/** Left to readClaims, which knows the clock. koa-jwt hands these on to jsonwebtoken. */
const withoutTimes = { ignoreExpiration: true, ignoreNotBefore: true };

export function tokenVerifier(keys: readonly VerificationKey[]): TokenVerifier {
  const verify = koaJwt({
    getToken: (ctx) => bearerToken(ctx.req.headers.authorization),
    // The types of koa-jwt omit KeyObject, which jsonwebtoken takes, and which saves parsing the key on each use.
    secret: async (header: unknown) => selectKey(keys, header) as KeyObjectAsSecret,
    algorithms: [...new Set(keys.map(({ algorithm }) => algorithm))],
    key: 'payload',
    tokenKey: 'token',
    // Keeps the original error, which says more than the 401 that koa-jwt would throw.
    passthrough: true,
    ...withoutTimes,
  });
  return async (ctx) => {
    const isolated = isolate(ctx);
    await verify(isolated, () => Promise.resolve());
    const { token, payload, jwtOriginalError } = isolated.state as KoaJwtState;
    if (jwtOriginalError !== undefined) throw authenticationError(jwtOriginalError);
    return { token, payload };
  };
}

type KeyObjectAsSecret = VerificationKey['key'] & string;

/** The same request with its own state: koa-jwt prefers `ctx.state.secret`, which may belong to the host application. */
const isolate = (ctx: Context): Context => Object.create(ctx, { state: { value: {} } }) as Context;

function authenticationError(cause: unknown): AuthenticationError {
  if (cause instanceof AuthenticationError) return cause;
  // The TypeError is about an ES256 signature of the wrong length.
  return cause instanceof jwt.JsonWebTokenError || cause instanceof TypeError
    ? new AuthenticationError('signature', 'The signature of the token is not valid.', cause)
    : new AuthenticationError('malformed', 'The token is malformed.', cause);
}
