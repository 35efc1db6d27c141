/** A key for verifying tokens, bound to one algorithm (RFC 8725, section 3.1). */
import { invalidOption } from '@blockwork/core/adapter';
import type { KeyObject } from 'node:crypto';

export type KeyAlgorithm = 'HS256' | 'RS256' | 'ES256';

export interface VerificationKey {
  readonly algorithm: KeyAlgorithm;
  /** A secret key for HS256, a public key otherwise. Not PEM text: parsing it on each use costs 20 times as much. */
  readonly key: KeyObject;
  /** Its `kid` in tokens. */
  readonly kid?: string;
}

/** Throws `OPTION_INVALID`. Minimum sizes: RFC 7518, sections 3.2 (as long as the hash) and 3.3 (2048 bits). */
export function assertUsable({ algorithm, key }: VerificationKey, option: string): void {
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
  switch (algorithm) {
    case 'HS256':
      if (key.type !== 'secret') throw invalidOption(option, 'HS256 needs a secret key');
      if ((key.symmetricKeySize ?? 0) < 32) {
        throw invalidOption(option, 'the secret is shorter than 256 bits; use at least 32 random bytes');
      }
      return;
    case 'RS256':
      if (key.type !== 'public' || key.asymmetricKeyType !== 'rsa') {
        throw invalidOption(option, 'RS256 needs a public RSA key');
      }
      if (modulusLength < 2048) throw invalidOption(option, 'the RSA key is shorter than 2048 bits');
      return;
    case 'ES256':
      if (key.type !== 'public' || namedCurve !== 'prime256v1') {
        throw invalidOption(option, 'ES256 needs a public key on the curve P-256');
      }
  }
}
