/** `node:crypto` for a page: what the engine uses of it, synchronous as there, with SHA-256 as the only hash. */
import { hkdf } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { Buffer } from './buffer.js';

export { createPrivateKey, createPublicKey, generateKeyPairSync, KeyObject, sign, verify } from './keys.js';

interface Running {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

class Hash {
  constructor(private readonly running: Running) {}

  update(data: string | Uint8Array): this {
    this.running.update(bytesOf(data));
    return this;
  }

  digest(): Buffer;
  digest(encoding: 'hex' | 'base64' | 'base64url'): string;
  digest(encoding?: 'hex' | 'base64' | 'base64url'): Buffer | string {
    const digest = Buffer.from(this.running.digest());
    return encoding === undefined ? digest : digest.toString(encoding);
  }
}

type Buffer = InstanceType<typeof Buffer>;

export const createHash = (_algorithm: 'sha256'): Hash => new Hash(sha256.create());

export function hash(algorithm: 'sha256', data: string | Uint8Array, encoding: 'hex'): string;
export function hash(algorithm: 'sha256', data: string | Uint8Array, encoding: 'buffer'): Buffer;
export function hash(_algorithm: 'sha256', data: string | Uint8Array, encoding: 'hex' | 'buffer'): string | Buffer {
  const digest = Buffer.from(sha256(bytesOf(data)));
  return encoding === 'buffer' ? digest : digest.toString(encoding);
}

export const createHmac = (_algorithm: 'sha256', key: string | Uint8Array): Hash =>
  new Hash(hmac.create(sha256, bytesOf(key)));

export const hkdfSync = (
  _algorithm: 'sha256',
  key: Uint8Array,
  salt: string | Uint8Array,
  info: string | Uint8Array,
  length: number,
): ArrayBuffer => Uint8Array.from(hkdf(sha256, key, bytesOf(salt), bytesOf(info), length)).buffer;

export const randomBytes = (length: number): Buffer =>
  Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(length)));

export const randomUUID = (): string => globalThis.crypto.randomUUID();

/** The page has no other reader whose time could tell anything. */
export const timingSafeEqual = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

/** Tokens of the page are not signed. */
export function createSecretKey(): never {
  throw new Error('A page has no secret keys.');
}

const bytesOf = (data: string | Uint8Array): Uint8Array =>
  typeof data === 'string' ? new TextEncoder().encode(data) : data;
