/** Keys derived from one secret seed, so that no key is ever stored. */
import { createHash, createPrivateKey, hkdfSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { BlockworkError } from '../errors.js';
import { lruCache } from '../lru-cache.js';
import { invalidOption } from '../options/index.js';
import type { Keys } from '../ports/index.js';

const SEED_BYTES = 32;

/** Maximum number of derived keys cached; deriving one costs more than ten signatures. */
const CACHED_AT_MOST = 10_000;

/** The PKCS #8 header of a 32-byte Ed25519 private key (RFC 8410, section 7). */
const PKCS8_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');

interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: Uint8Array;
}

/**
 * The same seed yields the same keys on every machine and after every restart. Anyone with the seed can sign for every
 * identity. Without a seed, a random one is used and lost with the process: after a restart identities get new keys,
 * and `did:key` identities created here can no longer sign, while earlier signatures remain verifiable. Pass a seed
 * when using a durable store.
 */
export class SeededKeys implements Keys {
  readonly #seed: Uint8Array;
  readonly #cache = lruCache<KeyPair>(CACHED_AT_MOST);

  /** 32 secret bytes, for instance from `randomBytes(32)`, stored like any secret. `OPTION_INVALID` for any other length. */
  constructor(seed: Uint8Array = randomBytes(SEED_BYTES)) {
    if (!(seed instanceof Uint8Array) || seed.length !== SEED_BYTES) {
      throw invalidOption('keys', `a seed of keys has ${String(SEED_BYTES)} bytes`);
    }
    this.#seed = Uint8Array.from(seed);
  }

  async publicKey(name: string): Promise<Uint8Array> {
    return Uint8Array.from(this.#pair(name).publicKey);
  }

  async sign(name: string, bytes: Uint8Array): Promise<Uint8Array> {
    return sign(null, bytes, this.#pair(name).privateKey);
  }

  #pair(name: string): KeyPair {
    // A `did:key` names its own key, which cannot be derived from a seed.
    if (name.startsWith('did:key:')) throw new BlockworkError('KEY_UNAVAILABLE', { facts: { did: name } });
    let pair = this.#cache.get(name);
    if (pair === undefined) this.#cache.set(name, (pair = this.#derive(name)));
    return pair;
  }

  #derive(name: string): KeyPair {
    const info = createHash('sha256').update(name).digest();
    const secret = Buffer.from(hkdfSync('sha256', this.#seed, 'blockwork identity key', info, 32));
    const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_HEADER, secret]), format: 'der', type: 'pkcs8' });
    const { x = '' } = privateKey.export({ format: 'jwk' });
    return { privateKey, publicKey: Uint8Array.from(Buffer.from(x, 'base64url')) };
  }
}
