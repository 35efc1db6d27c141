/** The options that provide verification keys. */
import { invalidOption } from '@blockwork/core/adapter';
import type { OptionShape } from '@blockwork/core/adapter';
import { createSecretKey, KeyObject } from 'node:crypto';
import { z } from 'zod';
import { keySetShape } from './remote-keys.js';
import type { KeySetOptions } from './remote-keys.js';
import { keysOfSet } from './jwk-set.js';
import type { JsonWebKey } from './jwk-set.js';
import { assertUsable } from './verification-key.js';
import type { VerificationKey } from './verification-key.js';

export interface KeyOptions {
  /** Secret shared with the issuer, for HS256: at least 32 bytes. */
  readonly secret?: KeyObject | Uint8Array;
  readonly keys?: readonly VerificationKey[];
  /** A JWK Set (RFC 7517) as data; nothing is fetched. Keys for other algorithms or uses are skipped. */
  readonly jwks?: { readonly keys: readonly JsonWebKey[] };
  /** A JWK Set that is reloaded periodically, so that its issuer can rotate keys. */
  readonly keySet?: KeySetOptions;
}

export const keyOptionShape: OptionShape<KeyOptions> = {
  secret: z.custom(
    (value) => value instanceof KeyObject || value instanceof Uint8Array,
    'must be a KeyObject or bytes, for instance Buffer.from(text, "base64url")',
  ),
  keys: z.array(
    z.strictObject({
      algorithm: z.enum(['HS256', 'RS256', 'ES256']),
      key: z.custom((value) => value instanceof KeyObject, 'must be a KeyObject'),
      kid: z.string().optional(),
    }),
  ),
  jwks: z.looseObject({ keys: z.array(z.looseObject({})) }),
  keySet: keySetShape,
};

/** All keys from validated options, except those still to be loaded. Throws `OPTION_INVALID`. */
export function verificationKeys({ secret, keys: ownKeys, jwks, keySet }: KeyOptions): readonly VerificationKey[] {
  const keys = [
    ...usable('auth.secret', secret === undefined ? [] : [sharedSecret(secret)]),
    ...usable('auth.keys', ownKeys ?? []),
    ...usable('auth.jwks', jwks === undefined ? [] : keysOfSet(jwks.keys)),
  ];
  if (keys.length === 0 && keySet === undefined) {
    throw invalidOption('auth', 'it has no key to verify tokens with; pass secret, keys, jwks or keySet');
  }
  const kids = keys.map(({ kid }) => kid).filter((kid) => kid !== undefined);
  if (new Set(kids).size !== kids.length) throw invalidOption('auth', 'two keys have the same kid');
  return keys;
}

function usable(option: string, keys: readonly VerificationKey[]): readonly VerificationKey[] {
  for (const key of keys) assertUsable(key, option);
  return keys;
}

const sharedSecret = (secret: KeyObject | Uint8Array): VerificationKey => ({
  algorithm: 'HS256',
  key: secret instanceof KeyObject ? secret : createSecretKey(secret),
});
