/** Authenticates requests by their Bearer token, verified by koa-jwt. */
import { TokenAuthenticator as AnyTokenAuthenticator } from '@blockwork/http';
import type { TokenOptions } from '@blockwork/http';
import { koaJwtVerifier } from './koa-jwt-verifier.js';

export class TokenAuthenticator extends AnyTokenAuthenticator {
  /** Throws `OPTION_INVALID`. */
  constructor(options: TokenOptions) {
    super(options, koaJwtVerifier);
  }
}
