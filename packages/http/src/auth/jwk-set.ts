/** Verification keys from a JWK Set (RFC 7517). */
import { isBlockworkError } from '@blockwork/core';
import { invalidOption } from '@blockwork/core/adapter';
import { createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { assertUsable } from './verification-key.js';
import type { VerificationKey } from './verification-key.js';

/** Members depend on the key type. */
export interface JsonWebKey {
  readonly kty?: string;
  readonly [member: string]: unknown;
}

/** Skips keys for encryption and for other algorithms. Throws `OPTION_INVALID` if none is left. */
export function keysOfSet(set: readonly JsonWebKey[]): VerificationKey[] {
  const keys = set.flatMap(keysOf);
  if (keys.length === 0) throw invalidOption('auth.jwks', 'it has no key for RS256 or ES256');
  return keys;
}

/** Also skips malformed or weak keys, so that one of them does not invalidate a third party's set. */
export const usableKeysOfSet = (set: readonly JsonWebKey[]): VerificationKey[] =>
  set.flatMap((jwk) => {
    try {
      const keys = keysOf(jwk);
      for (const key of keys) assertUsable(key, 'auth.keySet');
      return keys;
    } catch (error) {
      if (isBlockworkError(error, 'OPTION_INVALID')) return [];
      throw error;
    }
  });

function keysOf(jwk: JsonWebKey): VerificationKey[] {
  const algorithm = algorithmOf(jwk);
  if (algorithm === null || (jwk['use'] !== undefined && jwk['use'] !== 'sig')) return [];
  if (jwk['d'] !== undefined) throw invalidOption('auth.jwks', 'it has a private key; pass public keys only');
  const kid = jwk['kid'];
  return [{ algorithm, key: publicKey(jwk), ...(typeof kid === 'string' ? { kid } : {}) }];
}

function algorithmOf(jwk: JsonWebKey): 'RS256' | 'ES256' | null {
  const natural = jwk.kty === 'RSA' ? 'RS256' : jwk.kty === 'EC' && jwk['crv'] === 'P-256' ? 'ES256' : null;
  return jwk['alg'] === undefined || jwk['alg'] === natural ? natural : null;
}

function publicKey(jwk: JsonWebKey): KeyObject {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch (cause) {
    throw invalidOption('auth.jwks', `a key of the type ${String(jwk.kty)} is malformed`, cause);
  }
}
