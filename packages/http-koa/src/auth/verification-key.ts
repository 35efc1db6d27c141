/** Keys that tokens are verified with: each with the one algorithm it is for (RFC 8725, section 3.1). */
import { createPublicKey, createSecretKey, KeyObject } from 'node:crypto';
import { invalidOption } from '../options.js';

export type KeyAlgorithm = 'HS256' | 'RS256' | 'ES256';

export interface VerificationKey {
  readonly algorithm: KeyAlgorithm;
  /** A secret key for HS256, a public key otherwise. Never text, which costs 20 times as much on each use. */
  readonly key: KeyObject;
  /** The `kid` that tokens name it by. */
  readonly kid?: string;
}

/** A JSON Web Key (RFC 7517); its members depend on the kind of key. */
export interface JsonWebKey {
  readonly kty?: string;
  readonly [member: string]: unknown;
}

export interface KeyOptions {
  /** Secret shared with the issuer, for HS256: 32 bytes or more. */
  readonly secret?: KeyObject | Uint8Array;
  readonly keys?: readonly VerificationKey[];
  /** A JWK Set (RFC 7517) as data; nothing is fetched. Keys of other kinds in it are passed over. */
  readonly jwks?: { readonly keys: readonly JsonWebKey[] };
}

/** All keys of the options, checked. */
export function verificationKeys(options: KeyOptions): readonly VerificationKey[] {
  const keys = [
    ...(options.secret === undefined ? [] : [sharedSecret(options.secret)]),
    ...(options.keys ?? []),
    ...(options.jwks === undefined ? [] : keysOfSet(options.jwks.keys)),
  ];
  if (keys.length === 0) {
    throw invalidOption('auth', 'there is no key to verify tokens with; give secret, keys or jwks');
  }
  for (const key of keys) check(key);
  const kids = keys.map((key) => key.kid).filter((kid) => kid !== undefined);
  if (new Set(kids).size !== kids.length) throw invalidOption('auth', 'two keys have the same kid');
  return keys;
}

function sharedSecret(secret: unknown): VerificationKey {
  if (secret instanceof KeyObject) return { algorithm: 'HS256', key: secret };
  if (secret instanceof Uint8Array) return { algorithm: 'HS256', key: createSecretKey(secret) };
  throw invalidOption('auth.secret', 'it must be a KeyObject or bytes, for instance Buffer.from(text, "base64url")');
}

function keysOfSet(set: readonly JsonWebKey[]): VerificationKey[] {
  const usable = set.flatMap((jwk) => {
    const algorithm = algorithmOf(jwk);
    if (algorithm === null || (jwk['use'] !== undefined && jwk['use'] !== 'sig')) return [];
    if (jwk['d'] !== undefined) throw invalidOption('auth.jwks', 'it holds a private key; give public keys only');
    const kid = jwk['kid'];
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    return [{ algorithm, key, ...(typeof kid === 'string' ? { kid } : {}) }];
  });
  if (usable.length === 0) throw invalidOption('auth.jwks', 'it holds no key for RS256 or ES256');
  return usable;
}

function algorithmOf(jwk: JsonWebKey): 'RS256' | 'ES256' | null {
  const natural = jwk.kty === 'RSA' ? 'RS256' : jwk.kty === 'EC' && jwk['crv'] === 'P-256' ? 'ES256' : null;
  return jwk['alg'] === undefined || jwk['alg'] === natural ? natural : null;
}

/** Least sizes: RFC 7518, sections 3.2 (a key as long as the hash) and 3.3 (2048 bits). */
function check({ algorithm, key }: VerificationKey): void {
  if (!(key instanceof KeyObject)) throw invalidOption('auth.keys', `the ${algorithm} key must be a KeyObject`);
  const details = key.asymmetricKeyDetails;
  switch (algorithm) {
    case 'HS256':
      if (key.type !== 'secret') throw invalidOption('auth', 'HS256 needs a secret key');
      if ((key.symmetricKeySize ?? 0) < 32) {
        throw invalidOption('auth.secret', 'it is shorter than 256 bits; give 32 random bytes or more');
      }
      return;
    case 'RS256':
      if (key.type !== 'public' || key.asymmetricKeyType !== 'rsa') {
        throw invalidOption('auth.keys', 'RS256 needs a public RSA key');
      }
      if ((details?.modulusLength ?? 0) < 2048) {
        throw invalidOption('auth.keys', 'the RSA key is shorter than 2048 bits');
      }
      return;
    case 'ES256':
      if (key.type !== 'public' || details?.namedCurve !== 'prime256v1') {
        throw invalidOption('auth.keys', 'ES256 needs a public key on the curve P-256');
      }
      return;
    default:
      throw invalidOption('auth.keys', `the algorithm ${String(algorithm)} is not one of HS256, RS256, ES256`);
  }
}
