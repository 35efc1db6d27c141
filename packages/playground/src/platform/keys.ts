/** Ed25519 keys as `node:crypto` has them: signatures and JWKs, made by a library instead of OpenSSL. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { Buffer } from './buffer.js';

interface Jwk {
  readonly kty?: string;
  readonly crv?: string;
  readonly x?: string;
  readonly d?: string;
}

interface DerInput {
  readonly key: Uint8Array;
  readonly format: 'der';
  readonly type: 'pkcs8';
}

interface JwkInput {
  readonly key: Jwk;
  readonly format: 'jwk';
}

/** Bytes before the secret in the PKCS #8 form of an Ed25519 key (RFC 8410, section 7). */
const PKCS8_HEADER = 16;
const KEY_LENGTH = 32;

export class KeyObject {
  readonly asymmetricKeyType = 'ed25519';

  constructor(
    readonly type: 'private' | 'public',
    readonly publicKey: Uint8Array,
    readonly secret?: Uint8Array,
  ) {}

  export(_options: { readonly format: 'jwk' }): Jwk {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(this.publicKey).toString('base64url') };
    return this.secret === undefined ? jwk : { ...jwk, d: Buffer.from(this.secret).toString('base64url') };
  }
}

export function createPrivateKey(input: DerInput | JwkInput): KeyObject {
  return privateKey(input.format === 'jwk' ? bytesOf(input.key, 'd') : input.key.slice(PKCS8_HEADER));
}

export function createPublicKey(input: KeyObject | JwkInput): KeyObject {
  return new KeyObject('public', input instanceof KeyObject ? input.publicKey : bytesOf(input.key, 'x'));
}

export function generateKeyPairSync(_type: 'ed25519'): {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
} {
  const secret = privateKey(ed25519.utils.randomSecretKey());
  return { privateKey: secret, publicKey: createPublicKey(secret) };
}

export function sign(_algorithm: null, bytes: Uint8Array, { secret }: KeyObject): Uint8Array {
  if (secret === undefined) throw new TypeError('A public key does not sign.');
  return ed25519.sign(bytes, secret);
}

/** Strict, as OpenSSL (RFC 8032, section 5.1.7). */
export function verify(_algorithm: null, bytes: Uint8Array, { publicKey }: KeyObject, signature: Uint8Array): boolean {
  return signature.length === 2 * KEY_LENGTH && ed25519.verify(signature, bytes, publicKey, { zip215: false });
}

const privateKey = (secret: Uint8Array): KeyObject =>
  new KeyObject('private', ed25519.getPublicKey(secret), Uint8Array.from(secret));

function bytesOf({ kty, crv, ...members }: Jwk, name: 'd' | 'x'): Uint8Array {
  const bytes = Uint8Array.from(Buffer.from(members[name] ?? '', 'base64url'));
  if (kty === 'OKP' && crv === 'Ed25519' && bytes.length === KEY_LENGTH) return bytes;
  throw new TypeError('The JWK is no Ed25519 key.');
}
