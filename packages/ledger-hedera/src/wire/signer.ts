/** What signs transactions: a function, so that a key can stay where it is kept. */
import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';

/**
 * A key that signs. `sign` gets the bytes of a transaction's body and gives the 64 bytes of the signature; for
 * secp256k1 these are r and s over the Keccak-256 hash. The engine never sees the private key.
 */
export interface Signer {
  readonly type: 'ed25519' | 'secp256k1';
  /** 32 bytes for Ed25519, 33 (compressed) for secp256k1. */
  readonly publicKey: Uint8Array;
  sign(body: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/** The DER prefix of a PKCS #8 Ed25519 seed (RFC 8410). */
const PREFIX = '302e020100300506032b657004220420';
/** The end of an uncompressed or raw secp256k1 key in DER, by its object identifiers. */
const SECP256K1 = '2b8104000a';

/**
 * The signer of an Ed25519 private key as text: hexadecimal in DER (as accounts' keys are shown) or raw, or PEM. The
 * text is never part of a message.
 */
export function ed25519Signer(text: string): Signer {
  const key = privateKeyOf(text.trim());
  const jwk = createPublicKey(key).export({ format: 'jwk' });
  return {
    type: 'ed25519',
    publicKey: Buffer.from(jwk.x ?? '', 'base64url'),
    sign: (body) => sign(null, body, key),
  };
}

function privateKeyOf(text: string): KeyObject {
  const hex = text.replace(/^0x/, '').toLowerCase();
  if (hex.includes(SECP256K1)) throw invalidKey('it is an ECDSA key; pass a signer function for these');
  try {
    if (text.startsWith('-----BEGIN')) return ed25519Only(createPrivateKey(text));
    if (/^[0-9a-f]{64}$/.test(hex)) return pkcs8(`${PREFIX}${hex}`);
    if (/^[0-9a-f]{96}$/.test(hex) && hex.startsWith(PREFIX)) return pkcs8(hex);
  } catch {
    // The reason may quote the key.
  }
  throw invalidKey('it must be an Ed25519 private key: hexadecimal in DER (96 digits) or raw (64 digits), or PEM');
}

const pkcs8 = (hex: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(hex, 'hex'), format: 'der', type: 'pkcs8' });

function ed25519Only(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('another type');
  return key;
}

const invalidKey = (reason: string): Error => new Error(`The operator's key is not usable: ${reason}.`);
