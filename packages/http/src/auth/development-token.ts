/** Signs tokens for examples, tests and local development. */
import { systemClock } from '@blockwork/core';
import type { Caller, Clock } from '@blockwork/core';
import { demandObject, demandOptions } from '@blockwork/core/adapter';
import { createSecretKey, KeyObject } from 'node:crypto';
import { jsonwebtoken } from './jsonwebtoken.js';

export interface DevelopmentTokenOptions {
  readonly issuer?: string;
  readonly audience?: string;
  /** Seconds; default one day. */
  readonly lifetime?: number;
  readonly clock?: Clock;
}

/**
 * Signs a token (HS256) for a caller, with the secret of the server.
 *
 * @example
 * const token = signDevelopmentToken(secret, { did: 'did:example:ana', role: 'USER' });
 */
export function signDevelopmentToken(
  secret: KeyObject | Uint8Array,
  caller: Caller,
  options: DevelopmentTokenOptions = {},
): string {
  demandObject(caller, 'signDevelopmentToken', 'caller', 'a did');
  demandOptions(options, 'signDevelopmentToken', 'options');
  const now = Math.floor((options.clock ?? systemClock).now() / 1000);
  const { did, ...rest } = caller;
  const claims = {
    ...rest,
    sub: did,
    iat: now,
    exp: now + (options.lifetime ?? 86_400),
    ...(options.issuer === undefined ? {} : { iss: options.issuer }),
    ...(options.audience === undefined ? {} : { aud: options.audience }),
  };
  const key = secret instanceof KeyObject ? secret : createSecretKey(secret);
  return jsonwebtoken().sign(claims, key, { algorithm: 'HS256' });
}
