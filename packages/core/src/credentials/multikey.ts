/**
 * Multikeys: Ed25519 public keys as text (Controlled Identifiers 1.0, section 2.2.2), and `did:key` identities derived
 * from them.
 */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { base58 } from '@scure/base';

/** The multicodec header of an Ed25519 public key. */
const HEADER = [0xed, 0x01];
const KEY_LENGTH = 32;
const SIGNATURE_LENGTH = 64;
const DID_KEY = 'did:key:';

export const toMultikey = (publicKey: Uint8Array): string => toMultibase(Uint8Array.of(...HEADER, ...publicKey));

/** `undefined` unless the text is the canonical multikey of an Ed25519 key. */
export function fromMultikey(text: string): Uint8Array | undefined {
  const bytes = fromMultibase(text, HEADER.length + KEY_LENGTH);
  return bytes !== undefined && HEADER.every((byte, at) => bytes[at] === byte)
    ? bytes.subarray(HEADER.length)
    : undefined;
}

export const toSignatureText = (signature: Uint8Array): string => toMultibase(signature);

export const fromSignatureText = (text: string): Uint8Array | undefined => fromMultibase(text, SIGNATURE_LENGTH);

export const isDidKey = (did: string): boolean => did.startsWith(DID_KEY);

export const toDidKey = (publicKey: Uint8Array): string => DID_KEY + toMultikey(publicKey);

/** The key inside a `did:key`; `undefined` for other identities and other kinds of keys. */
export const keyOfDidKey = (did: string): Uint8Array | undefined =>
  isDidKey(did) ? fromMultikey(did.slice(DID_KEY.length)) : undefined;

/** The multikey inside a `did:key`, in its canonical form. */
export function keyNamedBy(did: string): string | undefined {
  const key = keyOfDidKey(did);
  return key && toMultikey(key);
}

export const publicKeyObject = (publicKey: Uint8Array): KeyObject =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') },
    format: 'jwk',
  });

const toMultibase = (bytes: Uint8Array): string => `z${base58.encode(bytes)}`;

/** Decoding base 58 takes quadratic time, so texts too long for `length` bytes are not decoded. */
function fromMultibase(text: string, length: number): Uint8Array | undefined {
  if (!/^z[1-9A-HJ-NP-Za-km-z]+$/.test(text) || text.length > 1 + Math.ceil(length * 1.37)) return undefined;
  const bytes = base58.decode(text.slice(1));
  return bytes.length === length ? bytes : undefined;
}
