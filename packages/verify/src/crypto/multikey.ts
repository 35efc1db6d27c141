/** Ed25519 public keys as text (Controlled Identifiers 1.0, section 2.2.2). */
import { fromBase58, toBase58 } from './base58.js';

const HEADER = [0xed, 0x01];
const KEY_BYTES = 32;
const DID_KEY = 'did:key:';

export const SIGNATURE_BYTES = 64;

/** `undefined` unless the text is `z` and that many bytes in base 58. */
export function fromMultibase(text: string, length: number): Uint8Array<ArrayBuffer> | undefined {
  const bytes = text.startsWith('z') ? fromBase58(text.slice(1), length) : undefined;
  return bytes?.length === length ? bytes : undefined;
}

/** `undefined` unless the text is a multikey of Ed25519. */
export function keyOfMultikey(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = fromMultibase(text, HEADER.length + KEY_BYTES);
  return bytes !== undefined && HEADER.every((byte, at) => bytes[at] === byte)
    ? bytes.subarray(HEADER.length)
    : undefined;
}

/** The multikey of an Ed25519 key in base 58; `undefined` for other texts. */
export function multikeyOfBase58(text: string): string | undefined {
  const key = fromBase58(text, KEY_BYTES);
  return key?.length === KEY_BYTES ? `z${toBase58(Uint8Array.of(...HEADER, ...key))}` : undefined;
}

export const isDidKey = (did: string): boolean => did.startsWith(DID_KEY);

/** The multikey that a `did:key` consists of. */
export const multikeyOfDidKey = (did: string): string => did.slice(DID_KEY.length);
