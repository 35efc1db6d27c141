/** Authenticates requests by their Bearer token, verified by koa-jwt. */
import {
  authenticationError,
  selectKey,
  TokenAuthenticator as AnyTokenAuthenticator,
  type TokenOptions,
  type TokenVerifier,
  type VerificationKey,
  withoutTimes,
} from '@blockwork/http';
import type { Context } from 'koa';
import type koaJwt from 'koa-jwt';
import { createRequire } from 'node:module';

export class TokenAuthenticator extends AnyTokenAuthenticator {
  /** Throws `OPTION_INVALID`. */
  constructor(options: TokenOptions) {
    super(options, koaJwtVerifier);
  }
}

interface KoaJwtState {
  readonly token: string;
  payload?: unknown;
  jwtOriginalError?: unknown;
}

function koaJwtVerifier(keys: readonly VerificationKey[]): TokenVerifier {
  const library = createRequire(import.meta.url)('koa-jwt') as typeof koaJwt;
  const verify = library({
    getToken: (ctx) => (ctx.state as KoaJwtState).token,
    // The types of koa-jwt omit KeyObject, which jsonwebtoken takes, and which saves parsing the key on each use.
    secret: async (header: unknown) => selectKey(keys, header) as KeyObjectAsSecret,
    algorithms: [...new Set(keys.map(({ algorithm }) => algorithm))],
    key: 'payload',
    // Keeps the original error, which says more than the 401 that koa-jwt would throw.
    passthrough: true,
    ...withoutTimes,
  });
  return async (token) => {
    // A separate state: koa-jwt prefers `ctx.state.secret`, which may belong to the host application.
    const state: KoaJwtState = { token };
    await verify({ state } as Context, () => Promise.resolve());
    if (state.jwtOriginalError !== undefined) throw authenticationError(state.jwtOriginalError);
    return state.payload;
  };
}

type KeyObjectAsSecret = VerificationKey['key'] & string;
